package differential_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
	"github.com/toolfreeze/toolfreeze/runtime/decode"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// pool holds values of one type that has no parts, as JSON: those that the interpreter accepts and those that it refuses.
// They are sorted so that documents of both sorts can be drawn; what is right is decided elsewhere.
type pool struct{ good, bad []string }

// pools makes the pool of every type of a catalog that has no parts.
func pools(c *catalog.Catalog, p *decode.Program) map[*catalog.Type]*pool {
	all := map[*catalog.Type]*pool{}
	var r decode.Reader
	c.Walk(func(_ []string, _ *catalog.Field, t *catalog.Type) {
		if t.Elem != nil || t.Kind == catalog.Object || t.Kind == catalog.Ref || len(t.OneOf) > 0 {
			return
		}
		held := &pool{}
		seen := map[string]bool{}
		for _, text := range candidates(t) {
			if seen[text] {
				continue
			}
			seen[text] = true
			r.Reset(p, []byte(text), len(text))
			p.Value(&r, t)
			r.End()
			if r.Code() == verdict.OK {
				held.good = append(held.good, text)
			} else {
				held.bad = append(held.bad, text)
			}
		}
		all[t] = held
	})
	return all
}

// candidates are values near the borders of a type.
func candidates(t *catalog.Type) []string {
	switch t.Kind {
	case catalog.Int, catalog.Float:
		return numbers(t)
	case catalog.String, catalog.Content:
		return quoted(texts(t))
	case catalog.Bool:
		return []string{"true", "false", `"true"`, "1", "0", `"yes"`, "True"}
	case catalog.Time:
		return quoted(times())
	case catalog.Bytes:
		return quoted(encoded())
	}
	return append(junk(), `"text"`, "5", "null", `{"a":{"b":[1,2.50,null]},"c":""}`, `[[],{},""]`, "1e400", "1e-1000001", "12345678901234567890")
}

// quoted writes each text as JSON in three ways.
func quoted(texts []string) []string {
	var all []string
	for _, s := range texts {
		all = append(all, quote(s, plainly), quote(s, escaped), quote(s, mixed))
	}
	return all
}

// numbers are the bounds and allowed values of t, what lies around them, and other spellings of them all.
func numbers(t *catalog.Type) []string {
	base := []string{"0", "1", "-1", "0.5", "9223372036854775807", "-9223372036854775808"}
	for _, b := range []string{t.Minimum, t.Maximum, t.ExclusiveMinimum, t.ExclusiveMaximum} {
		if b != "" {
			base = append(base, b)
		}
	}
	for _, e := range t.Enum {
		base = append(base, string(e.Value))
	}
	var all []string
	for _, text := range base {
		for _, by := range []string{"0", "1", "-1", "0.5", "-0.5", "1e-17", "-1e-17", "1e-30", "-1e-30"} {
			x, _ := new(big.Rat).SetString(text)
			d, _ := new(big.Rat).SetString(by)
			all = append(all, spellings(x.Add(x, d))...)
		}
	}
	return append(all, "-0", "-0.0", "0e5", "0E-0", "1e400", "-1e400", "1e-400", "1e308", "1.7976931348623157e308", "1.7976931348623158e308", "1.7976931348623159e308", "1.8e308",
		"9223372036854775808", "-9223372036854775809", "9223372036854775807.0", "92233720368547758070e-1", "9.223372036854775808e18", "1e18", "1e19", "1e1000001", "-1e1000002", "1e-1000003", "1e99999999999999999999", "1e-99999999999", "0e99999999999",
		"5e-1", "50e-1", "1.0000000000000000000000000000001", `"5"`, `"5.0"`)
}

// spellings writes an exact decimal in several ways.
func spellings(x *big.Rat) []string {
	places := 0
	for p := big.NewInt(1); new(big.Int).Mod(p, x.Denom()).Sign() != 0; places++ {
		p.Mul(p, big.NewInt(10))
	}
	text := x.FloatString(places)
	digits := strings.TrimPrefix(strings.Replace(text, ".", "", 1), "-")
	digits = strings.TrimLeft(digits, "0")
	all := []string{text}
	if len(digits) > 0 {
		sign := text[:len(text)-len(strings.TrimPrefix(text, "-"))]
		all = append(all, fmt.Sprintf("%s%se%d", sign, digits, -places), fmt.Sprintf("%s%s00E%d", sign, digits, -places-2), fmt.Sprintf("%s0.%se%+d", sign, digits, len(digits)-places))
	}
	if places == 0 {
		return append(all, text+".0", text+"e0", text+".00e-0")
	}
	return append(all, text+"0")
}

