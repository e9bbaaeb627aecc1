package freezefile

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/toolfreeze/toolfreeze/gen/freezefile/meant"
	"github.com/toolfreeze/toolfreeze/gen/freezefile/tomlpos"
	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

// reader turns the tree of one file into a catalog and collects what is wrong. After an error it goes on with a value that
// no later check can complain about, so that one mistake is one error.
type reader struct {
	file     *File
	root     *tomlpos.Node
	errs     Errors
	types    *tomlpos.Node            // [types]; an empty node where the file has none
	defaults map[string]*tomlpos.Node // by the path of the member, joined
	refused  map[*tomlpos.Node]bool   // values that an error is about already, where they stand and are left alone
	dots     map[int]bool             // the lines of names with a dot, which make tables that nobody meant
}

// fail notes a problem at a span.
func (r *reader) fail(span tomlpos.Span, path []string, hint, format string, args ...any) *Error {
	e := &Error{Place: r.file.place(span), Key: tomlpos.Join(path...), Text: fmt.Sprintf(format, args...), Hint: hint}
	r.errs = append(r.errs, e)
	return e
}

// table is a TOML table that is being read. The keys that are asked for are the known ones; close refuses the others.
type table struct {
	*reader
	node  *tomlpos.Node
	path  []string
	known []string
	alien []string // known keys that this kind of table does not take, so that no message offers them
	stray []string // keys that stand in a table below, which is an error of its own
}

// table returns the node as a table, or refuses it and returns nil.
func (r *reader) table(n *tomlpos.Node, path []string, want, hint string) *table {
	if n.Kind != tomlpos.Table {
		r.fail(n.Span, path, hint, "got %s, want %s", got(n), want)
		return nil
	}
	return &table{reader: r, node: n, path: path}
}

// at is the path of a key of the table.
func (t *table) at(key string) []string { return append(slices.Clip(t.path), key) }

// get returns the value of a key, nil if it is absent. From then on the key is known.
func (t *table) get(key string) *tomlpos.Node {
	if !slices.Contains(t.known, key) {
		t.known = append(t.known, key)
	}
	return t.node.Member(key)
}

// has reports whether the table holds the key, without making it known.
func (t *table) has(key string) bool { return t.node.Member(key) != nil }

// missing refuses the table for want of a key.
func (t *table) missing(key, want, hint string) {
	if slices.Contains(t.stray, key) {
		return
	}
	t.fail(t.node.Span, t.path, hint, "got no %s, want %s", key, want)
}

// wrong refuses a value of the wrong TOML type.
func (t *table) wrong(n *tomlpos.Node, key, want, hint string) {
	t.fail(n.Span, t.at(key), hint, "got %s, want %s", got(n), want)
}

// text reads a string that may not be empty; ok is false where the key is absent or refused.
func (t *table) text(key, want string) (text string, ok bool) {
	n := t.get(key)
	switch {
	case n == nil:
		return "", false
	case n.Kind != tomlpos.String:
		hint := ""
		if n.Kind != tomlpos.Array && n.Kind != tomlpos.Table {
			hint = "a string stands in quotes: " + quote(n.Text)
		}
		t.wrong(n, key, want+", a string", hint)
		return "", false
	case n.Text == "":
		t.fail(n.Span, t.at(key), "leave the key out where there is nothing to say", "got an empty string, want %s", want)
		return "", false
	}
	return n.Text, true
}

// need reads a string that has to be there; example is one.
func (t *table) need(key, want, example string) string {
	if !t.has(key) {
		t.missing(key, want, "such as "+key+" = "+strconv.Quote(example))
	}
	text, _ := t.text(key, want)
	return text
}

// note reads a description, which may be empty.
func (t *table) note() string {
	if n := t.get("description"); n != nil && n.Kind == tomlpos.String {
		return n.Text
	}
	text, _ := t.text("description", "a description")
	return text
}

// count reads an integer of at least low; fallback stands in where the key is absent or refused.
func (t *table) count(key, want string, low int64, fallback int) (n int, ok bool) {
	v := t.get(key)
	if v == nil {
		return fallback, false
	}
	if v.Kind != tomlpos.Integer {
		t.wrong(v, key, want+", an integer", countHint(key, v))
		return fallback, false
	}
	if i, err := strconv.ParseInt(v.Text, 10, strconv.IntSize); err == nil && i >= low {
		return int(i), true
	}
	t.fail(v.Span, t.at(key), "", "got %s, want %s, %d or more", v.Text, want, low)
	return fallback, false
}

