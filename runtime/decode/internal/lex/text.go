package lex

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// Plain returns the index of the first byte at or after i that is a quote, a backslash or a control character, or the
// length of doc where there is none. ascii says that no byte on the way is above 0x7F.
//
// It looks at 8 bytes at a time: in w-0x20 (and in the same of w XOR a sought byte) the high bit of the lowest byte that
// underflows is set where it was clear before.
func Plain(doc []byte, i int) (end int, ascii bool) {
	const each, highs = 0x0101010101010101, 0x8080808080808080
	var seen uint64
	for ; i+8 <= len(doc); i += 8 {
		w := binary.LittleEndian.Uint64(doc[i:])
		quote, slash := w^each*'"', w^each*'\\'
		hit := ((w-each*0x20)&^w | (quote-each)&^quote | (slash-each)&^slash) & highs
		if hit != 0 {
			seen |= w & (hit ^ (hit - 1)) // the bytes up to the hit, which is ASCII itself
			return i + bits.TrailingZeros64(hit)/8, seen&highs == 0
		}
		seen |= w
	}
	for ; i < len(doc); i++ {
		c := doc[i]
		if c < 0x20 || c == '"' || c == '\\' {
			break
		}
		seen |= uint64(c)
	}
	return i, seen&highs == 0
}

// Quoted reads the string whose opening quote stands at doc[i]. text is what it means: a part of doc where it holds no
// escape, else appended to buf, which is returned either way, grown or not. end is the offset after the closing quote, or
// that of the fault.
func Quoted(buf, doc []byte, i int) (text, grown []byte, end int, want string) {
	start := i + 1
	from, plain := start, true
	for {
		stop, ascii := Plain(doc, from)
		if !ascii {
			if bad := badUTF8(doc[from:stop]); bad >= 0 {
				return nil, buf, from + bad, "valid UTF-8"
			}
		}
		if stop == len(doc) {
			return nil, buf, stop, "a closing quote"
		}
		switch doc[stop] {
		case '"':
			if plain {
				return doc[start:stop], buf, stop + 1, ""
			}
			buf = append(buf, doc[from:stop]...)
			return buf, buf, stop + 1, ""
		case '\\':
			plain = false
			buf = append(buf, doc[from:stop]...)
			if buf, from, want = escape(buf, doc, stop); want != "" {
				return nil, buf, from, want
			}
		default:
			return nil, buf, stop, "control characters as escapes"
		}
	}
}

// badUTF8 is the offset of the first byte of b that is not part of valid UTF-8, or -1. Overlong forms, surrogates and
// what lies above U+10FFFF are not valid.
func badUTF8(b []byte) int {
	if utf8.Valid(b) {
		return -1
	}
	for i := 0; i < len(b); {
		c, n := utf8.DecodeRune(b[i:])
		if c == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

// escape appends to buf what the escape at doc[i], a backslash, means. next is the offset after it, or that of the fault.
func escape(buf, doc []byte, i int) (grown []byte, next int, want string) {
	if i+1 == len(doc) {
		return buf, i + 1, "an escape"
	}
	c := doc[i+1]
	switch c {
	case '"', '\\', '/':
	case 'n':
		c = '\n'
	case 't':
		c = '\t'
	case 'r':
		c = '\r'
	case 'b':
		c = '\b'
	case 'f':
		c = '\f'
	case 'u':
		return unicode(buf, doc, i)
	default:
		return buf, i, `one of the escapes \" \\ \/ \b \f \n \r \t \u`
	}
	return append(buf, c), i + 2, ""
}

// unicode is escape for \u and four hexadecimal digits. Surrogates must come in pairs, and U+0000 is refused: text with
// a NUL means different things to different readers.
func unicode(buf, doc []byte, i int) (grown []byte, next int, want string) {
	c, ok := hex4(doc, i+2)
	switch {
	case !ok:
		return buf, i, `four hexadecimal digits after \u`
	case c == 0:
		return buf, i, "text without NUL"
	case c < 0xD800 || c > 0xDFFF:
		return utf8.AppendRune(buf, c), i + 6, ""
	case c > 0xDBFF:
		return buf, i, "a high surrogate before the low one"
	}
	if i+8 > len(doc) || doc[i+6] != '\\' || doc[i+7] != 'u' {
		return buf, i, "a low surrogate after the high one"
	}
	low, ok := hex4(doc, i+8)
	if !ok || low < 0xDC00 || low > 0xDFFF {
		return buf, i, "a low surrogate after the high one"
	}
	return utf8.AppendRune(buf, (c-0xD800)<<10+(low-0xDC00)+0x10000), i + 12, ""
}

// hex4 reads the four hexadecimal digits at doc[i].
func hex4(doc []byte, i int) (c rune, ok bool) {
	if i+4 > len(doc) {
		return 0, false
	}
	for _, d := range doc[i : i+4] {
		switch {
		case '0' <= d && d <= '9':
			d -= '0'
		case 'a' <= d|0x20 && d|0x20 <= 'f':
			d = (d | 0x20) - 'a' + 10
		default:
			return 0, false
		}
		c = c<<4 | rune(d)
	}
	return c, true
}
