package reading

import (
	"slices"

	"github.com/toolfreeze/toolfreeze/gen/toolschema/internal/tree"
)

// unionKey is the union that a schema is, "" for none.
func unionKey(v *tree.Value) string {
	for _, key := range []string{"anyOf", "oneOf"} {
		if u := v.Get(key); u.Is(tree.List) && len(u.Items) > 0 {
			return key
		}
	}
	return ""
}

// unnull takes null out of a schema that accepts it besides other values; v itself where it doesn't. An enum without null
// refuses it, but in a strict mode it is meant to be left to the type.
func (r *reader) unnull(v *tree.Value, m *made) *tree.Value {
	out := v
	free := !v.Has("type") || v.Get("type").Is(tree.List) && slices.ContainsFunc(v.Get("type").Items, func(t *tree.Value) bool { return word(t.Text) == "null" })
	free = free && (r.Strict || values(v) == nil || slices.ContainsFunc(values(v), func(e *tree.Value) bool { return e.Is(tree.Null) }))
	if types := v.Get("type"); types.Is(tree.List) {
		rest := slices.DeleteFunc(slices.Clone(types.Items), func(t *tree.Value) bool { return t.Is(tree.Text) && word(t.Text) == "null" })
		if len(rest) > 0 && len(rest) < len(types.Items) || len(types.Items) == 1 {
			m.null = m.null || len(rest) < len(types.Items) && free
			if len(rest) == 1 {
				out = out.With("type", rest[0])
			} else if len(rest) > 1 {
				out = out.With("type", &tree.Value{Kind: tree.List, Items: rest})
			} else {
				out = out.With("type", types.Items[0])
			}
		}
	}
	if values := v.Get("enum"); values.Is(tree.List) {
		rest := slices.DeleteFunc(slices.Clone(values.Items), func(e *tree.Value) bool { return e.Is(tree.Null) })
		if len(rest) > 0 && len(rest) < len(values.Items) {
			m.null = m.null || free
			out = out.With("enum", &tree.Value{Kind: tree.List, Items: rest})
		}
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		alts := v.Get(key)
		if !alts.Is(tree.List) {
			continue
		}
		rest := slices.DeleteFunc(slices.Clone(alts.Items), onlyNull)
		nulls := 0
		for _, a := range alts.Items {
			if r.takesNull(a, 0) {
				nulls++
			}
		}
		// Of oneOf exactly one alternative may accept it.
		m.null = m.null || free && (nulls == 1 || nulls > 1 && key == "anyOf")
		if len(rest) > 0 && len(rest) < len(alts.Items) {
			out = out.With(key, &tree.Value{Kind: tree.List, Items: rest})
		}
	}
	return out
}

// takesNull reports whether a schema accepts null.
func (r *reader) takesNull(v *tree.Value, depth int) bool {
	if depth > 8 || !v.Is(tree.Object) {
		return v.Is(tree.Boolean) && v.Text == "true"
	}
	if on, _ := v.Flag("nullable"); on {
		return true
	}
	if t := v.Get("type"); t.Is(tree.Text) && known(t.Text) != "null" && known(t.Text) != "any" ||
		t.Is(tree.List) && !slices.ContainsFunc(t.Items, func(w *tree.Value) bool { return word(w.Text) == "null" }) {
		return false
	}
	if values(v) != nil && !slices.ContainsFunc(values(v), func(e *tree.Value) bool { return e.Is(tree.Null) }) {
		return false
	}
	if t := r.resolve(v.Get("$ref")); t != nil && !r.takesNull(t, depth+1) {
		return false
	}
	for _, key := range []string{"anyOf", "oneOf", "allOf"} {
		alts, n := v.Get(key), 0
		if !alts.Is(tree.List) {
			continue
		}
		for _, a := range alts.Items {
			if r.takesNull(a, depth+1) {
				n++
			}
		}
		if n == 0 || key == "oneOf" && n > 1 || key == "allOf" && n < len(alts.Items) {
			return false
		}
	}
	return true
}

// onlyNull reports whether a schema accepts null and nothing else.
func onlyNull(v *tree.Value) bool {
	if v.Is(tree.Object) && v.Get("const").Is(tree.Null) {
		return true
	}
	if e := v.Get("enum"); e.Is(tree.List) && len(e.Items) == 1 && e.Items[0].Is(tree.Null) {
		return true
	}
	t := v.Get("type")
	if t.Is(tree.List) && len(t.Items) == 1 {
		t = t.Items[0]
	}
	return t.Is(tree.Text) && word(t.Text) == "null"
}
