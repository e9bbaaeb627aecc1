package freezefile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolfreeze/toolfreeze/gen/freezefile/meant"
	"github.com/toolfreeze/toolfreeze/gen/freezefile/tomlpos"
	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

// maxLevels is how many lists and maps one word may nest: a document is at most 32 deep.
const maxLevels = 32

// words are the types without parts.
func words() []string {
	return []string{"string", "int", "float", "bool", "time", "bytes", "path", "content", "json"}
}

// anything stands in for a type that has been refused.
func anything() catalog.Type { return catalog.Type{Kind: catalog.JSON} }

// element reads a type where no member is: an item, a value of a map, an alternative.
func (r *reader) element(n *tomlpos.Node, path []string) catalog.Type {
	if n.Kind == tomlpos.String {
		c, _, _ := r.word(n, path, false)
		return c
	}
	t := r.table(n, path, `a type: a word such as "string" or a table with type`, "")
	if t == nil {
		return anything()
	}
	if t.membersOnly(n) {
		return t.fieldless()
	}
	c, _ := t.form(false)
	t.close(t.typeKey(false))
	return c
}

// form reads the keys of a type in table form. Where the type itself is refused its constraints are not looked at.
func (t *table) form(member bool) (c catalog.Type, optional bool) {
	n, ok := t.get("type"), true
	builtin := ""
	switch {
	case n == nil:
		c, ok = t.untyped()
	case n.Kind != tomlpos.String:
		t.wrong(n, "type", `a word such as "string"`, "")
		c, ok = anything(), false
	default:
		if builtin = n.Text; member {
			builtin, optional = strings.CutSuffix(n.Text, "?")
		}
		switch builtin {
		case "object":
			c = catalog.Type{Kind: catalog.Object}
		case "list":
			c = catalog.Type{Kind: catalog.List, Elem: t.part("items", "values")}
		case "map":
			c = catalog.Type{Kind: catalog.Map, Elem: t.part("values", "items")}
		default:
			builtin = ""
			c, optional, ok = t.word(n, t.at("type"), member)
		}
	}
	t.constraints(&c, builtin, ok)
	return c, optional
}

// untyped refuses a table without a type. Where the other keys tell which one it is, they are read all the same.
func (t *table) untyped() (c catalog.Type, ok bool) {
	c, hint := anything(), ""
	format := t.node.Member("format")
	switch {
	case t.has("fields"):
		c, ok, hint = catalog.Type{Kind: catalog.Object}, true, `an object has type = "object"`
	case t.has("one_of"):
		ok, hint = true, `alternatives have type = "json"`
	case format != nil && !slices.Contains(catalog.Formats(), format.Text) && t.typelike(format):
		hint = "did you mean type = " + quote(format.Text) + "?"
	default:
		for _, name := range t.node.Names {
			if meant.TypeKey(name, []string{"type"}) != "" || catalog.Nearest(name, []string{"type"}) != "" {
				return c, false // close asks whether that is meant
			}
		}
		for _, k := range slices.Backward(constraintKeys()) {
			if t.has(k.key) {
				hint = fmt.Sprintf("%s goes with type = %s", k.key, orList(k.names(true)))
			}
		}
	}
	t.missing("type", `one, such as type = "string"`, hint)
	return c, ok
}

// part reads the type of items or values. A table that has the other one instead gets an error about that alone.
func (t *table) part(key, other string) *catalog.Type {
	c := anything()
	if n := t.get(key); n != nil {
		c = t.element(n, t.at(key))
	} else if !t.has(other) {
		t.missing(key, fmt.Sprintf(`a type of %s, such as %s = "string"`, key, key), "")
	}
	return &c
}

// constraints reads every other key of the table form. Beside a word, min_items, max_items and unique_items belong to the
// outermost list, and the rest to the innermost element; beside "list" and "map" the parts have constraints of their own.
func (t *table) constraints(c *catalog.Type, builtin string, ok bool) {
	list, inner := c, c
	for at := c; at != nil && builtin == ""; at = at.Elem {
		if list.Kind != catalog.List {
			list = at
		}
		inner = at
	}
	all := constraintKeys()
	for _, k := range all {
		if t.get(k.key); ok && !k.fits(builtin, list.Kind, inner.Kind) {
			t.alien = append(t.alien, k.key)
		}
	}
	for _, k := range all {
		switch n := t.get(k.key); {
		case n == nil, !ok:
		case slices.Contains(t.alien, k.key):
			on := inner
			if k.kinds[0] == catalog.List || k.kinds[0] == catalog.Map {
				on = c
			}
			t.misplaced(k, n, on.Kind)
		case slices.Contains(k.kinds, catalog.List):
			k.read(t, list, k.key)
		default:
			k.read(t, inner, k.key)
		}
	}
	if c.Kind != catalog.Object || t.has("fields") {
		return
	}
	if bare := t.bareMembers(); bare != "" {
		t.missing("fields", "the members of the object", fmt.Sprintf("put %s into fields = { ... }", bare))
	} else if !c.Open {
		t.missing("fields", "the members of the object", "open = true keeps any members, fields = {} has none")
	}
}

