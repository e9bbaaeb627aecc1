package catalog

import (
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// vetRules checks [forbid] and [[exception]].
func (k *checker) vetRules() {
	for i, path := range k.c.Forbid {
		at := keys("forbid", "imports", fmt.Sprint(i))
		k.importPath(at, path)
		if first := slices.Index(k.c.Forbid, path); first < i {
			k.clash(at, keys("forbid", "imports", fmt.Sprint(first)), "", "got %s twice, want each import path once", shown(path))
		}
	}
	seen := map[[2]string]int{}
	for i, e := range k.c.Exceptions {
		at := keys("exception", fmt.Sprint(i))
		known := k.word(in(at, "rule"), e.Rule, exceptionRules())
		if k.line(in(at, "match"), e.Match, "an import path, a full function name or a tool name") && known && e.Rule == "forbiddenimport" {
			k.importPath(in(at, "match"), e.Match)
		}
		if n := utf8.RuneCountInString(strings.TrimSpace(e.Reason)); n < 10 {
			k.add(in(at, "reason"), "say why this is fine, for the one who reviews it", "got a reason of %d characters, want at least 10", n)
		}
		k.prose(in(at, "reason"), e.Reason)
		if first, twice := seen[[2]string{e.Rule, e.Match}]; twice {
			k.clash(in(at, "match"), keys("exception", fmt.Sprint(first), "match"), "", "got the exception %s for %s twice, want it once", e.Rule, shown(e.Match))
			continue
		}
		seen[[2]string{e.Rule, e.Match}] = i
	}
}

// exceptionRules are the rules of the vet tool that a freeze can silence for one match.
func exceptionRules() []string { return []string{"forbiddenimport", "localonly", "unfrozentool"} }

// importPath checks the form of an import path: elements of ASCII letters, digits and -._~+, none empty, none that ends
// in a dot.
func (k *checker) importPath(at []string, path string) {
	hint := ""
	switch {
	case strings.Contains(path, "://"):
		hint = "leave the scheme out"
	case strings.Contains(path, "..."), strings.Contains(path, "*"):
		hint = "a path covers all below it by itself"
	case strings.Contains(path, "@"):
		hint = "leave the version out"
	}
	for element := range strings.SplitSeq(path, "/") {
		bad := func(r rune) bool {
			return r >= utf8.RuneSelf || !('a' <= r|0x20 && r|0x20 <= 'z') && !('0' <= r && r <= '9') && !strings.ContainsRune("-._~+", r)
		}
		if element == "" || strings.HasSuffix(element, ".") || strings.IndexFunc(element, bad) >= 0 {
			k.add(at, hint, "got %s, want an import path, such as \"example.com/paid/sdk\"", shown(path))
			return
		}
	}
}

// urlFault says what keeps s from being the one URL of a tool, "" where nothing does.
func urlFault(s string) (text, hint string) {
	if s == "" {
		return "got no URL, want the one that this free_net tool may reach", "add allow_url"
	}
	if len(s) > 2048 {
		return fmt.Sprintf("got a URL of %d bytes, want at most 2048", len(s)), ""
	}
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c >= 0x7f || c == '\\' {
			return fmt.Sprintf("got byte 0x%02x at offset %d, want printable ASCII without spaces and backslashes", c, i), "write the host in punycode and the rest percent-encoded"
		}
	}
	scheme, rest, ok := strings.Cut(s, "://")
	switch {
	case !ok || strings.ToLower(scheme) != "https" && strings.ToLower(scheme) != "http":
		return fmt.Sprintf("got %s, want an absolute https URL", shown(s)), "begin with https://"
	case scheme != strings.ToLower(scheme):
		return fmt.Sprintf("got the scheme %q, want it in lower case", scheme), ""
	case strings.Contains(rest, "#"):
		return "got a fragment, want none: it is never sent", "cut the URL before the #"
	}
	if part := placeholder(rest); part != "" {
		return fmt.Sprintf("got the placeholder %s, want a URL without one", shown(part)), "the URL is fixed, a free_net tool has no parameters in it"
	}
	authority := rest
	if end := strings.IndexAny(rest, "/?"); end >= 0 {
		authority = rest[:end]
	}
	if strings.Contains(authority, "@") {
		return "got user information before the host, want none: a freeze holds no secret", "leave out all before the @"
	}
	if text, hint = hostFault(scheme, authority); text != "" {
		return text, hint
	}
	u, err := url.Parse(s)
	if err != nil {
		return fmt.Sprintf("got %s, want a URL that parses", shown(s)), ""
	}
	if again := u.String(); again != s {
		return fmt.Sprintf("got %s, want a URL that stays the same when it is parsed and printed", shown(s)), fmt.Sprintf("write %q", again)
	}
	return queryFault(u.RawQuery)
}

// placeholder is the first part of a URL that looks like a parameter to be filled in: {id}, {{id}}, ${id}, <id>, %s; "" where
// there is none.
func placeholder(s string) string {
	for i := range len(s) {
		switch rest := s[i+1:]; s[i] {
		case '{', '<':
			end := strings.IndexAny(rest, "}>/?&")
			if end > 0 && strings.IndexByte("}>", rest[end]) >= 0 && strings.Trim(rest[:end], "{ ") != "" && strings.IndexFunc(rest[:end], notName) < 0 {
				return s[i:i+end+2] + strings.Repeat("}", strings.Count(rest[:end], "{"))
			}
		case '%':
			if rest != "" && (strings.IndexByte("sv", rest[0]) >= 0 || rest[0] == 'd' && strings.Trim(rest[1:min(2, len(rest))], "0123456789abcdefABCDEF") != "" || rest == "d") {
				return s[i : i+2]
			}
		}
	}
	return ""
}

