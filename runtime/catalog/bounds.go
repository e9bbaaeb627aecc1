package catalog

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// IntRange returns the bounds of an Int as one inclusive range; an end without a bound is that of int64. ok is false where
// a bound is not written as a plain integer inside int64, or where there is none at all: decoders then compare decimals,
// or nothing.
func (t *Type) IntRange() (lo, hi int64, ok bool) {
	lo, hi = math.MinInt64, math.MaxInt64
	if t.Kind != Int || t.Minimum == "" && t.Maximum == "" && t.ExclusiveMinimum == "" && t.ExclusiveMaximum == "" {
		return lo, hi, false
	}
	for _, b := range []struct {
		text string
		step int64 // what an exclusive bound is moved by
		low  bool
	}{{t.Minimum, 0, true}, {t.ExclusiveMinimum, 1, true}, {t.Maximum, 0, false}, {t.ExclusiveMaximum, -1, false}} {
		if b.text == "" {
			continue
		}
		n, err := strconv.ParseInt(b.text, 10, 64)
		if err != nil || b.step > 0 && n == math.MaxInt64 || b.step < 0 && n == math.MinInt64 {
			return lo, hi, false
		}
		if n += b.step; b.low {
			lo = max(lo, n)
		} else {
			hi = min(hi, n)
		}
	}
	return lo, hi, true
}

// CompareDecimal compares two JSON numbers by their exact values: -1 where a is less, 0 where they are equal ("1", "1.0"
// and "10e-1" are), 1 where a is more. It costs no more than reading the texts, whatever their exponents, and allocates
// nothing. An exponent beyond ±2^62 counts as that. A text that is not a number counts as the number it begins with,
// "" as 0.
func CompareDecimal(a, b string) int {
	x, y := readDecimal(a), readDecimal(b)
	if c := cmp.Compare(x.sign, y.sign); c != 0 || x.sign == 0 {
		return c
	}
	return x.sign * x.compareMagnitude(&y)
}

// decimal is sign × 0.digits × 10^exp, where digits are head and tail in a row, with neither a leading nor a trailing zero.
type decimal struct {
	sign       int // -1, 0, 1
	head, tail string
	exp        int64
}

// readDecimal reads the number at the beginning of s.
func readDecimal(s string) decimal {
	d := decimal{sign: 1}
	if rest, ok := strings.CutPrefix(s, "-"); ok {
		d.sign, s = -1, rest
	}
	d.head, s = cutDigits(s)
	if rest, ok := strings.CutPrefix(s, "."); ok {
		d.tail, s = cutDigits(rest)
	}
	if s != "" && s[0]|0x20 == 'e' {
		d.exp = readExponent(s[1:])
	}
	d.head = strings.TrimLeft(d.head, "0")
	d.exp += int64(len(d.head))
	if d.head == "" {
		whole := len(d.tail)
		d.tail = strings.TrimLeft(d.tail, "0")
		d.exp -= int64(whole - len(d.tail))
	}
	if d.tail = strings.TrimRight(d.tail, "0"); d.tail == "" {
		d.head = strings.TrimRight(d.head, "0")
	}
	if d.head == "" && d.tail == "" {
		return decimal{}
	}
	return d
}

// cutDigits splits s behind its leading digits.
func cutDigits(s string) (digits, rest string) {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return s[:n], s[n:]
}

// readExponent reads a signed integer and stops at ±2^62, which leaves room to add the length of any text.
func readExponent(s string) int64 {
	const limit = 1 << 62
	sign := int64(1)
	if s != "" && (s[0] == '-' || s[0] == '+') {
		if s[0] == '-' {
			sign = -1
		}
		s = s[1:]
	}
	digits, _ := cutDigits(s)
	digits = strings.TrimLeft(digits, "0")
	if len(digits) > 18 {
		return sign * limit
	}
	n := int64(0)
	for i := range len(digits) {
		n = n*10 + int64(digits[i]-'0')
	}
	return sign * n
}

// compareMagnitude compares two decimals that aren't zero, their signs aside.
func (d *decimal) compareMagnitude(e *decimal) int {
	if c := cmp.Compare(d.exp, e.exp); c != 0 {
		return c
	}
	for i := range min(d.len(), e.len()) {
		if c := cmp.Compare(d.digit(i), e.digit(i)); c != 0 {
			return c
		}
	}
	return cmp.Compare(d.len(), e.len()) // there are no trailing zeros, so the longer one is more
}

func (d *decimal) len() int { return len(d.head) + len(d.tail) }

func (d *decimal) digit(i int) byte {
	if i < len(d.head) {
		return d.head[i]
	}
	return d.tail[i-len(d.head)]
}

// whole reports whether d is an integer.
func (d *decimal) whole() bool { return int64(d.len()) <= d.exp || d.sign == 0 }

// decimalText reports whether s is a number as JSON writes it.
func decimalText(s string) bool {
	s = strings.TrimPrefix(s, "-")
	digits, rest := cutDigits(s)
	if digits == "" || len(digits) > 1 && digits[0] == '0' {
		return false
	}
	if r, ok := strings.CutPrefix(rest, "."); ok {
		if digits, rest = cutDigits(r); digits == "" {
			return false
		}
	}
	if rest != "" && rest[0]|0x20 == 'e' {
		if rest = rest[1:]; rest != "" && (rest[0] == '-' || rest[0] == '+') {
			rest = rest[1:]
		}
		if digits, rest = cutDigits(rest); digits == "" {
			return false
		}
	}
	return rest == ""
}

