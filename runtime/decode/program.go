package decode

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
	"github.com/toolfreeze/toolfreeze/runtime/decode/internal/phrase"
)

// maxNames is how many members an object may declare: one bit each.
const maxNames = 64

// Program is a catalog made ready for reading: its patterns and alternatives, which generated code refers to by number,
// and every type, which the interpreter reads by. It is not changed after Compile and safe for concurrent use.
type Program struct {
	patterns []*regexp.Regexp
	choices  []choice
	types    map[*catalog.Type]*node
	args     []*node
	results  []*node
}

// choice is one one_of.
type choice struct {
	nodes []*node
	want  string // "exactly one of: a string; an object with \"id\""
}

// node is one type, made ready.
type node struct {
	t       *catalog.Type // never nil; of an object, only its Kind is used
	elem    *node
	object  *object
	values  string // of an enum, each followed by a NUL
	pattern int    // -1 for none
	oneOf   int    // -1 for none
	ranged  bool   // the bounds are integers: low and high hold them
	bounded bool   // there are other bounds
	low     int64
	high    int64
}

// object is the members of one object type.
type object struct {
	keys     string
	required uint64
	open     bool
	nodes    []*node
}

// Compile makes the Program of c. A pattern that is no RE2, an enum value that is no JSON string, a reference to nothing
// and an object of more than 64 members are errors; Check of c finds the same.
func Compile(c *catalog.Catalog) (*Program, error) {
	p := &Program{types: map[*catalog.Type]*node{}}
	b := builder{program: p, catalog: c, named: map[string]*node{}, oneOfs: catalog.OneOfs(c), patterns: catalog.Patterns(c)}
	for _, text := range b.patterns {
		re, err := catalog.CompilePattern(text)
		if err != nil {
			return nil, fmt.Errorf("pattern %q: %w", text, err)
		}
		p.patterns = append(p.patterns, re)
	}
	for i := range c.Types {
		b.ref(c.Types[i].Name)
	}
	for i := range c.Tools {
		t := &c.Tools[i]
		b.at = "tool " + strconv.Quote(t.Name)
		p.args = append(p.args, b.object(t.Args, false))
		p.results = append(p.results, b.object(t.Result, false))
	}
	for _, t := range b.oneOfs {
		p.choices = append(p.choices, b.choice(t))
	}
	if b.err != nil {
		return nil, b.err
	}
	return p, nil
}

// builder makes the nodes of one catalog.
type builder struct {
	program  *Program
	catalog  *catalog.Catalog
	named    map[string]*node
	oneOfs   []*catalog.Type
	patterns []string
	at       string // the tool or type that is being built
	err      error
}

func (b *builder) fail(format string, args ...any) {
	if b.err == nil {
		b.err = fmt.Errorf(b.at+": "+format, args...)
	}
}

// ref is the node of a named type. It stands in the table before its members are built, since they may refer to it.
func (b *builder) ref(name string) *node {
	if n := b.named[name]; n != nil {
		return n
	}
	named := b.catalog.TypeNamed(name)
	if named == nil {
		b.fail("got type %q, want a name from [types]", name)
		return &node{t: &catalog.Type{}}
	}
	n := new(node)
	b.named[name] = n
	at := b.at
	b.at = "type " + strconv.Quote(name)
	*n = *b.object(named.Fields, named.Open)
	b.at = at
	return n
}

// object is the node of an object of fields.
func (b *builder) object(fields []catalog.Field, open bool) *node {
	if len(fields) > maxNames {
		b.fail("got an object of %d members, want at most %d", len(fields), maxNames)
		fields = fields[:maxNames]
	}
	o := &object{open: open}
	for i := range fields {
		f := &fields[i]
		if strings.Contains(f.Name, "\x00") {
			b.fail("got a NUL in the name %q", f.Name)
		}
		o.keys += f.Name + "\x00"
		if !f.Optional && f.Default == nil {
			o.required |= 1 << i
		}
		o.nodes = append(o.nodes, b.node(&f.Type))
	}
	return &node{t: &catalog.Type{Kind: catalog.Object}, object: o}
}

