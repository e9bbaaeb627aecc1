package decode

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/toolfreeze/toolfreeze/runtime/decode/internal/lex"
	"github.com/toolfreeze/toolfreeze/runtime/decode/internal/phrase"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// Object opens an object whose members are declared: keys holds each name followed by a NUL ("plan_id\x00limit\x00"), at
// most 64 names, and bit i of required says that name i must be there. A loop over Field follows. What is no object is
// BAD_TYPE, is skipped, and has no members.
func (r *Reader) Object(keys string, required uint64) {
	r.object(objectFrame, keys, required)
}

// OpenObject is Object for one that keeps unknown members: for each of them Field returns the number of declared names,
// and Extra must follow.
func (r *Reader) OpenObject(keys string, required uint64) {
	if f := r.object(openFrame, keys, required); f != nil {
		f.count = strings.Count(keys, "\x00")
	}
}

func (r *Reader) object(k kind, keys string, required uint64) *frame {
	if r.next() != '{' {
		r.wrong(phrase.Object)
		r.absent = true
		return nil
	}
	f := r.enter(k)
	if f != nil {
		f.keys, f.required, f.seen = keys, required, 0
		f.at, f.nth = 0, 0
	}
	return f
}

// Field moves to the next declared member of the object and returns its number; the caller reads its value. It returns
// -1 at the end of the object, which is closed then. Unknown members and those that are there twice are BAD_KEYS and
// skipped, and at the end every required member that was not there is BAD_KEYS, in the order of declaration.
func (r *Reader) Field() int {
	if r.absent {
		r.absent = false
		return -1
	}
	f := &r.frames[r.depth]
	for {
		name, ok := r.member(f)
		if !ok {
			break
		}
		i := f.find(name)
		switch {
		case i >= 0 && f.seen&(1<<i) == 0:
			f.seen |= 1 << i
			return i
		case i >= 0:
			r.twice()
		case f.kind == openFrame:
			return f.count
		default:
			r.unknown(f.keys, name)
		}
		r.skip()
	}
	if r.dead {
		return -1
	}
	if f.required&^f.seen != 0 {
		r.missing(f)
	}
	r.leave(f)
	return -1
}

// find is the number of name among the keys of f, or -1. Models send members in the order of the schema, so the name
// after the one found last is tried first.
func (f *frame) find(name []byte) int {
	rest := f.keys[f.at:]
	n := len(name)
	if n < len(rest) && rest[n] == 0 && rest[:n] == string(name) {
		f.at += n + 1
		f.nth++
		return f.nth - 1
	}
	i, at := lookup(f.keys, name)
	if i >= 0 {
		f.at, f.nth = at+n+1, i+1
	}
	return i
}

// lookup finds word in a list of words that each end in NUL: its number and its offset, or -1.
func lookup(list string, word []byte) (number, offset int) {
	for at := 0; at < len(list); number++ {
		n := strings.IndexByte(list[at:], 0)
		if n < 0 {
			break
		}
		if n == len(word) && list[at:at+n] == string(word) {
			return number, at
		}
		at += n + 1
	}
	return -1, -1
}

// words takes a list of words that each end in NUL apart.
func words(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(list, "\x00"), "\x00")
}

// Extra keeps the unknown member of an open object at which Field stands, raw, in *m, which is made when it is nil. A
// name that *m holds already is BAD_KEYS.
func (r *Reader) Extra(m *map[string]json.RawMessage) {
	f := &r.frames[r.depth]
	if r.dead || !f.named {
		return
	}
	name := string(r.memberName(f))
	if _, held := (*m)[name]; held {
		r.twice()
		r.skip()
		return
	}
	var value json.RawMessage
	r.JSON(&value)
	if r.dead {
		return
	}
	if *m == nil {
		*m = make(map[string]json.RawMessage)
	}
	(*m)[name] = value
}

// Map opens an object of any names. A loop over Entry follows. What is no object is BAD_TYPE, is skipped, and has no
// entries.
func (r *Reader) Map() {
	if r.next() != '{' {
		r.wrong(phrase.Object)
		r.absent = true
		return
	}
	if f := r.enter(mapFrame); f != nil {
		f.set = r.names.Open()
	}
}

