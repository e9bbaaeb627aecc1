package freezefile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/toolfreeze/toolfreeze/gen/freezefile/meant"
	"github.com/toolfreeze/toolfreeze/gen/freezefile/tomlpos"
	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

// nested is what [tools] or [types] holds, as far as it takes to find one that a dot in its name put a table too deep.
type nested struct {
	what, want string
	keys       []string // all its keys
	marks      []string // the keys that tell it from other tables
	spell      func(name string) string
}

// like reports whether a table that is called name is such a thing.
func (k nested) like(name string, n *tomlpos.Node) bool {
	marks := 0
	for _, key := range k.marks {
		if n.Member(key) != nil {
			marks++
		}
	}
	return marks > 1 || marks == 1 && catalog.Nearest(name, k.keys) == "" && (k.what == "tool" || n.Member("type") == nil)
}

// dotted refuses what lies in the table name of all because of dots in its name, each by itself. It reports whether the
// table holds nothing else, so that it is no tool or type itself.
func (r *reader) dotted(all *tomlpos.Node, name string, path []string, k nested) bool {
	n, path := all.Member(name), append(slices.Clip(path), name)
	own := len(n.Names) == 0 || firstOf(n, k.keys...) != ""
	only := !own
	for _, sub := range n.Names {
		m, at := n.Member(sub), append(slices.Clip(path), sub)
		switch {
		case m.Kind != tomlpos.Table || slices.Contains(k.keys, sub):
			only = false
		case k.like(sub, m):
			r.dot(m, at, k)
		case own || catalog.Nearest(sub, k.keys) != "" || meant.ToolKey(sub) != "":
			only = false // an unknown key
		case r.dotted(n, sub, path, k): // those that lie deeper are refused
		case k.what == "tool":
			r.dot(m, at, k) // a header that is too deep, with nothing that tells more
		default:
			only = false
		}
	}
	return only
}

// dot refuses one tool or type with a dot in its name.
func (r *reader) dot(n *tomlpos.Node, path []string, k nested) {
	line, _ := r.file.doc.Position(n.Key.Start)
	r.refused[n], r.dots[line] = true, true
	name := strings.Join(path[1:], ".")
	span, before, after := n.Key, path[0]+".", ""
	if r.header(n) {
		span, before, after = n.Span, "["+before, "]"
	}
	text, hint := "got a %s name with a dot, want %s", ""
	switch spelled := k.spell(name); {
	case spelled == name:
		text, hint = "got a %s name with a dot and no quotes, want it in quotes", "write "+before+tomlpos.Join(name)+after
		r.fail(span, path, hint, text, k.what)
		return
	case spelled != "" && r.root.Member(path[0]).Member(spelled) == nil:
		hint = "write " + before + spelled + after
	}
	r.fail(span, path, hint, text, k.what, k.want)
}

// header reports whether a table stands under a header of its own.
func (r *reader) header(n *tomlpos.Node) bool {
	return n.Kind == tomlpos.Table && strings.HasPrefix(r.file.doc.Source[n.Span.Start:], "[")
}

// strays refuses the keys of the tool that stand below its args or its result, where TOML puts what follows their headers.
func (t *table) strays() {
	for _, part := range []string{"args", "result"} {
		if n := t.node.Member(part); n != nil && n.Kind == tomlpos.Table {
			t.strayMembers(n, t.at(part), part)
		}
	}
}

// strayMembers looks through the members of an object that lies in part, the args or the result.
func (t *table) strayMembers(n *tomlpos.Node, path []string, part string) {
	for _, name := range n.Names {
		v, at := n.Member(name), append(slices.Clip(path), name)
		if t.strayed(name, v) {
			t.astray(name, v, at, part)
		} else if v.Kind == tomlpos.Table && !v.Inline() && !t.membersOnly(v) {
			t.strayParts(v, at, part)
		}
	}
}

// strayParts looks through the keys of a type that has a header of its own.
func (t *table) strayParts(n *tomlpos.Node, path []string, part string) {
	for _, name := range n.Names {
		v, at := n.Member(name), append(slices.Clip(path), name)
		switch {
		case slices.Contains(meant.ToolKeys(), name):
			t.astray(name, v, at, part)
		case v.Kind != tomlpos.Table || v.Inline():
		case name == "fields":
			t.strayMembers(v, at, part)
		case name == "items", name == "values":
			t.strayParts(v, at, part)
		}
	}
}

