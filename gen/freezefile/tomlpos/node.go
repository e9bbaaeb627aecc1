package tomlpos

import (
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"
)

// MaxDepth is how deep tables, arrays and dotted keys may nest; the document itself is depth 0.
const MaxDepth = 64

// Kind is the TOML type of a value.
type Kind uint8

// The kinds. The zero Kind is no value.
const (
	// String is any of the four kinds of string.
	String Kind = iota + 1
	// Integer is a whole number inside int64, in any base.
	Integer
	// Float is a number with a fraction or an exponent, or inf or nan.
	Float
	// Bool is true or false.
	Bool
	// OffsetDateTime is a date and a time with an offset from UTC.
	OffsetDateTime
	// LocalDateTime is a date and a time without an offset.
	LocalDateTime
	// LocalDate is a date alone.
	LocalDate
	// LocalTime is a time of day alone.
	LocalTime
	// Array is a list of values, or the list of tables that [[headers]] make.
	Array
	// Table is a table of any spelling: under a header, inline, made by dotted keys, or implied by a deeper header.
	Table
)

// String returns the kind with its article, fit to stand after "got": "a string", "an integer".
func (k Kind) String() string {
	switch k {
	case String:
		return "a string"
	case Integer:
		return "an integer"
	case Float:
		return "a float"
	case Bool:
		return "a boolean"
	case OffsetDateTime:
		return "a date-time"
	case LocalDateTime:
		return "a local date-time"
	case LocalDate:
		return "a local date"
	case LocalTime:
		return "a local time"
	case Array:
		return "an array"
	case Table:
		return "a table"
	}
	return "no value"
}

// Span is a half-open range of byte offsets in Document.Source.
type Span struct{ Start, End int }

// Node is one value.
type Node struct {
	// Kind is the type of the value.
	Kind Kind
	// Key is where the last part of its key stands, quotes included; empty for the root and for items of an array.
	Key Span
	// Span is where the value stands, quotes and brackets included. A table under a header has the header's span, and a
	// table that stands nowhere by itself (made by dotted keys, or implied by a deeper header) that of its key.
	Span Span
	// Text is the value of a scalar: a String without quotes and escapes; an Integer in decimal; a Float as it is written
	// but for underscores and a leading plus; "true" or "false"; dates and times as RFC 3339 writes them, with the fraction
	// as it is written.
	Text string
	// Items are the values of an Array.
	Items []*Node
	// Names are the keys of a Table in the order of the text.
	Names []string

	members map[string]*Node
	made    origin
	last    *Node // the member that the text touched last
}

// origin is how a table came to be, which decides who may add to it.
type origin uint8

const (
	byValue  origin = iota // an inline table or a value: complete
	byHeader               // [a] or one element of [[a]]
	implied                // a in [a.b]
	byDots                 // a in a.b = 1
	byArray                // the array that [[a]] makes
)

// Member returns the member of a table with that name, nil if there is none or n is no table.
func (n *Node) Member(name string) *Node { return n.members[name] }

// Inline reports whether n is a table that is written as a value, in braces.
func (n *Node) Inline() bool { return n.Kind == Table && n.made == byValue }

// add makes child a member of n. The caller has made sure that the name is free.
func (n *Node) add(name string, child *Node) {
	if n.members == nil {
		n.members = make(map[string]*Node)
	}
	n.members[name] = child
	n.Names = append(n.Names, name)
	n.last = child
}

// Reopening is a place where a table is continued that the text had already left, or that gets its own header after the
// header of a table below it.
type Reopening struct {
	// Path is the table's key path.
	Path []string
	// First is where the table stands first.
	First Span
	// Again is the key part or header that comes back to it.
	Again Span
	// Header is true where Again is the table's own header, which stands after that of a table below it.
	Header bool
}

// Document is a text that has been read.
type Document struct {
	// Source is the text without byte order mark and with LF for CRLF.
	Source string
	// Root is the table of the whole document; nil where Scan returned an error.
	Root *Node
	// Reopened are the tables that do not stand in one place, in the order of the text. One line may be in several.
	Reopened []Reopening

	lines  []int // offset of the start of each line
	before []int // how many code points stand before each block of the text
}

// block is how many bytes are counted at most to tell a column. Without blocks, errors on one endless line would take
// quadratic time.
const block = 4096

// newDocument counts the lines and the code points of a text.
func newDocument(text string) *Document {
	d := &Document{Source: text, lines: []int{0}}
	for i, points := 0, 0; i < len(text); i++ {
		if i%block == 0 {
			d.before = append(d.before, points)
		}
		if text[i] == '\n' {
			d.lines = append(d.lines, i+1)
		}
		if utf8.RuneStart(text[i]) {
			points++
		}
	}
	return d
}

// points is how many code points stand before an offset.
func (d *Document) points(offset int) int {
	if offset == 0 {
		return 0
	}
	i := (offset - 1) / block
	n := d.before[i]
	for at := i * block; at < offset; at++ {
		if utf8.RuneStart(d.Source[at]) {
			n++
		}
	}
	return n
}

// Position returns line and column of a byte offset, both from 1. Columns count Unicode code points. An offset outside the text is moved to its nearest end.
func (d *Document) Position(offset int) (line, column int) {
	offset = min(max(offset, 0), len(d.Source))
	i := sort.SearchInts(d.lines, offset+1) - 1
	return i + 1, d.points(offset) - d.points(d.lines[i]) + 1
}

// Line returns the text of a line, numbered from 1, without its newline; "" where there is no such line.
func (d *Document) Line(line int) string {
	if line < 1 || line > len(d.lines) {
		return ""
	}
	if line == len(d.lines) {
		return d.Source[d.lines[line-1]:]
	}
	return d.Source[d.lines[line-1] : d.lines[line]-1]
}

// Inside returns the place of one byte of a string's Text: its index is counted in Text. For a string that is written with
// escapes or on several lines, it is the place of the whole value.
func (d *Document) Inside(n *Node, index int) Span {
	raw := d.Source[n.Span.Start:n.Span.End]
	if n.Kind != String || len(raw) != len(n.Text)+2 || raw[1:len(raw)-1] != n.Text || index < 0 || index >= len(n.Text) {
		return n.Span
	}
	_, size := utf8.DecodeRuneInString(n.Text[index:])
	return Span{n.Span.Start + 1 + index, n.Span.Start + 1 + index + size}
}

// Join writes a key path as TOML would, with dots, quoting the parts that need it.
func Join(path ...string) string {
	parts := make([]string, len(path))
	for i, name := range path {
		if parts[i] = name; !bare(name) {
			parts[i] = strconv.QuoteToASCII(name)
		}
	}
	return strings.Join(parts, ".")
}

// bare reports whether a key can stand without quotes: one or more of A-Z a-z 0-9 _ -.
func bare(name string) bool {
	for i := range len(name) {
		if !isBare(name[i]) {
			return false
		}
	}
	return name != ""
}

func isBare(c byte) bool { return isDigit(c) || isLetter(c) || c == '_' || c == '-' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
