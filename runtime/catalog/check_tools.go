package catalog

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// What an object and a type may hold.
const (
	maxName    = 128 // bytes of a member's name, of a type's name and of a Go name
	maxMembers = 64  // a decoder keeps one bit a member
	maxNesting = 16  // half of what a document may nest
	maxLength  = 1_000_000_000
)

// providerRule is what a provider demands of a tool's name, as its documentation says it.
func providerRule(provider string) string {
	switch provider {
	case "openai", "anthropic":
		return `^[a-zA-Z0-9_-]{1,64}$`
	case "mcp":
		return `^[A-Za-z0-9_.-]{1,128}$`
	case "gemini":
		return `^[A-Za-z_][A-Za-z0-9_.:-]{0,63}$`
	}
	return ""
}

// nameRule is a provider's rule made ready, once for all tools.
type nameRule struct {
	provider, text string
	match          *regexp.Regexp // nil matches nothing
}

// nameRules are the rules of the declared providers. An unknown provider has none, and is a problem of its own.
func nameRules(providers []string) []nameRule {
	rules := make([]nameRule, len(providers))
	for i, p := range providers {
		rules[i] = nameRule{provider: p, text: providerRule(p)}
		if re, err := regexp.Compile(rules[i].text); err == nil {
			rules[i].match = re
		}
	}
	return rules
}

// tool checks what a tool says of itself, its members aside.
func (k *checker) tool(i int) {
	t := &k.c.Tools[i]
	at := keys("tools", t.Name)
	k.toolName(at, i)
	k.prose(in(at, "description"), t.Description)
	k.number(in(at, "max_calls"), t.MaxCalls, maxBudget)
	k.number(in(at, "max_ms"), t.MaxMS, maxMS)
	switch t.CostClass {
	case Local:
		if t.AllowURL != "" {
			k.add(in(at, "allow_url"), "take the URL out, or make the tool free_net", "got a URL on a local tool, want none: a local tool reaches no network")
		}
		if t.MaxResponseBytes != 0 {
			k.add(in(at, "max_response_bytes"), "take it out", "got it on a local tool, want it on a free_net tool only")
		}
	case FreeNet:
		if text, hint := urlFault(t.AllowURL); text != "" {
			k.add(in(at, "allow_url"), hint, "%s", text)
		}
		k.number(in(at, "max_response_bytes"), t.MaxResponseBytes, maxBudget)
	case "":
		k.add(in(at, "cost_class"), "a person decides this: local reaches no network, free_net only its allow_url", "got no cost class, want %q or %q", Local, FreeNet)
	case "forbidden":
		k.add(in(at, "cost_class"), "delete the tool from the freeze", "got %q, want %q or %q: what is forbidden is not in a freeze at all", t.CostClass, Local, FreeNet)
	default:
		k.add(in(at, "cost_class"), didYouMean(t.CostClass, []string{Local, FreeNet}), "got %s, want %q or %q", shown(t.CostClass), Local, FreeNet)
	}
	k.members(in(at, "args"), t.Args)
	k.members(in(at, "result"), t.Result)
}

// toolName holds a name against every declared provider and against the names before it.
func (k *checker) toolName(at []string, i int) {
	name := k.c.Tools[i].Name
	if f := flaw(name, false); f != "" || name == "" {
		k.add(at, "", "got the tool name %s, want letters, digits, %q and %q", shown(name), "_", "-")
		return
	}
	var broken []string
	for _, r := range k.rules {
		if r.match == nil || !r.match.MatchString(name) {
			broken = append(broken, fmt.Sprintf("%s (the rule of %s)", r.text, r.provider))
		}
	}
	if broken != nil {
		k.add(at, "rename the tool, or take the provider out of providers", "got the tool name %s of %d characters, want %s", shown(name), len([]rune(name)), strings.Join(broken, " and "))
	}
	first, taken := k.folded[fold(name)]
	if taken {
		other := k.c.Tools[first].Name
		k.clash(at, keys("tools", other), "rename one of the two", "got the tools %q and %q, want names that differ in more than case and in more than -, . and _", other, name)
		return
	}
	k.folded[fold(name)] = i
}

// named checks what a type of [types] says of itself.
func (k *checker) named(i int) {
	n := &k.c.Types[i]
	at := keys("types", n.Name)
	if text, hint := k.typeNameFault(n); text != "" {
		k.add(at, hint, "%s", text)
	}
	k.prose(in(at, "description"), n.Description)
	k.members(in(at, "fields"), n.Fields)
}

// typeNameFault says why a type can't have its name.
func (k *checker) typeNameFault(n *Named) (text, hint string) {
	switch {
	case !typeName(n.Name):
		return fmt.Sprintf("got the type name %s, want a letter, then letters, digits and _, at most %d", shown(n.Name), maxName), ""
	case slices.Contains(kinds(), Kind(n.Name)):
		return fmt.Sprintf("got the type name %q, want another: it is a type already", n.Name), "name it after what it is, such as \"Plan\""
	case k.c.TypeNamed(n.Name) != n:
		return fmt.Sprintf("got the type %q twice, want it once", n.Name), ""
	}
	return "", ""
}

// typeName reports whether name can stand in "[]name?".
func typeName(name string) bool { return groupName(name) && name[0] != '_' && len(name) <= maxName }

// members checks the members of one object against each other.
func (k *checker) members(at []string, fields []Field) {
	if len(fields) > maxMembers {
		k.add(in(at, fields[maxMembers].Name), "group members in an object of their own", "got %d members, want at most %d", len(fields), maxMembers)
	}
	seen := map[string]bool{}
	for i := range fields {
		if name := fields[i].Name; seen[name] {
			k.add(in(at, name), "", "got the member %s twice, want it once", shown(name))
		}
		seen[fields[i].Name] = true
	}
}

// member checks what a member says of itself.
func (k *checker) member(at []string, f *Field) {
	if text := flaw(f.Name, false); text != "" {
		k.add(at, "", "member name: %s", text)
	} else if f.Name == "" || len(f.Name) > maxName {
		k.add(at, "", "got a member name of %d bytes, want 1 to %d", len(f.Name), maxName)
	} else if strings.ContainsAny(f.Name, "\u200c\u200d") {
		k.add(at, "", "got an invisible joiner in the member name %s, want a name that can be told from others", shown(f.Name))
	}
	k.prose(in(at, "description"), f.Description)
	if f.Default == nil {
		return
	}
	switch {
	case !json.Valid(f.Default) || string(f.Default) == "null":
		k.add(in(at, "default"), "leave it out", "got no value, want one of the member's type")
	case !f.Optional:
		k.add(in(at, "default"), "take the default out, or make the member optional", "got a default on a required member, which would never be used")
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
