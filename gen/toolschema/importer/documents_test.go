package importer

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

// documents makes documents from a JSON Schema: mostly valid ones, and mutations of them.
type documents struct {
	rng  *rand.Rand
	root map[string]any
}

func (d *documents) pick(n int) int { return d.rng.IntN(n) }

func (d *documents) often() bool { return d.pick(4) > 0 }

// value makes a value that the schema is likely to accept.
func (d *documents) value(schema any, depth int) any {
	s, _ := schema.(map[string]any)
	if ref, ok := s["$ref"].(string); ok {
		return d.value(pointer(d.root, ref), depth+1)
	}
	if c, ok := s["const"]; ok {
		return c
	}
	if e, ok := s["enum"].([]any); ok && len(e) > 0 {
		return e[d.pick(len(e))]
	}
	for _, k := range []string{"anyOf", "oneOf"} {
		if alts, ok := s[k].([]any); ok && len(alts) > 0 {
			return d.value(alts[d.pick(len(alts))], depth+1)
		}
	}
	typ := s["type"]
	if list, ok := typ.([]any); ok {
		typ = list[d.pick(len(list))]
	}
	switch typ {
	case "string":
		return d.text(s)
	case "integer", "number":
		return d.number(s, typ == "integer")
	case "boolean":
		return d.pick(2) == 0
	case "null":
		return nil
	case "array":
		return d.list(s, depth)
	case "object":
		return d.object(s, depth)
	}
	return d.junk()
}

func (d *documents) text(s map[string]any) string {
	switch s["format"] {
	case "date":
		return "2026-02-28"
	case "date-time":
		return []string{"2026-02-28T10:00:00Z", "2026-02-28T10:00:00.5+01:00", "2026-02-28t10:00:00z"}[d.pick(3)]
	case "uuid":
		return "123e4567-e89b-12d3-a456-42661417400" + strconv.Itoa(d.pick(10))
	case "uri":
		return "https://example.invalid/x"
	}
	if p, ok := s["pattern"].(string); ok && strings.Contains(p, "=") && d.often() {
		return "app=web"
	}
	out := []string{"", "a", "plain text", "äöü€😀", "app=web,tier!=x", "2026"}[d.pick(6)]
	if n, ok := s["minLength"].(json.Number); ok {
		if m, _ := n.Int64(); int64(len([]rune(out))) < m {
			out += strings.Repeat("x", int(m))
		}
	}
	return out
}

func (d *documents) number(s map[string]any, whole bool) any {
	for _, k := range []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"} {
		if n, ok := s[k].(json.Number); ok && d.often() {
			return n
		}
	}
	if whole {
		return json.Number([]string{"0", "1", "5", "5.0", "50", "-3", "9007199254740993"}[d.pick(7)])
	}
	return json.Number([]string{"0", "1", "2.5", "50", "-0.25", "1e2"}[d.pick(6)])
}

func (d *documents) list(s map[string]any, depth int) any {
	n := d.pick(3)
	if m, ok := s["minItems"].(json.Number); ok {
		if low, _ := m.Int64(); int64(n) < low {
			n = int(low)
		}
	}
	if depth > 8 {
		n = 0
	}
	out := []any{}
	for range n {
		out = append(out, d.value(s["items"], depth+1))
	}
	return out
}

func (d *documents) object(s map[string]any, depth int) any {
	out := map[string]any{}
	required, _ := s["required"].([]any)
	properties, _ := s["properties"].(map[string]any)
	names := make([]string, 0, len(properties))
	for n := range properties {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		if slices.Contains(required, any(n)) || depth < 8 && d.pick(2) == 0 {
			out[n] = d.value(properties[n], depth+1)
		}
	}
	if extra, closed := s["additionalProperties"], false; extra != closed && properties == nil && d.often() {
		for range d.pick(3) {
			out["k"+strconv.Itoa(d.pick(9))] = d.value(extra, depth+1)
		}
	}
	return out
}

func (d *documents) junk() any {
	return []any{nil, true, "x", json.Number("3"), json.Number("2.5"), []any{}, []any{"a", json.Number("1")}, map[string]any{},
		map[string]any{"a": "b", "type": "workspace"}}[d.pick(9)]
}

// mutate returns a copy of a document with one thing changed somewhere.
func (d *documents) mutate(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		keys := make([]string, 0, len(v))
		for k, item := range v {
			out[k] = item
			keys = append(keys, k)
		}
		slices.Sort(keys)
		switch d.pick(6) {
		case 0:
			out["unknown"] = d.junk()
		case 1:
			if len(keys) > 0 {
				delete(out, keys[d.pick(len(keys))])
			}
		case 2:
			return d.junk()
		default:
			if len(keys) > 0 {
				k := keys[d.pick(len(keys))]
				out[k] = d.mutate(v[k])
			}
		}
		return out
	case []any:
		out := slices.Clone(v)
		switch d.pick(4) {
		case 0:
			out = append(out, d.junk())
		case 1:
			return d.junk()
		default:
			if len(out) > 0 {
				i := d.pick(len(out))
				out[i] = d.mutate(out[i])
			}
		}
		return out
	case string:
		if d.often() {
			return []any{v + "x", "", strings.ToUpper(v), "\u212a" + v}[d.pick(4)]
		}
	case json.Number:
		if d.often() {
			return []any{json.Number("-1"), json.Number("0.5"), json.Number("1e3"), string(v), json.Number("9223372036854775806")}[d.pick(5)]
		}
	}
	return d.junk()
}

// pointer follows a local reference.
func pointer(root map[string]any, ref string) any {
	var v any = root
	for _, step := range strings.Split(strings.TrimPrefix(strings.TrimPrefix(ref, "#"), "/"), "/") {
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		switch at := v.(type) {
		case map[string]any:
			if step != "" {
				v = at[step]
			}
		case []any:
			i, _ := strconv.Atoi(step)
			v = at[i]
		}
	}
	return v
}

// settled takes out of a document what the house takes as absent: null for an optional member.
func settled(c *catalog.Catalog, fields []catalog.Field, v any) any {
	o, ok := v.(map[string]any)
	if !ok {
		return v
	}
	out := map[string]any{}
	for k, item := range o {
		i := slices.IndexFunc(fields, func(f catalog.Field) bool { return f.Name == k })
		switch {
		case i < 0:
			out[k] = item
		case item == nil && fields[i].Optional:
		default:
			out[k] = settledType(c, &fields[i].Type, item)
		}
	}
	return out
}

func settledType(c *catalog.Catalog, t *catalog.Type, v any) any {
	switch t.Kind {
	case catalog.Object:
		return settled(c, t.Fields, v)
	case catalog.Ref:
		return settled(c, c.TypeNamed(t.Ref).Fields, v)
	case catalog.List:
		if l, ok := v.([]any); ok {
			out := []any{}
			for _, item := range l {
				out = append(out, settledType(c, t.Elem, item))
			}
			return out
		}
	case catalog.Map:
		if o, ok := v.(map[string]any); ok {
			out := map[string]any{}
			for k, item := range o {
				out[k] = settledType(c, t.Elem, item)
			}
			return out
		}
	}
	return v
}
