package reading

import (
	"slices"

	"github.com/toolfreeze/toolfreeze/gen/toolschema/internal/accept"
	"github.com/toolfreeze/toolfreeze/gen/toolschema/internal/tree"
	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

// maxAlternatives is how many alternatives of anyOf are held against each other.
const maxAlternatives = 64

// several reads a schema with more than one type, such as {"type": ["string", "number"]}: each keyword counts for the
// types that it is for.
func (r *reader) several(v *tree.Value, words []string, at string, m *made) {
	union := &tree.Value{Kind: tree.List}
	rest := v.Without("description", "default")
	for _, w := range words {
		alt := rest.With("type", &tree.Value{Kind: tree.Text, Text: w})
		if values(v) != nil && !slices.Contains(valueWords(v), w) && !(w == "number" && slices.Contains(valueWords(v), "integer")) {
			continue
		}
		union.Items = append(union.Items, alt)
	}
	if len(union.Items) == 0 {
		r.keepJSON(m, at, "none of the values has one of the types")
		return
	}
	r.alternatives(union.Items, false, at, m)
}

// union reads anyOf or oneOf.
func (r *reader) union(v *tree.Value, key, at string, m *made) {
	base := v.Without(key)
	for _, k := range slices.Clone(base.Keys) {
		if annotation(k) {
			base = base.Without(k)
		}
	}
	other := map[string]string{"anyOf": "oneOf", "oneOf": "anyOf"}[key]
	if len(base.Without("type").Keys) == 0 {
		alts, ok := r.typed(v.Get(key).Items, base.Get("type"))
		if !ok {
			r.keepJSON(m, at, "the type beside %s cannot be put into its alternatives", key)
			return
		}
		if len(alts) == 0 {
			r.keepJSON(m, at, "no alternative of %s has the type beside it", key)
			return
		}
		r.alternatives(alts, key == "oneOf", at, m)
		return
	}
	if base.Has(other) && len(base.Keys) == 1 {
		r.keepJSON(m, at, "anyOf and oneOf at once")
		return
	}
	r.lose(at, "%s beside other keywords is not kept: a freeze has alternatives of whole values only", key)
	if base = base.Without(other); len(base.Keys) == 0 {
		m.typ = anything()
		return
	}
	r.base(base, at, m)
}

// typed puts the type that stands beside a union into its alternatives, and leaves out those of other types.
func (r *reader) typed(alts []*tree.Value, typ *tree.Value) (out []*tree.Value, ok bool) {
	if typ == nil {
		return alts, true
	}
	want := known(typ.Text)
	for _, a := range alts {
		t := a
		for range maxSteps {
			if target := r.resolve(t.Get("$ref")); target != nil {
				t = target
			}
		}
		have := known(t.Str("type"))
		switch {
		case t.Is(tree.Boolean):
			if t.Text == "true" {
				out = append(out, &tree.Value{Kind: tree.Object, Keys: []string{"type"}, Items: []*tree.Value{typ}})
			}
		case !typ.Is(tree.Text), t.Has("type") && !t.Get("type").Is(tree.Text):
			return nil, false
		case !t.Has("type") && t == a && unionKey(t) == "" && !t.Has("allOf"):
			out = append(out, a.With("type", typ))
		case !t.Has("type"):
			return nil, false
		case have == want, have == "integer" && want == "number":
			out = append(out, a)
		case have == "number" && want == "integer" && t == a:
			out = append(out, a.With("type", typ))
		case have == "number" && want == "integer":
			return nil, false
		}
	}
	return out, true
}

// alternatives makes one type of several. one says that exactly one may accept, as oneOf does and as one_of of a freeze
// does; else one at least.
func (r *reader) alternatives(alts []*tree.Value, one bool, at string, m *made) {
	var kept []made
	r.raw++
	if !one {
		alts = r.spread(alts, 0)
	}
	for _, a := range alts {
		alt := r.schema(a, at)
		kept = append(kept, alt)
	}
	r.raw--
	kept = joinEnums(kept, one)
	if !one && len(kept) > maxAlternatives {
		r.keepJSON(m, at, "anyOf with more than %d alternatives", maxAlternatives)
		return
	}
	if !one {
		kept = r.widest(kept, at)
	}
	label := "Either: "
	for _, k := range kept {
		if len(kept) == 1 {
			label = ""
		}
		if k.description != "" {
			m.description = tellInner(m.description, label, k.description)
			label = "Or: "
		}
	}
	if len(kept) == 1 {
		m.typ = kept[0].typ
		return
	}
	m.typ = catalog.Type{Kind: catalog.JSON}
	for i, k := range kept {
		if k.typ.Kind == catalog.JSON && k.typ.OneOf == nil {
			if one {
				r.lose(at, "kept as json: oneOf with an alternative that accepts anything")
			}
			return
		}
		for _, other := range kept[:i] {
			if !one && !r.types.accept.Disjoint(&k.typ, &other.typ) {
				r.lose(at, "kept as json: anyOf whose alternatives can hold together, which one_of of a freeze refuses")
				return
			}
		}
	}
	for _, k := range kept {
		m.typ.OneOf = append(m.typ.OneOf, k.typ)
	}
}

// spread puts the alternatives of an anyOf inside an anyOf into its place.
func (r *reader) spread(alts []*tree.Value, depth int) []*tree.Value {
	var out []*tree.Value
	for _, a := range alts {
		v := a
		for range maxSteps {
			target := r.resolve(v.Get("$ref"))
			if target == nil || constrains(v.Without("$ref")) {
				break
			}
			v = target
		}
		if v.Get("anyOf").Is(tree.List) && !constrains(v.Without("anyOf")) && depth < maxSteps {
			out = append(out, r.spread(v.Get("anyOf").Items, depth+1)...)
			continue
		}
		out = append(out, a)
	}
	return out
}

// widest leaves out the alternatives of anyOf that another one accepts whole.
func (r *reader) widest(all []made, at string) []made {
	var kept []made
	for i, a := range all {
		by := -1
		for j := range all {
			// Of two that accept the same the first one stays.
			if j != i && by < 0 && r.types.accept.Covers(&all[j].typ, &a.typ) && (j < i || !r.types.accept.Covers(&a.typ, &all[j].typ)) {
				by = j
			}
		}
		if by < 0 {
			kept = append(kept, a)
			continue
		}
		if !accept.SameType(&all[by].typ, &a.typ) {
			r.tell(at, "alternative %d is left out: alternative %d accepts all that it does", i+1, by+1)
		}
	}
	return kept
}

// joinEnums makes one enum of alternatives that are enums of one kind and share no value.
func joinEnums(all []made, one bool) []made {
	if len(all) < 2 {
		return all
	}
	out := all[0]
	out.description = ""
	for i, a := range all {
		bare := a.typ
		bare.Enum = nil
		if a.typ.Enum == nil || !accept.SameType(&bare, &catalog.Type{Kind: all[0].typ.Kind}) {
			return all
		}
		if a.description != "" {
			label := ""
			if len(a.typ.Enum) == 1 {
				label = string(a.typ.Enum[0].Value) + ": "
			}
			out.description = tellInner(out.description, label, a.description)
		}
		if i == 0 {
			out.typ.Enum = slices.Clone(a.typ.Enum)
			continue
		}
		for _, e := range a.typ.Enum {
			if !slices.ContainsFunc(out.typ.Enum, func(x catalog.Enum) bool { return accept.SameValue(x.Value, e.Value, a.typ.Kind) }) {
				out.typ.Enum = append(out.typ.Enum, e)
			} else if one {
				return all
			}
		}
	}
	return []made{out}
}
