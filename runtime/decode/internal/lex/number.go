package lex

import "math"

// Number reads the number that starts at doc[i], which is a digit or a minus sign. end is the offset after it, or that
// of the fault.
func Number(doc []byte, i int) (end int, want string) {
	if doc[i] == '-' {
		i++
	}
	start := i
	i = digits(doc, i)
	switch {
	case i == start:
		return i, "a digit after the minus sign"
	case doc[start] == '0' && i > start+1:
		return start, "a number without leading zeros"
	}
	if i < len(doc) && doc[i] == '.' {
		start = i + 1
		if i = digits(doc, start); i == start {
			return i, "a digit after the dot"
		}
	}
	if i < len(doc) && doc[i]|0x20 == 'e' {
		i++
		if i < len(doc) && (doc[i] == '+' || doc[i] == '-') {
			i++
		}
		start = i
		if i = digits(doc, start); i == start {
			return i, "a digit in the exponent"
		}
	}
	return i, ""
}

// digits is the offset after the decimal digits at doc[i].
func digits(doc []byte, i int) int {
	for i < len(doc) && doc[i]-'0' <= 9 {
		i++
	}
	return i
}

// Size says how a number fits an int64.
type Size uint8

// The sizes.
const (
	// Fits is an integer inside int64.
	Fits Size = iota
	// Fraction is no integer.
	Fraction
	// Beyond is an integer outside int64.
	Beyond
)

// Integer returns the exact value of number, which has the syntax of a JSON number: 5.0, 5e0 and 50e-1 are 5, and -0 is
// 0. n is 0 where it does not fit.
func Integer(number []byte) (n int64, size Size) {
	negative := number[0] == '-'
	if negative {
		number = number[1:]
	}
	d := scale(number)
	switch {
	case d.count == 0:
		return 0, Fits
	case d.point < int64(d.count):
		return 0, Fraction
	case d.point > 19:
		return 0, Beyond
	}
	var u uint64 // up to 19 digits
	i := d.first
	for k := range int(d.point) {
		u *= 10
		if k < d.count {
			if number[i] == '.' {
				i++
			}
			u += uint64(number[i] - '0')
			i++
		}
	}
	switch {
	case negative && u <= 1<<63:
		return -int64(u), Fits
	case !negative && u <= math.MaxInt64:
		return int64(u), Fits
	}
	return 0, Beyond
}

// decimal is a number without its sign: the value is 0.DIGITS times 10^point, where DIGITS are the count digits that
// start at the index first of the text, a dot between them not counted, without zeros at either end. Zero has no digits.
type decimal struct {
	first, count int
	point        int64
}

// far is where exponents stop counting: no text that fits into memory brings a number back from there.
const far = 1 << 50

// scale takes an unsigned JSON number apart.
func scale(number []byte) decimal {
	var d decimal
	seen, whole := 0, -1 // digits from the first that is no zero; digits before the dot
	i, zeros := 0, 0     // zeros after the dot and before the first other digit
	for ; i < len(number) && number[i]|0x20 != 'e'; i++ {
		switch c := number[i]; {
		case c == '.':
			whole = seen
		case seen == 0 && c == '0':
			if whole >= 0 {
				zeros++
			}
		default:
			if seen == 0 {
				d.first = i
			}
			seen++
			if c != '0' {
				d.count = seen
			}
		}
	}
	if whole < 0 {
		whole = seen
	}
	d.point = int64(whole) - int64(zeros) + exponent(number[i:])
	return d
}

// exponent is the value of "e", an optional sign and digits, held inside ±far; 0 for no text.
func exponent(text []byte) int64 {
	if len(text) == 0 {
		return 0
	}
	text = text[1:]
	negative := text[0] == '-'
	if negative || text[0] == '+' {
		text = text[1:]
	}
	var e int64
	for _, c := range text {
		if e = e*10 + int64(c-'0'); e > far {
			e = far
		}
	}
	if negative {
		return -e
	}
	return e
}