// texts are strings around the pattern, the lengths, the format and the allowed values of t.
func texts(t *catalog.Type) []string {
	all := []string{"", "a", "A", "x", "null", "\u212a", "plain text", "\r", "\u2028", "a\nb"}
	for _, e := range t.Enum {
		var s string
		if json.Unmarshal(e.Value, &s) == nil {
			all = append(all, s, s+" ", " "+s, strings.ToUpper(s), strings.ToLower(s), s+s, strings.TrimSuffix(s, "\u0301"))
		}
	}
	if t.Pattern != "" {
		matching := rapid.StringMatching(re2(t.Pattern))
		for seed := range 24 {
			s := matching.Example(seed)
			all = append(all, s, s+"a", "b"+s, s+"\u2029", odd(s, '\r'), odd(s, '\u2028'), odd(s, '\n'))
		}
	}
	all = append(all, formatted(t.Format)...)
	most := 12
	for _, n := range []*int{t.MinLength, t.MaxLength, &t.MaxBytes} {
		if n != nil {
			all = append(all, ofLength(*n-1)...)
			all = append(all, ofLength(*n)...)
			all = append(all, ofLength(*n+1)...)
			most = *n
		}
	}
	return append(all, ofLength(most/2)...)
}

// odd puts r in the middle of s.
func odd(s string, r rune) string {
	runes := []rune(s)
	if len(runes) > 0 {
		runes[len(runes)/2] = r
	}
	return string(runes)
}

// ofLength are strings of n code points with 1, 2, 3 and 4 bytes each, and of n characters that are more code points.
func ofLength(n int) []string {
	var all []string
	if n <= 0 {
		return nil
	}
	for _, piece := range []string{"a", "é", "€", "😀", "e\u0301", "👩\u200d👧", "\"\\", "ab😀\u007f"} {
		runes := []rune(strings.Repeat(piece, n))
		all = append(all, string(runes[:n]))
	}
	return append(all, strings.Repeat("e\u0301", n))
}

// encoded are bytes in base64, right and nearly right.
func encoded() []string {
	var all []string
	for n := range 7 {
		s := base64.StdEncoding.EncodeToString([]byte("\xff\xfe\x00ab?>")[:n])
		all = append(all, s, strings.TrimRight(s, "="), s+"=", s+"\n", base64.URLEncoding.EncodeToString([]byte("\xff\xfe\xff\xfb?>")[:n]), " "+s)
	}
	return append(all, "AA==", "AB==", "AAA=", "AAB=", "A===", "AAAA\r\nAAAA", "AA==AA==", "not base64!", "QUJD", "Q")
}

// spelling is a way to write a string.
type spelling int

const (
	plainly spelling = iota
	escaped          // every character as an escape
	mixed            // every second character as an escape, in capitals
)

// quote writes s as JSON. Bytes that are not UTF-8 stay as they are.
func quote(s string, how spelling) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		raw := s[i : i+size]
		i += size
		switch {
		case r == utf8.RuneError && size == 1:
			b.WriteString(raw)
		case how == escaped || how == mixed && i%2 == 1:
			b.WriteString(escape(r, how == mixed))
		case r == '"' || r == '\\':
			b.WriteString(`\` + raw)
		case r < 0x20:
			b.WriteString(escape(r, false))
		default:
			b.WriteString(raw)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func escape(r rune, capitals bool) string {
	if capitals {
		switch r {
		case '/', '"', '\\':
			return `\` + string(r)
		case '\n':
			return `\n`
		}
	}
	form := `\u%04x`
	if capitals {
		form = `\u%04X`
	}
	if r > 0xffff {
		r -= 0x10000
		return fmt.Sprintf(form+form, 0xd800+r>>10, 0xdc00+r&0x3ff)
	}
	return fmt.Sprintf(form, r)
}

// junk are values that few types take.
func junk() []string {
	return []string{"null", "true", "0", `""`, "{}", "[]", `"\ud83d\ude00"`, `{"a":1,"a":1}`, `{"a":1,"\u0061":2}`, `[{"x":{"y":1,"y":2}}]`, "1e999", "[null]", `{"":null}`}
}

// broken are no JSON, or hold text that no string may hold.
func broken() []string {
	return []string{
		`"\u0000"`, "\"\x00\"", `"\ud800"`, `"\udc00\ud800"`, `"\udc00\udc00"`, `"\ud800\ud800"`, `"\ud800\u0041"`, "\"\xff\"", "\"\xc0\xaf\"", "\"\xed\xa0\x80\"", "\"\xf4\x90\x80\x80\"", "\"a\tb\"", `"\x41"`, `"\u12"`, `"`, "[1,]", "[,1]",
		"{,}", `{"a":1,}`, `{"a"}`, `{a:1}`, `{'a':1}`, "nul", "nulll", "1 2", "[1 2]", "/**/1", "undefined", "\ufeff1", "\u00a01", "01", "+1", ".5", "5.", "1e", "1e+", "0x1", "1_0", "NaN", "Infinity", "-", "--1",
	}
}
