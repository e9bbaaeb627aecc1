package reading

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/toolfreeze/toolfreeze/gen/toolschema/internal/accept"
	"github.com/toolfreeze/toolfreeze/gen/toolschema/internal/tree"
	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

// Types are the named types that the schemas of one freeze share. Make them with [New].
type Types struct {
	list   []*catalog.Named
	from   map[string]string // what each one was made of, by name
	open   map[string]bool   // those that are being read, so that little is known of them
	taken  func(name string) bool
	accept *accept.Types
}

// New returns no types. taken reports whether a name can't be given to a type.
func New(taken func(name string) bool) *Types {
	ts := &Types{from: map[string]string{}, open: map[string]bool{}, taken: taken}
	ts.accept = accept.New(func(name string) *catalog.Named {
		if ts.open[name] {
			return nil
		}
		return ts.Named(name)
	})
	return ts
}

// Named returns the type of that name, nil where there is none.
func (ts *Types) Named(name string) *catalog.Named {
	for _, n := range ts.list {
		if n.Name == name {
			return n
		}
	}
	return nil
}

// Members reads a schema of arguments or of a result into the members of an object, in their order, and gathers the named
// types that it needs. A schema that no object can be made of is an error.
func (ts *Types) Members(s Schema) ([]catalog.Field, []Note, error) {
	r := &reader{Schema: s, side: "$", types: ts}
	if s.Result {
		r.side = "result $"
	}
	r.share()
	fields, err := r.arguments(s.Root)
	var notes []Note
	seen := map[Note]bool{}
	for _, n := range r.notes {
		if !seen[n] {
			notes = append(notes, n)
		}
		seen[n] = true
	}
	return fields, notes, err
}

// ref returns the name of the type that stands for a shared schema, and reads it the first time. It is "" where the schema
// is not that of an object with members.
func (ts *Types) ref(r *reader, target *tree.Value, pointer string) string {
	if name, known := r.names[target]; known {
		return name
	}
	r.names[target] = "" // from here on, so that a reference to itself ends
	var m made
	side := *r
	side.notes = nil
	flat := side.flatten(target, "", &m)
	if flat == nil || len(side.inside) > len(r.inside) || m.null || !side.nameable(flat) {
		return ""
	}
	print := r.fingerprint(target)
	for _, name := range r.typeNames(pointer) {
		had := ts.from[name]
		if had != "" && had != print || had == "" && ts.taken(name) {
			continue
		}
		r.names[target] = name
		if had == "" {
			ts.from[name] = print
			ts.read(r, flat, &catalog.Named{Name: name, Description: m.description})
		}
		return name
	}
	return ""
}

// nameable reports whether a flat schema is that of an object with members and nothing that a named type can't be.
func (r *reader) nameable(flat *tree.Value) bool {
	extra := flat.Get("additionalProperties")
	return unionKey(flat) == "" && flat.Get("properties").Is(tree.Object) && slices.Equal(r.typeWords(flat, ""), []string{"object"}) &&
		values(flat) == nil && !(extra.Is(tree.Object) && len(extra.Keys) > 0)
}

// read fills in a named type.
func (ts *Types) read(r *reader, flat *tree.Value, n *catalog.Named) {
	ts.list = append(ts.list, n)
	ts.open[n.Name] = true
	inside, raw, result := r.inside, r.raw, r.Result
	r.inside, r.raw, r.Result = nil, 0, false // a type is the same wherever it is used
	extra := flat.Get("additionalProperties")
	n.Open = extra.Is(tree.Boolean) && extra.Text == "true" || extra.Is(tree.Object)
	r.typeWords(flat, "types."+n.Name)
	r.unsaid(flat, "types."+n.Name)
	n.Fields = r.fields(flat, "types."+n.Name)
	r.inside, r.raw, r.Result = inside, raw, result
	delete(ts.open, n.Name)
}

// fingerprint is the text of a schema and of all that its references lead to.
func (r *reader) fingerprint(target *tree.Value) string {
	var b strings.Builder
	seen := []*tree.Value{target}
	for i := 0; i < len(seen); i++ {
		b.Write(seen[i].JSON(nil))
		walkSchemas(seen[i], func(v *tree.Value) {
			if t := r.resolve(v.Get("$ref")); t != nil && !slices.Contains(seen, t) {
				seen = append(seen, t)
			}
		})
	}
	return b.String()
}

// typeNames are the names that a type may get, best first: made of the end of the reference, then behind the tool's name.
func (r *reader) typeNames(pointer string) []string {
	name := ""
	for _, s := range strings.Split(strings.TrimPrefix(pointer, "#"), "/") {
		switch s {
		case "", "$defs", "definitions", "properties", "anyOf", "oneOf", "allOf":
		case "items":
			name += "Item"
		case "additionalProperties":
			name += "Value"
		default:
			if strings.Trim(s, "0123456789") != "" {
				name = goWord(s)
			}
		}
	}
	tool := goWord(r.Tool)
	if name == "" {
		return []string{tool + "Tree", tool + "Object"}
	}
	if r.types.taken(name) {
		name += "Type"
	}
	return []string{name, tool + name, tool + name + "Type", tool + name + "Object"}
}

// goWord is the Go name of a text, in ASCII, since a type's name is a word of the freeze as well.
func goWord(s string) string {
	s = strings.Map(func(c rune) rune {
		if c >= utf8.RuneSelf {
			return ' '
		}
		return c
	}, s)
	f := catalog.Field{Name: s}
	return strings.ReplaceAll(f.Go(), "_", "")
}

// walkSchemas visits v and every schema inside it, references not followed.
func walkSchemas(v *tree.Value, visit func(*tree.Value)) {
	if !v.Is(tree.Object) {
		return
	}
	visit(v)
	for i, key := range v.Keys {
		item := v.Items[i]
		switch key {
		case "properties":
			if item.Is(tree.Object) {
				for _, p := range item.Items {
					walkSchemas(p, visit)
				}
			}
		case "items", "additionalProperties":
			walkSchemas(item, visit)
		case "anyOf", "oneOf", "allOf":
			if item.Is(tree.List) {
				for _, a := range item.Items {
					walkSchemas(a, visit)
				}
			}
		}
	}
}

// share finds the schemas that are met more than once, by references or at their own place and by one, or that lead back
// to themselves.
func (r *reader) share() {
	r.shared, r.names = map[*tree.Value]string{}, map[*tree.Value]string{}
	uses, natural := map[*tree.Value]int{}, map[*tree.Value]bool{}
	onPath, done := map[*tree.Value]bool{}, map[*tree.Value]bool{}
	refs := map[*tree.Value]string{}
	var enter func(v *tree.Value)
	enter = func(v *tree.Value) {
		if done[v] {
			return
		}
		var path []*tree.Value
		walkSchemas(v, func(s *tree.Value) {
			natural[s] = natural[s] || s != v
			done[s], onPath[s] = true, true
			path = append(path, s)
		})
		for _, s := range path {
			t := r.resolve(s.Get("$ref"))
			if t == nil {
				continue
			}
			if uses[t]++; refs[t] == "" {
				refs[t] = s.Str("$ref")
			}
			if onPath[t] {
				r.shared[t] = refs[t]
			}
			enter(t)
		}
		for _, s := range path {
			onPath[s] = false
		}
	}
	enter(r.Root)
	for t, n := range uses {
		if n > 1 || natural[t] {
			r.shared[t] = refs[t]
		}
	}
}
