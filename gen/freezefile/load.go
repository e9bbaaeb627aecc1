package freezefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/toolfreeze/toolfreeze/gen/freezefile/meant"
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
		return nil, "got no such file, want a freeze", "README.md shows one to start from"
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
	r := &reader{file: f, root: doc.Root, types: &tomlpos.Node{}, defaults: map[string]*tomlpos.Node{},
		refused: map[*tomlpos.Node]bool{}, dots: map[int]bool{}}
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
	if hint := f.slip(span, e); hint != "" {
		e.Hint = hint
	}
	return e
}

// slip says what was probably meant where a text is no TOML for a reason that is known.
func (f *File) slip(span tomlpos.Span, e *Error) string {
	if hint := meant.Foreign(f.doc.Source); hint != "" {
		return hint
	}
	keys := strings.Split(e.Key, ".")
	key := keys[len(keys)-1]
	rest := f.doc.Source[span.Start:]
	if strings.HasPrefix(rest, "?") && strings.HasSuffix(e.Text, "after a key, want =") {
		line, _, _ := strings.Cut(rest[1:], "\n")
		_, value, _ := strings.Cut(line, `"`)
		word, _, ok := strings.Cut(value, `"`)
		if !ok || word == "" {
			word = "string"
		}
		return fmt.Sprintf("the ? goes behind the type: %s = %q", key, strings.TrimRight(word, "?")+"?")
	}
	if n := meant.Number(key, f.doc.Source[span.Start:span.End]); n != "" {
		return "write " + n
	}
	return ""
}

// freeze reads the whole document and checks it.
func (r *reader) freeze() *catalog.Catalog {
	if len(r.root.Names) == 0 {
		r.fail(tomlpos.Span{}, nil, "README.md shows one to start from", "got an empty file, want a freeze")
		return nil
	}
	r.noNUL(r.root, nil)
	t := &table{reader: r, node: r.root}
	c := &catalog.Catalog{}
	meta := t.get("meta")
	r.meta(meta, c)
	if n := t.get("workspace"); n != nil {
		c.Workspace = r.workspace(n)
	}
	if n := t.get("breaker"); n != nil {
		c.Breaker = r.breaker(n)
	}
	if n := t.get("forbid"); n != nil {
		if f := r.table(n, []string{"forbid"}, "a table with imports", ""); f != nil {
			c.Forbid = f.texts("imports", "import paths")
			f.close(nil)
		}
	}
	if n := t.get("exception"); n != nil {
		c.Exceptions = r.exceptions(n)
	}
	if n := t.get("types"); n != nil {
		c.Types = r.named(n)
	}
	c.Tools = r.tools(t.get("tools"), meta, c.Providers)
	t.close(meant.Table)
	r.reopened()
	caps(c)
	r.setDefaults(c)
	r.check(c)
	return c
}

// reopened refuses the tables that are continued elsewhere. [tools] and [types] hold what stands in one place each, and
// every [[exception]] is a thing of its own, so these three may be come back to.
func (r *reader) reopened() {
	last := -1
	for _, again := range r.file.doc.Reopened {
		if len(again.Path) == 1 && !again.Header && slices.Contains([]string{"tools", "types", "exception"}, again.Path[0]) {
			continue
		}
		line, _ := r.file.doc.Position(again.Again.Start)
		if line == last || r.dots[line] {
			continue // the outermost table of the line says it all, or a name with a dot does
		}
		last = line
		first := r.file.place(again.First)
		path := tomlpos.Join(again.Path...)
		var e *Error
		if again.Header {
			e = r.fail(again.Again, again.Path, fmt.Sprintf("move [%s] and its keys above line %d", path, first.Line),
				"got the table after one that lies in it, want it before")
		} else {
			e = r.fail(again.Again, again.Path, fmt.Sprintf("move this up to the rest of %s, which begins at line %d", path, first.Line),
				"got more of a table after other keys came between, want a table in one place")
		}
		e.Also = []Place{first}
	}
}

// noNUL refuses U+0000, which only an escape can write: no JSON document that the gate reads may hold one.
func (r *reader) noNUL(n *tomlpos.Node, path []string) {
	if strings.Contains(n.Text, "\x00") {
		r.fail(n.Span, path, "", "got the character U+0000 in a string, want text without it")
	}
	for i, item := range n.Items {
		r.noNUL(item, append(path, strconv.Itoa(i)))
	}
	for _, name := range n.Names {
		m := n.Member(name)
		if strings.Contains(name, "\x00") {
			r.fail(m.Key, append(path, name), "", "got the character U+0000 in a key, want text without it")
		}
		r.noNUL(m, append(path, name))
	}
}

// check adds the problems that need no source text. A problem at a place that already has an error is a consequence.
func (r *reader) check(c *catalog.Catalog) {
	taken, clashes := map[Position]bool{}, map[[2]Position]bool{}
	for _, e := range r.errs {
		taken[e.Position] = true
	}
	for _, p := range c.Check() {
		span, path := r.file.find(p.At)
		e := &Error{Place: r.file.place(span), Key: tomlpos.Join(path...), Text: p.Text, Hint: p.Hint}
		if taken[e.Position] {
			continue
		}
		if p.Also != nil {
			span, _ = r.file.find(p.Also)
			e.Also = []Place{r.file.place(span)}
			pair := [2]Position{e.Position, e.Also[0].Position}
			if clashes[pair] {
				continue // names that clash in one way often clash in a second one
			}
			clashes[pair] = true
		}
		r.errs = append(r.errs, e)
	}
}
