package tomlpos

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Error is the first place where a text is not TOML.
type Error struct {
	// Span is the place, in Document.Source. It may be empty at the end of the text.
	Span Span
	// Also is the place that Span collides with, where a name is used twice; else nil.
	Also *Span
	// Key is the path of the key that was being read; "" where it was none.
	Key string
	// Text says what was got and what is wanted.
	Text string
	// Hint says what to do; may be empty.
	Hint string
}

// Error returns the text without the place.
func (e *Error) Error() string { return e.Text }

// scanner reads one document. The first error ends it: fail moves pos to the end of the text, where every loop ends.
type scanner struct {
	src      string
	pos      int
	err      *Error
	root     *Node
	section  *Node    // the table that keys are added to
	prefix   []string // key path of section
	path     []string // key path of what is being read, indices of arrays included
	arrays   int      // how many arrays are open
	reopened []Reopening
}

// part is one part of a dotted key.
type part struct {
	name string
	span Span
}

// Scan reads a whole text. The document is never nil, so that a place of the error can be shown; its Root is nil if and
// only if the error, an *Error, is not.
func Scan(src []byte) (*Document, error) {
	text := strings.TrimPrefix(string(src), "\ufeff")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	d := newDocument(text)
	s := &scanner{src: text, root: &Node{Kind: Table, made: byHeader}}
	s.section = s.root
	s.characters()
	s.document()
	if s.err != nil {
		return d, s.err
	}
	d.Root, d.Reopened = s.root, s.reopened
	return d, nil
}

// fail notes the first error and ends the reading.
func (s *scanner) fail(span Span, hint, format string, args ...any) {
	if s.err == nil {
		s.err = &Error{Span: span, Key: Join(s.path...), Text: fmt.Sprintf(format, args...), Hint: hint}
	}
	s.pos = len(s.src)
}

// here is the span of the character at pos, empty at the end of the text.
func (s *scanner) here() Span {
	_, size := utf8.DecodeRuneInString(s.src[s.pos:])
	return Span{s.pos, s.pos + size}
}

// found describes the character at pos for a message.
func (s *scanner) found() string {
	switch c := s.peek(); {
	case s.pos >= len(s.src):
		return "the end of the file"
	case c == '\n':
		return "the end of the line"
	case c == '"':
		return "a double quote"
	}
	r, _ := utf8.DecodeRuneInString(s.src[s.pos:])
	return fmt.Sprintf("%q", string(r))
}

// peek returns the byte at pos, 0 at the end of the text: a text that holds a NUL has been refused before.
func (s *scanner) peek() byte {
	if s.pos < len(s.src) {
		return s.src[s.pos]
	}
	return 0
}

// take moves over the text if it is next.
func (s *scanner) take(text string) bool {
	if !strings.HasPrefix(s.src[s.pos:], text) {
		return false
	}
	s.pos += len(text)
	return true
}

// characters refuses what no TOML text may hold anywhere: bytes that are no UTF-8, and control characters.
func (s *scanner) characters() {
	for i := 0; i < len(s.src); {
		c := s.src[i]
		if c < utf8.RuneSelf {
			switch {
			case c == '\r':
				s.fail(Span{i, i + 1}, "end lines with LF or CRLF", "got a carriage return without a newline after it, want text")
			case c == 0:
				s.fail(Span{i, i + 1}, "save the file as UTF-8; a file with NUL bytes is usually UTF-16", "got a NUL byte, want text")
			case c < ' ' && c != '\t' && c != '\n', c == 0x7f:
				s.fail(Span{i, i + 1}, fmt.Sprintf("in a string with double quotes write it as \\u%04X", c),
					"got the control character U+%04X, want text without it", c)
			}
			if s.err != nil {
				return
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s.src[i:])
		if r == utf8.RuneError && size == 1 {
			s.fail(Span{i, i + 1}, "save the file as UTF-8", "got the byte 0x%02x, want UTF-8 text", c)
			return
		}
		i += size
	}
}

// document reads all lines.
func (s *scanner) document() {
	for s.err == nil {
		s.blank()
		if s.pos == len(s.src) {
			return
		}
		if s.peek() == '[' {
			s.header()
		} else {
			s.keyValue(s.section)
		}
		s.endLine()
	}
}

// space skips spaces and tabs.
func (s *scanner) space() {
	for c := s.peek(); c == ' ' || c == '\t'; c = s.peek() {
		s.pos++
	}
}

// comment skips a comment, up to the newline.
func (s *scanner) comment() {
	if s.peek() != '#' {
		return
	}
	if i := strings.IndexByte(s.src[s.pos:], '\n'); i >= 0 {
		s.pos += i
	} else {
		s.pos = len(s.src)
	}
}

// blank skips spaces, newlines and comments.
func (s *scanner) blank() {
	for {
		s.space()
		s.comment()
		if s.peek() != '\n' {
			return
		}
		s.pos++
	}
}

// endLine demands that nothing but a comment follows on the line.
func (s *scanner) endLine() {
	s.space()
	s.comment()
	if s.pos < len(s.src) && !s.take("\n") {
		s.fail(s.here(), "", "got %s, want the end of the line", s.found())
	}
	s.path = append(s.path[:0], s.prefix...)
}

// key reads a dotted key and the space around it.
func (s *scanner) key() []part {
	var parts []part
	for {
		s.space()
		start := s.pos
		name := s.simpleKey()
		if s.err != nil {
			return nil
		}
		parts = append(parts, part{name, Span{start, s.pos}})
		if len(parts) > MaxDepth {
			s.fail(parts[0].span, "", "got a key of more than %d parts, want at most %d", MaxDepth, MaxDepth)
			return nil
		}
		s.space()
		if !s.take(".") {
			return parts
		}
	}
}

// simpleKey reads one part of a key.
func (s *scanner) simpleKey() string {
	start := s.pos
	for s.pos < len(s.src) && isBare(s.src[s.pos]) {
		s.pos++
	}
	if s.pos > start {
		return s.src[start:s.pos]
	}
	if c := s.peek(); c == '"' || c == '\'' {
		if s.take(`"""`) || s.take(`'''`) {
			s.fail(Span{start, s.pos}, "", "got a multi-line string, want a key")
			return ""
		}
		return s.str()
	}
	if s.curled() {
		s.curly(start, s.enclosed())
		return ""
	}
	hint := ""
	if r, _ := utf8.DecodeRuneInString(s.src[s.pos:]); r >= utf8.RuneSelf {
		hint = "a key with other characters than A-Z a-z 0-9 _ - stands in quotes"
	}
	s.fail(s.here(), hint, "got %s, want a key", s.found())
	return ""
}

// keyValue reads one key = value into the table.
func (s *scanner) keyValue(table *Node) {
	outer := len(s.path)
	parts := s.key()
	if s.err != nil {
		return
	}
	for _, p := range parts {
		s.path = append(s.path, p.name)
	}
	if !s.take("=") {
		s.fail(s.here(), "", "got %s after a key, want =", s.found())
		return
	}
	s.space()
	value := s.value()
	if s.err != nil {
		return
	}
	last := parts[len(parts)-1]
	value.Key = last.span
	s.assign(table, parts, value)
	s.path = s.path[:outer]
}