// strayed reports whether a member is no argument but a key of the tool: it is called like one, and its value is what such
// a key has and no type.
func (t *table) strayed(name string, v *tomlpos.Node) bool {
	if name != "description" && name != "go_name" && !slices.Contains(meant.ToolKeys(), name) {
		return false
	}
	switch v.Kind {
	case tomlpos.Table:
		return (name == "args" || name == "result") && t.membersOnly(v)
	case tomlpos.Array:
		return false
	case tomlpos.String:
		switch _, err := strconv.ParseBool(v.Text); {
		case v.Text == catalog.Local, v.Text == catalog.FreeNet, strings.Contains(v.Text, "://"):
			return true
		case t.typelike(v):
			return false
		case strings.HasPrefix(name, "max_"):
			return v.Text != "" && strings.IndexByte("0123456789", v.Text[0]) >= 0
		case name == "read_only", name == "destructive", name == "idempotent":
			return err == nil
		}
		return name != "args" && name != "result"
	}
	return true
}

// astray refuses one such key, whose value is then left alone.
func (t *table) astray(name string, v *tomlpos.Node, path []string, part string) {
	hint := name + " belongs to the tool: put it beside " + part
	first := t.firstHeader(t.node)
	switch {
	case t.has(name):
		hint = "the tool has its " + name + " already: take this one out"
	case name == "args", name == "result":
		hint = fmt.Sprintf("%s belongs to the tool: write [%s]", name, tomlpos.Join(t.at(name)...))
	case first != tomlpos.Span{}:
		hint = name + " belongs to the tool: put it above " + t.file.doc.Source[first.Start:first.End]
	}
	t.fail(v.Span, path, hint, `got %s, want a type such as "string?"`, got(v))
	t.refused[v], t.stray = true, append(t.stray, name)
}

// firstHeader is the first header of a table below n, where the keys of n itself end; the zero Span where there is none.
func (r *reader) firstHeader(n *tomlpos.Node) (first tomlpos.Span) {
	for _, name := range n.Names {
		m := n.Member(name)
		if m.Kind != tomlpos.Table || m.Inline() {
			continue
		}
		span := m.Span
		if !r.header(m) {
			span = r.firstHeader(m)
		}
		if span.End > 0 && (first.End == 0 || span.Start < first.Start) {
			first = span
		}
	}
	return first
}

// fieldsHint says how members are written where something else stands.
func (t *table) fieldsHint(key string, n *tomlpos.Node) string {
	name, word := "value", "string"
	switch {
	case n.Kind == tomlpos.Array && len(n.Items) > 0 && n.Items[0].Kind == tomlpos.Table && !n.Items[0].Inline():
		return "write [" + tomlpos.Join(t.at(key)...) + "], in single brackets"
	case n.Kind == tomlpos.String && t.typelike(n):
		word = n.Text
	case n.Kind == tomlpos.Array && len(n.Items) == 1 && t.typelike(n.Items[0]):
		word = "[]" + n.Items[0].Text
	case n.Kind == tomlpos.Array && len(n.Items) > 0 && n.Items[0].Kind == tomlpos.String:
		name = n.Items[0].Text
	}
	member := fmt.Sprintf("%s = %s", tomlpos.Join(name), quote(word))
	if t.node.Inline() || len(t.path) != 2 {
		return fmt.Sprintf("write %s = { %s }", key, member)
	}
	return fmt.Sprintf("write [%s] and %s", tomlpos.Join(t.at(key)...), member)
}

// fieldless refuses the members of an object that stand where its type should.
func (t *table) fieldless() catalog.Type {
	hint := `an object is { type = "object", fields = { ... } }`
	if t.header(t.node) {
		hint += `, or type = "object" with the members below [` + tomlpos.Join(t.at("fields")...) + "]"
	}
	t.missing("type", `one, such as type = "string"`, hint)
	return anything()
}

// membersOnly reports whether a table holds the types of members and nothing that belongs to a type itself.
func (r *reader) membersOnly(n *tomlpos.Node) bool {
	if n.Kind != tomlpos.Table || n.Member("type") != nil {
		return false
	}
	keys, found := []string{"go_name", "default", "description"}, false
	for _, k := range constraintKeys() {
		keys = append(keys, k.key)
	}
	for _, name := range n.Names {
		m := n.Member(name)
		if name == "description" && m.Kind == tomlpos.String {
			continue
		}
		if !r.typelike(m) {
			return false
		}
		found = found || !slices.Contains(keys, name) && meant.TypeKey(name, []string{"type"}) == ""
	}
	return found
}

