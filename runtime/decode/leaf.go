package decode

import (
	"encoding/base64"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
	"github.com/toolfreeze/toolfreeze/runtime/decode/format"
	"github.com/toolfreeze/toolfreeze/runtime/decode/internal/lex"
	"github.com/toolfreeze/toolfreeze/runtime/decode/internal/phrase"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// String reads a string into *p. Length, Pattern and Format may follow. What is no string is BAD_TYPE and leaves *p as
// it was, as every refused value does.
func (r *Reader) String(p *string) {
	if text, ok := r.str(phrase.String); ok {
		r.leaf, r.text = stringLeaf, string(text)
		*p = r.text
	}
}

// str reads a string where t is wanted. No leaf stands until the caller says so.
func (r *Reader) str(t phrase.Thing) (text []byte, ok bool) {
	if r.next() != '"' {
		r.wrong(t)
		return nil, false
	}
	r.leaf = noLeaf
	return r.quoted()
}

// Bool reads true or false into *p, else BAD_TYPE.
func (r *Reader) Bool(p *bool) {
	switch r.next() {
	case 't':
		if r.literal("true") {
			*p = true
		}
	case 'f':
		if r.literal("false") {
			*p = false
		}
	default:
		r.wrong(phrase.Bool)
	}
	r.leaf = noLeaf
}

// Int reads an integer into *p: 5, 5.0, 5e0 and 50e-1 are 5, and -0 is 0. Range, Bounds and Among may follow. What is no
// number and what has a fraction is BAD_TYPE; an integer outside int64 is BAD_VALUE.
func Int[T ~int64](r *Reader, p *T) {
	if r.integer() {
		*p = T(r.whole)
	}
}

// integer reads an integer into r.whole.
func (r *Reader) integer() bool {
	c := r.next()
	if c != '-' && c-'0' > 9 {
		r.wrong(phrase.Int)
		return false
	}
	r.leaf = noLeaf
	text, ok := r.number()
	if !ok {
		return false
	}
	n, size := short(text)
	if size == lex.Beyond {
		n, size = lex.Integer(text)
	}
	switch size {
	case lex.Fraction:
		r.refuse(verdict.BadType, "an integer, not a number with a fraction")
		return false
	case lex.Beyond:
		r.outside("an integer from -9223372036854775808 to 9223372036854775807")
		if !r.quiet {
			return false
		}
	}
	r.leaf, r.whole, r.span = intLeaf, n, text
	return true
}

// short is lex.Integer for up to 18 characters of a sign and digits; anything else is Beyond.
func short(text []byte) (n int64, size lex.Size) {
	if len(text) > 18 {
		return 0, lex.Beyond
	}
	digits := text
	if text[0] == '-' {
		digits = text[1:]
	}
	for _, c := range digits {
		if c -= '0'; c > 9 {
			return 0, lex.Beyond
		}
		n = n*10 + int64(c)
	}
	if text[0] == '-' {
		n = -n
	}
	return n, lex.Fits
}

// Float reads a number into *p, rounded to the nearest float64. Bounds and Among may follow; they look at the number as
// it is written. What is no number is BAD_TYPE; one outside float64 is BAD_VALUE.
func (r *Reader) Float(p *float64) {
	c := r.next()
	if c != '-' && c-'0' > 9 {
		r.wrong(phrase.Float)
		return
	}
	r.leaf = noLeaf
	text, ok := r.number()
	if !ok {
		return
	}
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		r.outside("a number inside the range of 64-bit floating point")
		if !r.quiet {
			return
		}
	}
	r.leaf, r.float, r.span = floatLeaf, f, text
	*p = f
}

// Enum reads one of the strings in values, each followed by a NUL, into *p, which becomes a part of values. Length,
// Pattern and Format may follow. What is no string is BAD_TYPE; another string is BAD_VALUE.
func Enum[T ~string](r *Reader, p *T, values string) {
	if r.choose(values) {
		*p = T(r.text)
	}
}

// choose reads one of values into r.text.
func (r *Reader) choose(values string) bool {
	text, ok := r.str(phrase.String)
	if !ok {
		return false
	}
	if i, at := lookup(values, text); i >= 0 {
		r.leaf, r.text = stringLeaf, values[at:at+len(text)]
		return true
	}
	if r.admit(verdict.BadValue) {
		all := words(values)
		want := "want " + phrase.OneOf(all, true)
		if near := catalog.Nearest(string(text), all); near != "" {
			want += "; did you mean " + strconv.Quote(near) + "?"
		}
		r.keep(verdict.BadValue, r.path(), want)
	}
	return false
}

// Time reads an RFC 3339 time into *p: upper-case T and Z, up to 9 fraction digits after a dot, an offset up to 23:59, no
// leap second. What is no string is BAD_TYPE; another string is BAD_VALUE. A time with the offset zero is in UTC, any
// other in a zone without a name.
func (r *Reader) Time(p *time.Time) {
	text, ok := r.str(phrase.Time)
	if !ok {
		return
	}
	t, ok := format.Time(string(text))
	if !ok {
		r.refuse(verdict.BadValue, "a time, such as 2026-01-31T15:04:05Z")
		return
	}
	*p = t
}

