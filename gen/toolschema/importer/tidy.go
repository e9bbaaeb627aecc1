package importer

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

// tidy takes out of the descriptions what a reader cannot see.
func (r *repairer) tidy() {
	for i := range r.c.Types {
		r.clean([]string{"types", r.c.Types[i].Name}, &r.c.Types[i].Description)
	}
	for i := range r.c.Tools {
		r.clean([]string{"tools", r.c.Tools[i].Name}, &r.c.Tools[i].Description)
	}
	r.c.Walk(func(at []string, f *catalog.Field, _ *catalog.Type) {
		if f != nil {
			r.clean(slices.Clone(at), &f.Description)
		}
	})
}

// clean tidies one description.
func (r *repairer) clean(at []string, s *string) {
	text, hidden := seen(*s)
	if hidden {
		r.note(r.locate(at), false, "characters that cannot be seen are left out of the description")
	}
	if len(text) > maxText {
		for text = text[:maxText]; !utf8.ValidString(text); text = text[:len(text)-1] {
		}
		r.note(r.locate(at), false, "the description is cut at %d bytes", maxText)
	}
	*s = text
}

// maxText is the most bytes of a description in a freeze.
const maxText = 16 << 10

// seen returns text without the characters that cannot be seen, and whether there were any. The ends of lines become \n
// without a word.
func seen(s string) (text string, hidden bool) {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	text = strings.Map(func(c rune) rune {
		switch {
		case c == '\n', c == '\t', c == '\u200c', c == '\u200d':
			return c
		case unicode.IsControl(c), unicode.In(c, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Bidi_Control),
			c >= 0xE0100 && c <= 0xE01EF, c == '\u115f', c == '\u1160', c == '\u3164', c == '\uffa0', c == '\u034f':
			hidden = true
			return -1
		}
		return c
	}, s)
	return text, hidden
}
