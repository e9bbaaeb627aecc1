package importer

import (
	"bufio"
	"bytes"
	"encoding/json"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/toolfreeze/toolfreeze/gen/freezefile"
	"github.com/toolfreeze/toolfreeze/gen/toolschema"
	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

// row is one tool of catalogs.jsonl.
type row struct {
	ID, Catalog, Format, Name, Description string
	Schema                                 json.RawMessage
}

func rows[T any](t testing.TB, file string) []T {
	f, err := os.Open(filepath.Join(dataDir(t), file))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []T
	scan := bufio.NewScanner(f)
	for scan.Buffer(nil, 1<<20); scan.Scan(); {
		var r T
		if err := json.Unmarshal(scan.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	return list
}

// importRow imports one tool by itself.
func importRow(t testing.TB, r row) (*catalog.Catalog, *Imported) {
	t.Helper()
	tool := map[string]any{"name": r.Name, "description": r.Description, "inputSchema": r.Schema}
	doc := map[string]any{"tools": []any{tool}}
	if r.Format == "gemini" {
		doc = map[string]any{"functionDeclarations": []any{map[string]any{"name": r.Name, "description": r.Description, "parameters": r.Schema}}}
	}
	src, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Import(r.Name+".json", src, Options{CostClass: "local"})
	if err != nil {
		t.Fatal(err)
	}
	f, err := freezefile.Load("tools.freeze.toml", got.Freeze)
	if err != nil {
		t.Fatalf("%s: %v\n%s", r.Name, err, got.Freeze)
	}
	return f.Catalog, got
}

func decodeJSON(t testing.TB, b []byte) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func compileSchema(t testing.TB, s any) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	if m, ok := s.(map[string]any); ok {
		delete(m, "$schema")
	}
	if err := c.AddResource("mem:///s.json", s); err != nil {
		t.Fatal(err)
	}
	out, err := c.Compile("mem:///s.json")
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestSameDocuments imports every distinct tool and demands that the schema of the freeze accepts what the original one
// does, on documents made from the original.
func TestSameDocuments(t *testing.T) {
	var tools, exact, accepted, refused int
	for _, r := range rows[row](t, "catalogs.jsonl") {
		tools++
		c, got := importRow(t, r)
		inexact := slices.ContainsFunc(got.Notes, func(n Note) bool { return n.Inexact })
		if !inexact {
			exact++
		}
		ours := compileSchema(t, decodeJSON(t, toolschema.Args(c, 0)))
		dialects := compileDialects(t, c)
		if inexact {
			continue // the original may have keywords that cannot be compiled
		}
		schema := decodeJSON(t, r.Schema).(map[string]any)
		delete(schema, "$schema")
		original, theirs, err := house(schema)
		if err != nil {
			t.Fatal(err)
		}
		seed := fnv.New64()
		seed.Write([]byte(r.ID))
		d := &documents{rng: rand.New(rand.NewPCG(seed.Sum64(), 1)), root: original.(map[string]any)}
		for i := range 60 {
			doc := d.value(original, 0)
			for range i % 4 {
				doc = d.mutate(doc)
			}
			doc = settled(c, c.Tools[0].Args, doc)
			want, have := theirs.Validate(doc), ours.Validate(doc)
			if (want == nil) != (have == nil) {
				text, _ := json.Marshal(doc)
				t.Errorf("%s %s: %s\noriginal: %v\nfreeze: %v\n%s", r.Catalog, r.Name, text, want, have, got.Freeze)
				break
			}
			if want == nil {
				accepted++
				narrower(t, c, dialects, doc)
			} else {
				refused++
			}
		}
	}
	t.Logf("%d tools, %d exact (%.2f %%), %d documents accepted by both, %d refused by both", tools, exact, 100*float64(exact)/float64(tools), accepted, refused)
	if exact*100 < tools*99 {
		t.Errorf("got %d exact of %d, want 99 %%", exact, tools)
	}
}

// TestRecordedCalls holds the recorded calls against the imported tools.
func TestRecordedCalls(t *testing.T) {
	byID := map[string]row{}
	for _, r := range rows[row](t, "catalogs.jsonl") {
		byID[r.ID] = r
	}
	seen := map[string]int{}
	for _, call := range rows[struct {
		Tool, Expect string
		ToolID       string `json:"tool_id"`
		Args         json.RawMessage
		Why          any
	}](t, "calls.jsonl") {
		r, ok := byID[call.ToolID]
		if !ok {
			t.Logf("%s: no such tool %s", call.Tool, call.ToolID)
			continue
		}
		c, _ := importRow(t, r)
		sent := decodeJSON(t, call.Args)
		doc := settled(c, c.Tools[0].Args, sent)
		err := compileSchema(t, decodeJSON(t, toolschema.Args(c, 0))).Validate(doc)
		if nulls := !reflect.DeepEqual(sent, doc); nulls && err == nil {
			seen["null for an optional member"]++
			continue
		}
		if (err == nil) != (call.Expect == "valid") {
			t.Errorf("%s: %s: want %s (%v), got %v", call.Tool, call.Args, call.Expect, call.Why, err)
		}
		seen[call.Expect]++
	}
	t.Logf("%v", seen)
}

// compileDialects compiles the schema of the arguments of the one tool of c in every dialect.
func compileDialects(t *testing.T, c *catalog.Catalog) map[toolschema.Dialect]*jsonschema.Schema {
	all := map[toolschema.Dialect]*jsonschema.Schema{}
	for _, d := range toolschema.Dialects() {
		doc, _, err := toolschema.Definitions(c, d)
		if err != nil {
			t.Fatal(err)
		}
		v := decodeJSON(t, doc)
		if o, ok := v.(map[string]any); ok {
			v = map[bool]any{true: o["tools"], false: o["functionDeclarations"]}[d == toolschema.MCP]
		}
		tool := v.([]any)[0].(map[string]any)
		if f, ok := tool["function"].(map[string]any); ok {
			tool = f
		}
		for _, key := range []string{"inputSchema", "parameters", "input_schema", "parametersJsonSchema"} {
			if s := tool[key]; s != nil && (d != toolschema.OpenAI || tool["strict"] == true) {
				all[d] = compileSchema(t, s)
			}
		}
	}
	return all
}

// narrower reports a dialect that refuses what the plain schema accepts. For openai an optional member is given as null.
func narrower(t *testing.T, c *catalog.Catalog, dialects map[toolschema.Dialect]*jsonschema.Schema, doc any) {
	for d, s := range dialects {
		sent := doc
		if d == toolschema.OpenAI {
			sent = given(c, c.Tools[0].Args, doc)
		}
		if err := s.Validate(sent); err != nil {
			text, _ := json.Marshal(sent)
			t.Errorf("%s: %s: %s: %v", c.Tools[0].Name, d, text, err)
		}
	}
}

// given is a document in which every optional member stands, as null where it was absent.
func given(c *catalog.Catalog, fields []catalog.Field, v any) any {
	o, ok := v.(map[string]any)
	if !ok {
		return v
	}
	out := map[string]any{}
	for i := range fields {
		item, there := o[fields[i].Name]
		if !there {
			out[fields[i].Name] = nil
			continue
		}
		out[fields[i].Name] = givenType(c, &fields[i].Type, item)
	}
	return out
}

func givenType(c *catalog.Catalog, t *catalog.Type, v any) any {
	switch t.Kind {
	case catalog.Object:
		return given(c, t.Fields, v)
	case catalog.Ref:
		return given(c, c.TypeNamed(t.Ref).Fields, v)
	case catalog.List:
		out := []any{}
		for _, item := range v.([]any) {
			out = append(out, givenType(c, t.Elem, item))
		}
		return out
	case catalog.JSON:
		for i := range t.OneOf { // the alternatives of real tools that are objects are told apart by what they hold
			if o, ok := v.(map[string]any); ok && (t.OneOf[i].Kind == catalog.Object || t.OneOf[i].Kind == catalog.Ref) {
				whole := given(c, fieldsOf(c, &t.OneOf[i]), v).(map[string]any)
				if len(o) > 0 && containsAll(whole, o) {
					return whole
				}
			}
		}
	}
	return v
}

func fieldsOf(c *catalog.Catalog, t *catalog.Type) []catalog.Field {
	if t.Kind == catalog.Ref {
		return c.TypeNamed(t.Ref).Fields
	}
	return t.Fields
}

func containsAll(whole, part map[string]any) bool {
	for k := range part {
		if _, ok := whole[k]; !ok {
			return false
		}
	}
	return true
}
