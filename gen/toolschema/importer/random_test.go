package importer

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/toolfreeze/toolfreeze/gen/freezefile"
	"github.com/toolfreeze/toolfreeze/gen/toolschema"
)

// schemas makes random schemas out of everything that real ones hold, in combinations that real ones don't.
type schemas struct{ rng *rand.Rand }

func (s *schemas) pick(n int) int { return s.rng.IntN(n) }

func (s *schemas) name() string {
	return []string{"a", "b", "page_size", "pageSize", "type", "a-b", "a_b", "A", "ünï", "漢字", "_x", "2fa", "id", "ids", "x y", "", "😀", "a/b", "extra"}[s.pick(19)]
}

func (s *schemas) scalar() any {
	return []any{"a", "A", "+1", "-1", "", "two\nlines", "bell\u0007", json.Number("1"), json.Number("1.0"), json.Number("2.5"), json.Number("-0"),
		json.Number("9007199254740993"), json.Number("1e400"), json.Number("99999999999999999999"), true, false, nil, []any{}, map[string]any{"a": json.Number("1")}}[s.pick(19)]
}

func (s *schemas) scalars() []any {
	var out []any
	for range s.pick(4) {
		out = append(out, s.scalar())
	}
	if out == nil {
		return []any{"a", "b"}
	}
	return out
}

func (s *schemas) object(depth int) map[string]any {
	properties := map[string]any{}
	var required []any
	for range s.pick(4) {
		n := s.name()
		properties[n] = s.schema(depth + 1)
		if s.pick(2) == 0 && !slices.Contains(required, any(n)) {
			required = append(required, n)
		}
	}
	out := map[string]any{"type": "object", "properties": properties}
	if required != nil {
		out["required"] = required
	}
	switch s.pick(6) {
	case 0:
		out["additionalProperties"] = false
	case 1:
		out["additionalProperties"] = true
	case 2:
		out["additionalProperties"] = s.schema(depth + 1)
	}
	return out
}

func (s *schemas) schema(depth int) any {
	if depth > 5 {
		return map[string]any{"type": "string"}
	}
	out := map[string]any{}
	switch s.pick(14) {
	case 0, 1:
		out = map[string]any{"type": "string"}
		s.maybe(out, "minLength", json.Number("1"), "maxLength", json.Number("2"), "pattern", "^a", "pattern", `\s`, "format", "uuid", "format", "date")
	case 2, 3:
		out = map[string]any{"type": []any{"integer", "number"}[s.pick(2)]}
		s.maybe(out, "minimum", json.Number("1"), "maximum", json.Number("2.5"), "exclusiveMinimum", json.Number("-1e3"), "exclusiveMaximum",
			json.Number("99999999999999999999"), "multipleOf", json.Number("1"))
	case 4:
		out = map[string]any{"type": "boolean"}
	case 5:
		out = map[string]any{"type": "array"}
		s.maybe(out, "items", s.schema(depth+1), "minItems", json.Number("1"), "maxItems", json.Number("2"), "uniqueItems", true, "items", true)
	case 6, 7:
		out = s.object(depth)
	case 8:
		out = map[string]any{"enum": s.scalars()}
		s.maybe(out, "type", "string", "type", "integer", "minLength", json.Number("1"))
	case 9:
		out = map[string]any{"const": s.scalar()}
	case 10:
		out = map[string]any{"$ref": []any{"#/$defs/A", "#/$defs/B", "#/properties/a", "#", "#/$defs/C"}[s.pick(5)]}
	case 11:
		alts := []any{}
		for range 1 + s.pick(3) {
			alts = append(alts, s.schema(depth+1))
		}
		out = map[string]any{[]string{"anyOf", "oneOf", "anyOf", "allOf"}[s.pick(4)]: alts}
		s.maybe(out, "type", "object", "type", "string")
	case 12:
		out = map[string]any{"type": []any{[]any{"string", "null"}, []any{"integer", "string"}, []any{"null", "array", "object"}, "null"}[s.pick(4)]}
		s.maybe(out, "minLength", json.Number("1"), "minimum", json.Number("1"), "enum", s.scalars())
	}
	s.maybe(out, "description", "A *text*.", "default", s.scalar(), "nullable", true, "title", "T", "x-order", json.Number("1"), "optional", true)
	return out
}

// maybe sets a few of some keywords, given as names and values in turn.
func (s *schemas) maybe(out map[string]any, pairs ...any) {
	for i := 0; i < len(pairs); i += 2 {
		if s.pick(4) == 0 {
			out[pairs[i].(string)] = pairs[i+1]
		}
	}
}

// sameAsOriginal imports a random tool. What is imported loads; where it is said to be exact it accepts what the original
// does. It reports whether the tool was exact.
func sameAsOriginal(t *testing.T, seed uint64) bool {
	s := &schemas{rng: rand.New(rand.NewPCG(seed, 2))}
	root := s.object(0)
	delete(root, "additionalProperties")
	root["$defs"] = map[string]any{"A": s.object(2), "B": s.schema(2)}
	src, err := json.Marshal([]any{map[string]any{"name": "t", "inputSchema": root}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := Import("random.json", src, Options{CostClass: "local"})
	if err != nil {
		if !strings.Contains(err.Error(), "member name") {
			t.Errorf("seed %d: %v\n%s", seed, err, src)
		}
		return false
	}
	f, err := freezefile.Load("f.toml", got.Freeze)
	if err != nil {
		t.Errorf("seed %d: %v\n%s\n%s", seed, err, src, got.Freeze)
		return false
	}
	c := f.Catalog
	ours := compileSchema(t, decodeJSON(t, toolschema.Args(c, 0)))
	if slices.ContainsFunc(got.Notes, func(n Note) bool { return n.Inexact }) || strings.Contains(string(src), "allOf") {
		return false
	}
	original := decodeJSON(t, src).([]any)[0].(map[string]any)["inputSchema"]
	read, theirs, err := house(original)
	if err != nil {
		return false
	}
	d := &documents{rng: rand.New(rand.NewPCG(seed, 3)), root: read.(map[string]any)}
	for i := range 20 {
		doc := d.value(read, 0)
		for range i % 3 {
			doc = d.mutate(doc)
		}
		doc = settled(c, c.Tools[0].Args, doc)
		text, _ := json.Marshal(doc)
		if bytes.Contains(text, []byte("99999999999999999999")) || bytes.Contains(text, []byte("1e400")) {
			continue // outside int64 and float64, whatever a schema says
		}
		if bytes.Contains(got.Freeze, []byte("one_of")) && bytes.Contains(text, []byte("null")) {
			continue // whether that null is an absent member depends on the alternative
		}
		want, have := theirs.Validate(doc), ours.Validate(doc)
		if (want == nil) != (have == nil) {
			t.Errorf("seed %d: %s\noriginal: %v\nfreeze: %v\n%s\n%s\n%v", seed, text, want, have, src, got.Freeze, got.Notes)
			break
		}
	}
	return true
}

func TestRandomSchemas(t *testing.T) {
	exact := 0
	for seed := range uint64(500) {
		if sameAsOriginal(t, seed) {
			exact++
		}
		if t.Failed() {
			break
		}
	}
	t.Logf("%d of 500 exact", exact)
}

func FuzzSchema(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { sameAsOriginal(t, seed) })
}
