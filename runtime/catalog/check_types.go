package catalog

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// misuse is a constraint on a kind that does not take it.
type misuse struct {
	key   string
	used  bool
	kinds []Kind
	hint  string
}

// constraints checks one type by itself.
func (k *checker) constraints(at []string, t *Type) {
	if !slices.Contains(kinds(), t.Kind) {
		k.add(at, k.unknownHint(string(t.Kind)), "got the type %s, want a known one", shown(string(t.Kind)))
		return
	}
	if (t.Kind == List || t.Kind == Map) != (t.Elem != nil) {
		k.add(at, "", "got the type %s with the wrong parts, want an element for a list or a map and for nothing else", t.Kind)
		return
	}
	numbers := []Kind{Int, Float}
	for _, m := range []misuse{
		{"enum", len(t.Enum) > 0, []Kind{String, Int, Float}, ""},
		{"minimum", t.Minimum != "", numbers, "a string has min_length, a list min_items"},
		{"maximum", t.Maximum != "", numbers, "a string has max_length, a list max_items"},
		{"exclusive_minimum", t.ExclusiveMinimum != "", numbers, ""},
		{"exclusive_maximum", t.ExclusiveMaximum != "", numbers, ""},
		{"min_length", t.MinLength != nil, []Kind{String}, "a number has minimum, a list min_items"},
		{"max_length", t.MaxLength != nil, []Kind{String}, "a number has maximum, a list max_items, content max_bytes"},
		{"pattern", t.Pattern != "", []Kind{String}, ""},
		{"format", t.Format != "", []Kind{String}, "time and bytes have their one format"},
		{"min_items", t.MinItems != nil, []Kind{List}, "a string has min_length"},
		{"max_items", t.MaxItems != nil, []Kind{List}, "a string has max_length"},
		{"unique_items", t.UniqueItems, []Kind{List}, ""},
		{"max_bytes", t.MaxBytes != 0, []Kind{Content}, "a string has max_length"},
		{"under", t.Under != "", []Kind{Path}, ""},
		{"access", t.Access != "", []Kind{Path}, ""},
		{"one_of", len(t.OneOf) > 0, []Kind{JSON}, "write type = \"json\""},
		{"fields", len(t.Fields) > 0, []Kind{Object}, "write type = \"object\""},
		{"open", t.Open, []Kind{Object}, ""},
	} {
		if m.used && !slices.Contains(m.kinds, t.Kind) {
			k.add(in(at, m.key), m.hint, "got %s on the type %s, want it on %s only", m.key, t.Kind, spoken(m.kinds))
		}
	}
	k.parts(at, t)
}

// spoken is "string, int or float".
func spoken(all []Kind) string {
	out := string(all[0])
	for i, kind := range all[1:] {
		sep := ", "
		if i == len(all)-2 {
			sep = " or "
		}
		out += sep + string(kind)
	}
	return out
}

// parts checks the constraints that the kind of t takes.
func (k *checker) parts(at []string, t *Type) {
	switch t.Kind {
	case String:
		k.counts(at, "length", t.MinLength, t.MaxLength)
		k.text(at, t)
	case Int, Float:
		k.bounds(at, t)
	case List:
		k.counts(at, "items", t.MinItems, t.MaxItems)
	case Content:
		if t.MaxBytes < 1 || t.MaxBytes > maxBudget {
			k.add(in(at, "max_bytes"), "give max_bytes, or [workspace] max_write_bytes for all", "got %d, want 1 to %d", t.MaxBytes, maxBudget)
		}
	case Path:
		k.word(in(at, "access"), t.Access, []string{"read", "list", "write"})
		if t.Under != "" && !fence(t.Under) {
			k.add(in(at, "under"), "", "got %s, want a clean relative slash path below the root, such as \"notes/daily\"", shown(t.Under))
		}
	case Object:
		k.members(in(at, "fields"), t.Fields)
	case Ref:
		if k.c.TypeNamed(t.Ref) == nil {
			k.add(at, k.unknownHint(t.Ref), "got the type %s, want a known one", shown(t.Ref))
		}
	case JSON:
		if len(t.OneOf) == 1 {
			k.add(in(at, "one_of"), "write the one alternative as the type itself", "got 1 alternative, want 2 or more")
		}
	}
	k.enum(at, t)
}

