package importer

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/toolfreeze/toolfreeze/gen/freezefile"
	"github.com/toolfreeze/toolfreeze/gen/toolschema"
)

// group is one schema of the JSON Schema test suite with its documents.
type group struct {
	Description string
	Schema      json.RawMessage
	Tests       []struct {
		Description string
		Data        json.RawMessage
	}
}

// apart reports whether a group is about what the house reads otherwise, or what leads out of the schema.
func (g *group) apart() bool {
	for _, word := range []string{`"$id"`, `"$ref": "http`, `"$vocabulary"`, "http://localhost", "examples", "allOf", "unevaluated"} {
		if bytes.Contains(g.Schema, []byte(word)) {
			return true
		}
	}
	return false
}

// TestSuite puts each schema of the JSON Schema test suite into a member, as it is and with types written out, and demands
// that the freeze gives the validator's verdicts where the import says that it is exact.
func TestSuite(t *testing.T) {
	var exact, inexact, verdicts int
	files, err := filepath.Glob(filepath.Join(dataDir(t), "conformance", "json-schema-draft2020-12", "*.json"))
	more, _ := filepath.Glob(filepath.Join(dataDir(t), "conformance", "json-schema-draft2020-12", "*", "*.json"))
	if err != nil || len(files)+len(more) == 0 {
		t.Fatal("got no files of the suite")
	}
	for _, file := range append(files, more...) {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var groups []group
		if err := json.Unmarshal(src, &groups); err != nil {
			t.Fatal(err)
		}
		for _, g := range groups {
			if g.apart() {
				continue
			}
			for _, schema := range []json.RawMessage{g.Schema, typed(t, g.Schema)} {
				if n := g.verdicts(t, filepath.Base(file), schema); n > 0 {
					exact, verdicts = exact+1, verdicts+n
				} else {
					inexact++
				}
			}
		}
	}
	t.Logf("%d schemas exact, %d not, %d verdicts", exact, inexact, verdicts)
}

// verdicts compares the verdicts on the group's documents and returns how many there were, 0 where the import is not exact.
func (g *group) verdicts(t *testing.T, file string, schema json.RawMessage) int {
	moved := bytes.ReplaceAll(schema, []byte(`"#/`), []byte(`"#/properties/x/`))
	moved = bytes.ReplaceAll(moved, []byte(`"#"`), []byte(`"#/properties/x"`))
	whole := []byte(`{"type":"object","properties":{"x":` + string(moved) + `},"required":["x"]}`)
	got, err := Import("suite.json", []byte(`[{"name":"t","inputSchema":`+string(whole)+`}]`), Options{CostClass: "local"})
	if err != nil {
		t.Errorf("%s: %s: %v", file, g.Description, err)
		return 0
	}
	f, err := freezefile.Load("f.toml", got.Freeze)
	if err != nil {
		t.Errorf("%s: %s: %v\n%s", file, g.Description, err, got.Freeze)
		return 0
	}
	if slices.ContainsFunc(got.Notes, func(n Note) bool { return n.Inexact }) {
		return 0
	}
	_, original, err := house(decodeJSON(t, whole))
	if err != nil {
		t.Fatal(err)
	}
	ours := compileSchema(t, decodeJSON(t, toolschema.Args(f.Catalog, 0)))
	for _, test := range g.Tests {
		doc := settled(f.Catalog, f.Catalog.Tools[0].Args, map[string]any{"x": decodeJSON(t, test.Data)})
		want, have := original.Validate(doc), ours.Validate(doc)
		if (want == nil) != (have == nil) {
			t.Errorf("%s: %s: %s: %s: original %s: %v; freeze: %v\n%s%v", file, g.Description, test.Description, test.Data, whole, want, have, got.Freeze, got.Notes)
			break
		}
	}
	return len(g.Tests)
}

// typed gives a type to every schema that has keywords for one type only.
func typed(t *testing.T, schema json.RawMessage) json.RawMessage {
	types := map[string]string{"properties": "object", "required": "object", "additionalProperties": "object", "items": "array",
		"minItems": "array", "maxItems": "array", "uniqueItems": "array", "minLength": "string", "maxLength": "string", "pattern": "string",
		"format": "string", "minimum": "number", "maximum": "number", "exclusiveMinimum": "number", "exclusiveMaximum": "number"}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, item := range v {
				walk(item)
			}
		case map[string]any:
			for k, item := range v {
				if m, ok := item.(map[string]any); ok && (k == "properties" || k == "$defs") {
					for _, p := range m {
						walk(p)
					}
					continue
				}
				walk(item)
			}
			for k := range v {
				if w := types[k]; w != "" && v["type"] == nil {
					v["type"] = w
				}
			}
		}
	}
	v := decodeJSON(t, schema)
	walk(v)
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
