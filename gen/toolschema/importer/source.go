package importer

import (
	"fmt"
	"strings"

	"github.com/toolfreeze/toolfreeze/gen/toolschema/internal/tree"
)

// The shapes of tool definitions that are read.
const (
	auto      = "auto"
	mcp       = "mcp"
	openai    = "openai"
	responses = "openai-responses"
	anthropic = "anthropic"
	gemini    = "gemini"
)

// Formats returns what [Options] From can be.
func Formats() []string { return []string{auto, mcp, openai, responses, anthropic, gemini} }

// source is one tool as its file describes it.
type source struct {
	name, description string
	args, result      *tree.Value // the schemas; nil where there is none
	strict            bool        // the schema was written for a strict mode: a required member that may be null is an optional one
	readOnly          *bool
	destructive       *bool
	idempotent        *bool
}

// sources finds the tools of a document and says which shape they have. Entries that are no functions of the user's own
// (a provider's web search and the like) are noted and left out.
func sources(doc *tree.Value, from string) (found []source, shape string, notes []Note, err error) {
	all, err := entries(doc, false)
	if err != nil {
		return nil, "", nil, err
	}
	if len(all) == 0 {
		return nil, "", nil, fmt.Errorf("got a document without tools, want at least one")
	}
	for i, e := range all {
		if hosted := hostedTool(e.Value); hosted != "" {
			notes = append(notes, Note{Tool: hosted, Inexact: true,
				Text: fmt.Sprintf("left out: entry %d is a tool that the provider runs, not one with arguments of its own", i+1)})
			continue
		}
		s := e.shape()
		if s == gemini && (from == openai || from == responses) && !e.declared {
			s = from // what OpenAI called functions, before there were tools
		}
		if err := e.fits(i, s, from, shape); err != nil {
			return nil, "", nil, err
		}
		shape = s
		t, err := toolOf(e.Value, s)
		if err != nil {
			return nil, "", nil, fmt.Errorf("entry %d: %w", i+1, err)
		}
		found = append(found, t)
	}
	if len(found) == 0 {
		return nil, "", nil, fmt.Errorf("got only tools that the provider runs, want at least one with arguments of its own")
	}
	return found, shape, notes, nil
}

// entry is one member of the list of tools.
type entry struct {
	*tree.Value
	declared bool // stood in functionDeclarations
}

// entries unwraps a document: a JSON-RPC reply, an object that holds the list, a list, or a single tool.
func entries(doc *tree.Value, nested bool) ([]entry, error) {
	if doc.Has("jsonrpc") && doc.Get("error").Is(tree.Object) {
		return nil, fmt.Errorf("got a JSON-RPC error, want the result of tools/list")
	}
	if r := doc.Get("result"); r.Is(tree.Object) {
		doc = r
	}
	switch doc.Kind {
	case tree.List:
		var all []entry
		for i, e := range doc.Items {
			if e.Kind != tree.Object {
				return nil, fmt.Errorf("entry %d: got %s, want a tool definition", i+1, e.Kind)
			}
			if d := declarations(e); d.Is(tree.List) {
				all = append(all, declared(d)...)
				continue
			}
			all = append(all, entry{Value: e})
		}
		return all, nil
	case tree.Object:
		for _, key := range []string{"tools", "functions"} {
			if l := doc.Get(key); l.Is(tree.List) && !nested {
				return entries(l, true)
			}
		}
		if d := declarations(doc); d.Is(tree.List) {
			return declared(d), nil
		}
		if e := (entry{Value: doc}); e.shape() != "" || doc.Has("toolSpec") {
			return []entry{e}, nil
		}
		return nil, fmt.Errorf("got an object with the members %q, want %s", head(doc.Keys), wanted)
	}
	return nil, fmt.Errorf("got %s, want %s", doc.Kind, wanted)
}

func declared(list *tree.Value) []entry {
	all := make([]entry, len(list.Items))
	for i, e := range list.Items {
		all[i] = entry{e, true}
	}
	return all
}

const wanted = `tool definitions of MCP ({"tools": [{"name", "inputSchema"}]}), OpenAI ([{"type": "function", ...}]), ` +
	`Anthropic ([{"name", "input_schema"}]) or Gemini ({"functionDeclarations": [...]})`

// head is the first few of some words, for a message.
func head(words []string) []string { return words[:min(len(words), 6)] }

func declarations(v *tree.Value) *tree.Value {
	if d := v.Get("functionDeclarations"); d != nil {
		return d
	}
	return v.Get("function_declarations")
}

// hostedTool is the name of a tool that the provider runs itself, "" for any other.
func hostedTool(e *tree.Value) string {
	if len(e.Keys) == 1 && e.Items[0].Is(tree.Object) {
		switch e.Keys[0] {
		case "googleSearch", "google_search", "googleSearchRetrieval", "google_search_retrieval", "codeExecution", "code_execution",
			"urlContext", "url_context", "googleMaps", "google_maps", "fileSearch", "file_search", "computerUse", "computer_use":
			return e.Keys[0]
		}
	}
	switch typ := e.Str("type"); typ {
	case "", "function", "custom", "object", "string", "number", "integer", "boolean", "array", "null":
		return ""
	default:
		if e.Has("function") || e.Has("inputSchema") || e.Has("input_schema") || e.Has("parameters") {
			return ""
		}
		return typ
	}
}

