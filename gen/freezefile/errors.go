package freezefile

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/toolfreeze/toolfreeze/gen/freezefile/tomlpos"
)

// Position is a place in a freeze. Line and Column are 1-based; Column counts Unicode code points, so a tab is one column
// and so is an emoji. Line 0 stands for the file as a whole, where it could not be read.
type Position struct {
	// File is the name that Load was given.
	File string
	// Line is the line, from 1.
	Line int
	// Column is the column in code points, from 1.
	Column int
}

// String returns file:line:column, or the file alone where Line is 0.
func (p Position) String() string {
	if p.Line == 0 {
		return p.File
	}
	return p.File + ":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Column)
}

// Place is a position together with what stands there.
type Place struct {
	Position
	// Source is the whole line without its newline; "" where Line is 0.
	Source string
	// Width is how many columns the thing takes on its first line, 1 or more.
	Width int
}

// Error is one problem of a freeze.
type Error struct {
	// Place is the deepest thing that the problem is about: the value that is wrong, the key that is unknown, or the table
	// that a key is missing from.
	Place
	// Also are the other places that the problem is about, such as the first of two names that clash; often nil.
	Also []Place
	// Key is the dotted path of TOML keys, with indices of arrays; "" for the file as a whole.
	Key string
	// Text says what was got and what is wanted, on one line.
	Text string
	// Hint says what to do; "" where there is nothing to add.
	Hint string
	// Syntax is true where the file is not TOML; then it is the only error.
	Syntax bool
}

// Error returns one line: file:line:col: key: got, want. Other lines that it is about follow; the hint is left out.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Position.String())
	b.WriteString(": ")
	if e.Key != "" {
		b.WriteString(e.Key + ": ")
	}
	b.WriteString(e.Text)
	for _, p := range e.Also {
		if p.Line != e.Line {
			b.WriteString("; see line " + strconv.Itoa(p.Line))
		}
	}
	return b.String()
}

// Errors are all problems of one freeze, sorted by position, none twice. It is what Load and Read return as error.
type Errors []*Error

// Error returns the lines of all errors.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, err := range e {
		lines[i] = err.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the single errors, so that errors.As finds an *Error.
func (e Errors) Unwrap() []error {
	errs := make([]error, len(e))
	for i, err := range e {
		errs[i] = err
	}
	return errs
}

// WriteTo writes the errors for a person: each one's line, then the source line with a caret below what is wrong, the
// other places, and the hint. Control and formatting characters of the source are shown as U+FFFD, and of a very long line
// only what is near the caret. After 200 errors it says how many more there are. It returns the error of w.
func (e Errors) WriteTo(w io.Writer) (int64, error) {
	var b strings.Builder
	for i, err := range e {
		if i == printed {
			fmt.Fprintf(&b, "and %d more\n", len(e)-i)
			break
		}
		b.WriteString(err.Error() + "\n")
		margin := len(strconv.Itoa(err.Line))
		for _, p := range err.Also {
			margin = max(margin, len(strconv.Itoa(p.Line)))
		}
		err.Place.show(&b, margin, '^')
		for _, p := range err.Also {
			if p.Line != err.Line {
				p.show(&b, margin, '-')
			}
		}
		if err.Hint != "" {
			fmt.Fprintf(&b, "  %*s = %s\n", margin, "", err.Hint)
		}
	}
	n, err := io.WriteString(w, b.String())
	return int64(n), err
}

