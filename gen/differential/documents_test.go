package differential_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

// node is one JSON value on its way into a document.
type node struct {
	t     *catalog.Type // what it was made for; nil where anything may stand
	depth int           // 1 for the root
	open  byte          // '{' or '['; 0 for a value without parts
	text  string        // a value without parts, as it is written
	parts []part
}

// part is a member or an item.
type part struct {
	key   string // the name, unquoted; unused in a list
	how   spelling
	value *node
}

// author draws the documents of one catalog.
type author struct {
	t      *rapid.T
	c      *catalog.Catalog
	pools  map[*catalog.Type]*pool
	budget int // how many more values the document may have
	tower  int // how deep recursive types are built; 0 for not on purpose
}

// document draws one document for a tool.
func (a *author) document(root *catalog.Type) []byte {
	a.budget = 120
	if oneIn(a.t, 12) {
		a.tower = 29 + upTo(a.t, 5)
	}
	top := a.value(root, 1)
	a.tower = 0
	for range draw(a.t, 0, 0, 0, 1, 1, 1, 2, 5) {
		a.spoil(top)
	}
	space := ""
	if oneIn(a.t, 8) {
		space = draw(a.t, " ", "  ", "\n", "\n\t", "\r\n", " \t\n\r", draw(a.t, "\f", "\u00a0", "/**/"))
	}
	doc := top.write(nil, space)
	if oneIn(a.t, 12) {
		doc = a.damage(doc)
	}
	return doc
}

// value draws a value of type t, mostly a right one.
func (a *author) value(t *catalog.Type, depth int) *node {
	n := &node{t: t, depth: depth}
	a.budget--
	switch t.Kind {
	case catalog.Ref:
		a.object(n, a.c.TypeNamed(t.Ref).Fields, a.c.TypeNamed(t.Ref).Open)
	case catalog.Object:
		a.object(n, t.Fields, t.Open)
	case catalog.List:
		n.open = '['
		low, high := bounds(t)
		count := low + upTo(a.t, min(3, high-low))
		switch {
		case a.tower > depth:
			count = max(low, min(1, high))
		case depth > 6 || a.budget < 0:
			count = low
		}
		for range count {
			n.parts = append(n.parts, part{value: a.value(t.Elem, depth+1)})
		}
		if t.UniqueItems && len(n.parts) > 0 && oneIn(a.t, 12) {
			n.parts = append(n.parts, part{value: a.copy(n.parts[0].value)})
		}
	case catalog.Map:
		n.open = '{'
		for i := range a.few(depth) {
			n.parts = append(n.parts, part{key: draw(a.t, "key", "Key", "é", "", "\u212a", "a\"b") + strconv.Itoa(i), value: a.value(t.Elem, depth+1)})
		}
	case catalog.JSON:
		if len(t.OneOf) > 0 {
			return a.value(&t.OneOf[upTo(a.t, len(t.OneOf)-1)], depth)
		}
		n.text = a.leaf(t)
	default:
		n.text = a.leaf(t)
	}
	return n
}

// bounds are those of a list's length; none is far away.
func bounds(t *catalog.Type) (low, high int) {
	high = 99
	if t.MinItems != nil {
		low = *t.MinItems
	}
	if t.MaxItems != nil {
		high = *t.MaxItems
	}
	return low, high
}

// few is how many entries a map gets.
func (a *author) few(depth int) int {
	switch {
	case a.tower > depth:
		return 1
	case depth > 6 || a.budget < 0:
		return 0
	}
	return upTo(a.t, 3)
}

// leaf draws a good value from the pool of t.
func (a *author) leaf(t *catalog.Type) string {
	p := a.pools[t]
	if len(p.good) == 0 {
		return draw(a.t, p.bad...)
	}
	return draw(a.t, p.good...)
}

