// Package freezetext writes a catalog as the TOML text of a freeze, the way a person would.
package freezetext

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/toolfreeze/toolfreeze/gen/toolschema/internal/tree"
	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

// longLine is how many characters a member with members of its own may take before it is written as tables.
const longLine = 120

// Comments are what the text says besides the catalog.
type Comments struct {
	// Head are the lines at the top of the file, without their marks; no line holds a newline.
	Head []string
	// Unclassified stands in the place of a cost_class that is missing, without its mark.
	Unclassified string
}

// Write returns the text of a catalog as an import makes it: without workspace, breaker, forbid and exceptions, without
// path and content members, and with local or unclassified tools. Loading it gives an equal catalog, with the limits and
// caps that the text leaves out at their defaults.
func Write(c *catalog.Catalog, comments Comments) string {
	p := &printer{}
	for _, l := range comments.Head {
		p.line("# %s", l)
	}
	p.line("\n[meta]")
	p.line("api = %s", quote(c.API))
	p.line("max_tools = %d", c.MaxTools)
	p.line("max_calls_per_request = %d", c.MaxCallsPerRequest)
	if c.Package != "" {
		p.line("package = %s", quote(c.Package))
	}
	if !slices.Equal(c.Providers, []string{"openai", "anthropic", "mcp"}) {
		p.line("providers = [%s]", strings.Join(mapped(c.Providers, quote), ", "))
	}
	for i := range c.Types {
		p.named(&c.Types[i])
	}
	for i := range c.Tools {
		p.tool(&c.Tools[i], comments.Unclassified)
	}
	return p.out.String()
}

// printer gathers the lines.
type printer struct {
	out strings.Builder
}

func (p *printer) line(format string, args ...any) { fmt.Fprintf(&p.out, format+"\n", args...) }

func mapped[T, U any](list []T, f func(T) U) []U {
	out := make([]U, len(list))
	for i, v := range list {
		out[i] = f(v)
	}
	return out
}

func (p *printer) named(n *catalog.Named) {
	at := "types." + key(n.Name)
	p.line("")
	if n.Description != "" || n.GoName != "" || n.Open {
		p.line("[%s]", at)
	}
	p.described(n.Description)
	if n.GoName != "" {
		p.line("go_name = %s", quote(n.GoName))
	}
	if n.Open {
		p.line("open = true")
	}
	p.members(at+".fields", n.Fields)
}

func (p *printer) tool(t *catalog.Tool, comment string) {
	at := "tools." + key(t.Name)
	p.line("\n[%s]", at)
	p.described(t.Description)
	if t.CostClass != "" {
		p.line("cost_class = %s", quote(t.CostClass))
	} else {
		p.line("# %s", comment)
	}
	p.line("max_calls = %d", t.MaxCalls)
	p.line("max_ms = %d", t.MaxMS)
	if t.GoName != "" {
		p.line("go_name = %s", quote(t.GoName))
	}
	for _, h := range []struct {
		key string
		on  *bool
	}{{"read_only", t.ReadOnly}, {"destructive", t.Destructive}, {"idempotent", t.Idempotent}} {
		if h.on != nil {
			p.line("%s = %t", h.key, *h.on)
		}
	}
	if len(t.Args) > 0 {
		p.members(at+".args", t.Args)
	}
	if len(t.Result) > 0 {
		p.members(at+".result", t.Result)
	}
}

func (p *printer) described(text string) {
	switch {
	case text == "":
	case strings.Contains(text, "\n"):
		p.line("description = %s", quoteLines(text))
	default:
		p.line("description = %s", quote(text))
	}
}

// members writes a table of members. A short one takes a line. Behind the first that is written as a table of its own all
// are, since TOML has it so that their order stays.
func (p *printer) members(at string, fields []catalog.Field) {
	tables := false
	if len(fields) == 0 {
		p.line("[%s]", at)
	}
	for i := range fields {
		f := &fields[i]
		line := key(f.Name) + " = " + memberForm(f)
		if nested(deepest(&f.Type)) && len([]rune(line)) > longLine || strings.Contains(f.Description, "\n") {
			tables = true
		}
		if !tables {
			if i == 0 {
				p.line("[%s]", at)
			}
			p.line("%s", line)
			continue
		}
		p.member(at+"."+key(f.Name), f)
	}
}

// member writes one member as a table of its own.
func (p *printer) member(at string, f *catalog.Field) {
	p.line("[%s]", at)
	pairs, inner := typePairs(&f.Type, mark(f))
	for _, kv := range append(pairs, memberPairs(f)...) {
		if last := deepest(&f.Type); inner == nil && nested(last) && strings.HasPrefix(kv, "one_of = ") {
			p.line("one_of = [")
			for i := range last.OneOf {
				p.line("  %s,", form(inlinePairs(&last.OneOf[i], "")))
			}
			kv = "]"
		}
		p.line("%s", kv)
	}
	p.described(f.Description)
	p.inside(at, inner)
}

// inside writes the tables below a type: its members, its items or its values.
func (p *printer) inside(at string, t *catalog.Type) {
	switch {
	case t == nil:
	case t.Kind == catalog.Object:
		p.members(at+".fields", t.Fields)
	case t.Kind == catalog.List || t.Kind == catalog.Map:
		at += "." + elemKey(t)
		p.line("[%s]", at)
		pairs, inner := typePairs(t.Elem, "")
		for _, kv := range pairs {
			p.line("%s", kv)
		}
		p.inside(at, inner)
	}
}

