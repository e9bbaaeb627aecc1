package toolschema

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

var update = flag.Bool("update", false, "write the wanted output of the tests anew")

func ptr[T any](v T) *T { return &v }

func field(name string, t catalog.Type) catalog.Field { return catalog.Field{Name: name, Type: t} }

func enum(values ...string) []catalog.Enum {
	var list []catalog.Enum
	for _, v := range values {
		list = append(list, catalog.Enum{Value: json.RawMessage(v)})
	}
	return list
}

// rich is a catalog that uses every kind and every constraint.
func rich() *catalog.Catalog {
	str := catalog.Type{Kind: catalog.String}
	return &catalog.Catalog{
		API: "rich", MaxTools: 9, MaxCallsPerRequest: 8, LiveEnv: "INDIE_TOOL_LIVE", Providers: catalog.Providers(),
		MaxArgsBytes: 1 << 20, MaxResultBytes: 1 << 20,
		Workspace: &catalog.Workspace{Root: "ws", MaxWriteBytes: 64, MaxReadBytes: 64},
		Types: []catalog.Named{
			{Name: "Node", Description: "A tree.", Fields: []catalog.Field{
				field("label", str),
				{Name: "next", Optional: true, Description: "The next one.", Type: catalog.Type{Kind: catalog.Ref, Ref: "Node"}},
				{Name: "children", Type: catalog.Type{Kind: catalog.List, Elem: &catalog.Type{Kind: catalog.Ref, Ref: "Node"}}},
			}},
			{Name: "Bag", Open: true, Fields: []catalog.Field{field("n", catalog.Type{Kind: catalog.Int})}},
		},
		Tools: []catalog.Tool{
			{Name: "ping", CostClass: catalog.Local, MaxCalls: 1, MaxMS: 1},
			{Name: "scalars", Description: "All \"scalars\" <b> & more.", CostClass: catalog.Local, MaxCalls: 1, MaxMS: 1, ReadOnly: ptr(true),
				Args: []catalog.Field{
					{Name: "s", Description: "Text", Type: catalog.Type{Kind: catalog.String, MinLength: ptr(1), MaxLength: ptr(8), Pattern: `^[a-z\\]+$`}},
					{Name: "u", Optional: true, Type: catalog.Type{Kind: catalog.String, Format: "uri"}},
					{Name: "e", Default: json.RawMessage(`"a"`), Type: catalog.Type{Kind: catalog.String, Enum: enum(`"a"`, `"b"`)}},
					{Name: "big", Default: json.RawMessage(`9007199254740993`), Type: catalog.Type{Kind: catalog.Int, Minimum: "-9223372036854775808", ExclusiveMaximum: "9223372036854775807"}},
					{Name: "f", Optional: true, Type: catalog.Type{Kind: catalog.Float, ExclusiveMinimum: "0.1", Maximum: "1e3"}},
					{Name: "n", Optional: true, Type: catalog.Type{Kind: catalog.Int, Enum: enum(`1`, `2`)}},
					field("b", catalog.Type{Kind: catalog.Bool}),
					field("t", catalog.Type{Kind: catalog.Time}),
					field("raw", catalog.Type{Kind: catalog.Bytes}),
					{Name: "p", Description: "The note", Type: catalog.Type{Kind: catalog.Path, Under: "notes", Access: "read"}},
					field("c", catalog.Type{Kind: catalog.Content, MaxBytes: 64}),
				},
				Result: []catalog.Field{{Name: "ok", Optional: true, Type: catalog.Type{Kind: catalog.Bool}}}},
			{Name: "nested", Description: "Lists and objects", CostClass: catalog.Local, MaxCalls: 1, MaxMS: 1, Destructive: ptr(false), Idempotent: ptr(true),
				Args: []catalog.Field{
					field("tags", catalog.Type{Kind: catalog.List, Elem: &str, MinItems: ptr(1), MaxItems: ptr(3), UniqueItems: true}),
					{Name: "node", Description: "Where to start.", Type: catalog.Type{Kind: catalog.Ref, Ref: "Node"}},
					{Name: "opt", Optional: true, Description: "Or here.", Type: catalog.Type{Kind: catalog.Ref, Ref: "Node"}},
					{Name: "obj", Default: json.RawMessage(`{"x":1.50}`), Type: catalog.Type{Kind: catalog.Object, Fields: []catalog.Field{field("x", catalog.Type{Kind: catalog.Float})}}},
					{Name: "either", Optional: true, Type: catalog.Type{Kind: catalog.JSON, OneOf: []catalog.Type{str, {Kind: catalog.Int}}}},
				}},
			{Name: "loose", CostClass: catalog.FreeNet, AllowURL: "https://example.invalid/", MaxCalls: 1, MaxMS: 1,
				Args: []catalog.Field{
					field("any", catalog.Type{Kind: catalog.JSON}),
					field("map", catalog.Type{Kind: catalog.Map, Elem: &catalog.Type{Kind: catalog.List, Elem: &catalog.Type{Kind: catalog.Ref, Ref: "Bag"}}}),
				},
				Result: []catalog.Field{field("node", catalog.Type{Kind: catalog.Ref, Ref: "Node"})}},
		},
	}
}

