package freezetext

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/toolfreeze/toolfreeze/gen/toolschema/internal/tree"
	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

func enumValue(e catalog.Enum) string {
	text := tomlNumber(string(e.Value))
	if v, err := tree.Parse(e.Value); err == nil {
		text = tomlValue(v)
	}
	if e.GoName == "" {
		return text
	}
	return "{ value = " + text + ", go_name = " + quote(e.GoName) + " }"
}

// tomlValue is a JSON value without null in TOML.
func tomlValue(v *tree.Value) string {
	switch v.Kind {
	case tree.Text:
		return quote(v.Text)
	case tree.Number:
		return tomlNumber(v.Text)
	case tree.List:
		return "[" + strings.Join(mapped(v.Items, tomlValue), ", ") + "]"
	case tree.Object:
		if len(v.Keys) == 0 {
			return "{}"
		}
		var pairs []string
		for i, k := range v.Keys {
			pairs = append(pairs, key(k)+" = "+tomlValue(v.Items[i]))
		}
		return "{ " + strings.Join(pairs, ", ") + " }"
	}
	return v.Text
}

// tomlNumber is a JSON number in TOML, which has no integers beyond int64 but floats that are as large.
func tomlNumber(s string) string {
	if s != "" && !strings.ContainsAny(s, ".eE") {
		if _, err := strconv.ParseInt(s, 10, 64); err != nil {
			return s + ".0"
		}
	}
	return s
}

// key is a TOML key, bare where it can be.
func key(name string) string {
	bare := func(c rune) bool {
		return c == '_' || c == '-' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
	}
	if name != "" && strings.IndexFunc(name, func(c rune) bool { return !bare(c) }) < 0 {
		return name
	}
	return quote(name)
}

// quote is a basic string of TOML.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range s {
		escape(&b, c, "\n\t\"")
	}
	b.WriteByte('"')
	return b.String()
}

// escape writes one character of a string. special are those, besides what always is, that need an escape here.
func escape(b *strings.Builder, c rune, special string) {
	switch {
	case c == '\\':
		b.WriteString(`\\`)
	case strings.ContainsRune(special, c):
		b.WriteString(map[rune]string{'\n': `\n`, '\t': `\t`, '"': `\"`}[c])
	case c == '\r':
		b.WriteString(`\r`)
	case c != '\n' && c != '\t' && (unicode.IsControl(c) || unicode.Is(unicode.Cf, c) || c == '\u2028' || c == '\u2029'):
		fmt.Fprintf(b, `\U%08X`, c)
	default:
		b.WriteRune(c)
	}
}

// quoteLines is a multi-line basic string. Its newlines stand as they are; of quotes, those that could end it are escaped.
func quoteLines(s string) string {
	var b strings.Builder
	b.WriteString("\"\"\"\n")
	quotes := 0
	for i, c := range s {
		if c != '"' {
			quotes = 0
			escape(&b, c, "")
			continue
		}
		if quotes++; quotes == 3 || i == len(s)-1 {
			b.WriteByte('\\')
			quotes = 0
		}
		b.WriteByte('"')
	}
	b.WriteString("\"\"\"")
	return b.String()
}

// quotePattern is a literal string where that spares the backslashes.
func quotePattern(s string) string {
	if strings.ContainsAny(s, `\"`) && !strings.Contains(s, "'") && strings.IndexFunc(s, func(c rune) bool { return !unicode.IsPrint(c) }) < 0 {
		return "'" + s + "'"
	}
	return quote(s)
}
