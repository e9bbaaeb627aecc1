package toolschema

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

// report collects what a provider may refuse while the definitions are written.
type report struct {
	c        *catalog.Catalog
	rules    rules
	warnings []Warning
}

// warn adds one warning; tool -1 is all of them.
func (r *report) warn(tool int, path, format string, args ...any) {
	w := Warning{Path: path, Text: fmt.Sprintf(format, args...)}
	if tool >= 0 {
		w.Tool = r.c.Tools[tool].Name
	}
	r.warnings = append(r.warnings, w)
}

// tool holds the names and the description of one tool against the rules.
func (r *report) tool(i int) {
	t := &r.c.Tools[i]
	if !r.rules.toolName.allows(t.Name) {
		r.warn(i, "", "the provider refuses the name %q: want 1 to %d letters, digits and %s; rename the tool", t.Name,
			r.rules.toolName.max, marks(r.rules.toolName))
	}
	if n := utf8.RuneCountInString(t.Description); r.rules.description > 0 && n > r.rules.description {
		r.warn(i, "", "got a description of %d characters; older models take at most %d, so shorten it", n, r.rules.description)
	}
	w := walk{r: r, tool: i}
	w.fields("$", t.Args)
}

// marks lists what may stand in a name besides letters and digits.
func marks(n nameRule) string {
	s := ""
	for _, c := range n.rest {
		if c < '0' || c > '9' {
			s += fmt.Sprintf(" %q", c)
		}
	}
	return s[1:]
}

// walk goes through everything that a tool's arguments can hold, each named type once a way.
type walk struct {
	r     *report
	tool  int
	stack []string // the named types that the walk is inside of
	calm  int      // how many of them, from the first, an optional member separates from here
	loose bool     // report what strict mode cannot say
	found bool     // something was reported as loose
	seen  []string // the named types that were reported on
}

func (w *walk) fields(path string, fields []catalog.Field) {
	for i := range fields {
		f := &fields[i]
		at := path + "." + f.Name
		if rule := w.r.rules.memberName; !w.loose && !rule.allows(f.Name) {
			w.r.warn(w.tool, at, "the provider refuses the member name %q: want 1 to %d letters, digits and %s; rename it", f.Name,
				rule.max, marks(rule))
		}
		calm := w.calm
		if optional(f) {
			w.calm = len(w.stack)
		}
		w.typ(at, &f.Type)
		w.calm = calm
	}
}

func (w *walk) typ(path string, t *catalog.Type) {
	switch t.Kind {
	case catalog.List:
		w.typ(path+"[]", t.Elem)
	case catalog.Map:
		w.lose(path, "a map")
		w.typ(path+".*", t.Elem)
	case catalog.Object:
		w.open(path, t.Open)
		w.fields(path, t.Fields)
	case catalog.Ref:
		w.ref(path, t)
	case catalog.JSON:
		if t.OneOf == nil {
			w.lose(path, "a json value without one_of")
		} else if clash(t.OneOf) {
			w.lose(path, "a union of objects that begin with the same member and no tag")
		}
		for i := range t.OneOf {
			w.typ(path, &t.OneOf[i])
		}
	}
}

func (w *walk) ref(path string, t *catalog.Type) {
	if at := slices.Index(w.stack, t.Ref); at >= 0 {
		if w.r.rules.unroll && !w.loose && at >= w.calm {
			w.r.warn(w.tool, path, "the provider takes the recursion of type %q only inside an optional member; make one on the way optional", t.Ref)
		}
		return
	}
	if slices.Contains(w.seen, t.Ref) {
		return
	}
	w.seen = append(w.seen, t.Ref)
	n := w.r.c.TypeNamed(t.Ref)
	if n == nil {
		return
	}
	w.open(path, n.Open)
	w.stack = append(w.stack, t.Ref)
	w.fields(path, n.Fields)
	w.stack = w.stack[:len(w.stack)-1]
}

func (w *walk) open(path string, open bool) {
	if open {
		w.lose(path, "an open object")
	}
}

// lose notes what makes a tool impossible to say in strict mode.
func (w *walk) lose(path, what string) {
	if w.loose {
		w.found = true
		w.r.warn(w.tool, path, "strict mode cannot say %s, so the tool is sent with strict false", what)
	}
}

// clash reports whether two alternatives are objects whose first members share a name without telling them apart by a
// constant, which strict mode refuses in anyOf.
func clash(alternatives []catalog.Type) bool {
	var first []string
	for i := range alternatives {
		t := &alternatives[i]
		if t.Kind != catalog.Object || len(t.Fields) == 0 || len(t.Fields[0].Type.Enum) == 1 {
			continue
		}
		if slices.Contains(first, t.Fields[0].Name) {
			return true
		}
		first = append(first, t.Fields[0].Name)
	}
	return false
}

// strict decides whether a tool can be sent in strict mode: parameters is its schema in that mode.
func (r *report) strict(tool int, parameters schema) bool {
	w := walk{r: r, tool: tool, loose: true}
	w.fields("$", r.c.Tools[tool].Args)
	var s size
	s.measure(parameters, 0)
	defs, _ := parameters.get("$defs").(schema)
	for _, d := range defs {
		s.text += utf8.RuneCountInString(d.name)
		s.measure(d.value.(schema), 1)
	}
	limit := func(what string, got, most int) {
		if got > most {
			w.found = true
			r.warn(tool, "", "got %d %s, strict mode takes at most %d, so the tool is sent with strict false", got, what, most)
		}
	}
	limit("members", s.properties, r.rules.properties)
	limit("levels of nesting", s.depth, r.rules.depth)
	limit("enum values", s.enums, r.rules.enums)
	limit("characters of names and enum values", s.text, r.rules.text)
	if s.enumLen > r.rules.longEnum {
		limit("characters in an enum of more than 250 values", s.enumText, r.rules.longText)
	}
	return !w.found
}

// whole holds all tools together against the rules.
func (r *report) whole() {
	n := len(r.c.Tools)
	if r.rules.tools > 0 && n > r.rules.tools {
		r.warn(-1, "", "got %d tools, the provider takes at most %d in a request; split the freeze, or offer a part of it", n, r.rules.tools)
	}
	if r.rules.strictTools > 0 && n > r.rules.strictTools {
		r.warn(-1, "", "got %d tools, the provider takes at most %d with strict in a request; leave strict off, as these definitions do, or offer fewer",
			n, r.rules.strictTools)
	}
	members := 0
	for i := range r.c.Tools {
		members += r.optionals(r.c.Tools[i].Args, nil)
	}
	if r.rules.strictOptional > 0 && members > r.rules.strictOptional {
		r.warn(-1, "", "got %d optional members in all, the provider takes at most %d with strict in a request; leave strict off, as these definitions do, or make some required",
			members, r.rules.strictOptional)
	}
}

// optionals counts the optional members of the fields and of everything below them, each named type once.
func (r *report) optionals(fields []catalog.Field, seen []string) int {
	n := 0
	var typ func(t *catalog.Type)
	typ = func(t *catalog.Type) {
		if t.Elem != nil {
			typ(t.Elem)
		}
		if t.Kind == catalog.Ref && !slices.Contains(seen, t.Ref) {
			seen = append(seen, t.Ref)
			if named := r.c.TypeNamed(t.Ref); named != nil {
				n += r.optionals(named.Fields, seen)
			}
		}
		n += r.optionals(t.Fields, seen)
		for i := range t.OneOf {
			typ(&t.OneOf[i])
		}
	}
	for i := range fields {
		if optional(&fields[i]) {
			n++
		}
		typ(&fields[i].Type)
	}
	return n
}