// countHint says how a value that is no integer is written as one.
func countHint(key string, n *tomlpos.Node) string {
	switch n.Kind {
	case tomlpos.String:
		if _, err := strconv.ParseInt(n.Text, 10, 64); err == nil {
			return "write " + cut(n.Text) + " without quotes"
		}
		if whole := meant.Number(key, n.Text); whole != "" {
			return "write " + whole
		}
	case tomlpos.Float:
		f, err := strconv.ParseFloat(n.Text, 64)
		switch {
		case err != nil || !(f > 0 && f < 1e9):
		case f == math.Trunc(f):
			return fmt.Sprintf("write %.0f", f)
		case strings.HasSuffix(key, "_ms"):
			return fmt.Sprintf("write whole milliseconds: %s seconds are %.0f", n.Text, f*1000)
		default:
			return fmt.Sprintf("write a whole number, such as %.0f", math.Ceil(f))
		}
	}
	return ""
}

// needCount reads an integer that has to be there; example is one.
func (t *table) needCount(key, want string, low int64, fallback, example int) int {
	if !t.has(key) {
		t.missing(key, fmt.Sprintf("%s, %d or more", want, low), fmt.Sprintf("such as %s = %d", key, example))
	}
	n, _ := t.count(key, want, low, fallback)
	return n
}

// flag reads true or false; nil where the key is absent or refused.
func (t *table) flag(key string) *bool {
	n := t.get(key)
	if n == nil {
		return nil
	}
	if n.Kind != tomlpos.Bool {
		hint := ""
		if n.Text == "true" || n.Text == "false" {
			hint = "write " + n.Text + " without quotes"
		}
		t.wrong(n, key, "true or false", hint)
		return nil
	}
	v := n.Text == "true"
	return &v
}

// set reads a flag whose absence means false.
func (t *table) set(key string) bool {
	v := t.flag(key)
	return v != nil && *v
}

// texts reads an array of strings; nil where the key is absent or refused.
func (t *table) texts(key, want string) []string {
	n := t.get(key)
	if n == nil {
		return nil
	}
	if n.Kind != tomlpos.Array {
		t.wrong(n, key, "an array of "+want, "write ["+source(t.file, n)+"]")
		return nil
	}
	list := make([]string, len(n.Items))
	for i, item := range n.Items {
		list[i] = item.Text // of a refused one too, so that the others keep their places
		if item.Kind != tomlpos.String {
			t.fail(item.Span, index(t.at(key), i), "", "got %s, want a string", got(item))
		}
	}
	return list
}

// source is how a scalar is written, for a hint.
func source(f *File, n *tomlpos.Node) string {
	raw := f.doc.Source[n.Span.Start:n.Span.End]
	if n.Kind == tomlpos.Table || len(raw) > shown || strings.Contains(raw, "\n") {
		return "..."
	}
	return raw
}

// close refuses the keys that nothing asked for. elsewhere may say what a key stands for, or where it belongs.
func (t *table) close(elsewhere func(key string) (hint string)) {
	known := t.offered()
	for _, name := range t.node.Names {
		if slices.Contains(t.known, name) || t.refused[t.node.Member(name)] {
			continue
		}
		hint, want := "", "one of "+strings.Join(known, ", ")
		if elsewhere != nil {
			hint = elsewhere(name)
		}
		if near := catalog.Nearest(name, known); hint == "" && near != "" {
			hint = fmt.Sprintf("did you mean %q?", near)
		}
		if strings.HasPrefix(hint, "did you mean") {
			want = "a known one"
		}
		t.fail(t.node.Member(name).Key, t.at(name), hint, "got an unknown key, want %s", want)
	}
}

// offered are the keys that the table takes.
func (t *table) offered() []string {
	return slices.DeleteFunc(slices.Clone(t.known), func(key string) bool { return slices.Contains(t.alien, key) })
}

// shown is how many code points of a value a message repeats.
const shown = 40

// got describes a value for a message: its type, and for a scalar the value.
func got(n *tomlpos.Node) string {
	switch {
	case n.Kind == tomlpos.Array && len(n.Items) == 0:
		return "an empty array"
	case n.Kind == tomlpos.Array && n.Items[0].Kind == tomlpos.Table && !n.Items[0].Inline():
		return "an array of tables"
	case n.Kind == tomlpos.Array, n.Kind == tomlpos.Table:
		return n.Kind.String()
	case n.Kind == tomlpos.String:
		return "the string " + quote(n.Text)
	}
	return strings.Replace(strings.Replace(n.Kind.String(), "an ", "the ", 1), "a ", "the ", 1) + " " + cut(n.Text)
}

// quote quotes text for a message and cuts it at 40 code points.
func quote(text string) string {
	if short := cut(text); short != text {
		return strconv.Quote(strings.TrimSuffix(short, "...")) + "..."
	}
	return strconv.Quote(text)
}

// cut cuts text at 40 code points.
func cut(text string) string {
	n := 0
	for i := range text {
		if n == shown {
			return text[:i] + "..."
		}
		n++
	}
	return text
}

// orList joins words with commas and an or.
func orList(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// index is the path of one entry of an array.
func index(path []string, i int) []string { return append(slices.Clip(path), strconv.Itoa(i)) }