// TestDefinitions compares every dialect of the rich catalog, and its warnings, with testdata.
func TestDefinitions(t *testing.T) {
	for _, d := range Dialects() {
		doc, warnings, err := Definitions(rich(), d)
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		if err := json.Indent(&got, doc, "", " "); err != nil {
			t.Fatalf("%s: %v\n%s", d, err, doc)
		}
		got.WriteString("\n")
		for _, w := range warnings {
			fmt.Fprintf(&got, "warning: %s\n", w)
		}
		file := filepath.Join("testdata", "rich."+string(d)+".golden")
		if *update {
			if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Bytes(), want) {
			t.Errorf("%s: got other definitions than %s; run go test -update and look at the difference", d, file)
		}
		again, _, _ := Definitions(rich(), d)
		if !bytes.Equal(doc, again) {
			t.Errorf("%s: got other bytes the second time", d)
		}
	}
	if _, _, err := Definitions(rich(), "cohere"); err == nil || !strings.Contains(err.Error(), `"cohere"`) {
		t.Errorf("unknown dialect: got %v, want an error that names it", err)
	}
}

// parameters is where a dialect has the schema of the arguments.
func parameters(t *testing.T, d Dialect, doc []byte) (schemas []any, strict []bool) {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
	if err != nil {
		t.Fatalf("%s: %v", d, err)
	}
	if o, ok := v.(map[string]any); ok {
		v = o[map[Dialect]string{MCP: "tools", Gemini: "functionDeclarations"}[d]]
	}
	for _, tool := range v.([]any) {
		o := tool.(map[string]any)
		if d == OpenAI {
			o = o["function"].(map[string]any)
		}
		key := map[Dialect]string{OpenAI: "parameters", Anthropic: "input_schema", Gemini: "parametersJsonSchema"}[d]
		if key == "" {
			key = "inputSchema"
		}
		schemas = append(schemas, o[key])
		s, _ := o["strict"].(bool)
		strict = append(strict, s)
	}
	return schemas, strict
}

// checkProfile holds one schema against the table of its dialect, keyword by keyword.
func checkProfile(t *testing.T, what string, r rules, node any) {
	t.Helper()
	s := node.(map[string]any)
	if _, ok := s["$ref"]; ok && r.bareRef && len(s) > 1 {
		t.Errorf("%s: got keywords beside $ref: %v", what, s)
	}
	if r.strict && s["type"] == "object" {
		properties, _ := s["properties"].(map[string]any)
		required, _ := s["required"].([]any)
		if s["additionalProperties"] != false || properties == nil || len(required) != len(properties) {
			t.Errorf("%s: got an object that strict mode refuses: %v", what, s)
		}
	}
	for k, v := range s {
		if !r.reads(k) {
			t.Errorf("%s: got the keyword %q, which the provider does not read", what, k)
		}
		switch k {
		case "format":
			if r.formats != nil && !slices.Contains(r.formats, v.(string)) {
				t.Errorf("%s: got format %q", what, v)
			}
		case "enum":
			for _, e := range v.([]any) {
				if text, ok := e.(string); r.plainEnums && (!ok || text == "") {
					t.Errorf("%s: got the enum value %v", what, e)
				}
			}
		case "properties", "$defs":
			for name, p := range v.(map[string]any) {
				checkProfile(t, what+"."+name, r, p)
			}
		case "items":
			checkProfile(t, what+"[]", r, v)
		case "additionalProperties":
			if _, ok := v.(bool); !ok {
				checkProfile(t, what+".*", r, v)
			}
		case "anyOf", "oneOf":
			for i, a := range v.([]any) {
				checkProfile(t, fmt.Sprint(what, ".", k, ".", i), r, a)
			}
		}
	}
}

// checkDialects emits c in every dialect, holds each emission against its table and returns the compiled schemas.
func checkDialects(t *testing.T, c *catalog.Catalog) map[Dialect][]*jsonschema.Schema {
	t.Helper()
	all := map[Dialect][]*jsonschema.Schema{}
	for _, d := range Dialects() {
		doc, warnings, err := Definitions(c, d)
		if err != nil {
			t.Fatal(err)
		}
		schemas, strict := parameters(t, d, doc)
		for i, s := range schemas {
			r, name := d.rules(), c.Tools[i].Name
			if d == OpenAI && !strict[i] {
				if !slices.ContainsFunc(warnings, func(w Warning) bool { return w.Tool == name && strings.Contains(w.Text, "strict false") }) {
					t.Errorf("%s %s: got strict false without a warning", d, name)
				}
				r = rules{}
			}
			checkProfile(t, string(d)+" "+name, r, s)
			all[d] = append(all[d], compile(t, s))
		}
	}
	return all
}

func compile(t *testing.T, s any) *jsonschema.Schema {
	t.Helper()
	comp := jsonschema.NewCompiler()
	comp.DefaultDraft(jsonschema.Draft2020)
	comp.AssertFormat()
	if err := comp.AddResource("mem:///schema.json", s); err != nil {
		t.Fatal(err)
	}
	compiled, err := comp.Compile("mem:///schema.json")
	if err != nil {
		t.Fatalf("%v\n%v", err, s)
	}
	return compiled
}

func TestProfiles(t *testing.T) { checkDialects(t, rich()) }

func TestEmptyTool(t *testing.T) {
	const want = `{"type":"object","properties":{},"additionalProperties":false}`
	if got := string(Args(rich(), 0)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := Result(rich(), 0); got != nil {
		t.Errorf("got result schema %s, want none", got)
	}
}
