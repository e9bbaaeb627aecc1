package catalog

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxText is the most bytes of a description, an enum value or a pattern.
const maxText = 16 << 10

// flaw names the first thing in s that a reader can't see or a tool can't carry, "" where there is none. Text that a
// model reads and a reviewer doesn't see is the point: format characters, bidirectional controls and tags are refused,
// the joiners of scripts and emoji (U+200C, U+200D) are not. lines allows newlines and tabs.
func flaw(s string, lines bool) string {
	if len(s) > maxText {
		return fmt.Sprintf("got %d bytes, want at most %d", len(s), maxText)
	}
	for i, r := range s {
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], "\ufffd") {
			return fmt.Sprintf("got byte 0x%02x at offset %d, want UTF-8", s[i], i)
		}
		if what := unseen(r); what != "" && !(lines && (r == '\n' || r == '\t')) {
			return fmt.Sprintf("got the %s U+%04X at offset %d, want text that can be seen", what, r, i)
		}
	}
	return ""
}

// unseen names the kind of a character that has no place in a freeze, "" for one that has.
func unseen(r rune) string {
	switch {
	case r == 0:
		return "character NUL"
	case unicode.IsControl(r):
		return "control character"
	case r == '\ufeff':
		return "byte order mark"
	case unicode.Is(unicode.Bidi_Control, r):
		return "bidirectional control"
	case r == '\u200c', r == '\u200d':
		return ""
	case unicode.Is(unicode.Cf, r), unicode.Is(unicode.Zl, r), unicode.Is(unicode.Zp, r):
		return "invisible character"
	case r >= 0xE0100 && r <= 0xE01EF, r == '\u115f', r == '\u1160', r == '\u3164', r == '\uffa0', r == '\u034f':
		return "invisible character"
	}
	return ""
}

// shown quotes user text for a message, cut at 64 code points.
func shown(s string) string {
	n := 0
	for i := range s {
		if n == 64 {
			return fmt.Sprintf("%q...", s[:i])
		}
		n++
	}
	return fmt.Sprintf("%q", s)
}

// refusal is what is wrong with a text, and what to do.
type refusal struct{ text, hint string }

func (r *refusal) Error() string {
	if r.hint == "" {
		return r.text
	}
	return r.text + "; " + r.hint
}

// CompilePattern compiles the pattern of a freeze with the meaning that ECMA-262 (with the u flag, as JSON Schema reads
// it) gives it: "." leaves out \r, U+2028 and U+2029 besides \n, and "$" is the end of the text. It refuses what the two
// dialects don't read alike:
//
//   - escapes but \d \D \w \W \b \B \t \n \r \f \v \xHH, \p and \P with a general category in braces, and the escaped
//     signs ^$\.*+?()[]{}|/, and \- in a class. \s is not among them: RE2's holds five characters, ECMA's all of Unicode's
//   - groups but (...), (?:...) and (?<name>...), so flags and look-around; a repetition of ^, $, \b or \B
//   - a bare ], { or } outside its pair, the classes [] and [^] and [[:alpha:]], and a dash in a class that is neither
//     first, last, nor between two single characters
//
// It is the one way in which a pattern is compiled.
func CompilePattern(pattern string) (*regexp.Regexp, error) {
	s := scanner{in: pattern}
	if err := s.scan(); err != nil {
		return nil, err
	}
	re, err := regexp.Compile(s.out.String())
	var broken *syntax.Error
	if errors.As(err, &broken) {
		return nil, &refusal{text: fmt.Sprintf("got %s in %s, want a regular expression", broken.Code, shown(pattern))}
	}
	return re, err
}

// scanner reads a pattern once and writes it as RE2 reads it.
type scanner struct {
	in        string
	pos       int
	assertion bool // what stands before pos matches a place, not a character
	out       strings.Builder
}

func refuse(hint, format string, args ...any) error {
	return &refusal{text: fmt.Sprintf(format, args...), hint: hint}
}