// unknownHint helps with a type that is none: by what other notations call it, then by what is near.
func (k *checker) unknownHint(word string) string {
	for _, p := range [][2]string{
		{"integer", "int"}, {"long", "int"}, {"int64", "int"}, {"number", "float"}, {"double", "float"}, {"boolean", "bool"}, {"str", "string"}, {"text", "string"},
		{"array", "[]string"}, {"list", "[]string"}, {"map", "map[string]string"}, {"dict", "map[string]string"}, {"any", "json"}, {"date", "string with format date"},
		{"datetime", "time"}, {"timestamp", "time"}, {"base64", "bytes"}, {"file", "path"},
	} {
		if strings.EqualFold(p[0], word) {
			return "write " + p[1]
		}
	}
	known := []string{}
	for i := range k.c.Types {
		known = append(known, k.c.Types[i].Name)
	}
	for _, kind := range kinds() {
		known = append(known, string(kind))
	}
	return didYouMean(word, known)
}

// counts checks a pair of whole numbers.
func (k *checker) counts(at []string, what string, low, high *int) {
	for _, b := range []struct {
		key string
		n   *int
	}{{"min_" + what, low}, {"max_" + what, high}} {
		if b.n != nil && (*b.n < 0 || *b.n > maxLength) {
			k.add(in(at, b.key), "", "got %d, want 0 to %d", *b.n, maxLength)
		}
	}
	if low != nil && high != nil && *low > *high {
		k.clash(in(at, "max_"+what), in(at, "min_"+what), "", "got %d, want at least min_%s, which is %d", *high, what, *low)
	}
}

// text checks pattern and format.
func (k *checker) text(at []string, t *Type) {
	if t.Format != "" {
		k.word(in(at, "format"), t.Format, Formats())
	}
	if t.Pattern == "" {
		return
	}
	if f := flaw(t.Pattern, true); f != "" {
		k.add(in(at, "pattern"), "", "%s", f)
		return
	}
	if _, err := CompilePattern(t.Pattern); err != nil {
		r := &refusal{text: err.Error()}
		errors.As(err, &r)
		k.add(in(at, "pattern"), r.hint, "%s", r.text)
	}
}

// fence reports whether p is a clean relative slash path: not ".", no "..", nothing that another system reads otherwise.
func fence(p string) bool {
	for element := range strings.SplitSeq(p, "/") {
		if element == "" || element != strings.TrimRight(element, " .") {
			return false // "..", "." and a trailing slash too
		}
	}
	return !strings.ContainsAny(p, `\:`) && flaw(p, false) == ""
}

// place is where a type stands.
type place struct {
	depth  int  // the levels of JSON around it; 1 for a member of the whole document
	result bool // in what a handler returns
	raw    bool // inside one_of
}

// places checks what depends on where a type stands.
func (k *checker) places() {
	for i := range k.c.Types {
		n := &k.c.Types[i]
		k.placeMembers(keys("types", n.Name, "fields"), n.Fields, place{depth: 1})
	}
	for i := range k.c.Tools {
		t := &k.c.Tools[i]
		k.placeMembers(keys("tools", t.Name, "args"), t.Args, place{depth: 1})
		k.placeMembers(keys("tools", t.Name, "result"), t.Result, place{depth: 1, result: true})
	}
	k.cycles()
	k.defaults()
}

func (k *checker) placeMembers(at []string, fields []Field, p place) {
	for i := range fields {
		f := &fields[i]
		here := in(at, f.Name)
		switch {
		case f.Default != nil && p.result:
			k.add(in(here, "default"), "let the handler set the value", "got a default in a result, want it on arguments only")
		case f.Default != nil && p.raw:
			k.add(in(here, "default"), "let the handler fill it in", "got a default inside one_of, want none: the value is kept raw, so nothing is filled in")
		}
		k.place(here, &f.Type, p)
	}
}

