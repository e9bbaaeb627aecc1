// Package slashpath holds the lexical rules of a path inside the workspace. They are the same on every system, and they
// look at nothing but the text: links and what exists are the business of package workspace.
//
// A path is relative, with slashes between its components. "." is the workspace itself. Components "." and one slash at
// the end are taken out. ".." is refused wherever it stands, as PATH_ESCAPE where it leads out and as BAD_PATH where it
// does not: "a/../b" is b to a reader of text and something else to the system where a is a link, and a path that two
// readers understand in two ways is not handed on.
//
// Refused on every system, because some system gives them a meaning: absolute paths, "//", backslashes, colons (drive
// letters, alternate streams), the device names of Windows (CON, NUL, COM1, COM¹, LPT1, CONIN$ and so on, in either
// case, with or without an extension), a dot or a space at the end of a component, control characters, line and
// paragraph separators, the characters that turn the direction of text, invalid UTF-8, components over 255 bytes and
// paths over 4096.
package slashpath

import (
	"strings"
	"unicode/utf8"

	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// The limits, in bytes.
const (
	// MaxPath is how long a path may be.
	MaxPath = 4096
	// MaxComponent is how long one component of a path may be.
	MaxComponent = 255
)

// Clean checks path. code is OK, BadPath or PathEscape. Where it is OK, clean is the path without "." components and
// without a slash at the end, which is path itself where there were none. Else want says what is wanted, in words that
// do not hold the path.
func Clean(path string) (clean string, code verdict.Code, want string) {
	switch {
	case path == "":
		return "", verdict.BadPath, `a relative slash path, not empty text; "." is the workspace itself`
	case len(path) > MaxPath:
		return "", verdict.BadPath, "a path of at most 4096 bytes"
	case path[0] == '/':
		return "", verdict.BadPath, `a path relative to the workspace, without a slash at its start`
	}
	if want := badText(path); want != "" {
		return "", verdict.BadPath, want
	}
	depth, up, out, dirty := 0, false, false, false
	for rest, more := path, true; more; {
		var part string
		part, rest, more = strings.Cut(rest, "/")
		switch part {
		case "..":
			up = true
			depth--
			out = out || depth < 0
			continue
		case ".":
			dirty = dirty || path != "."
			continue
		case "":
			if more {
				return "", verdict.BadPath, "one slash between the parts of a path, not two"
			}
			dirty = true
			continue
		}
		if want := badPart(part); want != "" {
			return "", verdict.BadPath, want
		}
		depth++
	}
	switch {
	case out:
		return "", verdict.PathEscape, `a path inside the workspace; ".." leads out of it`
	case up:
		return "", verdict.BadPath, `a path without ".."; write it straight`
	case dirty:
		return join(path), verdict.OK, ""
	}
	return path, verdict.OK, ""
}

// join is path without "." and empty components, "." where nothing is left.
func join(path string) string {
	parts := strings.Split(path, "/")
	kept := parts[:0]
	for _, p := range parts {
		if p != "." && p != "" {
			kept = append(kept, p)
		}
	}
	if len(kept) == 0 {
		return "."
	}
	return strings.Join(kept, "/")
}

// Under reports whether the clean path lies at or below the clean folder fence. A fence of "" or "." holds every path.
func Under(path, fence string) bool {
	if fence == "" || fence == "." {
		return true
	}
	rest, ok := strings.CutPrefix(path, fence)
	return ok && (rest == "" || rest[0] == '/')
}

// badText says what is wanted where path holds a character that no path may hold, else "".
func badText(path string) string {
	for i, c := range path {
		switch {
		case c == '\\':
			return "a path with slashes, without backslashes"
		case c == ':':
			return "a path without colons"
		case c < 0x20, 0x7F <= c && c < 0xA0, c == 0x2028, c == 0x2029:
			return "a path without control characters"
		case c == 0x061C, c == 0x200E, c == 0x200F, 0x202A <= c && c <= 0x202E, 0x2066 <= c && c <= 0x2069:
			return "a path without characters that turn the direction of text"
		case c == utf8.RuneError && !strings.HasPrefix(path[i:], "\uFFFD"):
			return "a path in valid UTF-8"
		}
	}
	return ""
}

// badPart says what is wanted where one component, which is neither "", "." nor "..", may not be used, else "".
func badPart(part string) string {
	switch last := part[len(part)-1]; {
	case len(part) > MaxComponent:
		return "path components of at most 255 bytes"
	case last == '.':
		return "path components without a dot at the end"
	case last == ' ':
		return "path components without a space at the end"
	case reserved(part):
		return "path components that are not the name of a device, such as con, nul or com1"
	}
	return ""
}

// reserved reports whether Windows takes part for a device: it ignores case, an extension, and spaces before that.
func reserved(part string) bool {
	base, _, _ := strings.Cut(part, ".")
	base = strings.TrimRight(base, " ")
	if len(base) < 3 || len(base) > len("CONOUT$") {
		return false
	}
	for _, name := range [...]string{"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"} {
		if strings.EqualFold(base, name) {
			return true
		}
	}
	if head := base[:3]; strings.EqualFold(head, "COM") || strings.EqualFold(head, "LPT") {
		switch base[3:] {
		case "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "\u00B9", "\u00B2", "\u00B3":
			return true
		}
	}
	return false
}
