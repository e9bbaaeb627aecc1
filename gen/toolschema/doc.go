// Package toolschema turns a catalog into what a model is shown: JSON Schema 2020-12 of arguments and results, and the
// tool definitions of the provider dialects.
//
// # Schemas
//
// [Args] and [Result] are the plain schemas. With formats asserted they accept what the generated decoder accepts, once
// a null for an optional member is taken as absent; the decoder refuses more (duplicate keys, bytes over a cap, path
// rules, integers outside int64, and so on), never less. Objects are closed with additionalProperties false unless the
// freeze says open. Members stand in the order of the freeze, keywords in a fixed order, numbers as the freeze writes
// them; the bytes depend on the catalog alone.
//
// # Dialects
//
// [Definitions] writes the same schemas in the form that one provider reads. What the provider refuses to read is left
// out of its schema and said in the member's description where a short phrase can say it; the decoder enforces it all
// the same. So a dialect's schema accepts everything that the plain schema accepts, never less, but for one thing: in
// the openai dialect an optional member must be given, as null when it is not wanted, since strict mode has no optional
// members. A limit that is exceeded is a [Warning].
//
//   - json-schema: a list of {name, description, inputSchema, outputSchema}
//   - mcp: {"tools": [...]}, the result of tools/list. All four hints are written out. A silent freeze gives what MCP
//     itself takes for granted: readOnlyHint false, idempotentHint false, and destructiveHint true unless the tool is
//     read-only. openWorldHint is true for a free_net tool and false for a local one, since the gate confines it.
//   - openai: the tools of Chat Completions, with strict true. A tool that strict mode cannot say (a map, an open object,
//     a json value without alternatives) or that exceeds its limits gets strict false, its plain schema, and a Warning
//   - anthropic: a list of {name, description, input_schema}, without strict
//   - gemini: {"functionDeclarations": [{name, description, parametersJsonSchema}]}
//
// The rules of each provider stand in one dated table ([Dialect] rules, in rules.go).
package toolschema
