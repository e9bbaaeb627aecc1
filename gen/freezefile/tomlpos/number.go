package tomlpos

import (
	"strconv"
	"strings"
	"time"
)

// number reads a number, a date or a time. A problem is returned as what is wanted instead.
func number(word string) (kind Kind, text, want string) {
	if len(word) > 4 && isDate(word[:min(10, len(word))]) || len(word) > 2 && word[2] == ':' {
		if kind, text = datetime(word); kind == 0 {
			return 0, "", "a date-time such as 2006-01-02T15:04:05Z"
		}
		return kind, text, ""
	}
	if base, ok := strings.CutPrefix(word, "0"); ok && base != "" && isLetter(base[0]) && base[0]|0x20 != 'e' {
		return based(base)
	}
	digits, ok := withoutUnderscores(strings.TrimPrefix(word, "+"), isDigit)
	if !ok || strings.HasPrefix(word, "+-") {
		return 0, "", "a number with underscores only between digits"
	}
	if want = decimal(digits); want != "" {
		return 0, "", want
	}
	if !strings.ContainsAny(digits, ".eE") {
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil {
			return 0, "", "an integer from -9223372036854775808 to 9223372036854775807"
		}
		return Integer, strconv.FormatInt(n, 10), ""
	}
	if _, err := strconv.ParseFloat(digits, 64); err != nil {
		return 0, "", "a number that float64 can hold"
	}
	return Float, digits, ""
}

// based reads an integer in base 16, 8 or 2, given without its leading zero.
func based(word string) (kind Kind, text, want string) {
	base := 0
	switch word[0] {
	case 'x':
		base = 16
	case 'o':
		base = 8
	case 'b':
		base = 2
	default:
		return 0, "", "a number, or 0x, 0o or 0b before the digits of another base"
	}
	digits, ok := withoutUnderscores(word[1:], isHex)
	if !ok || digits == "" || strings.ContainsAny(digits[:1], "+-") {
		return 0, "", "digits after 0" + word[:1] + ", with underscores only between them"
	}
	n, err := strconv.ParseInt(digits, base, 64)
	if err != nil {
		return 0, "", "an integer in base " + strconv.Itoa(base) + " below 2^63"
	}
	return Integer, strconv.FormatInt(n, 10), ""
}

// withoutUnderscores removes underscores, each of which must stand between two digits.
func withoutUnderscores(word string, digit func(byte) bool) (string, bool) {
	for i := range len(word) {
		if word[i] == '_' && (i == 0 || i == len(word)-1 || !digit(word[i-1]) || !digit(word[i+1])) {
			return "", false
		}
	}
	return strings.ReplaceAll(word, "_", ""), true
}

func isHex(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

// decimal checks the grammar of a decimal number: [-]digits[.digits][e[sign]digits], without leading zeros.
func decimal(word string) (want string) {
	word = strings.TrimPrefix(word, "-")
	mantissa, exponent, hasExponent := strings.Cut(strings.ReplaceAll(word, "E", "e"), "e")
	whole, fraction, hasFraction := strings.Cut(mantissa, ".")
	if hasExponent && len(exponent) > 1 && strings.ContainsAny(exponent[:1], "+-") {
		exponent = exponent[1:]
	}
	switch {
	case !allDigits(whole), hasFraction && !allDigits(fraction), hasExponent && !allDigits(exponent):
		return "a number, with digits before and after a dot and after an e"
	case len(whole) > 1 && whole[0] == '0':
		return "a number without leading zeros"
	}
	return ""
}

func allDigits(word string) bool {
	for i := range len(word) {
		if !isDigit(word[i]) {
			return false
		}
	}
	return word != ""
}

// isDate reports whether a word begins as a date does: four digits and a dash.
func isDate(word string) bool { return len(word) > 4 && allDigits(word[:4]) && word[4] == '-' }

// datetime reads a date, a time or both; the zero Kind where it is none. Seconds may be left out, as TOML 1.1 says.
func datetime(word string) (Kind, string) {
	date, clock := "", word
	if isDate(word) {
		if len(word) < 10 || !allDigits(word[5:7]) || word[7] != '-' || !allDigits(word[8:10]) {
			return 0, ""
		}
		if _, err := time.Parse(time.DateOnly, word[:10]); err != nil {
			return 0, ""
		}
		if len(word) == 10 {
			return LocalDate, word
		}
		if word[10] != 'T' && word[10] != 't' && word[10] != ' ' {
			return 0, ""
		}
		date, clock = word[:10]+"T", word[11:]
	}
	clock, zone, ok := cutZone(clock)
	if !ok || date == "" && zone != "" {
		return 0, ""
	}
	if clock, ok = timeOfDay(clock); !ok {
		return 0, ""
	}
	switch {
	case date == "":
		return LocalTime, clock
	case zone == "":
		return LocalDateTime, date + clock
	}
	return OffsetDateTime, date + clock + zone
}

// cutZone takes the offset from the end of a time: "", "Z" or +hh:mm with hh up to 23.
func cutZone(clock string) (rest, zone string, ok bool) {
	if n := len(clock); n > 0 && clock[n-1]|0x20 == 'z' {
		return clock[:n-1], "Z", true
	}
	i := strings.IndexAny(clock, "+-")
	if i < 0 {
		return clock, "", true
	}
	zone = clock[i:]
	_, ok = timeOfDay(zone[1:])
	return clock[:i], zone, ok && len(zone) == len("+00:00")
}

// timeOfDay reads hh:mm, hh:mm:ss or hh:mm:ss.f and returns it with seconds.
func timeOfDay(clock string) (string, bool) {
	if len(clock) < 5 || !allDigits(clock[:2]) || clock[2] != ':' || !allDigits(clock[3:5]) {
		return "", false
	}
	if len(clock) == 5 {
		clock += ":00"
	}
	if len(clock) < 8 || clock[5] != ':' || !allDigits(clock[6:8]) {
		return "", false
	}
	if len(clock) > 8 && (clock[8] != '.' || !allDigits(clock[9:])) {
		return "", false
	}
	_, err := time.Parse(time.TimeOnly, clock[:8])
	return clock, err == nil
}