// peek is the byte n behind pos, 0 at the end.
func (s *scanner) peek(n int) byte {
	if s.pos+n < len(s.in) {
		return s.in[s.pos+n]
	}
	return 0
}

// take copies n bytes.
func (s *scanner) take(n int) {
	n = min(n, len(s.in)-s.pos)
	s.out.WriteString(s.in[s.pos : s.pos+n])
	s.pos += n
}

func (s *scanner) scan() error {
	for s.pos < len(s.in) {
		var err error
		assertion := false
		switch c := s.in[s.pos]; c {
		case '\\':
			assertion = s.peek(1)|0x20 == 'b'
			_, err = s.escape(false)
		case '[':
			err = s.class()
		case '(':
			err = s.group()
		case '.':
			s.out.WriteString(`[^\n\r\x{2028}\x{2029}]`)
			s.pos++
		case '^', '$':
			assertion = true
			s.take(1)
		case '*', '+', '?', '{':
			err = s.repeat()
		case ']', '}':
			err = refuse(fmt.Sprintf(`write \%c`, c), "got a bare %q at offset %d, which ECMA-262 refuses", c, s.pos)
		default:
			s.take(1)
		}
		if err != nil {
			return err
		}
		s.assertion = assertion
	}
	return nil
}

// group takes the opening of a group.
func (s *scanner) group() error {
	if s.peek(1) != '?' {
		s.take(1)
		return nil
	}
	rest := s.in[s.pos+2:]
	name, _, closed := strings.Cut(strings.TrimPrefix(rest, "<"), ">")
	switch {
	case strings.HasPrefix(rest, ":"):
		s.take(3)
	case strings.HasPrefix(rest, "="), strings.HasPrefix(rest, "!"), strings.HasPrefix(rest, "<="), strings.HasPrefix(rest, "<!"):
		return refuse("say it with min_length, an enum, or two arguments", "got a look-around at offset %d, which RE2 doesn't have", s.pos)
	case strings.HasPrefix(rest, "P"):
		return refuse("write (?<name>...)", "got (?P at offset %d, which ECMA-262 doesn't have", s.pos)
	case strings.HasPrefix(rest, "<") && closed && groupName(name):
		s.take(len("(?<") + len(name) + 1)
	default:
		return refuse("spell both cases out, as in [Aa]", "got a group with flags at offset %d, which RE2 and ECMA-262 don't read alike", s.pos)
	}
	return nil
}

