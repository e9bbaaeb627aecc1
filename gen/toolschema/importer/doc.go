// Package importer turns the tool definitions of others into a freeze: the result of MCP's tools/list, the tools of
// OpenAI's Chat Completions and Responses, those of Anthropic and those of Gemini.
//
// [Import] returns the text of a freeze that a person can go on with: one table a tool, in the order of the definitions,
// and no cost class, since deciding on one is what a freeze is for. What JSON Schema says stays wherever a freeze has a
// word for it. The rest is kept as json or its constraint is dropped, and a [Note] names each such place: nothing is lost
// in silence.
//
// # What is read
//
//   - A list of definitions, an object that holds it under "tools" or "functions" (a whole request will do), a JSON-RPC
//     reply around it, Gemini's functionDeclarations and a list of them, or a single definition.
//   - Local references, recursive ones too, become named types where they lead to an object that is met more than once.
//   - Other words for types (dict, float, tuple, any, and Gemini's capitals) and nullable.
//   - Names: what Go can't tell apart gets a go_name. A tool's or an argument's name that a default provider refuses takes
//     that provider out of the freeze; a tool's that all refuse, or two that count as one, is an error.
//
// # How a freeze differs from JSON Schema
//
//   - An object that describes members and is silent about others is closed. One that describes none is free.
//   - Null and absent are one: a member that is required but may be null becomes optional.
//   - A default makes a member optional, so a required member keeps no default.
//
// Bedrock's toolSpec and lists of arguments without a schema are refused.
package importer