func (k *checker) place(at []string, t *Type, p place) {
	if t.Kind == List || t.Kind == Map || t.Kind == Object {
		if p.depth++; p.depth > maxNesting {
			k.add(at, "give the inner object a name in [types]", "got a type that nests deeper than %d levels, want at most that", maxNesting)
			return
		}
	}
	where, hint := "", ""
	if p.result {
		where, hint = "in a result", "return a string"
	}
	if p.raw {
		where, hint = "inside one_of, where the value is kept raw", "make it an argument of its own"
	}
	switch {
	case where == "":
	case t.Kind == Path || t.Kind == Content:
		k.add(at, hint, "got a %s %s, want it in arguments only", t.Kind, where)
	case t.Kind == Ref:
		if also, kind := k.holds(t.Ref, map[string]bool{}); also != nil {
			k.clash(at, also, hint, "got the type %q %s, want one without a %s: it holds one at %s", t.Ref, where, kind, strings.Join(also, "."))
		}
	}
	if t.Elem != nil {
		k.place(in(at, elemKey(t)), t.Elem, p)
	}
	k.placeMembers(in(at, "fields"), t.Fields, p)
	p.raw = true
	for i := range t.OneOf {
		k.place(in(at, "one_of", fmt.Sprint(i)), &t.OneOf[i], p)
	}
}

// holds finds the first path or content in a named type, through the types that it names in turn; nil where there is none.
func (k *checker) holds(name string, seen map[string]bool) (at []string, kind Kind) {
	n := k.c.TypeNamed(name)
	if n == nil || seen[name] {
		return nil, ""
	}
	seen[name] = true
	walkFields(keys("types", name, "fields"), n.Fields, func(here []string, _ *Field, t *Type) {
		switch {
		case at != nil:
		case t.Kind == Path || t.Kind == Content:
			at, kind = in(here), t.Kind
		case t.Kind == Ref:
			at, kind = k.holds(t.Ref, seen)
		}
	})
	return at, kind
}

// word is a type in the short form, "..." for one that has none.
func (t *Type) word() string {
	switch {
	case t.Kind == Ref:
		return t.Ref
	case t.Kind == List && t.Elem != nil:
		return "[]" + t.Elem.word()
	case t.Kind == Map && t.Elem != nil:
		return "map[string]" + t.Elem.word()
	case t.Kind == Object:
		return "..."
	}
	return string(t.Kind)
}

// argumentTypes are the named types that arguments use, and where the first one of each does.
func (k *checker) argumentTypes() map[string][]string {
	used := map[string][]string{}
	var visit func(at []string, f *Field, t *Type)
	visit = func(at []string, _ *Field, t *Type) {
		if n := k.c.TypeNamed(t.Ref); t.Kind == Ref && n != nil && used[t.Ref] == nil {
			used[t.Ref] = slices.Clone(at)
			walkFields(keys("types", n.Name, "fields"), n.Fields, visit)
		}
	}
	for i := range k.c.Tools {
		walkFields(keys("tools", k.c.Tools[i].Name, "args"), k.c.Tools[i].Args, visit)
	}
	return used
}

// need is a named type that a value can't be without.
type need struct {
	at  []string
	ref string
}

// needs lists the named types that an object can't be without.
func needs(at []string, fields []Field) (all []need) {
	for i := range fields {
		if f := &fields[i]; !f.Optional {
			all = append(all, f.Type.needs(in(at, f.Name))...)
		}
	}
	return all
}

func (t *Type) needs(at []string) []need {
	switch {
	case t.Kind == Ref:
		return []need{{at, t.Ref}}
	case t.Kind == Object:
		return needs(in(at, "fields"), t.Fields)
	case t.Kind == List && t.Elem != nil && t.MinItems != nil && *t.MinItems > 0:
		return t.Elem.needs(in(at, "items"))
	}
	return nil
}

// cycles refuses types that no finite document can satisfy.
func (k *checker) cycles() {
	const open, done = 1, 2
	state := map[string]int{}
	var visit func(name string)
	visit = func(name string) {
		n := k.c.TypeNamed(name)
		if n == nil || state[name] != 0 {
			return
		}
		state[name] = open
		for _, e := range needs(keys("types", name, "fields"), n.Fields) {
			if state[e.ref] == open {
				k.clash(e.at, keys("types", e.ref), "make a member of the chain optional with a ?, or a list", "got a chain of required members that leads from %q back to itself, want an end to it", e.ref)
			}
			visit(e.ref)
		}
		state[name] = done
	}
	for i := range k.c.Types {
		visit(k.c.Types[i].Name)
	}
}
