package decode

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/toolfreeze/toolfreeze/runtime/decode/internal/lex"
	"github.com/toolfreeze/toolfreeze/runtime/decode/internal/phrase"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// JSON reads any value and keeps its bytes as they are, a copy. Syntax, nesting and names that are there twice are
// checked at every depth; numbers may be of any size.
func (r *Reader) JSON(p *json.RawMessage) {
	r.next()
	start, before := r.pos, r.seen
	r.skip()
	r.leaf = noLeaf
	if r.dead || r.seen != before {
		return
	}
	r.leaf, r.start, r.span = rawLeaf, start, r.doc[start:r.pos]
	*p = bytes.Clone(r.span)
}

// skip reads the value at pos and checks what every value is checked for.
func (r *Reader) skip() {
	base := r.depth
	for !r.dead {
		switch r.next() {
		case '{':
			if f := r.enter(rawObjectFrame); f != nil {
				f.set = r.names.Open()
			}
		case '[':
			r.enter(rawListFrame)
		default:
			r.scalar()
		}
		if !r.unwind(base) {
			return
		}
	}
}

// unwind moves to the next value inside the frames above base, and closes those that are at their end. It reports
// whether there is a value.
func (r *Reader) unwind(base int) bool {
	for r.depth > base && !r.dead {
		f := &r.frames[r.depth]
		if f.kind == rawListFrame {
			if r.item(f) {
				return true
			}
		} else if name, ok := r.member(f); ok {
			if !r.names.Add(&f.set, name) {
				r.twice()
			}
			return true
		}
		if !r.dead {
			r.leave(f)
		}
	}
	return false
}

// scalar reads the string, number or literal at pos and says what it is, "" where it is none.
func (r *Reader) scalar() string {
	switch c := r.next(); {
	case c == '"':
		if _, ok := r.quoted(); ok {
			return phrase.GotString
		}
	case c == '-' || c-'0' <= 9:
		if _, ok := r.number(); ok {
			return phrase.GotNumber
		}
	case c == 'n':
		if r.literal("null") {
			return phrase.GotNull
		}
	case c == 't':
		if r.literal("true") {
			return phrase.GotBool
		}
	case c == 'f':
		if r.literal("false") {
			return phrase.GotBool
		}
	case bytes.HasPrefix(r.doc[r.pos:], []byte("\xEF\xBB\xBF")):
		r.fail(r.pos, "a JSON value without a byte order mark")
	default:
		r.fail(r.pos, "a JSON value")
	}
	return ""
}

// number reads the number at pos.
func (r *Reader) number() (text []byte, ok bool) {
	start := r.pos
	end, want := lex.Number(r.doc, start)
	if want != "" {
		r.fail(end, want)
		return nil, false
	}
	r.pos = end
	return r.doc[start:end], true
}

// trial names one one_of at one place of a document.
type trial struct{ number, start int }

// outcome is what the alternatives of a one_of made of a value.
type outcome struct {
	fits   int   // how many of them accept it, up to 2
	beyond bool  // the one that does would still refuse it: no Go value holds it
	nulls  []int // those that the one that does takes as absent, by their distance from the start of the value
}

// OneOf checks that exactly one alternative of the i-th one_of of the Program accepts the value that JSON has just read.
func (r *Reader) OneOf(i int) {
	if r.leaf != rawLeaf {
		return
	}
	if r.program == nil || i < 0 || i >= len(r.program.choices) {
		r.refuse(verdict.BadValue, "a value of a known alternative; the reader has no program for it")
		return
	}
	c := &r.program.choices[i]
	switch o := r.tryAll(i, c); {
	case o.fits == 0:
		r.refuse(verdict.BadValue, c.want+"; this fits none of them")
	case o.fits > 1:
		r.refuse(verdict.BadValue, c.want+"; this fits more than one of them")
	default:
		if o.beyond {
			r.outside(c.want + "; this is outside of what the one that it fits can hold")
		}
		if r.unique > 0 || r.quiet {
			for _, at := range o.nulls {
				r.nulls = append(r.nulls, r.start+at)
			}
		}
	}
}

// tryAll holds the value against the alternatives. Where alternatives hold one_of themselves, each place of the document
// is decided once: alternatives that branch at every level would else take exponential time.
func (r *Reader) tryAll(i int, c *choice) outcome {
	at := trial{i, r.base + r.start}
	if o, ok := r.tried[at]; ok {
		return o
	}
	if r.tried == nil {
		r.tried = make(map[trial]outcome)
	}
	if r.alternative == nil {
		r.alternative = &Reader{quiet: true, tried: r.tried}
	}
	o, sub := outcome{}, r.alternative
	for _, alternative := range c.nodes {
		sub.Reset(r.program, r.span, len(r.span))
		sub.base = at.start
		r.program.value(sub, alternative)
		sub.End()
		if sub.Code() == verdict.OK {
			if o.fits++; o.fits > 1 {
				break
			}
			o.beyond, o.nulls = sub.beyond, slices.Clone(sub.nulls)
		}
	}
	sub.Reset(nil, nil, 0)
	if r.quiet {
		r.tried[at] = o
	}
	return o
}