// shape tells what an entry looks like, "" where that is nothing that is read.
func (e entry) shape() string {
	switch {
	case e.Get("function").Is(tree.Object):
		return openai
	case e.Has("inputSchema"):
		return mcp
	case e.Has("input_schema"):
		return anthropic
	case e.Str("type") == "function" && e.Has("name"):
		return responses
	case e.Has("toolSpec"), e.Has("arguments"):
		return ""
	case e.Has("parametersJsonSchema"), e.Has("parameters_json_schema"), e.Has("parameters") && e.Has("name"), e.declared && e.Has("name"):
		return gemini
	}
	return ""
}

// fits reports what is wrong with the shape of an entry: none that is read, or another than that of the one before it.
func (e entry) fits(i int, shape, from, before string) error {
	switch {
	case e.Kind != tree.Object:
		return fmt.Errorf("entry %d: got %s, want a tool definition", i+1, e.Kind)
	case e.Has("toolSpec"):
		return fmt.Errorf("entry %d: got a Bedrock toolSpec, want %s; its toolSpec.inputSchema.json can stand as an MCP inputSchema", i+1, wanted)
	case shape == "" && e.Has("arguments"):
		return fmt.Errorf("entry %d: got a list of arguments that does not say which are required, want a JSON Schema, in %s", i+1, wanted)
	case shape == "":
		return fmt.Errorf("entry %d: got the members %q and no schema of the arguments, want %s", i+1, head(e.Keys), wanted)
	case from != auto && shape != from:
		return fmt.Errorf("entry %d: got the shape of %s, want that of %s; leave -from out to have it found", i+1, shape, from)
	case before != "" && shape != before:
		return fmt.Errorf("entry %d: got the shape of %s after that of %s, want one shape in a file", i+1, shape, before)
	}
	return nil
}

// toolOf reads one entry of a known shape.
func toolOf(e *tree.Value, shape string) (source, error) {
	f := e
	if g := e.Get("function"); shape == openai && g != nil {
		f = g
	}
	t := source{name: f.Str("name"), description: f.Str("description")}
	if t.name == "" {
		return t, fmt.Errorf("got no name, want a string")
	}
	if d := f.Get("description"); d != nil && d.Kind != tree.Text && d.Kind != tree.Null {
		return t, fmt.Errorf("tool %q: description: got %s, want a string", t.name, d.Kind)
	}
	t.strict, _ = f.Flag("strict")
	t.args = first(f, map[string][]string{
		mcp: {"inputSchema"}, anthropic: {"input_schema"}, openai: {"parameters"}, responses: {"parameters"},
		gemini: {"parametersJsonSchema", "parameters_json_schema", "parameters"},
	}[shape])
	switch shape {
	case mcp:
		t.result = first(f, []string{"outputSchema"})
	case gemini:
		t.result = first(f, []string{"responseJsonSchema", "response_json_schema", "response"})
	}
	for _, s := range []*tree.Value{t.args, t.result} {
		if s != nil && s.Kind != tree.Object {
			return t, fmt.Errorf("tool %q: got %s, want an object schema", t.name, s.Kind)
		}
	}
	a := e.Get("annotations")
	t.readOnly, t.destructive, t.idempotent = hint(a, "readOnlyHint"), hint(a, "destructiveHint"), hint(a, "idempotentHint")
	return t, nil
}

func hint(annotations *tree.Value, name string) *bool {
	if on, ok := annotations.Flag(name); ok {
		return &on
	}
	return nil
}

// first is the first of some members that is there.
func first(v *tree.Value, keys []string) *tree.Value {
	for _, k := range keys {
		if v.Has(k) {
			return v.Get(k)
		}
	}
	return nil
}

// fold is the form in which two tool names count as one: without regard to case, with "-" and "." as "_".
func fold(name string) string {
	return strings.NewReplacer("-", "_", ".", "_").Replace(strings.ToLower(name))
}

// distinct leaves out a tool that is there twice, and refuses the first two whose names count as one though they differ.
func distinct(found []source) ([]source, []Note, error) {
	seen := map[string]int{}
	var kept []source
	var notes []Note
	for i, s := range found {
		j, again := seen[fold(s.name)]
		switch {
		case !again:
			seen[fold(s.name)] = i
			kept = append(kept, s)
		case found[j].same(&s):
			notes = append(notes, Note{Tool: s.name, Text: fmt.Sprintf("entry %d is left out: it is the same as entry %d", i+1, j+1)})
		case found[j].name == s.name:
			// The first stays: a later one of the same name is how a server puts its own words into a trusted tool's mouth.
			notes = append(notes, Note{Tool: s.name, Dropped: true, Text: fmt.Sprintf("entry %d is left out: it describes the tool otherwise than entry %d, which is kept", i+1, j+1)})
		default:
			return nil, nil, fmt.Errorf("tools %d and %d: got the names %q and %q, which count as one; want distinct names, so leave one out or rename it",
				j+1, i+1, found[j].name, s.name)
		}
	}
	return kept, notes, nil
}

// same reports whether two tools are described in the same words.
func (s *source) same(o *source) bool {
	text := func(v *tree.Value) string {
		if v == nil {
			return ""
		}
		return string(v.JSON(nil))
	}
	return s.name == o.name && s.description == o.description && text(s.args) == text(o.args) && text(s.result) == text(o.result)
}
