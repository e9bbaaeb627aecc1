package format

import "time"

// Time reads the form of a time argument: 2026-01-31T15:04:05.123456789+01:00, with an upper-case T and Z, 1 to 9
// fraction digits after a dot or none, an offset up to 23:59, and no leap second. A time with the offset zero is in UTC.
func Time(s string) (t time.Time, ok bool) {
	c, ok := clockOf(s)
	if !ok || s[10] != 'T' || c.zone[0] == 'z' || len(c.fraction) > 9 || c.second > 59 {
		return time.Time{}, false
	}
	nanos := 0
	for i := range 9 {
		nanos *= 10
		if i < len(c.fraction) {
			nanos += int(c.fraction[i] - '0')
		}
	}
	loc := time.UTC
	if c.offset != 0 {
		loc = time.FixedZone("", c.offset*60)
	}
	return time.Date(c.year, time.Month(c.month), c.day, c.hour, c.minute, c.second, nanos, loc), true
}

// dateTime is the wider rule of RFC 3339: t and z may be lower-case, a fraction has any number of digits, and second 60
// may stand where UTC reaches 23:59.
func dateTime(s string) bool {
	c, ok := clockOf(s)
	if !ok {
		return false
	}
	minute := (c.hour*60 + c.minute - c.offset + 24*60) % (24 * 60)
	return c.second < 60 || minute == 23*60+59
}

// date accepts a day of the years 0000 to 9999.
func date(s string) bool {
	_, _, _, ok := day(s)
	return ok
}

// clock is an RFC 3339 date-time taken apart; offset is in minutes, and second may be 60.
type clock struct {
	year, month, day, hour, minute, second, offset int
	fraction, zone                                 string
}

// clockOf takes s apart. ok is false where the digits do not stand where they should, or say no day and no time of day.
func clockOf(s string) (c clock, ok bool) {
	if len(s) < len("2026-01-31T15:04:05Z") || s[10]|0x20 != 't' || s[13] != ':' || s[16] != ':' {
		return c, false
	}
	if c.year, c.month, c.day, ok = day(s[:10]); !ok {
		return c, false
	}
	c.hour, c.minute, c.second = two(s[11:], 23), two(s[14:], 59), two(s[17:], 60)
	c.zone = s[19:]
	if c.zone[0] == '.' {
		n := 1
		for n < len(c.zone) && c.zone[n]-'0' <= 9 {
			n++
		}
		c.fraction, c.zone = c.zone[1:n], c.zone[n:]
		if n == 1 {
			return c, false
		}
	}
	if c.hour < 0 || c.minute < 0 || c.second < 0 {
		return c, false
	}
	c.offset, ok = zone(c.zone)
	return c, ok
}

// zone is the offset of Z, z or ±hh:mm in minutes, up to 23:59.
func zone(s string) (minutes int, ok bool) {
	if s == "Z" || s == "z" {
		return 0, true
	}
	if len(s) != len("+01:00") || s[0] != '+' && s[0] != '-' || s[3] != ':' {
		return 0, false
	}
	h, m := two(s[1:], 23), two(s[4:], 59)
	if h < 0 || m < 0 {
		return 0, false
	}
	if s[0] == '-' {
		return -h*60 - m, true
	}
	return h*60 + m, true
}

// day reads yyyy-mm-dd, a day that the calendar has.
func day(s string) (year, month, d int, ok bool) {
	if len(s) != len("2026-01-31") || s[4] != '-' || s[7] != '-' {
		return 0, 0, 0, false
	}
	century, rest := two(s, 99), two(s[2:], 99)
	month, d = two(s[5:], 12), two(s[8:], 31)
	if century < 0 || rest < 0 || month < 1 || d < 1 {
		return 0, 0, 0, false
	}
	year = century*100 + rest
	return year, month, d, d <= days(year, month)
}

// days is how many days a month has.
func days(year, month int) int {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

// two is the number of the two digits that s starts with, -1 where they are none or over most.
func two(s string, most int) int {
	if s[0]-'0' > 9 || s[1]-'0' > 9 {
		return -1
	}
	if n := int(s[0]-'0')*10 + int(s[1]-'0'); n <= most {
		return n
	}
	return -1
}
