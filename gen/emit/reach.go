package emit

import "github.com/toolfreeze/toolfreeze/runtime/catalog"

// reach says which structs need which methods, so that none is emitted that nothing calls.
type reach struct {
	cat *catalog.Catalog
	// args holds the Go names of the structs that arguments are made of.
	args map[string]bool
	// defaults holds, by the name of a named type, whether it or anything in it has a default.
	defaults map[string]bool
}

// findReach walks the catalog once.
func findReach(c *catalog.Catalog) reach {
	r := reach{cat: c, args: map[string]bool{}, defaults: map[string]bool{}}
	for i := range c.Tools {
		t := &c.Tools[i]
		r.markFields(argsName(t), t.Args)
	}
	// A named type has a default when one of its members has, or holds a named type that has: repeated until nothing
	// changes, since types may be recursive.
	for changed := true; changed; {
		changed = false
		for i := range c.Types {
			n := &c.Types[i]
			if !r.defaults[n.Name] && r.fills(n.Fields) {
				r.defaults[n.Name] = true
				changed = true
			}
		}
	}
	return r
}

func (r reach) markFields(owner string, fields []catalog.Field) {
	if r.args[owner] {
		return
	}
	r.args[owner] = true
	for i := range fields {
		r.markType(owner+fields[i].Go(), &fields[i].Type)
	}
}

func (r reach) markType(name string, t *catalog.Type) {
	switch t.Kind {
	case catalog.Object:
		r.markFields(name, t.Fields)
	case catalog.List:
		r.markType(name+"Item", t.Elem)
	case catalog.Map:
		r.markType(name+"Value", t.Elem)
	case catalog.Ref:
		if n := r.cat.TypeNamed(t.Ref); n != nil {
			r.markFields(n.Go(), n.Fields)
		}
	}
}

// decodes reports whether the struct of that Go name is read from a model's arguments.
func (r reach) decodes(name string) bool { return r.args[name] }

// fills reports whether a struct of these members has defaults to fill in, its own or deeper ones.
func (r reach) fills(fields []catalog.Field) bool {
	for i := range fields {
		if fields[i].Default != nil || r.fillsType(&fields[i].Type) {
			return true
		}
	}
	return false
}

// fillsType reports the same of a value.
func (r reach) fillsType(t *catalog.Type) bool {
	switch t.Kind {
	case catalog.Object:
		return r.fills(t.Fields)
	case catalog.List, catalog.Map:
		return r.fillsType(t.Elem)
	case catalog.Ref:
		return r.defaults[t.Ref]
	}
	return false
}