// bareMembers names the members that stand beside fields instead of in it, and makes them known; "" where there are none.
func (t *table) bareMembers() string {
	var names []string
	for _, name := range t.node.Names {
		if !slices.Contains(t.known, name) && !slices.Contains([]string{"description", "go_name", "default", "type"}, name) &&
			t.typelike(t.node.Member(name)) && meant.ForeignKey(name) == "" && catalog.Nearest(name, t.known) == "" {
			names = append(names, tomlpos.Join(name))
		}
	}
	if t.has("fields") || len(names) == 0 {
		return ""
	}
	t.known, t.alien = append(t.known, names...), append(t.alien, names...)
	if len(names) > 3 {
		return strings.Join(names[:3], ", ") + " and the others"
	}
	return strings.Join(names, ", ")
}

// typeHint helps where a value stands instead of the type of a member.
func (t *table) typeHint(name string, n *tomlpos.Node) string {
	word := ""
	switch n.Kind {
	case tomlpos.Array:
		return arrayHint(t, n)
	case tomlpos.Integer:
		word = "int"
	case tomlpos.Float:
		word = "float"
	case tomlpos.Bool:
		word = "bool"
	case tomlpos.OffsetDateTime:
		word = "time"
	default:
		word = "string"
	}
	raw := source(t.file, n)
	for _, k := range constraintKeys() {
		if typ := t.node.Member("type"); k.key == name && typ != nil && typ.Kind == tomlpos.String {
			return fmt.Sprintf("%s stands in the table of its member: value = { type = %s, %s = %s }", name, quote(typ.Text), name, raw)
		}
	}
	if len(t.path) > 2 && t.path[0] == "tools" && t.path[2] == "result" {
		return fmt.Sprintf("write %s = %q", tomlpos.Join(name), word)
	}
	return fmt.Sprintf("a value that stands in for an absent one is written { type = %q, default = %s }", word, raw)
}

// arrayHint says what an array can be meant for where a type should stand: a list, alternatives, or allowed values.
func arrayHint(t *table, n *tomlpos.Node) string {
	kinds, types, raw := map[tomlpos.Kind]int{}, 0, source(t.file, n)
	if !strings.HasPrefix(raw, "[") {
		raw = "[...]"
	}
	for _, item := range n.Items {
		if kinds[item.Kind]++; t.typelike(item) {
			types++
		}
	}
	switch all := len(n.Items); {
	case types == 1 && all == 1 && kinds[tomlpos.String] == 1:
		return `a list is written ` + quote("[]"+strings.TrimRight(n.Items[0].Text, "?"))
	case types == all && all > 1:
		return `alternatives are { type = "json", one_of = ` + raw + " }"
	case all > 0 && kinds[tomlpos.Integer] == all:
		return `allowed values are { type = "int", enum = ` + raw + " }"
	case all > 0 && kinds[tomlpos.Integer]+kinds[tomlpos.Float] == all:
		return `allowed values are { type = "float", enum = ` + raw + " }"
	case all > 0 && kinds[tomlpos.Bool] == all:
		return `a list is written "[]bool"`
	case all == 0 || kinds[tomlpos.String] < all:
		return `a list is written "[]string"`
	}
	return `a list is written "[]string"; allowed values are { type = "string", enum = ` + raw + " }"
}

// typeKey helps with the unknown keys of a type. member says whether it is the type of a member.
func (t *table) typeKey(member bool) func(key string) string {
	return func(key string) string {
		hint := meant.ForeignKey(key)
		switch n := t.node.Member(key); {
		case !member && (key == "description" || key == "default" || key == "go_name"):
			return key + " belongs to a member of args, result or fields"
		case key == "required" || key == "optional" || key == "nullable":
			if member && n.Kind == tomlpos.Bool {
				return t.optionalHint(key, n)
			}
			return hint
		case hint != "":
			return hint
		}
		if hint = meant.TypeKey(key, t.offered()); hint == "" && catalog.Nearest(key, t.offered()) == "" && t.typelike(t.node.Member(key)) {
			return `members stand in fields, beside type = "object"`
		}
		return hint
	}
}

// optionalHint says how a member is written that is optional, or required, by a key of its own.
func (t *table) optionalHint(key string, n *tomlpos.Node) string {
	typ := t.node.Member("type")
	if (key == "required") == (n.Text == "true") || typ != nil && strings.HasSuffix(typ.Text, "?") {
		return `leave it out: ` + meant.ForeignKey(key)
	}
	if typ == nil || typ.Kind != tomlpos.String {
		return meant.ForeignKey(key)
	}
	return "write type = " + quote(strings.TrimRight(typ.Text, "?")+"?")
}