// sorted sorts by position and drops what is there twice.
func (e Errors) sorted() Errors {
	slices.SortStableFunc(e, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return slices.CompactFunc(e, func(a, b *Error) bool {
		return a.Position == b.Position && a.Key == b.Key && a.Text == b.Text
	})
}

// printed is how many errors are written for a person.
const printed = 200

// window is how many columns of a line are shown; reach is how many of them stand before the caret at most.
const (
	window = 120
	reach  = 80
)

// show writes the source line and the marks below it. A line of marks repeats the tabs of the source, so that the marks
// stand right whatever a tab's width is.
func (p *Place) show(b *strings.Builder, margin int, mark rune) {
	if p.Line == 0 {
		return
	}
	text := []rune(p.Source)
	from := max(0, p.Column-1-reach)
	to := min(len(text), from+window)
	width := max(1, min(p.Width, to-(p.Column-1)))
	line, marks := "", ""
	if from > 0 {
		line, marks = "...", "   "
	}
	for i := from; i < to; i++ {
		r := text[i]
		if r != '\t' && !unicode.IsPrint(r) {
			r = utf8.RuneError
		}
		line += string(r)
		switch at := i - (p.Column - 1); {
		case r == '\t' && at < 0:
			marks += "\t"
		case at < 0:
			marks += strings.Repeat(" ", columns(r))
		case at < width:
			marks += strings.Repeat(string(mark), max(1, columns(r)))
		}
	}
	if p.Column-1 >= len(text) {
		marks += string(mark)
	}
	if to < len(text) {
		line += "..."
	}
	fmt.Fprintf(b, "  %*d | %s\n", margin, p.Line, line)
	fmt.Fprintf(b, "  %*s | %s\n", margin, "", marks)
}

// columns is how many cells a terminal gives to a character: none to a combining mark, two to the wide ones of East Asia
// and to emoji.
func columns(r rune) int {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case r >= 0x1100 && r <= 0x115f, r >= 0x2e80 && r <= 0xa4cf, r >= 0xac00 && r <= 0xd7a3, r >= 0xf900 && r <= 0xfaff,
		r >= 0xfe30 && r <= 0xfe6f, r >= 0xff00 && r <= 0xff60, r >= 0xffe0 && r <= 0xffe6, r >= 0x1f300 && r <= 0x1faff,
		r >= 0x20000 && r <= 0x3fffd:
		return 2
	}
	return 1
}

// place turns a span of the text into a place.
func (f *File) place(span tomlpos.Span) Place {
	line, column := f.doc.Position(span.Start)
	last, end := f.doc.Position(span.End)
	source := f.doc.Line(line)
	width := end - column
	if last > line {
		_, end = f.doc.Position(span.Start + strings.IndexByte(f.doc.Source[span.Start:], '\n'))
		width = end - column
	}
	return Place{Position{f.Name, line, column}, source, max(1, width)}
}

// Position returns where a key path leads to: indices of arrays are decimal strings, and below a type in shorthand the
// parts "items", "values" and "type" may be given or left out. A tool, a type or a member stands where its name is, another
// key where its value is. A path that the file does not hold leads to the deepest table or value on the way to it.
func (f *File) Position(at ...string) Position {
	span, _ := f.find(at)
	return f.place(span).Position
}

// role is what a node of the tree is to the freeze.
type role int

const (
	leaf  role = iota // a key with a value
	root              // the document
	names             // a table whose keys are names: tools, types, args, result, fields
	item              // a tool, a named type, or a type
	items             // one_of
)

// below is the role of what stands under name.
func (r role) below(name string) role {
	switch {
	case r == names, r == items, r == item && (name == "items" || name == "values"):
		return item
	case r == root && (name == "tools" || name == "types"), r == item && (name == "args" || name == "result" || name == "fields"):
		return names
	case r == item && name == "one_of":
		return items
	}
	return leaf
}

// find follows a key path as far as it leads. It returns the place and the path as the file has it.
func (f *File) find(at []string) (span tomlpos.Span, path []string) {
	n, parent, r := f.doc.Root, leaf, root
	for i, name := range at {
		next := child(n, name)
		if next == nil && r == item && (name == "items" || name == "values" || name == "type") {
			parent = item // beside a word the parts have no keys of their own
			continue
		}
		for next == nil && r == item && firstOf(n, "items", "values") != "" {
			part := firstOf(n, "items", "values")
			n, path = n.Member(part), append(path, part)
			next = child(n, name)
		}
		if next == nil {
			return n.Span, append(path, at[i:]...)
		}
		parent, r, n, path = r, r.below(name), next, append(path, name)
	}
	if parent == names {
		return n.Key, path
	}
	return n.Span, path
}

// child is the member or the item of that name, or nil.
func child(n *tomlpos.Node, name string) *tomlpos.Node {
	if i, err := strconv.Atoi(name); err == nil && n.Kind == tomlpos.Array && i >= 0 && i < len(n.Items) {
		return n.Items[i]
	}
	return n.Member(name)
}

// firstOf is the first of the names that n has a member of, "" where it has none.
func firstOf(n *tomlpos.Node, names ...string) string {
	for _, name := range names {
		if n.Member(name) != nil {
			return name
		}
	}
	return ""
}