// constraint is one key of the table form.
type constraint struct {
	key   string
	kinds []catalog.Kind
	read  func(t *table, c *catalog.Type, key string)
}

// fits reports whether a type takes the key: by its outermost list, or by its innermost element. Only "list" and "map"
// themselves take items and values.
func (k constraint) fits(builtin string, list, inner catalog.Kind) bool {
	if k.key == "items" || k.key == "values" {
		return builtin == string(k.kinds[0])
	}
	return slices.Contains(k.kinds, list) || slices.Contains(k.kinds, inner)
}

// names are the types that take the key, in quotes where a person would write them so.
func (k constraint) names(quoted bool) []string {
	list := make([]string, len(k.kinds))
	for i := range k.kinds {
		if list[i] = string(k.kinds[i]); quoted {
			list[i] = quote(list[i])
		}
	}
	return list
}

// constraintKeys lists the keys of the table form beside type, items, values and what belongs to a member.
func constraintKeys() []constraint {
	text, number := []catalog.Kind{catalog.String}, []catalog.Kind{catalog.Int, catalog.Float}
	list, path, object := []catalog.Kind{catalog.List}, []catalog.Kind{catalog.Path}, []catalog.Kind{catalog.Object}
	size := func(of func(*catalog.Type) **int, want string) func(*table, *catalog.Type, string) {
		return func(t *table, c *catalog.Type, key string) {
			if n, ok := t.count(key, want, 0, 0); ok {
				*of(c) = &n
			}
		}
	}
	bound := func(of func(*catalog.Type) *string) func(*table, *catalog.Type, string) {
		return func(t *table, c *catalog.Type, key string) { *of(c) = t.number(key) }
	}
	word := func(of func(*catalog.Type) *string, want string) func(*table, *catalog.Type, string) {
		return func(t *table, c *catalog.Type, key string) {
			if s, ok := t.text(key, want); ok {
				*of(c) = s
			}
		}
	}
	return []constraint{
		{"enum", []catalog.Kind{catalog.String, catalog.Int, catalog.Float}, func(t *table, c *catalog.Type, key string) { c.Enum = t.enum(key) }},
		{"minimum", number, bound(func(c *catalog.Type) *string { return &c.Minimum })},
		{"maximum", number, bound(func(c *catalog.Type) *string { return &c.Maximum })},
		{"exclusive_minimum", number, bound(func(c *catalog.Type) *string { return &c.ExclusiveMinimum })},
		{"exclusive_maximum", number, bound(func(c *catalog.Type) *string { return &c.ExclusiveMaximum })},
		{"min_length", text, size(func(c *catalog.Type) **int { return &c.MinLength }, "a number of code points")},
		{"max_length", text, size(func(c *catalog.Type) **int { return &c.MaxLength }, "a number of code points")},
		{"pattern", text, word(func(c *catalog.Type) *string { return &c.Pattern }, "a regular expression")},
		{"format", text, word(func(c *catalog.Type) *string { return &c.Format }, "one of "+strings.Join(catalog.Formats(), ", "))},
		{"min_items", list, size(func(c *catalog.Type) **int { return &c.MinItems }, "a number of items")},
		{"max_items", list, size(func(c *catalog.Type) **int { return &c.MaxItems }, "a number of items")},
		{"unique_items", list, func(t *table, c *catalog.Type, key string) { c.UniqueItems = t.set(key) }},
		{"max_bytes", []catalog.Kind{catalog.Content}, func(t *table, c *catalog.Type, key string) {
			c.MaxBytes, _ = t.count(key, "a cap in bytes", 1, 0)
		}},
		{"under", path, word(func(c *catalog.Type) *string { return &c.Under }, "a folder below the workspace root")},
		{"access", path, word(func(c *catalog.Type) *string { return &c.Access }, `"read", "list" or "write"`)},
		{"one_of", []catalog.Kind{catalog.JSON}, func(t *table, c *catalog.Type, key string) { c.OneOf = t.oneOf(key) }},
		{"fields", object, func(t *table, c *catalog.Type, key string) { c.Fields = t.fields(key) }},
		{"open", object, func(t *table, c *catalog.Type, key string) { c.Open = t.set(key) }},
		{"items", list, func(*table, *catalog.Type, string) {}},
		{"values", []catalog.Kind{catalog.Map}, func(*table, *catalog.Type, string) {}},
	}
}

