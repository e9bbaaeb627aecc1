package decode

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
	"github.com/toolfreeze/toolfreeze/runtime/decode/internal/phrase"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// admit counts a fault and reports whether keep has room for it. It comes before the text of the fault is made, so that
// a document of nothing but faults costs no more than its reading.
func (r *Reader) admit(code verdict.Code) bool {
	r.seen++
	first := r.code == 0 || code < r.code
	if first {
		r.code = code
	}
	return !r.quiet && (len(r.faults) < maxFaults || first)
}

// keep notes a fault that was admitted. Where there is no more room it takes the last place: the code of the whole must
// be explained.
func (r *Reader) keep(code verdict.Code, path, want string) {
	if len(r.faults) == maxFaults {
		r.faults = r.faults[:maxFaults-1]
	}
	r.faults = append(r.faults, verdict.Fault{Code: code, Path: clip(path, maxPath), Want: clip(want, maxWant)})
}

// The longest texts of a fault, in bytes: an answer must not be many times the call that it refuses.
const (
	maxPath = 512
	maxWant = 1024
)

// clip takes the middle out of a text that is longer than n bytes, without cutting a character.
func clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	half := n/2 - 2
	head, tail := text[:half], text[len(text)-half:]
	for len(head) > 0 && !utf8.RuneStart(text[len(head)]) {
		head = head[:len(head)-1]
	}
	for len(tail) > 0 && !utf8.RuneStart(tail[0]) {
		tail = tail[1:]
	}
	return head + "..." + tail
}

// refuse notes a fault of the value that is being read; want completes "want ...".
func (r *Reader) refuse(code verdict.Code, want string) {
	if r.admit(code) {
		r.keep(code, r.path(), "want "+want)
	}
}

// outside refuses a value that the JSON Schema of its type accepts and that no Go value of the type holds. To the schema an
// alternative that does so is one that fits, so a Reader that tries it goes on.
func (r *Reader) outside(want string) {
	if r.quiet {
		r.beyond = true
		return
	}
	r.refuse(verdict.BadValue, want)
}

// fail notes a lexical fault at the offset at, and ends the reading. The first one counts: whatever is asked of r
// afterwards meets the end of an empty document, and ends up here too.
func (r *Reader) fail(at int, want string) {
	if r.dead {
		return
	}
	if r.admit(verdict.BadJSON) {
		text := "byte " + strconv.Itoa(at) + ": want " + want
		if at >= len(r.doc) {
			text += ", not the end of the text"
		}
		r.keep(verdict.BadJSON, r.path(), text)
	}
	r.kill()
}

func (r *Reader) tooDeep() {
	if r.admit(verdict.TooDeep) {
		r.keep(verdict.TooDeep, r.path(), fmt.Sprintf("byte %d: want at most %d levels of objects and lists", r.pos, maxDepth))
	}
	r.kill()
}

func (r *Reader) tooLarge(maxBytes int) {
	if r.admit(verdict.ArgsTooLarge) {
		r.keep(verdict.ArgsTooLarge, "$", fmt.Sprintf("want a document of at most %d bytes", maxBytes))
	}
	r.kill()
}

// kill ends the reading. Do not keep the rest of the document: every method relies on meeting its end.
func (r *Reader) kill() {
	r.dead = true
	r.doc, r.pos = nil, 0
	r.leaf, r.absent = noLeaf, false
}

// path is the JSON path of the value that is being read.
func (r *Reader) path() string {
	path := "$"
	for i := 1; i <= r.depth; i++ {
		switch f := &r.frames[i]; {
		case f.named:
			path = verdict.ShowPath(path, string(r.memberName(f)))
		case f.index >= 0:
			path += "[" + strconv.Itoa(f.index) + "]"
		}
	}
	return path
}

// twice notes that the member that is being read was there before.
func (r *Reader) twice() {
	if r.admit(verdict.BadKeys) {
		r.keep(verdict.BadKeys, r.path(), "key is there twice; send it once")
	}
}

// unknown notes that the member that is being read, name, is not among keys.
func (r *Reader) unknown(keys string, name []byte) {
	if !r.admit(verdict.BadKeys) {
		return
	}
	known := words(keys)
	want := "unknown key; want no members here"
	if near := catalog.Nearest(string(name), known); near != "" {
		want = "unknown key; did you mean " + strconv.Quote(near) + "?"
	} else if len(known) > 0 {
		want = "unknown key; want " + phrase.OneOf(known, true)
	}
	r.keep(verdict.BadKeys, r.path(), want)
}

// missing notes the required members of f that were not there. f is at its end.
func (r *Reader) missing(f *frame) {
	for i, name := range words(f.keys) {
		if bit := uint64(1) << i; f.required&bit != 0 && f.seen&bit == 0 && r.admit(verdict.BadKeys) {
			r.keep(verdict.BadKeys, verdict.ShowPath(r.path(), name), "required member is missing; add it")
		}
	}
}

// typeCode is the code of a value that is not of the JSON type that t has.
func typeCode(t phrase.Thing) verdict.Code {
	switch t {
	case phrase.Path:
		return verdict.BadPath
	case phrase.Content:
		return verdict.BadContent
	}
	return verdict.BadType
}

// wrong refuses the value at pos, which is of another JSON type than wanted, and skips it.
func (r *Reader) wrong(t phrase.Thing) {
	r.leaf = noLeaf
	got, c := "", r.next()
	start := r.pos
	switch c {
	case '{':
		got = phrase.GotObject
	case '[':
		got = phrase.GotList
	default:
		// A string is read before its fault is made, since the hint looks into it.
		if got = r.scalar(); got == "" {
			return
		}
	}
	if code := typeCode(t); r.admit(code) {
		r.keep(code, r.path(), "want "+t.String()+", not "+got+t.Hint(got, r.doc[start:r.pos]))
	}
	if r.pos == start {
		r.skip()
	}
}
