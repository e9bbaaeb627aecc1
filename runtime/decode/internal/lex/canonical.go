package lex

import (
	"bytes"
	"slices"
	"strconv"
)

// Canonical appends to dst a form of the value that starts at doc[i] in which two values have the same bytes exactly
// where they are equal in the sense of JSON Schema: 1 and 1.0 are, members have no order, escapes do not matter. Members
// whose values start at one of the offsets in absent, which ascend, are left out. The value must have been read before:
// its syntax is not checked. next is the offset after the value.
func Canonical(dst, doc []byte, i int, absent []int) (form []byte, next int) {
	i = skipSpace(doc, i)
	switch doc[i] {
	case '{':
		return canonicalObject(dst, doc, i, absent)
	case '[':
		dst = append(dst, '[')
		for i = skipSpace(doc, i+1); doc[i] != ']'; i = skipSpace(doc, i) {
			if doc[i] == ',' {
				i++
			}
			dst, i = Canonical(dst, doc, i, absent)
			dst = append(dst, ',')
		}
		return append(dst, ']'), i + 1
	case '"':
		return canonicalText(dst, doc, i)
	case 'f':
		return append(dst, 'f'), i + len("false")
	case 't', 'n':
		return append(dst, doc[i]), i + len("null")
	}
	end, _ := Number(doc, i)
	return canonicalNumber(dst, doc[i:end]), end
}

// canonicalText writes the length before the text, so that no quoting is needed.
func canonicalText(dst, doc []byte, i int) (form []byte, next int) {
	text, _, next, _ := Quoted(nil, doc, i)
	dst = strconv.AppendInt(append(dst, '"'), int64(len(text)), 10)
	dst = append(dst, ':')
	return append(dst, text...), next
}

func canonicalObject(dst, doc []byte, i int, absent []int) (form []byte, next int) {
	var members [][]byte
	for i = skipSpace(doc, i+1); doc[i] != '}'; i = skipSpace(doc, i) {
		if doc[i] == ',' {
			i = skipSpace(doc, i+1)
		}
		var member []byte
		member, i = canonicalText(nil, doc, i)
		i = skipSpace(doc, skipSpace(doc, i)+1) // after the colon
		_, left := slices.BinarySearch(absent, i)
		if member, i = Canonical(member, doc, i, absent); !left {
			members = append(members, member)
		}
	}
	slices.SortFunc(members, bytes.Compare)
	dst = append(dst, '{')
	for _, m := range members {
		dst = append(append(dst, m...), ',')
	}
	return append(dst, '}'), i + 1
}

// canonicalNumber writes the sign, the digits without zeros at either end, and the place of the point.
func canonicalNumber(dst, number []byte) []byte {
	sign := byte('+')
	if number[0] == '-' {
		sign = '-'
		number = number[1:]
	}
	d := scale(number)
	if d.count == 0 {
		return append(dst, '0')
	}
	dst = append(dst, sign)
	if d.point < -far/2 || d.point > far/2 {
		// The exponent is past what scale counts: such numbers are told apart by their text.
		return append(dst, number...)
	}
	for i, k := d.first, 0; k < d.count; i++ {
		if number[i] != '.' {
			dst = append(dst, number[i])
			k++
		}
	}
	return strconv.AppendInt(append(dst, 'e'), d.point, 10)
}

func skipSpace(doc []byte, i int) int {
	for i < len(doc) && (doc[i] == ' ' || doc[i] == '\t' || doc[i] == '\n' || doc[i] == '\r') {
		i++
	}
	return i
}

// Items counts the items of the list whose first item may start at doc[i], up to most, by a look at the next bytes: it
// is a hint for a capacity, not a check.
func Items(doc []byte, i, most int) int {
	const window = 4096
	doc = doc[i:min(len(doc), i+window)]
	count, depth, empty := 0, 0, true
	for i = 0; i < len(doc) && count < most; i++ {
		switch doc[i] {
		case '"':
			empty = false
			i = closing(doc, i+1)
		case '[', '{':
			empty = false
			depth++
		case ']', '}':
			if depth--; depth < 0 {
				if empty {
					return 0
				}
				return count + 1
			}
		case ',':
			if depth == 0 {
				count++
			}
		case ' ', '\t', '\n', '\r':
		default:
			empty = false
		}
	}
	return count
}

// closing is the offset of the quote that closes the string whose text starts at doc[i], or the length of doc.
func closing(doc []byte, i int) int {
	for {
		i, _ = Plain(doc, i)
		if i >= len(doc) || doc[i] == '"' {
			return i
		}
		if i++; doc[i-1] == '\\' {
			i++
		}
		if i > len(doc) {
			return len(doc)
		}
	}
}