// object draws the members. A tower takes only one optional member that can hold more, so that it does not branch.
func (a *author) object(n *node, fields []catalog.Field, open bool) {
	n.open = '{'
	grown := false
	for i := range fields {
		f := &fields[i]
		given := !f.Optional
		deeper := f.Type.Kind == catalog.Ref || f.Type.Elem != nil || f.Type.Kind == catalog.Object
		switch {
		case given:
		case a.tower > n.depth:
			given = deeper && !grown
			grown = grown || given
		default:
			given = n.depth < 7 && a.budget > 0 && draw(a.t, true, false)
		}
		if given {
			n.parts = append(n.parts, part{key: f.Name, value: a.value(&f.Type, n.depth+1)})
		}
	}
	if open && a.budget > 0 && oneIn(a.t, 3) {
		n.parts = append(n.parts, part{key: "extra", value: a.any(n.depth + 1)})
	}
	if oneIn(a.t, 6) {
		n.parts = rapid.Permutation(n.parts).Draw(a.t, "order")
	}
}

// any is a value that stands where the type says nothing.
func (a *author) any(depth int) *node {
	return &node{depth: depth, text: draw(a.t, "null", "1", `"x"`, "1e400", `{"a":[1,{"b":null}]}`, "[]", "1.0")}
}

// write appends the JSON of n, with space around every token.
func (n *node) write(b []byte, space string) []byte {
	if n.open == 0 {
		return append(append(append(b, space...), n.text...), space...)
	}
	b = append(append(b, space...), n.open)
	for i, p := range n.parts {
		if i > 0 {
			b = append(b, ',')
		}
		if n.open == '{' {
			b = append(append(append(append(b, space...), quote(p.key, p.how)...), space...), ':')
		}
		b = p.value.write(b, space)
	}
	if len(n.parts) == 0 {
		b = append(b, space...)
	}
	return append(append(b, n.open+2), space...) // '{'+2 is '}', '['+2 is ']'
}

// all lists n and everything below it.
func (n *node) all() []*node {
	list := []*node{n}
	for _, p := range n.parts {
		list = append(list, p.value.all()...)
	}
	return list
}

// copy is a deep copy of n, spelled in another way but equal to it: numbers, escapes, the order of members, a null for an
// optional member that is absent.
func (a *author) copy(n *node) *node {
	m := *n
	m.parts = nil
	for _, p := range n.parts {
		m.parts = append(m.parts, part{p.key, spelling(upTo(a.t, 2)), a.copy(p.value)})
	}
	switch {
	case n.open == '{':
		slices.Reverse(m.parts)
		for _, f := range a.fieldsOf(n.t) {
			if f.Optional && oneIn(a.t, 2) && !slices.ContainsFunc(m.parts, func(p part) bool { return p.key == f.Name }) {
				m.parts = append(m.parts, part{key: f.Name, value: &node{text: "null"}})
			}
		}
	case n.open == 0 && n.text != "" && strings.Trim(n.text, "-0123456789") == "":
		m.text += draw(a.t, "", ".0", "e0", ".00E-0")
	}
	return &m
}

// fieldsOf are the members that t declares.
func (a *author) fieldsOf(t *catalog.Type) []catalog.Field {
	switch {
	case t == nil:
		return nil
	case t.Kind == catalog.Ref:
		return a.c.TypeNamed(t.Ref).Fields
	}
	return t.Fields
}

// damage changes the bytes of a document.
func (a *author) damage(doc []byte) []byte {
	at := upTo(a.t, len(doc))
	switch draw(a.t, "cut", "insert", "change", "behind", "before", "empty", "long") {
	case "cut":
		return doc[:at]
	case "insert":
		return slices.Insert(slices.Clone(doc), at, []byte(draw(a.t, ",", `"`, "\\", "{", "]", "0", " ", "\x00", "\xff", "\xef\xbb\xbf", "\u2028", ":", "null", "-", "e"))...)
	case "change":
		if at < len(doc) {
			doc[at] = draw(a.t, byte('0'), '"', ' ', '}', '[', 0x7f, 0x80, 0, 'n', '\n')
		}
	case "behind":
		return append(doc, draw(a.t, "\n", " ", "{}", ",", "x", "\x00", "\ufeff", "null")...)
	case "before":
		return append([]byte(draw(a.t, "\n", "\ufeff", "\x00", ",", "\v")), doc...)
	case "empty":
		return []byte(draw(a.t, "", " ", "null", "{}", "[]", `""`, "0"))
	case "long":
		return fmt.Appendf(doc, "%*s", draw(a.t, 250, 1900, 5000), "")
	}
	return doc
}
