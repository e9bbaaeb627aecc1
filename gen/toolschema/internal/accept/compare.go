// Package accept tells which values the types of a freeze accept: whether one type accepts all that another does, whether
// two accept nothing in common, and why a value is none of a type.
package accept

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/toolfreeze/toolfreeze/gen/toolschema/internal/tree"
	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

// maxComparisons is how many comparisons of types one question may take; beyond it nothing can be told.
const maxComparisons = 20000

// Types answers questions about types. Make it with [New].
type Types struct {
	named func(name string) *catalog.Named
	steps int // comparisons of the present question
}

// New returns a Types that looks named types up with named, which returns nil for one of which nothing is known.
func New(named func(name string) *catalog.Named) *Types { return &Types{named: named} }

// Covers reports whether a accepts all that b accepts; false where that cannot be told.
func (ts *Types) Covers(a, b *catalog.Type) bool {
	ts.steps = 0
	return ts.covers(a, b, 0)
}

// Disjoint reports whether no value is accepted by both; false where that cannot be told.
func (ts *Types) Disjoint(a, b *catalog.Type) bool {
	ts.steps = 0
	return ts.disjoint(a, b, 0)
}

// SameType reports whether two types are written alike.
func SameType(a, b *catalog.Type) bool {
	x, err := json.Marshal(a)
	y, err2 := json.Marshal(b)
	return err == nil && err2 == nil && bytes.Equal(x, y)
}

func (ts *Types) covers(a, b *catalog.Type, depth int) bool {
	free := a.Kind == catalog.JSON && a.OneOf == nil
	if ts.steps++; ts.steps > maxComparisons || depth > 8 {
		return false
	}
	if free || SameType(a, b) {
		return true
	}
	plain := SameType(a, &catalog.Type{Kind: a.Kind})
	switch a.Kind {
	case catalog.String:
		return plain && (b.Kind == catalog.String || b.Kind == catalog.Bytes || b.Kind == catalog.Time) || a.Kind == b.Kind && within(b, a)
	case catalog.Int:
		return b.Kind == catalog.Int && (plain || within(b, a))
	case catalog.Float:
		return plain && (b.Kind == catalog.Int || b.Kind == catalog.Float) || a.Kind == b.Kind && within(b, a)
	case catalog.List:
		return b.Kind == catalog.List && a.MinItems == nil && a.MaxItems == nil && !a.UniqueItems && ts.covers(a.Elem, b.Elem, depth+1)
	case catalog.Map:
		if b.Kind == catalog.Map {
			return ts.covers(a.Elem, b.Elem, depth+1)
		}
		_, _, ok := ts.members(b)
		return ok && a.Elem.Kind == catalog.JSON && a.Elem.OneOf == nil
	}
	return ts.coversMembers(a, b, depth)
}

// within reports whether b has an enum, a only an enum, and all values of b are values of a.
func within(b, a *catalog.Type) bool {
	bare := *a
	bare.Enum = nil
	if a.Enum == nil || b.Enum == nil || !SameType(&bare, &catalog.Type{Kind: a.Kind}) {
		return false
	}
	return !slices.ContainsFunc(b.Enum, func(e catalog.Enum) bool {
		return !slices.ContainsFunc(a.Enum, func(x catalog.Enum) bool { return SameValue(x.Value, e.Value, a.Kind) })
	})
}

// members are those of an object type or a named one.
func (ts *Types) members(t *catalog.Type) (fields []catalog.Field, open, ok bool) {
	switch t.Kind {
	case catalog.Object:
		return t.Fields, t.Open, true
	case catalog.Ref:
		if n := ts.named(t.Ref); n != nil {
			return n.Fields, n.Open, true
		}
	}
	return nil, false, false
}

func find(fields []catalog.Field, name string) *catalog.Field {
	for i := range fields {
		if fields[i].Name == name {
			return &fields[i]
		}
	}
	return nil
}

func (ts *Types) coversMembers(a, b *catalog.Type, depth int) bool {
	mine, open, ok := ts.members(a)
	theirs, theirsOpen, ok2 := ts.members(b)
	if !ok || !ok2 || theirsOpen && !open {
		return false
	}
	for i := range mine {
		f := find(theirs, mine[i].Name)
		switch {
		case f == nil && !mine[i].Optional, f != nil && f.Optional && !mine[i].Optional:
			return false
		case f == nil && theirsOpen && !(mine[i].Type.Kind == catalog.JSON && mine[i].Type.OneOf == nil):
			return false
		case f != nil && !ts.covers(&mine[i].Type, &f.Type, depth+1):
			return false
		}
	}
	for i := range theirs {
		if !open && find(mine, theirs[i].Name) == nil {
			return false
		}
	}
	return true
}

func (ts *Types) disjoint(a, b *catalog.Type, depth int) bool {
	if ts.steps++; ts.steps > maxComparisons || depth > 8 {
		return false
	}
	for _, pair := range [2][2]*catalog.Type{{a, b}, {b, a}} {
		if x := pair[0]; x.Kind == catalog.JSON && x.OneOf != nil {
			return !slices.ContainsFunc(x.OneOf, func(t catalog.Type) bool { return !ts.disjoint(&t, pair[1], depth+1) })
		}
	}
	if a.Kind == catalog.JSON || b.Kind == catalog.JSON {
		return false
	}
	if jsonType(a.Kind) != jsonType(b.Kind) {
		return true
	}
	if a.Enum != nil && b.Enum != nil {
		k := catalog.Float
		if a.Kind == catalog.String {
			k = catalog.String
		}
		return !slices.ContainsFunc(a.Enum, func(e catalog.Enum) bool {
			return slices.ContainsFunc(b.Enum, func(x catalog.Enum) bool { return SameValue(e.Value, x.Value, k) })
		})
	}
	mine, open, ok := ts.members(a)
	theirs, theirsOpen, ok2 := ts.members(b)
	if !ok || !ok2 {
		return false
	}
	return ts.apart(mine, theirs, theirsOpen, depth) || ts.apart(theirs, mine, open, depth)
}

// apart reports whether a member that the first object requires cannot be in the second.
func (ts *Types) apart(mine, theirs []catalog.Field, theirsOpen bool, depth int) bool {
	for i := range mine {
		if mine[i].Optional {
			continue
		}
		f := find(theirs, mine[i].Name)
		if f == nil && !theirsOpen || f != nil && ts.disjoint(&mine[i].Type, &f.Type, depth+1) {
			return true
		}
	}
	return false
}

// jsonType is the JSON type that a kind is written as.
func jsonType(k catalog.Kind) tree.Kind {
	switch k {
	case catalog.Int, catalog.Float:
		return tree.Number
	case catalog.Bool:
		return tree.Boolean
	case catalog.List:
		return tree.List
	case catalog.Map, catalog.Ref, catalog.Object:
		return tree.Object
	}
	return tree.Text
}

// SameValue reports whether two values of an enum of that kind are equal: strings by their text, numbers by their value.
func SameValue(a, b json.RawMessage, k catalog.Kind) bool {
	if k == catalog.String {
		return string(a) == string(b)
	}
	return catalog.CompareDecimal(string(a), string(b)) == 0
}