func elemKey(t *catalog.Type) string {
	if t.Kind == catalog.Map {
		return "values"
	}
	return "items"
}

// deepest is the innermost element of lists and maps.
func deepest(t *catalog.Type) *catalog.Type {
	for t.Elem != nil {
		t = t.Elem
	}
	return t
}

// nested reports whether a type holds objects with members.
func nested(t *catalog.Type) bool {
	return len(t.Fields) > 0 || slices.ContainsFunc(t.OneOf, func(a catalog.Type) bool { return nested(deepest(&a)) })
}

// mark is the question mark of an optional member; a default says as much.
func mark(f *catalog.Field) string {
	if f.Optional && f.Default == nil {
		return "?"
	}
	return ""
}

// memberForm is a member on one line: a word, or an inline table.
func memberForm(f *catalog.Field) string {
	pairs := append(inlinePairs(&f.Type, mark(f)), memberPairs(f)...)
	if f.Description != "" {
		pairs = append(pairs, "description = "+quote(f.Description))
	}
	return form(pairs)
}

// form is a type on one line, from its pairs.
func form(pairs []string) string {
	if len(pairs) == 1 {
		return strings.TrimPrefix(pairs[0], "type = ")
	}
	return "{ " + strings.Join(pairs, ", ") + " }"
}

// inlinePairs are the keys of a type with everything that is inside it.
func inlinePairs(t *catalog.Type, mark string) []string {
	pairs, inner := typePairs(t, mark)
	switch {
	case inner == nil:
	case inner.Kind == catalog.Object:
		fields := mapped(inner.Fields, func(f catalog.Field) string { return key(f.Name) + " = " + memberForm(&f) })
		body := "{ " + strings.Join(fields, ", ") + " }"
		if len(fields) == 0 {
			body = "{}"
		}
		pairs = append(pairs, "fields = "+body)
	default:
		pairs = append(pairs, elemKey(inner)+" = "+form(inlinePairs(inner.Elem, "")))
	}
	return pairs
}

// memberPairs are the keys that a member has besides those of its type and its description.
func memberPairs(f *catalog.Field) []string {
	var pairs []string
	if f.Default != nil {
		if v, err := tree.Parse(f.Default); err == nil {
			pairs = append(pairs, "default = "+tomlValue(v))
		}
	}
	if f.GoName != "" {
		pairs = append(pairs, "go_name = "+quote(f.GoName))
	}
	return pairs
}

// typePairs are the keys of a type on one level. inner is t where its members or its element are still to be written.
func typePairs(t *catalog.Type, mark string) (pairs []string, inner *catalog.Type) {
	if word, list, last, ok := shorthand(t); ok {
		pairs = []string{"type = " + quote(word+mark)}
		if list != nil {
			pairs = append(pairs, constraints(list)...)
		}
		return append(pairs, constraints(last)...), nil
	}
	pairs = append([]string{"type = " + quote(string(t.Kind)+mark)}, constraints(t)...)
	return pairs, t
}

// shorthand is a type as one word, such as "[]string". list and last are the list and the element whose constraints may
// stand beside the word; list is nil where it is last.
func shorthand(t *catalog.Type) (word string, list, last *catalog.Type, ok bool) {
	for at := t; ; at = at.Elem {
		switch at.Kind {
		case catalog.List, catalog.Map:
			if at.Kind == catalog.List {
				word += "[]"
				if list == nil {
					list = at
				} else if constraints(at) != nil {
					return "", nil, nil, false
				}
				continue
			}
			word += "map[string]"
		case catalog.Object:
			return "", nil, nil, false
		case catalog.Ref:
			return word + at.Ref, list, at, true
		default:
			return word + string(at.Kind), list, at, true
		}
	}
}

// constraints are the keys that narrow one type.
func constraints(t *catalog.Type) []string {
	var pairs []string
	add := func(key, value string) {
		if value != "" {
			pairs = append(pairs, key+" = "+value)
		}
	}
	count := func(n *int) string {
		if n == nil {
			return ""
		}
		return strconv.Itoa(*n)
	}
	if t.Enum != nil {
		add("enum", "["+strings.Join(mapped(t.Enum, enumValue), ", ")+"]")
	}
	add("minimum", tomlNumber(t.Minimum))
	add("exclusive_minimum", tomlNumber(t.ExclusiveMinimum))
	add("maximum", tomlNumber(t.Maximum))
	add("exclusive_maximum", tomlNumber(t.ExclusiveMaximum))
	add("min_length", count(t.MinLength))
	add("max_length", count(t.MaxLength))
	if t.Pattern != "" {
		add("pattern", quotePattern(t.Pattern))
	}
	if t.Format != "" {
		add("format", quote(t.Format))
	}
	add("min_items", count(t.MinItems))
	add("max_items", count(t.MaxItems))
	if t.UniqueItems {
		add("unique_items", "true")
	}
	if t.Open {
		add("open", "true")
	}
	if t.OneOf != nil {
		add("one_of", "["+strings.Join(mapped(t.OneOf, func(a catalog.Type) string { return form(inlinePairs(&a, "")) }), ", ")+"]")
	}
	return pairs
}
