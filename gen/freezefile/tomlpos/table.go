package tomlpos

import (
	"slices"
	"strconv"
)

// header reads [a.b] or [[a.b]] and makes its table the one that the next keys are added to.
func (s *scanner) header() {
	start := s.pos
	s.path = s.path[:0]
	array, end := s.take("[["), "]]"
	if !array {
		s.pos++
		end = "]"
	}
	parts := s.key()
	if s.err != nil {
		return
	}
	if !s.take(end) {
		s.fail(s.here(), "", "got %s in a table header, want a dot or %s", s.found(), end)
		return
	}
	span := Span{start, s.pos}
	for _, p := range parts {
		s.path = append(s.path, p.name)
	}
	table, left := s.descend(parts)
	if s.err != nil {
		return
	}
	last := parts[len(parts)-1]
	if array {
		s.section = s.element(table, last, span, left)
	} else {
		s.section = s.table(table, last, span)
	}
	s.prefix = slices.Clone(s.path)
}

// descend goes to the table that holds the last part of a header, making what is not there. left tells whether the text
// had left one of the tables on the way.
func (s *scanner) descend(parts []part) (table *Node, left bool) {
	table = s.root
	for i, p := range parts[:len(parts)-1] {
		child := table.Member(p.name)
		if child == nil {
			child = &Node{Kind: Table, made: implied, Key: p.span, Span: p.span}
			table.add(p.name, child)
			table = child
			continue
		}
		if child.made == byValue {
			s.twice(p, child, "got a table below a key that already has a value, want the key once")
			return nil, false
		}
		left = left || table.last != child
		if left || child.made == byDots {
			s.reopen(i+1, child, p.span, false)
		}
		table.last = child
		if table = child; child.made == byArray {
			table = child.Items[len(child.Items)-1]
		}
	}
	return table, left
}

// table makes the table of a [header].
func (s *scanner) table(parent *Node, p part, span Span) *Node {
	old := parent.Member(p.name)
	if old == nil {
		n := &Node{Kind: Table, made: byHeader, Key: p.span, Span: span}
		parent.add(p.name, n)
		return n
	}
	switch old.made {
	case implied:
		s.reopen(len(s.path), old, span, true)
		old.made, old.Key, old.Span = byHeader, p.span, span
		parent.last = old
		return old
	case byArray:
		s.twice(p, old, "got a table for a key that is an array of tables, want it in double brackets")
	case byHeader:
		s.twice(p, old, "got the table a second time, want it once")
	default:
		s.twice(p, old, "got a table for a key that already has a value, want the key once")
	}
	return nil
}

// element makes one more table of a [[header]].
func (s *scanner) element(parent *Node, p part, span Span, left bool) *Node {
	n := &Node{Kind: Table, made: byHeader, Key: p.span, Span: span}
	array := parent.Member(p.name)
	switch {
	case array == nil:
		array = &Node{Kind: Array, made: byArray, Key: p.span, Span: span}
		parent.add(p.name, array)
	case array.made != byArray:
		s.twice(p, array, "got an array of tables for a key that is already taken, want the key once")
		return nil
	case left || parent.last != array:
		s.reopen(len(s.path), array, span, false)
	}
	parent.last = array
	s.path = append(s.path, strconv.Itoa(len(array.Items)))
	array.Items = append(array.Items, n)
	return n
}

// assign puts a value under a dotted key of a table. The tables on the way may only be ones that dotted keys of the same
// table made: TOML lets no dotted key reach into a table that has a header.
func (s *scanner) assign(table *Node, parts []part, value *Node) {
	left, outer := false, len(s.path)-len(parts)
	for i, p := range parts[:len(parts)-1] {
		child := table.Member(p.name)
		if child == nil {
			child = &Node{Kind: Table, made: byDots, Key: p.span, Span: p.span}
			table.add(p.name, child)
			table = child
			continue
		}
		if child.made != byDots {
			s.twice(p, child, "got a dotted key into a value that is complete, want all its keys in one place")
			return
		}
		if left = left || table.last != child; left {
			s.reopen(outer+i+1, child, p.span, false)
		}
		table.last = child
		table = child
	}
	last := parts[len(parts)-1]
	if old := table.Member(last.name); old != nil {
		s.twice(last, old, "got the key a second time, want it once")
		return
	}
	table.add(last.name, value)
}

// reopen notes that the text comes back to the table whose path is the first n parts of the path being read.
func (s *scanner) reopen(n int, table *Node, again Span, header bool) {
	s.reopened = append(s.reopened, Reopening{Path: slices.Clone(s.path[:n]), First: table.Key, Again: again, Header: header})
}

// twice refuses a name that is taken.
func (s *scanner) twice(p part, old *Node, text string) {
	if s.err == nil {
		also := old.Key
		s.fail(p.span, "", "%s", text)
		s.err.Also = &also
	}
}
