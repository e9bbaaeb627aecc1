// Package format holds the string formats that a freeze can ask for, and the narrower form of a time argument. What it
// accepts is what the JSON Schema that a model is shown accepts when its formats are asserted, as the test suite of JSON
// Schema has it. Validators differ in the corners; a common one also takes a sign before the numbers of an IPv4 address
// or a time of day, an e-mail address without a local part, and in a URI characters that RFC 3986 does not have.
package format

import (
	"net/netip"
	"net/url"
	"strings"
)

// Check reports whether s has the format name: "date", "date-time", "uri", "uuid", "email", "ipv4" or "ipv6". No text
// has a format of another name.
func Check(name, s string) bool {
	switch name {
	case "date":
		return date(s)
	case "date-time":
		return dateTime(s)
	case "uri":
		return uri(s)
	case "uuid":
		return uuid(s)
	case "email":
		return email(s)
	case "ipv4":
		return ipv4(s)
	case "ipv6":
		return ipv6(s)
	}
	return false
}

// Want says what a string of the format name is, with an example: "a date, such as 2026-01-31".
func Want(name string) string {
	switch name {
	case "date":
		return "a date, such as 2026-01-31"
	case "date-time":
		return "a date and time with its offset, such as 2026-01-31T15:04:05Z"
	case "uri":
		return "an absolute URI, such as https://example.com/a"
	case "uuid":
		return "a UUID, such as 123e4567-e89b-12d3-a456-426614174000"
	case "email":
		return "an e-mail address, such as name@example.com"
	case "ipv4":
		return "an IPv4 address, such as 192.0.2.1"
	case "ipv6":
		return "an IPv6 address, such as 2001:db8::1"
	}
	return "a format that this reader knows"
}

// uri accepts what RFC 3986 calls a URI, and not a reference without a scheme: characters of its alphabet, whole escapes,
// and what net/url parses. A host in brackets must be an IPv6 address.
func uri(s string) bool {
	if !uriText(s) {
		return false
	}
	u, err := url.Parse(s)
	if err != nil || !u.IsAbs() {
		return false
	}
	if host := u.Hostname(); strings.Contains(host, ":") {
		return strings.Contains(u.Host, "[") && strings.Contains(u.Host, "]") && ipv6(host)
	}
	return true
}

// uriText reports whether s is made of the characters of a URI, each where it may stand. net/url lets most others pass.
func uriText(s string) bool {
	host := 0 // where the part ends in which brackets may stand
	if _, rest, _ := strings.Cut(s, ":"); strings.HasPrefix(rest, "//") {
		host = len(s)
		if n := strings.IndexAny(rest[2:], "/?#"); n >= 0 {
			host = len(s) - len(rest) + 2 + n
		}
	}
	for i := range len(s) {
		switch c := s[i]; {
		case c == '%':
			if i+2 >= len(s) || !hexadecimal(s[i+1]) || !hexadecimal(s[i+2]) {
				return false
			}
		case c == '[', c == ']':
			if i >= host {
				return false
			}
		case c == '#':
			if strings.IndexByte(s[i+1:], '#') >= 0 {
				return false
			}
		case !alphanumeric(c) && strings.IndexByte("-._~:/?@!$&'()*+,;=", c) < 0:
			return false
		}
	}
	return true
}

// uuid accepts 8-4-4-4-12 hexadecimal digits in either case, of any version.
func uuid(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		switch c := s[i]; i {
		case 8, 13, 18, 23:
			if c != '-' {
				return false
			}
		default:
			if !hexadecimal(c) {
				return false
			}
		}
	}
	return true
}

// ipv4 accepts four decimal numbers up to 255 without leading zeros.
func ipv4(s string) bool {
	for i := range 4 {
		part, rest, more := strings.Cut(s, ".")
		if more != (i < 3) || len(part) == 0 || len(part) > 3 || len(part) > 1 && part[0] == '0' {
			return false
		}
		n := 0
		for k := range len(part) {
			if part[k]-'0' > 9 {
				return false
			}
			n = n*10 + int(part[k]-'0')
		}
		if n > 255 {
			return false
		}
		s = rest
	}
	return true
}

// ipv6 accepts an address with colons and without a zone.
func ipv6(s string) bool {
	if !strings.Contains(s, ":") {
		return false
	}
	a, err := netip.ParseAddr(s)
	return err == nil && a.Zone() == ""
}

// email accepts local@domain in ASCII: a dot-separated or quoted local part of at most 64 bytes, and a host name or an
// address in brackets; at most 254 bytes in all.
func email(s string) bool {
	at := strings.LastIndexByte(s, '@')
	if len(s) > 254 || at < 0 || at > 64 {
		return false
	}
	local, domain := s[:at], s[at+1:]
	if len(local) > 1 && local[0] == '"' && local[len(local)-1] == '"' {
		if strings.ContainsAny(local[1:len(local)-1], `\"`) {
			return false
		}
	} else if !dotted(local) {
		return false
	}
	if strings.HasPrefix(domain, "[") && strings.HasSuffix(domain, "]") {
		domain = domain[1 : len(domain)-1]
		if six, ok := strings.CutPrefix(domain, "IPv6:"); ok {
			return ipv6(six)
		}
		return ipv4(domain)
	}
	return host(domain)
}

// dotted accepts the unquoted local part of an e-mail address.
func dotted(local string) bool {
	if local == "" || strings.HasPrefix(local, ".") || strings.HasSuffix(local, ".") || strings.Contains(local, "..") {
		return false
	}
	for i := range len(local) {
		if c := local[i]; !alphanumeric(c) && strings.IndexByte(".!#$%&'*+-/=?^_`{|}~", c) < 0 {
			return false
		}
	}
	return true
}

// host accepts a host name of at most 253 bytes: labels of letters, digits and inner hyphens, and at most one dot at the
// end.
func host(s string) bool {
	s = strings.TrimSuffix(s, ".")
	if len(s) > 253 {
		return false
	}
	for label := range strings.SplitSeq(s, ".") {
		if len(label) < 1 || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for i := range len(label) {
			if c := label[i]; !alphanumeric(c) && c != '-' {
				return false
			}
		}
	}
	return true
}

func hexadecimal(c byte) bool { return c-'0' <= 9 || (c|0x20)-'a' <= 5 }

func alphanumeric(c byte) bool { return c-'0' <= 9 || (c|0x20)-'a' <= 25 }