// bounds checks the bounds of a number.
func (k *checker) bounds(at []string, t *Type) {
	ends := []struct {
		key, text string
		low, open bool
	}{
		{"minimum", t.Minimum, true, false}, {"exclusive_minimum", t.ExclusiveMinimum, true, true},
		{"maximum", t.Maximum, false, false}, {"exclusive_maximum", t.ExclusiveMaximum, false, true},
	}
	for _, e := range ends {
		if e.text == "" {
			continue
		}
		if text := numberFault(t.Kind, e.text, valueText(e.text), true); text != "" {
			k.add(in(at, e.key), "", "%s", text)
			return
		}
	}
	for _, low := range ends[:2] {
		for _, high := range ends[2:] {
			if low.text == "" || high.text == "" {
				continue
			}
			c := CompareDecimal(low.text, high.text)
			if c > 0 || c == 0 && (low.open || high.open) {
				k.clash(in(at, high.key), in(at, low.key), "", "got %s, want more room above %s, which is %s: no number lies between", high.text, low.key, low.text)
				return
			}
		}
	}
	if lo, hi, ok := t.IntRange(); ok && lo > hi {
		k.add(at, "", "got bounds with no whole number between them, want room for one")
	}
}

// valueText is a JSON value for a message: the string "a", the number 5.
func valueText(value string) string {
	var s string
	switch {
	case strings.HasPrefix(value, `"`) && json.Unmarshal([]byte(value), &s) == nil:
		return "the string " + shown(s)
	case decimalText(value):
		return "the number " + strings.Trim(shown(value), `"`)
	}
	return shown(value)
}

// numberFault says why text is no value of a number kind; a bound of an Int may have a fraction. got is what a message
// calls it.
func numberFault(kind Kind, text, got string, bound bool) string {
	want := "a number"
	if kind == Int && !bound {
		want = "an integer"
	}
	if !decimalText(text) {
		return fmt.Sprintf("got %s, want %s", got, want)
	}
	if f, err := strconv.ParseFloat(text, 64); err != nil || math.IsInf(f, 0) {
		return fmt.Sprintf("got %s, want one inside float64", got)
	}
	if kind != Int {
		return ""
	}
	d := readDecimal(text)
	switch {
	case !bound && !d.whole():
		return fmt.Sprintf("got %s, want an integer", got)
	case !bound && strings.Trim(text, "-0123456789") != "":
		return fmt.Sprintf("got %s, want an integer written without dot and exponent", got)
	case d.whole() && (CompareDecimal(text, "-9223372036854775808") < 0 || CompareDecimal(text, "9223372036854775807") > 0):
		return fmt.Sprintf("got %s, want one inside int64", got)
	}
	return ""
}

// enum checks the allowed values against the kind, each other and the other constraints.
func (k *checker) enum(at []string, t *Type) {
	if t.Enum != nil && len(t.Enum) == 0 {
		k.add(in(at, "enum"), "leave enum out for any value", "got an empty list, want at least one value")
	}
	if !slices.Contains([]Kind{String, Int, Float}, t.Kind) {
		return
	}
	re := (*regexp.Regexp)(nil)
	if t.Pattern != "" {
		re, _ = CompilePattern(t.Pattern) // one that does not compile is a problem of its own
	}
	seen := map[string]int{}
	for i := range t.Enum {
		here := in(at, "enum", strconv.Itoa(i))
		if text := t.enumFault(&t.Enum[i], re); text != "" {
			k.add(here, "", "%s", text)
			continue
		}
		key := t.enumKey(&t.Enum[i])
		if j, twice := seen[key]; twice {
			k.clash(here, in(at, "enum", strconv.Itoa(j)), "", "got %s twice, want each value once", valueText(string(t.Enum[i].Value)))
			continue
		}
		seen[key] = i
	}
}

// enumKey is the same text for values that are equal: the string, or the number's sign, digits and exponent.
func (t *Type) enumKey(e *Enum) string {
	if t.Kind == String {
		s, _ := e.text()
		return s
	}
	d := readDecimal(string(e.Value))
	return fmt.Sprint(d.sign, " ", d.head+d.tail, " ", d.exp)
}

// enumFault says why a value can never be given.
func (t *Type) enumFault(e *Enum, re *regexp.Regexp) string {
	text := string(e.Value)
	if t.Kind != String {
		if fault := numberFault(t.Kind, text, valueText(text), false); fault != "" {
			return fault
		}
		// A Go constant of another decimal would be refused where it is written back.
		if f, err := strconv.ParseFloat(text, 64); t.Kind == Float && err == nil {
			if held := strconv.FormatFloat(f, 'g', -1, 64); CompareDecimal(text, held) != 0 {
				return fmt.Sprintf("got %s, which float64 does not hold, want %s", valueText(text), held)
			}
		}
		below := func(a, b string, most int) bool { return a == "" || b == "" || CompareDecimal(a, b) <= most }
		if !below(t.Minimum, text, 0) || !below(t.ExclusiveMinimum, text, -1) || !below(text, t.Maximum, 0) || !below(text, t.ExclusiveMaximum, -1) {
			return fmt.Sprintf("got %s, want a value inside the bounds", valueText(text))
		}
		return ""
	}
	s, ok := e.text()
	if !ok {
		return fmt.Sprintf("got %s, want a string", valueText(text))
	}
	if fault := flaw(s, true); fault != "" {
		return fault
	}
	n := utf8.RuneCountInString(s)
	if t.MinLength != nil && n < *t.MinLength || t.MaxLength != nil && n > *t.MaxLength {
		return fmt.Sprintf("got %s of %d characters, want a value inside min_length and max_length", valueText(text), n)
	}
	if re != nil && !re.MatchString(s) {
		return fmt.Sprintf("got %s, want a value that the pattern matches", valueText(text))
	}
	return ""
}