// node is the node of t.
func (b *builder) node(t *catalog.Type) *node {
	var n *node
	switch t.Kind {
	case catalog.Ref:
		n = b.ref(t.Ref)
	case catalog.Object:
		n = b.object(t.Fields, t.Open)
	default:
		n = b.plain(t)
	}
	b.program.types[t] = n
	return n
}

// plain is the node of what is neither an object nor a name.
func (b *builder) plain(t *catalog.Type) *node {
	n := &node{t: t, pattern: -1, oneOf: -1}
	switch t.Kind {
	case catalog.List, catalog.Map:
		if t.Elem == nil {
			b.fail("got a %s without the type of what it holds", t.Kind)
			break
		}
		n.elem = b.node(t.Elem)
	case catalog.String, catalog.Int, catalog.Float, catalog.Bool, catalog.Time, catalog.Bytes, catalog.Path, catalog.Content, catalog.JSON:
	default:
		b.fail("got kind %q, want one of the kinds of a freeze", t.Kind)
	}
	if t.Pattern != "" {
		n.pattern = slices.Index(b.patterns, t.Pattern)
	}
	if len(t.OneOf) > 0 {
		n.oneOf = slices.Index(b.oneOfs, t)
	}
	for i := range t.OneOf {
		b.node(&t.OneOf[i])
	}
	for _, e := range t.Enum {
		n.values += b.value(t.Kind, e) + "\x00"
	}
	n.bounds()
	return n
}

// value is the text of one enum value.
func (b *builder) value(k catalog.Kind, e catalog.Enum) string {
	text := string(e.Value)
	if k == catalog.String {
		if err := json.Unmarshal(e.Value, &text); err != nil {
			b.fail("got the enum value %q, want a JSON string", e.Value)
		}
	}
	if strings.Contains(text, "\x00") {
		b.fail("got a NUL in the enum value %q", text)
	}
	return text
}

// bounds sorts the bounds of a number into those that Range takes and the rest, which Bounds takes.
func (n *node) bounds() {
	t := n.t
	n.low, n.high, n.ranged = t.IntRange()
	n.bounded = !n.ranged && t.Minimum+t.Maximum+t.ExclusiveMinimum+t.ExclusiveMaximum != ""
}

// choice is the alternatives of t, which have their nodes by now.
func (b *builder) choice(t *catalog.Type) choice {
	var c choice
	var all []string
	for i := range t.OneOf {
		n := b.program.types[&t.OneOf[i]]
		c.nodes = append(c.nodes, n)
		all = append(all, n.describe())
	}
	c.want = phrase.Alternatives(all)
	return c
}

// describe says in a few words what n accepts, for the fault of a value that fits no alternative.
func (n *node) describe() string {
	switch n.t.Kind {
	case catalog.Object:
		return n.object.describe()
	case catalog.Map:
		return phrase.GotObject
	case catalog.List:
		return phrase.GotList
	case catalog.Bool:
		return phrase.Bool.String()
	case catalog.JSON:
		return "any value"
	}
	if n.values != "" {
		return phrase.OneOf(words(n.values), n.t.Kind == catalog.String)
	}
	switch n.t.Kind {
	case catalog.Int:
		return phrase.Int.String()
	case catalog.Float:
		return phrase.Float.String()
	}
	return phrase.GotString
}

// describe names the required members, at most 5, and the value of those that can have one only, which is how the
// alternatives of a tagged union differ.
func (o *object) describe() string {
	const most = 5
	var all []string
	for i, name := range words(o.keys) {
		if o.required&(1<<i) == 0 || len(all) == most {
			continue
		}
		text := strconv.Quote(name)
		if n := o.nodes[i]; strings.Count(n.values, "\x00") == 1 {
			text += " " + n.describe()
		}
		all = append(all, text)
	}
	if len(all) == 0 {
		return phrase.GotObject
	}
	return phrase.GotObject + " with " + strings.Join(all, ", ")
}