// Entry moves to the next member of the map, sets *key to its name and returns true; the caller reads its value. It
// returns false at the end of the map, which is closed then. A name that is there twice is BAD_KEYS and skipped.
func (r *Reader) Entry(key *string) bool {
	if r.absent {
		r.absent = false
		return false
	}
	f := &r.frames[r.depth]
	for {
		name, ok := r.member(f)
		if !ok {
			break
		}
		if r.names.Add(&f.set, name) {
			*key = string(name)
			return true
		}
		r.twice()
		r.skip()
	}
	if !r.dead {
		r.leave(f)
	}
	return false
}

// List opens a list of at least min and at most max items, -1 for no bound; unique says that no two of them may be equal
// JSON values. A loop over Item follows. It returns how many items to make room for: a guess, 0 to 1024. What is no list
// is BAD_TYPE, is skipped, and has no items.
func (r *Reader) List(min, max int, unique bool) int {
	if r.next() != '[' {
		r.wrong(phrase.List)
		r.absent = true
		return 0
	}
	f := r.enter(listFrame)
	if f == nil {
		return 0
	}
	f.min, f.max = min, max
	if unique {
		f.unique = true
		f.set = r.names.Open()
		r.unique++
	}
	const most = 1024
	if max < 0 || max > most {
		max = most
	}
	return lex.Items(r.doc, r.pos, max)
}

// Item moves to the next item of the list and returns true; the caller reads it. It returns false at the end of the
// list, which is closed then; a count outside the bounds is BAD_VALUE, and so is each item that is there already.
func (r *Reader) Item() bool {
	if r.absent {
		r.absent = false
		return false
	}
	f := &r.frames[r.depth]
	if f.unique && !f.fresh {
		r.distinct(f)
	}
	for f.max >= 0 && f.index+1 >= f.max && r.item(f) {
		// Past the bound items are counted and skipped: a list that is refused anyhow must not fill the memory.
		r.skip()
	}
	if !r.dead && (f.max < 0 || f.index+1 < f.max) && r.item(f) {
		if f.unique {
			r.next()
			f.from = r.pos
		}
		return true
	}
	if r.dead {
		return false
	}
	n := f.index + 1
	f.index = -1
	if f.min >= 0 && n < f.min || f.max >= 0 && n > f.max {
		if r.admit(verdict.BadValue) {
			r.keep(verdict.BadValue, r.path(), "want "+phrase.Count(f.min, f.max, "item"))
		}
	}
	r.leave(f)
	return false
}

// distinct checks that the item of f that ends at pos is not equal to one before it. A member that is absent and one that
// is null and optional are the same.
func (r *Reader) distinct(f *frame) {
	if r.pos <= f.from {
		return // nothing was read, or the reading has ended
	}
	r.buf, _ = lex.Canonical(r.buf[:0], r.doc, f.from, r.nulls)
	if !r.names.Add(&f.set, r.buf) {
		r.refuse(verdict.BadValue, "items that differ; an equal one stands before this")
	}
}

// Grow appends a zero T to *s and returns its address, which is good until the next Grow.
func Grow[T any](s *[]T) *T {
	var zero T
	*s = append(*s, zero)
	return &(*s)[len(*s)-1]
}

// memberName is the name of the member of f that is being read, unescaped.
func (r *Reader) memberName(f *frame) []byte {
	raw := r.doc[f.from:f.to]
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw
	}
	text, _, _, _ := lex.Quoted(nil, r.doc, f.from-1)
	return text
}

// item moves to the next item of f.
func (r *Reader) item(f *frame) bool {
	c := r.next()
	switch {
	case c == ']':
		r.pos++
		return false
	case f.fresh:
		f.fresh = false
		f.index++
		// A comma or the end of the text here is found by whatever reads the item.
		return !r.dead
	case c == ',':
		r.pos++
		f.index++
		if r.next() == ']' {
			r.fail(r.pos, "a value after the comma")
			return false
		}
		return true
	}
	r.fail(r.pos, `"," or "]" after the item`)
	return false
}