// groupName reports whether both dialects take name for the name of a group.
func groupName(name string) bool {
	for i := range len(name) {
		c := name[i]
		if c != '_' && !('a' <= c|0x20 && c|0x20 <= 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
}

// repeat takes a repetition; that there is something to repeat is RE2's business.
func (s *scanner) repeat() error {
	if s.assertion {
		return refuse("leave the repetition out", "got a repetition of a place at offset %d, which ECMA-262 refuses", s.pos)
	}
	if s.in[s.pos] != '{' {
		s.take(1)
		return nil
	}
	inner, _, closed := strings.Cut(s.in[s.pos+1:], "}")
	low, high, _ := strings.Cut(inner, ",")
	if !closed || low == "" || strings.Trim(low+high, "0123456789") != "" {
		return refuse(`write \{`, "got a bare '{' at offset %d, which ECMA-262 refuses", s.pos)
	}
	s.take(len(inner) + 2)
	return nil
}

// escape takes one escape; set says that it stands for more than one character.
func (s *scanner) escape(inClass bool) (set bool, err error) {
	c := s.peek(1)
	switch {
	case strings.IndexByte(`^$\.*+?()[]{}|/tnrfv`, c) >= 0 && c != 0, inClass && c == '-':
		s.take(2)
		return false, nil
	case strings.IndexByte("dDwW", c) >= 0 && c != 0:
		s.take(2)
		return true, nil
	case !inClass && (c == 'b' || c == 'B'):
		s.take(2)
		return true, nil
	case c == 'x' && strings.Trim(string([]byte{s.peek(2), s.peek(3)}), "0123456789abcdefABCDEF") == "":
		s.take(4)
		return false, nil
	case c == 'p' || c == 'P':
		return true, s.category()
	}
	hint := ""
	switch c {
	case 's':
		hint = `write the characters that are meant, such as [ \t\r\n]`
	case 'S':
		hint = `write the characters that are meant, such as [^ \t\r\n]`
	case 'A', 'z', 'Z':
		hint = "write ^ or $"
	case 'u', 'x':
		hint = `write the character itself, or \xHH`
	case 'Q', 'E':
		hint = "escape each sign by itself"
	case '-', '_', '"', '\'', '@', '#', ' ', '=', '!', '<', '>', ',', ':', ';', '%', '&', '~', '`':
		hint = "write the sign bare"
	}
	r, _ := utf8.DecodeRuneInString(s.in[min(s.pos+1, len(s.in)):])
	if s.pos+1 == len(s.in) {
		return false, refuse("", "got a backslash at the end, want something behind it")
	}
	return false, refuse(hint, "got \\%c at offset %d, which RE2 and ECMA-262 don't read alike", r, s.pos)
}

// category takes \p{Lu} and its like.
func (s *scanner) category() error {
	if s.peek(2) != '{' {
		return refuse(fmt.Sprintf(`write \%c{L}`, s.peek(1)), "got \\%c without braces at offset %d, which ECMA-262 refuses", s.peek(1), s.pos)
	}
	name, _, _ := strings.Cut(s.in[s.pos+3:], "}")
	if !slices.Contains(strings.Fields("Cc Cf Co L Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs"), name) {
		return refuse("RE2 and ECMA-262 share the short names of the general categories, such as Lu or Nd", "got the class %s at offset %d", shown(name), s.pos)
	}
	s.take(len(name) + 4)
	return nil
}

// class takes a bracketed class.
func (s *scanner) class() error {
	start := s.pos
	s.take(1)
	if s.peek(0) == '^' {
		s.take(1)
	}
	if s.peek(0) == ']' {
		return refuse(`write \] for the bracket`, "got an empty class at offset %d, which RE2 and ECMA-262 don't read alike", start)
	}
	for first := true; s.peek(0) != ']'; first = false {
		if s.pos >= len(s.in) {
			return refuse("", "got a class at offset %d that nothing closes, want a ]", start)
		}
		if s.peek(0) == '-' {
			if !first && s.peek(1) != ']' {
				return s.strayDash()
			}
			s.take(1)
			continue
		}
		set, err := s.classAtom()
		if err != nil {
			return err
		}
		if s.peek(0) != '-' || s.peek(1) == ']' {
			continue
		}
		if set || s.peek(1) == '-' {
			return s.strayDash()
		}
		s.take(1)
		if s.pos >= len(s.in) {
			continue
		}
		if set, err = s.classAtom(); err != nil {
			return err
		}
		if set {
			return s.strayDash()
		}
	}
	s.take(1)
	return nil
}

func (s *scanner) strayDash() error {
	return refuse(`write \-`, "got a dash near offset %d that is neither first, last, nor between two characters", s.pos)
}

// classAtom takes one character or one set inside a class.
func (s *scanner) classAtom() (set bool, err error) {
	switch c := s.in[s.pos]; {
	case c == '\\':
		return s.escape(true)
	case c == '[' && strings.IndexByte(":.=", s.peek(1)) >= 0 && s.peek(1) != 0:
		return false, refuse("write the ranges, such as a-zA-Z", "got a POSIX class at offset %d, which ECMA-262 doesn't have", s.pos)
	}
	_, n := utf8.DecodeRuneInString(s.in[s.pos:])
	s.take(n)
	return false, nil
}
