package verdict

import (
	"strconv"
	"unicode/utf8"
)

// showLimit is how many code points of a foreign name are shown.
const showLimit = 64

// Show returns a name that somebody else chose (a model's tool name or key) in a form that is safe to print: bare where
// it matches ^[A-Za-z0-9_-]{1,64}$, else quoted in ASCII and cut at 64 code points.
func Show(name string) string {
	if bare(name) {
		return name
	}
	n := 0
	for i := range name {
		if n == showLimit {
			return strconv.QuoteToASCII(name[:i]) + "..."
		}
		n++
	}
	return strconv.QuoteToASCII(name)
}

// bare reports whether name can stand in a message without quotes.
func bare(name string) bool {
	if len(name) == 0 || len(name) > showLimit {
		return false
	}
	for i := range len(name) {
		c := name[i]
		if c >= utf8.RuneSelf || !('a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '_' || c == '-') {
			return false
		}
	}
	return true
}

// ShowPath appends one member to a JSON path: ".name" where the name is bare, else a quoted form in brackets.
func ShowPath(path, name string) string {
	if bare(name) {
		return path + "." + name
	}
	return path + "[" + Show(name) + "]"
}
