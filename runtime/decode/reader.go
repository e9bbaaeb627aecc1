// Package decode is the strict JSON reader that generated argument decoders are made of, and its interpreter over a
// catalog.
//
// # Design
//
// A [Reader] is pulled: the code that knows the type says what it wants next (Object, Field, String, Range, ...), and
// the Reader checks that the document says so. Open objects, maps and lists stand on a fixed stack, so nesting is capped
// and nothing is allocated but the strings and slices that the caller keeps.
//
// Faults do not stop the reading: a refused value is skipped, and the next one is read, so that one answer names all
// that is wrong. Only what makes the rest unreadable ends it: syntax, encoding, nesting over 32, a document over its
// cap. The Reader then holds an empty document, on which every method comes to its end by itself, and loops over Field,
// Entry and Item end.
//
// A constraint (Length, Range, Pattern, ...) is about the value read just before it, and does nothing where that was
// refused.
//
// # What is refused
//
// Names match byte for byte after unescaping, never case-folded. A name that is there twice is refused at any depth,
// also in values that are kept raw or skipped. Refused as syntax: invalid UTF-8, lone surrogates, NUL in any spelling,
// raw control characters, a byte order mark, text after the value. Numbers are compared as exact decimals: 5.0 and 50e-1
// are the integer 5, and 0.5 is none.
//
// # Faults
//
// A [verdict.Fault] names its place as a JSON path and what is wanted there, in words that tell a model how to repair
// the call. It never holds the rejected value. Offsets count bytes from 0.
//
// # Interpreter
//
// [Compile] turns a catalog into a [Program], which makes the calls that generated code makes, in the same order, so
// that both find the same faults. A Program also holds what generated code refers to by number: patterns and
// alternatives.
package decode

import (
	"github.com/toolfreeze/toolfreeze/runtime/decode/internal/lex"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// The limits of every document.
const (
	// maxDepth is how deep objects, maps and lists may nest; the root object is 1.
	maxDepth = 32
	// maxFaults is how many faults are kept.
	maxFaults = 20
	// maxKept is how many bytes of buffer a Reader keeps from one document to the next.
	maxKept = 1 << 18
)

// Reader reads one JSON document at a time. The zero Reader is ready for Reset. It is not safe for concurrent use, and
// it may be pooled: what it keeps between documents is memory, no contents.
type Reader struct {
	doc     []byte // the document; empty once a lexical fault has ended the reading
	pos     int    // the next byte
	program *Program
	paths   Paths // nil for none

	frames [maxDepth + 1]frame // frames[1] to frames[depth] are open; frames[0] stays empty
	depth  int
	absent bool // the container asked for last is not there: its loop ends at once

	// The value that constraints are about.
	leaf  leaf
	text  string // of a stringLeaf
	span  []byte // the number of an intLeaf or a floatLeaf, the value of a rawLeaf, as written
	start int    // where the value of a rawLeaf starts
	whole int64  // of an intLeaf
	float float64

	names  lex.Names // of the open objects that may hold any name, and the items of lists of unique ones
	buf    []byte    // the last string that held an escape, or the form of an item
	unique int       // how many lists of unique items are open
	nulls  []int     // where the nulls inside them stand that are taken as absent, in ascending order

	dead   bool // a lexical fault has ended the reading
	quiet  bool // nobody asks for the faults: this Reader tries an alternative
	beyond bool // a quiet Reader met what the schema accepts and no Go value of the type holds
	seen   int  // faults found, also those not kept
	code   verdict.Code
	faults []verdict.Fault

	alternative *Reader           // reads what OneOf tries
	tried       map[trial]outcome // of all Readers below the outermost
	base        int               // where doc starts in the document of the outermost Reader
	none        [2]byte
}

// leaf is what the value read last can be asked about.
type leaf uint8

const (
	noLeaf leaf = iota // nothing: it was refused
	stringLeaf
	intLeaf
	floatLeaf
	rawLeaf
)

// kind is what a frame stands for.
type kind uint8

const (
	objectFrame kind = iota + 1
	openFrame        // an object that keeps unknown members
	mapFrame
	listFrame
	rawObjectFrame
	rawListFrame
)

// frame is one open object, map or list.
type frame struct {
	kind kind
	// fresh says that nothing has been read of it yet.
	fresh bool
	// unique says that the items of a list must differ.
	unique bool
	// named says that the member whose name stands at doc[from:to] is being read.
	named    bool
	from, to int // quotes excluded; of a unique list, from is where the item starts

	// Objects.
	keys     string
	required uint64
	seen     uint64
	at, nth  int // the name expected next: its offset in keys and its number
	count    int // the number of names, of an openFrame

	// Lists.
	index    int // of the item that is being read; -1 for none
	min, max int

	set lex.Set
}

// Reset makes r read doc, with the patterns and alternatives of p, which may be nil where none is used. A document of
// zero bytes reads as {}. One of more than maxBytes bytes is not read at all: its one fault is ARGS_TOO_LARGE. r refers
// to doc until the next Reset; Reset(nil, nil, 0) lets go of it.
func (r *Reader) Reset(p *Program, doc []byte, maxBytes int) {
	r.program, r.paths = p, nil
	r.doc, r.pos = doc, 0
	r.depth, r.absent = 0, false
	r.leaf, r.text, r.span = noLeaf, "", nil
	r.unique, r.nulls = 0, r.nulls[:0]
	r.dead, r.beyond, r.code, r.seen, r.base = false, false, 0, 0, 0
	if len(r.faults) > 0 {
		clear(r.faults)
		r.faults = r.faults[:0]
	}
	r.names.Reset()
	if cap(r.buf) > maxKept {
		r.buf = nil
	}
	if cap(r.nulls) > maxKept/8 {
		r.nulls = nil
	}
	if len(r.tried) > 0 && !r.quiet {
		clear(r.tried)
	}
	switch {
	case len(doc) == 0:
		r.none = [2]byte{'{', '}'}
		r.doc = r.none[:]
	case len(doc) > maxBytes:
		r.tooLarge(maxBytes)
	}
}

// End is called after the root value. Text after it is BAD_JSON.
func (r *Reader) End() {
	r.next()
	if r.pos < len(r.doc) {
		r.fail(r.pos, "nothing after the value")
	}
}

// Code returns OK, or the code of the fault that comes first in the order of the gate, among all faults found. It says
// nothing of text after the root value before End.
func (r *Reader) Code() verdict.Code {
	if r.code == 0 {
		return verdict.OK
	}
	return r.code
}

// OK reports whether nothing was refused so far.
func (r *Reader) OK() bool { return r.code == 0 }

// Faults returns the faults in document order, at most 20: the first ones, except that a fault whose code comes before
// all of theirs takes the last place. The slice is the caller's; it is nil where there is none.
func (r *Reader) Faults() []verdict.Fault {
	if len(r.faults) == 0 {
		return nil
	}
	return append([]verdict.Fault(nil), r.faults...)
}

// Null consumes a null and reports whether there was one. It stands before the value of a member that may be absent.
func (r *Reader) Null() bool {
	if r.next() != 'n' {
		return false
	}
	at := r.pos
	if !r.literal("null") {
		return false
	}
	if r.unique > 0 || r.quiet {
		r.nulls = append(r.nulls, at)
	}
	return true
}

// next skips white space and returns the byte at pos, 0 at the end of the document.
func (r *Reader) next() byte {
	if r.pos < len(r.doc) {
		if c := r.doc[r.pos]; c > ' ' {
			return c
		}
	}
	return r.space()
}

func (r *Reader) space() byte {
	for r.pos < len(r.doc) {
		c := r.doc[r.pos]
		if c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			return c
		}
		r.pos++
	}
	return 0
}

