package tomlpos

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// value reads one value. Every level of nesting has its part in the path, so its length bounds the recursion.
func (s *scanner) value() *Node {
	if len(s.path) > MaxDepth {
		s.fail(s.here(), "", "got values nested more than %d deep, want at most %d", MaxDepth, MaxDepth)
		return nil
	}
	start := s.pos
	n := &Node{}
	switch s.peek() {
	case '"', '\'':
		n.Kind, n.Text = String, s.str()
	case '[':
		n.Kind = Array
		s.array(n)
	case '{':
		n.Kind = Table
		s.inline(n)
	default:
		s.scalar(n)
	}
	n.Span = Span{start, s.pos}
	return n
}

// array reads the items of [ ... ].
func (s *scanner) array(n *Node) {
	open := s.here()
	s.pos++
	for s.err == nil {
		s.blank()
		if s.take("]") {
			return
		}
		if s.unclosed(open, "]") {
			return
		}
		s.path = append(s.path, strconv.Itoa(len(n.Items)))
		s.arrays++
		n.Items = append(n.Items, s.value())
		s.arrays--
		s.path = s.path[:max(len(s.path)-1, 0)]
		s.blank()
		if !s.take(",") && s.peek() != ']' && !s.unclosed(open, "]") {
			s.fail(s.here(), "", "got %s in an array, want a comma or ]", s.found())
		}
	}
}

// inline reads the members of { ... }. As TOML 1.1 says, it may hold newlines, comments and a comma at its end.
func (s *scanner) inline(n *Node) {
	open := s.here()
	s.pos++
	for s.err == nil {
		s.blank()
		if s.take("}") {
			return
		}
		if s.unclosed(open, "}") {
			return
		}
		s.keyValue(n)
		s.blank()
		if s.err == nil && !s.take(",") && s.peek() != '}' && !s.unclosed(open, "}") {
			s.fail(s.here(), "", "got %s in an inline table, want a comma or }", s.found())
		}
	}
}

// unclosed refuses the end of the file inside a bracket, at the bracket: the end itself says nothing about which one.
func (s *scanner) unclosed(open Span, want string) bool {
	if s.pos < len(s.src) {
		return false
	}
	s.fail(open, "", "got the end of the file, want the %s that closes this", want)
	return true
}

// scalar reads a value that stands without quotes.
func (s *scanner) scalar(n *Node) {
	if s.curled() {
		s.curly(s.pos, s.enclosed())
		return
	}
	start := s.pos
	s.word()
	if len("2006-01-02") == s.pos-start && isDate(s.src[start:s.pos]) && s.pos+1 < len(s.src) && s.src[s.pos] == ' ' && isDigit(s.src[s.pos+1]) {
		s.pos++ // one space may stand between date and time
		s.word()
	}
	word, span := s.src[start:s.pos], Span{start, s.pos}
	switch {
	case word == "":
		s.fail(s.here(), "", "got %s, want a value", s.found())
	case word == "true", word == "false":
		n.Kind, n.Text = Bool, word
	case strings.TrimLeft(word, "+-") == "inf", strings.TrimLeft(word, "+-") == "nan":
		if n.Kind, n.Text = Float, strings.TrimPrefix(word, "+"); len(word) > len("+inf") {
			s.fail(span, "", "got %s, want a number with one sign", quote(word))
		}
	case !isDigit(word[0]) && !strings.ContainsRune("+-.", rune(word[0])):
		hint := bareHint(word)
		if s.arrays > 0 {
			hint += "; or an array that begins before this lacks its ]"
		}
		s.fail(span, hint, "got %s without quotes, want a value", quote(word))
	default:
		text := ""
		if n.Kind, n.Text, text = number(word); text != "" {
			s.fail(span, "", "got %s, want %s", quote(word), text)
		}
	}
}

// typographic reports whether a character is a quote that TOML does not know, as word processors write them.
func typographic(r rune) bool {
	return strings.ContainsRune("\u201c\u201d\u201e\u201f\u2018\u2019\u201a\u201b\u00ab\u00bb", r)
}

// curled reports whether the text at pos begins with such a quote.
func (s *scanner) curled() bool {
	r, _ := utf8.DecodeRuneInString(s.src[s.pos:])
	return typographic(r)
}

// curly refuses the typographic quote at an offset. text is what it is meant to enclose; "" where that is not known.
func (s *scanner) curly(at int, text string) {
	hint := ""
	if text = strings.TrimSpace(text); text != "" {
		hint = "write " + quote(text)
	}
	s.pos = at
	s.fail(s.here(), hint, "got typographic quotes, want %s", `"`)
}

// enclosed is what stands between the character at pos and the next quote of any kind on the line; "" where there is none.
func (s *scanner) enclosed() string {
	text, _, _ := strings.Cut(s.src[s.here().End:], "\n")
	if i := strings.IndexFunc(text, func(r rune) bool { return r == '"' || r == '\'' || typographic(r) }); i >= 0 {
		return text[:i]
	}
	return ""
}

// bareHint says what to do about a word without quotes.
func bareHint(word string) string {
	switch lower := strings.ToLower(word); lower {
	case "true", "false":
		return "write " + lower + " in lower case"
	case "null", "nil", "none":
		return "TOML has no null; leave the key out"
	}
	return "text stands in quotes"
}

// quote quotes a word for a message and cuts it at 40 bytes.
func quote(word string) string {
	if len(word) > 40 {
		return strconv.Quote(strings.ToValidUTF8(word[:40], "")) + "..."
	}
	return strconv.Quote(word)
}

// word moves over a run of characters that no value without quotes can end in the middle of.
func (s *scanner) word() {
	if i := strings.IndexAny(s.src[s.pos:], " \t\n,[]{}#=\"'"); i >= 0 {
		s.pos += i
	} else {
		s.pos = len(s.src)
	}
}