// Bytes reads base64 into *p: standard alphabet, padded, no line breaks, no stray bits. What is no string is BAD_TYPE;
// another string is BAD_VALUE. The empty string is an empty slice that is not nil.
func (r *Reader) Bytes(p *[]byte) {
	text, ok := r.str(phrase.Bytes)
	if !ok {
		return
	}
	b := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	n, err := base64.StdEncoding.Decode(b, text)
	if err != nil || base64.StdEncoding.EncodedLen(n) != len(text) || stray(b[:n], text) {
		r.outside("bytes in base64: standard alphabet, padded, no line breaks")
		return
	}
	*p = b[:n]
}

// stray reports whether the last four characters of text are not how the end of b is written: the decoder ignores the
// bits that no byte takes.
func stray(b, text []byte) bool {
	if len(b) == 0 {
		return false
	}
	var last [4]byte
	base64.StdEncoding.Encode(last[:], b[(len(b)-1)/3*3:])
	return string(last[:]) != string(text[len(text)-4:])
}

// Content reads a string of at most maxBytes bytes, counted after unescaping, into *p. What is no string is BAD_CONTENT;
// a longer string is TOO_LARGE.
func (r *Reader) Content(p *string, maxBytes int) {
	text, ok := r.str(phrase.Content)
	if !ok {
		return
	}
	if len(text) > maxBytes {
		if r.admit(verdict.TooLarge) {
			r.keep(verdict.TooLarge, r.path(), "want at most "+strconv.Itoa(maxBytes)+" bytes")
		}
		return
	}
	*p = string(text)
}

// Length checks that the string just read has at least min and at most max code points, -1 for no bound, else BAD_VALUE.
func (r *Reader) Length(min, max int) {
	if r.leaf != stringLeaf {
		return
	}
	n := len(r.text)
	if n <= max && (n+3)/4 >= min {
		return // a code point has 1 to 4 bytes
	}
	n = utf8.RuneCountInString(r.text)
	if min >= 0 && n < min || max >= 0 && n > max {
		if r.admit(verdict.BadValue) {
			r.keep(verdict.BadValue, r.path(), "want "+phrase.Count(min, max, "character"))
		}
	}
}

// Pattern checks that the i-th pattern of the Program matches somewhere in the string just read, else BAD_VALUE.
func (r *Reader) Pattern(i int) {
	if r.leaf != stringLeaf {
		return
	}
	if r.program == nil || i < 0 || i >= len(r.program.patterns) {
		r.refuse(verdict.BadValue, "text of a known pattern; the reader has no program for it")
		return
	}
	if p := r.program.patterns[i]; !p.MatchString(r.text) {
		r.refuse(verdict.BadValue, phrase.Pattern(p.String()))
	}
}

// Format checks that the string just read has the format name (date, date-time, uri, uuid, email, ipv4 or ipv6), else
// BAD_VALUE.
func (r *Reader) Format(name string) {
	if r.leaf == stringLeaf && !format.Check(name, r.text) {
		r.refuse(verdict.BadValue, format.Want(name))
	}
}

// Range checks that the integer just read is at least min and at most max, else BAD_VALUE. The ends of int64 are no
// bounds.
func (r *Reader) Range(min, max int64) {
	if r.leaf != intLeaf || min <= r.whole && r.whole <= max || !r.admit(verdict.BadValue) {
		return
	}
	low, high := "", ""
	if min != math.MinInt64 {
		low = strconv.FormatInt(min, 10)
	}
	if max != math.MaxInt64 {
		high = strconv.FormatInt(max, 10)
	}
	r.keep(verdict.BadValue, r.path(), "want "+phrase.Between(low, high, "", ""))
}

// Bounds checks that the number just read is at least min, at most max, above xmin and below xmax, each a decimal text,
// "" for none, else BAD_VALUE. The comparison is exact.
func (r *Reader) Bounds(min, max, xmin, xmax string) {
	if r.leaf != intLeaf && r.leaf != floatLeaf {
		return
	}
	if (min == "" || r.compare(min) >= 0) && (max == "" || r.compare(max) <= 0) &&
		(xmin == "" || r.compare(xmin) > 0) && (xmax == "" || r.compare(xmax) < 0) {
		return
	}
	r.refuse(verdict.BadValue, phrase.Between(min, max, xmin, xmax))
}

// Among checks that the number just read equals one of values, decimal texts that each end in NUL, else BAD_VALUE. The
// comparison is exact.
func (r *Reader) Among(values string) {
	if r.leaf != intLeaf && r.leaf != floatLeaf {
		return
	}
	if i, _ := lookup(values, r.span); i >= 0 {
		return
	}
	for rest := values; rest != ""; {
		var v string
		if v, rest, _ = strings.Cut(rest, "\x00"); r.compare(v) == 0 {
			return
		}
	}
	if r.admit(verdict.BadValue) {
		r.keep(verdict.BadValue, r.path(), "want "+phrase.OneOf(words(values), false))
	}
}

// compare compares the number just read with bound, a decimal text: -1, 0 or 1.
func (r *Reader) compare(bound string) int {
	if r.leaf == floatLeaf {
		// Rounding keeps the order, so only equal floats leave it open.
		if b, err := strconv.ParseFloat(bound, 64); err == nil && b != r.float {
			if r.float < b {
				return -1
			}
			return 1
		}
	}
	return catalog.CompareDecimal(string(r.span), bound)
}
