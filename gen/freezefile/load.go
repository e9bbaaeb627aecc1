package freezefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/toolfreeze/toolfreeze/gen/freezefile/tomlpos"
	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

// Name is the name of a freeze file in its folder.
const Name = "tools.freeze.toml"

// MaxBytes is how large a freeze may be: 16 MiB.
const MaxBytes = 16 << 20

// File is a freeze that has been read and that holds no problem.
type File struct {
	// Name is what Load was given.
	Name string
	// Source are the bytes of the file as they were read.
	Source []byte
	// Catalog is what the file says, defaults filled in.
	Catalog *catalog.Catalog

	doc *tomlpos.Document
}

// Read reads the freeze at path. Messages call it by that path. The error is an Errors, as with Load; a file that cannot
// be read, is no regular file, or is a symbolic link (which go:embed refuses to follow) is one error with Line 0.
func Read(path string) (*File, error) {
	src, text, hint := read(path)
	if text != "" {
		return nil, Errors{{Place: Place{Position: Position{File: path}}, Text: text, Hint: hint}}
	}
	return Load(path, src)
}

// read returns the bytes of the file, or what is wrong. It looks at the file before it opens it: to open a FIFO would wait
// for a writer.
func read(path string) (src []byte, text, hint string) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, "got no such file, want a freeze", "freezegen init writes a commented one to start from"
	case err != nil:
		return nil, unreadable(err), ""
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, "got a symbolic link, want the file itself", "go:embed does not follow links: put the file into the folder of the package"
	case info.IsDir():
		return nil, "got a folder, want a file", "name the file in it, such as " + Name
	case !info.Mode().IsRegular():
		return nil, "got a device, pipe or socket, want a regular file", ""
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, unreadable(err), "make the file readable for the user who runs this"
	}
	defer f.Close()
	if src, err = io.ReadAll(io.LimitReader(f, MaxBytes+1)); err != nil {
		return nil, unreadable(err), ""
	}
	return src, "", ""
}

// unreadable words an error of the file system without the path, which the message already names.
func unreadable(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Sprintf("got %q from the system, want a file that can be read", err)
}

// Load reads a freeze from src. name is what messages call the file. The error is an Errors: one error where the file is
// not TOML, else every problem there is.
func Load(name string, src []byte) (*File, error) {
	if len(src) > MaxBytes {
		return nil, Errors{{Place: Place{Position: Position{File: name}}, Key: "",
			Text: fmt.Sprintf("got %d bytes, want at most %d", len(src), MaxBytes)}}
	}
	doc, err := tomlpos.Scan(src)
	f := &File{Name: name, Source: src, doc: doc}
	if err == nil {
		err = accepted(doc.Source)
	}
	if err != nil {
		return nil, Errors{f.syntax(err)}
	}
	r := &reader{file: f, root: doc.Root, types: &tomlpos.Node{}, defaults: map[string]*tomlpos.Node{}}
	f.Catalog = r.freeze()
	if len(r.errs) > 0 {
		return nil, r.errs.sorted()
	}
	return f, nil
}

// accepted asks the TOML library as well. Everything is read from tomlpos, which keeps numbers exact and knows places;
// that the library accepts the text too is what keeps the two readings of TOML from drifting apart.
func accepted(text string) (err error) {
	defer func() {
		if p := recover(); p != nil { // the library reports its own mistakes this way
			err = fmt.Errorf("got a text that the TOML library gives up on (%v), want plain TOML", p)
		}
	}()
	var v map[string]any
	_, err = toml.Decode(text, &v)
	return err
}

// syntax words an error of the scanner or of the library.
func (f *File) syntax(err error) *Error {
	e := &Error{Text: err.Error(), Syntax: true}
	span := tomlpos.Span{}
	var own *tomlpos.Error
	var foreign toml.ParseError
	switch {
	case errors.As(err, &own):
		span, e.Key, e.Hint = own.Span, own.Key, own.Hint
		if own.Also != nil {
			e.Also = []Place{f.place(*own.Also)}
		}
	case errors.As(err, &foreign):
		span = tomlpos.Span{Start: foreign.Position.Start, End: foreign.Position.Start + foreign.Position.Len}
		e.Key, e.Text = foreign.LastKey, foreign.Message
	}
	e.Place = f.place(span)
	return e
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
