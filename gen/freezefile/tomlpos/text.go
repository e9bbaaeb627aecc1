package tomlpos

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// str reads a string of any of the four kinds and returns its value.
func (s *scanner) str() string {
	start := s.pos
	quote := s.src[s.pos : s.pos+1]
	fence := strings.Repeat(quote, 3)
	multi := s.take(fence)
	if multi {
		s.take("\n")
	} else {
		s.pos++
		fence = quote
	}
	var b strings.Builder
	for s.err == nil {
		switch c := s.peek(); {
		case s.pos == len(s.src), c == '\n' && !multi:
			s.unended(start, multi, fence)
		case c == '\\' && quote == `"`:
			s.escape(&b, multi)
		case s.take(fence):
			if multi {
				s.quotes(&b, quote)
			}
			return b.String()
		default:
			b.WriteByte(c)
			s.pos++
		}
	}
	return ""
}

// quotes reads what may follow the three closing quotes: one or two quotes more, which belong to the text.
func (s *scanner) quotes(b *strings.Builder, quote string) {
	for n := 0; s.take(quote); n++ {
		if n == 2 {
			s.fail(Span{s.pos - 6, s.pos}, "", "got six quotes in a row, want at most five at the end of a multi-line string")
			return
		}
		b.WriteString(quote)
	}
}

// unended refuses a string that does not end where it has to. The place is where the string begins.
func (s *scanner) unended(start int, multi bool, fence string) {
	if multi {
		s.fail(Span{start, start + 3}, "", "got the end of the file in a multi-line string, want %s", fence)
		return
	}
	if at := curlyEnd(s.src[start:s.pos]); at > 0 {
		s.curly(start+at, s.src[start+1:start+at])
		return
	}
	s.fail(Span{start, s.pos}, "for text of several lines use three quotes", "got the end of the line in a string, want the quote that ends it")
}

// curlyEnd is where a typographic quote was put in place of the one that ends a string: of an odd number of them, the first
// one that is followed by the end of the text, or by what follows a value. 0 where there is none.
func curlyEnd(text string) int {
	n, first := 0, 0
	for i, r := range text {
		if !typographic(r) {
			continue
		}
		rest := strings.TrimLeft(text[i+utf8.RuneLen(r):], " \t")
		if n++; first == 0 && (rest == "" || strings.ContainsAny(rest[:1], ",]}#")) {
			first = i
		}
	}
	if n%2 == 0 {
		return 0
	}
	return first
}

// escape reads what a backslash begins.
func (s *scanner) escape(b *strings.Builder, multi bool) {
	start := s.pos
	s.pos++
	c := s.peek()
	s.pos = min(s.pos+1, len(s.src))
	switch c {
	case 'b':
		b.WriteByte('\b')
	case 't':
		b.WriteByte('\t')
	case 'n':
		b.WriteByte('\n')
	case 'f':
		b.WriteByte('\f')
	case 'r':
		b.WriteByte('\r')
	case 'e':
		b.WriteByte(0x1b)
	case '"', '\\':
		b.WriteByte(c)
	case 'x':
		s.hex(b, start, 2)
	case 'u':
		s.hex(b, start, 4)
	case 'U':
		s.hex(b, start, 8)
	default:
		s.pos = start + 1
		if !multi || !s.continued() {
			s.pos = min(start+1, len(s.src))
			s.fail(Span{start, s.here().End}, `write a backslash as \\, or put the text in single quotes`,
				"got a backslash before %s, want an escape: %s", s.found(), `\b \t \n \f \r \e \" \\ \xHH \uHHHH \UHHHHHHHH`)
		}
	}
}

// continued reads the rest of a line that ends in a backslash, and the white space that begins the next ones.
func (s *scanner) continued() bool {
	s.space()
	if s.peek() != '\n' {
		return false
	}
	for c := s.peek(); c == ' ' || c == '\t' || c == '\n'; c = s.peek() {
		s.pos++
	}
	return true
}

// hex reads the digits of \xHH, \uHHHH or \UHHHHHHHH.
func (s *scanner) hex(b *strings.Builder, start, digits int) {
	end := min(s.pos+digits, len(s.src))
	n, err := strconv.ParseUint(s.src[s.pos:end], 16, 32)
	if err != nil || end-s.pos < digits {
		s.fail(Span{start, s.pos}, "", "got fewer than %d hexadecimal digits after %s, want %d", digits, s.src[start:s.pos], digits)
		return
	}
	if n > utf8.MaxRune || !utf8.ValidRune(rune(n)) {
		s.fail(Span{start, end}, "", "got the escape %s, want one of a Unicode scalar value", s.src[start:end])
		return
	}
	b.WriteRune(rune(n))
	s.pos = end
}