// notName reports whether r can't be in the name of a placeholder.
func notName(r rune) bool { return !wordRune(r) && !strings.ContainsRune("_-.{", r) }

// hostFault checks the host and the port. It reads the text itself: what a URL parser makes of an odd spelling is the
// fault that it looks for.
func hostFault(scheme, authority string) (text, hint string) {
	host, port := authority, ""
	colon := strings.LastIndexByte(authority, ':')
	if colon > strings.LastIndexByte(authority, ']') {
		host, port = authority[:colon], authority[colon+1:]
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 || strconv.Itoa(n) != port {
			return fmt.Sprintf("got the port %q, want 1 to 65535", port), ""
		}
	}
	if host == "" {
		return "got no host, want one", ""
	}
	if strings.HasPrefix(host, "[") {
		ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
		if err != nil || !ip.Is6() || ip.Is4In6() || ip.Zone() != "" || "["+ip.String()+"]" != host {
			return fmt.Sprintf("got the host %q, want an IPv6 address in its shortest form, without a zone and without an IPv4 address inside", host), ""
		}
		return addressFault(scheme, ip)
	}
	if ip, err := netip.ParseAddr(host); err == nil && ip.Is4() {
		return addressFault(scheme, ip)
	}
	return nameFault(scheme, host)
}

// addressFault checks a literal address.
func addressFault(scheme string, ip netip.Addr) (text, hint string) {
	if ip.IsUnspecified() || ip.IsMulticast() || ip == netip.AddrFrom4([4]byte{255, 255, 255, 255}) {
		return fmt.Sprintf("got the address %s, want one that names a single host", ip), ""
	}
	if scheme == "http" && !ip.IsLoopback() {
		return fmt.Sprintf("got http to %s, want https: http is for a literal loopback address only", ip), "begin with https://"
	}
	return "", ""
}

// nameFault checks a host name.
func nameFault(scheme, host string) (text, hint string) {
	if host != strings.ToLower(host) {
		return fmt.Sprintf("got the host %q, want it in lower case", host), fmt.Sprintf("write %q", strings.ToLower(host))
	}
	labels := strings.Split(host, ".")
	last := labels[len(labels)-1]
	switch {
	case last == "" && len(labels) > 1:
		return fmt.Sprintf("got the host %q, want no dot at its end", host), ""
	case slices.Contains(labels, "localhost"):
		return fmt.Sprintf("got the host %q, want a literal address: what localhost means is up to the machine", host), "write 127.0.0.1 or [::1]"
	case strings.Trim(last, "0123456789") == "", strings.HasPrefix(last, "0x"):
		return fmt.Sprintf("got the host %q, want a usual spelling of an address: four decimal numbers without leading zeros", host), ""
	case len(host) > 253:
		return fmt.Sprintf("got a host of %d characters, want at most 253", len(host)), ""
	}
	for _, l := range labels {
		if l == "" || len(l) > 63 || l[0] == '-' || l[len(l)-1] == '-' || strings.Trim(l, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || strings.ContainsFunc(l, notHost) {
			return fmt.Sprintf("got the host %q, want labels of letters, digits and inner dashes, at most 63 each", host), ""
		}
	}
	if scheme == "http" {
		return fmt.Sprintf("got http to %s, want https: http is for a literal loopback address only", host), "begin with https://"
	}
	return "", ""
}

func notHost(r rune) bool { return r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z') }

// queryFault refuses parameters that are named like a secret, whatever their spelling, and a query that servers read in
// different ways.
func queryFault(raw string) (text, hint string) {
	q, err := url.ParseQuery(raw)
	if err != nil {
		return fmt.Sprintf("got the query %s, want one that every server reads alike: name=value with & between", shown(raw)), ""
	}
	names := make([]string, 0, len(q))
	for name := range q {
		names = append(names, name)
	}
	slices.Sort(names) // the first one in this order is named, on every run
	for _, name := range names {
		if secretName(name) {
			return fmt.Sprintf("got the query parameter %s, want none that is named like a secret: the freeze is committed and shown", shown(name)), "let the handler's service work without it, or use another endpoint"
		}
	}
	return "", ""
}

// secretName reports whether a parameter's name says that its value is a secret: by one of its words, or by a part that
// no harmless word holds.
func secretName(name string) bool {
	all := words(name)
	flat := strings.Join(all, "")
	for _, part := range []string{"token", "secret", "passw", "passphrase", "apikey", "accesskey", "privatekey", "signature", "credential", "oauth", "bearer"} {
		if strings.Contains(flat, part) {
			return true
		}
	}
	for _, word := range []string{"key", "keys", "sig", "auth", "authorization", "authentication", "pwd", "pass", "jwt", "sid", "session", "sessionid", "hmac", "creds"} {
		if slices.Contains(all, word) {
			return true
		}
	}
	return false
}
