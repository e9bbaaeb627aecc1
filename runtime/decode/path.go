package decode

import (
	"strconv"

	"github.com/toolfreeze/toolfreeze/runtime/decode/internal/phrase"
	"github.com/toolfreeze/toolfreeze/runtime/internal/slashpath"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// Paths decides where a path argument leads. A workspace does, for one call.
type Paths interface {
	// CheckPath looks at a clean relative slash path that must lie below the folder under ("" for anywhere) and is meant
	// for the access "read", "list" or "write". It answers OK, or a code with what is wanted instead, in words that do not
	// hold the path.
	CheckPath(name, under, access string) (code verdict.Code, want string)
}

// SetPaths makes the Path calls of the document ask p, until the next Reset. Without it they judge the text alone.
func (r *Reader) SetPaths(p Paths) { r.paths = p }

// Paths returns what SetPaths set; nil for none.
func (r *Reader) Paths() Paths { return r.paths }

// Path reads a relative slash path into *p, without "." components and without a slash at the end. What is no string and
// what is no such path is BAD_PATH; a path whose ".." lead out, that is not below under, or that Paths refuses for access
// is PATH_ESCAPE. The rules about the text are the same on every system (see package slashpath).
func (r *Reader) Path(p *string, under, access string) {
	text, ok := r.str(phrase.Path)
	if !ok {
		return
	}
	clean, code, want := slashpath.Clean(string(text))
	if code != verdict.OK {
		r.refuse(code, want)
		return
	}
	if !slashpath.Under(clean, under) {
		r.refuse(verdict.PathEscape, "a path below "+strconv.Quote(under))
		return
	}
	if r.paths != nil {
		if code, want := r.paths.CheckPath(clean, under, access); code != verdict.OK {
			r.refuse(code, want)
			return
		}
	}
	*p = clean
}