// literal consumes word, whose first letter stands at pos.
func (r *Reader) literal(word string) bool {
	end := r.pos + len(word)
	if end > len(r.doc) || string(r.doc[r.pos:end]) != word {
		r.fail(r.pos, word)
		return false
	}
	r.pos = end
	return true
}

// quoted reads the string whose opening quote stands at pos. The bytes are good until the next string is read.
func (r *Reader) quoted() (text []byte, ok bool) {
	start := r.pos + 1
	end, ascii := lex.Plain(r.doc, start)
	if ascii && end < len(r.doc) && r.doc[end] == '"' {
		r.pos = end + 1
		return r.doc[start:end], true
	}
	var want string
	text, r.buf, end, want = lex.Quoted(r.buf[:0], r.doc, r.pos)
	if want != "" {
		r.fail(end, want)
		return nil, false
	}
	r.pos = end
	return text, true
}

// enter opens a frame for the object or list whose bracket stands at pos, and steps over that. It is nil where the
// document is too deep.
func (r *Reader) enter(k kind) *frame {
	if r.depth == maxDepth {
		r.tooDeep()
		return nil
	}
	r.pos++
	r.depth++
	f := &r.frames[r.depth]
	f.kind, f.fresh, f.unique, f.named = k, true, false, false
	f.index = -1
	return f
}

// leave closes the innermost frame.
func (r *Reader) leave(f *frame) {
	if f.kind == mapFrame || f.kind == rawObjectFrame || f.unique {
		r.names.Close(&f.set)
	}
	if f.unique {
		r.unique--
	}
	r.depth--
	r.leaf = noLeaf
}

// member moves to the value of the next member of f and returns its name, which is good until the next string is read.
// It closes f at the end.
func (r *Reader) member(f *frame) (name []byte, ok bool) {
	c := r.next()
	f.named = false
	switch {
	case c == '}':
		r.pos++
		return nil, false
	case f.fresh:
		f.fresh = false
		if c != '"' {
			r.fail(r.pos, `a member name in quotes or "}"`)
			return nil, false
		}
	case c == ',':
		r.pos++
		if r.next() != '"' {
			r.fail(r.pos, "a member name in quotes after the comma")
			return nil, false
		}
	default:
		r.fail(r.pos, `"," or "}" after the member`)
		return nil, false
	}
	from := r.pos + 1
	if name, ok = r.quoted(); !ok {
		return nil, false
	}
	f.from, f.to = from, r.pos-1
	if r.next() != ':' {
		r.fail(r.pos, `":" after the member name`)
		return nil, false
	}
	r.pos++
	f.named = true
	return name, true
}