// misplaced refuses a constraint that its type has no use for.
func (t *table) misplaced(k constraint, n *tomlpos.Node, on catalog.Kind) {
	hint, part := "", k.key == "items" || k.key == "values"
	switch {
	case on == catalog.List && k.key == "values" && !t.has("items"):
		hint = `did you mean "items"?`
	case on == catalog.Map && k.key == "items" && !t.has("values"):
		hint = `did you mean "values"?`
	case part && (on == catalog.List || on == catalog.Map):
		hint = "leave " + k.key + " out: the type says it already"
	case on == catalog.List && t.has("items"):
		hint = "a constraint on the items stands in items = { ... }"
	case on == catalog.Map && t.has("values"):
		hint = "a constraint on the values stands in values = { ... }"
	case n.Kind == tomlpos.Array && len(n.Items) > 0 && t.typelike(n.Items[0]):
		hint = "alternatives have type = \"json\" and one_of"
	case on != catalog.Map && (!part || n.Kind == tomlpos.Array):
		hint = meant.TypeKey(k.key, t.offered())
	}
	if part {
		t.fail(n.Key, t.at(k.key), hint, "got %s beside another type, want it only with type = %q", k.key, k.kinds[0])
		return
	}
	t.fail(n.Key, t.at(k.key), hint, "got %s for the type %s, want it only for %s", k.key, on, orList(k.names(false)))
}

// word reads a type in shorthand. Where optional is allowed it may end in "?".
func (r *reader) word(n *tomlpos.Node, path []string, optional bool) (c catalog.Type, marked, ok bool) {
	text := n.Text
	if optional {
		text, marked = strings.CutSuffix(text, "?")
	}
	at, inner := 0, &c
	for level := 0; ; level++ {
		kind := catalog.List
		rest, more := strings.CutPrefix(text[at:], "[]")
		if !more {
			kind = catalog.Map
			rest, more = strings.CutPrefix(text[at:], "map[string]")
		}
		if !more {
			break
		}
		if level == maxLevels {
			r.badWord(n, path, at, "", fmt.Sprintf("got more than %d lists and maps in one type, want at most %d", maxLevels, maxLevels))
			return anything(), marked, false
		}
		inner.Kind, inner.Elem = kind, &catalog.Type{}
		inner, at = inner.Elem, len(text)-len(rest)
	}
	name := text[at:]
	switch {
	case slices.Contains(words(), name):
		inner.Kind = catalog.Kind(name)
		if inner.Kind == catalog.Path {
			inner.Access = "read"
		}
	case r.types.Member(name) != nil:
		inner.Kind, inner.Ref = catalog.Ref, name
	default:
		r.unknownWord(n, path, at, name, optional)
		return anything(), marked, false
	}
	return c, marked, true
}

// unknownWord refuses the name of a type, at the place inside the string where it begins.
func (r *reader) unknownWord(n *tomlpos.Node, path []string, at int, name string, optional bool) {
	want := "one of " + strings.Join(words(), ", ") + ", []T, map[string]T"
	if len(r.types.Names) > 0 {
		want += ", or a name from [types]"
	}
	text, hint := "got the type "+quote(name)+", want "+want, ""
	bare := strings.TrimRight(name, "?")
	switch {
	case name == "":
		text, at = "got no name of a type, want "+want, max(0, len(n.Text)-1)
	case bare != name && (r.types.Member(bare) != nil || slices.Contains(words(), bare)):
		text = `got "?" here, want it once, at the end of a member's type`
		if at += len(bare); !optional {
			text = `got "?" on an item, a value or an alternative, want it only at the end of a member's type`
		}
	case strings.HasPrefix(name, "map["):
		text = "got a map with other keys than strings, want map[string]T"
	default:
		hint = meant.Type(name, r.typeWords())
	}
	r.badWord(n, path, at, hint, text)
}

// badWord refuses a type in shorthand at one byte of its text.
func (r *reader) badWord(n *tomlpos.Node, path []string, at int, hint, text string) {
	span := r.file.doc.Inside(n, at)
	if span.Start > n.Span.Start {
		span.End = n.Span.End - 1
	}
	r.fail(span, path, hint, "%s", text)
}

// typeWords are the words that are types: the built-in ones and the names from [types].
func (r *reader) typeWords() []string { return append(words(), r.types.Names...) }

// typelike reports whether a value is a type, or a slip of one.
func (r *reader) typelike(n *tomlpos.Node) bool {
	switch n.Kind {
	case tomlpos.String:
		name, more := strings.TrimRight(n.Text, "?"), true
		for more {
			if name, more = strings.CutPrefix(name, "[]"); !more {
				name, more = strings.CutPrefix(name, "map[string]")
			}
		}
		return slices.Contains(words(), name) || r.types.Member(name) != nil || meant.Type(name, r.typeWords()) != ""
	case tomlpos.Table:
		typ := n.Member("type")
		return typ != nil && typ.Kind == tomlpos.String || r.membersOnly(n)
	}
	return false
}
