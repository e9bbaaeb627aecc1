package toolschema

import (
	"fmt"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

// Dialect is the form in which one provider reads tool definitions.
type Dialect string

// The dialects.
const (
	// JSONSchema is no provider's: names, descriptions and plain JSON Schema 2020-12.
	JSONSchema Dialect = "json-schema"
	// MCP is the result of the Model Context Protocol's tools/list.
	MCP Dialect = "mcp"
	// OpenAI is the tools array of Chat Completions, in strict mode.
	OpenAI Dialect = "openai"
	// Anthropic is the tools array of the Messages API.
	Anthropic Dialect = "anthropic"
	// Gemini is one Tool of generateContent.
	Gemini Dialect = "gemini"
)

// Dialects returns every dialect once, in the order in which commands list them.
func Dialects() []Dialect { return []Dialect{JSONSchema, MCP, OpenAI, Anthropic, Gemini} }

// Warning is something that a provider may refuse, or that its dialect cannot say. The definitions are written all the
// same.
type Warning struct {
	// Tool is the name of the tool, "" where all tools together are meant.
	Tool string
	// Path is the member of the arguments as a JSON path, such as $.filter.tags[]; "" where the tool as a whole is meant.
	Path string
	// Text says what is wrong and what can be done, in one line.
	Text string
}

// String returns "tool: path: text" without the parts that are empty.
func (w Warning) String() string {
	s := w.Text
	if w.Path != "" {
		s = w.Path + ": " + s
	}
	if w.Tool != "" {
		s = w.Tool + ": " + s
	}
	return s
}

// Definitions returns the tool definitions that a model is shown in dialect d: one compact JSON document without a newline
// at its end, tools in the order of the freeze, the same bytes for the same catalog; and what the provider may refuse. An
// unknown dialect is an error.
func Definitions(c *catalog.Catalog, d Dialect) ([]byte, []Warning, error) {
	var tool func(*catalog.Catalog, int, *report) schema
	head, tail := "[", "]"
	switch d {
	case JSONSchema:
		tool = plainTool
	case MCP:
		tool, head, tail = mcpTool, `{"tools":[`, "]}"
	case OpenAI:
		tool = openaiTool
	case Anthropic:
		tool = anthropicTool
	case Gemini:
		tool, head, tail = geminiTool, `{"functionDeclarations":[`, "]}"
	default:
		return nil, nil, fmt.Errorf("dialect: got %q, want one of %q", string(d), Dialects())
	}
	r := &report{c: c, rules: d.rules()}
	out := []byte(head)
	for i := range c.Tools {
		if i > 0 {
			out = append(out, ',')
		}
		r.tool(i)
		out = tool(c, i, r).json(out)
	}
	r.whole()
	return append(out, tail...), r.warnings, nil
}

// start begins a definition with the tool's name and, where there is one, its description.
func start(t *catalog.Tool) schema {
	s := schema{{"name", t.Name}}
	if t.Description != "" {
		s = append(s, keyword{"description", t.Description})
	}
	return s
}

func plainTool(c *catalog.Catalog, i int, _ *report) schema {
	s := append(start(&c.Tools[i]), keyword{"inputSchema", Args(c, i)})
	if result := Result(c, i); result != nil {
		s = append(s, keyword{"outputSchema", result})
	}
	return s
}

func mcpTool(c *catalog.Catalog, i int, r *report) schema {
	t := &c.Tools[i]
	hint := func(p *bool, silent bool) bool {
		if p == nil {
			return silent
		}
		return *p
	}
	readOnly := hint(t.ReadOnly, false)
	return append(plainTool(c, i, r), keyword{"annotations", schema{
		{"readOnlyHint", readOnly},
		{"destructiveHint", hint(t.Destructive, !readOnly)},
		{"idempotentHint", hint(t.Idempotent, false)},
		{"openWorldHint", t.CostClass == catalog.FreeNet},
	}})
}

func openaiTool(c *catalog.Catalog, i int, r *report) schema {
	b := builder{c: c, r: r.rules}
	parameters := b.root(c.Tools[i].Args)
	strict := r.strict(i, parameters)
	f := start(&c.Tools[i])
	if strict {
		f = append(f, keyword{"parameters", parameters})
	} else {
		f = append(f, keyword{"parameters", Args(c, i)})
	}
	return schema{{"type", "function"}, {"function", append(f, keyword{"strict", strict})}}
}

func anthropicTool(c *catalog.Catalog, i int, _ *report) schema {
	return append(start(&c.Tools[i]), keyword{"input_schema", Args(c, i)})
}

func geminiTool(c *catalog.Catalog, i int, r *report) schema {
	b := builder{c: c, r: r.rules}
	return append(start(&c.Tools[i]), keyword{"parametersJsonSchema", b.root(c.Tools[i].Args)})
}
