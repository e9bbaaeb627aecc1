package catalog

import (
	"encoding/json"
	"slices"
)

// defaults refuses defaults that bring themselves: where filling one in makes an object whose own defaults lead back to
// it, there would be no end.
func (k *checker) defaults() {
	known := map[*Field]bool{}
	for i := range k.c.Types {
		n := &k.c.Types[i]
		k.fillObject(keys("types", n.Name, "fields"), n.Fields, nil, nil, known)
	}
	for i := range k.c.Tools {
		t := &k.c.Tools[i]
		k.fillObject(keys("tools", t.Name, "args"), t.Args, nil, nil, known)
	}
}

// fillObject does what generated code does with an object: it goes into the members that are given and applies the
// defaults of those that are not. applied are the defaults that brought this object; known are those that end.
func (k *checker) fillObject(at []string, fields []Field, given map[string]json.RawMessage, applied []*Field, known map[*Field]bool) {
	for i := range fields {
		f := &fields[i]
		here := in(at, f.Name)
		value, ok := given[f.Name]
		switch {
		case ok && string(value) != "null":
			k.fillValue(here, &f.Type, value, applied, known)
		case f.Default == nil || known[f]:
		case slices.Contains(applied, f):
			known[f] = true
			k.add(in(here, "default"), "make the member optional with a ? and leave the default out", "got a default that holds itself: filling it in would never end")
		default:
			k.fillValue(here, &f.Type, f.Default, append(slices.Clip(applied), f), known)
			known[f] = true
		}
	}
}

// fillValue goes into the objects of a value.
func (k *checker) fillValue(at []string, t *Type, value json.RawMessage, applied []*Field, known map[*Field]bool) {
	switch t.Kind {
	case Ref:
		if n := k.c.TypeNamed(t.Ref); n != nil {
			k.fillObject(keys("types", n.Name, "fields"), n.Fields, membersOf(value), applied, known)
		}
	case Object:
		k.fillObject(in(at, "fields"), t.Fields, membersOf(value), applied, known)
	case Map:
		for _, v := range membersOf(value) {
			k.fillValue(in(at, "values"), t.Elem, v, applied, known)
		}
	case List:
		var items []json.RawMessage
		if json.Unmarshal(value, &items) != nil {
			return // the loader refuses a default that is not of its type
		}
		for _, v := range items {
			k.fillValue(in(at, "items"), t.Elem, v, applied, known)
		}
	}
}

// membersOf splits a JSON object; nil where value is none.
func membersOf(value json.RawMessage) map[string]json.RawMessage {
	var m map[string]json.RawMessage
	if json.Unmarshal(value, &m) != nil {
		return nil
	}
	return m
}
