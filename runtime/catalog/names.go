package catalog

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// GoName makes the tail of an exported Go identifier from any text, and depends on that text only: "slack_id" is
// SlackID, "getURLPath" GetURLPath, "api_key_ids" APIKeyIDs, "3d" 3D. What it returns is letters, digits and "_", so it
// is an identifier behind any letter; it may begin with a digit or with a letter that has no upper case, which
// [Field.Go] and its like put an X in front of. It is "" where nothing in the text can be spoken.
//
//   - Words end at "_", "-", ".", " ", "/", ":", other punctuation and camel humps; each begins in upper case, behind
//     leading digits too. What was upper case stays so ("BMI"), but for the words of a name like USER_ROLE.
//   - The initialisms that Go's linters know are written whole, in the plural too: ID, IDs, HTTP2.
//   - Symbols are spoken: "+1" is Plus1, "C#" CSharp, "<=" LessEqual, "50%" 50Percent. A dash speaks at the beginning
//     and before a number that follows no letter or digit ("-1" is Minus1), a dot at the beginning and between digits
//     ("1.5" is 1Point5). Any other break between two digits is an underscore: "1-10" is 1_10. Where a text has neither
//     letter nor digit, everything speaks: "->" is DashGreater.
//   - Letters and digits of every script are kept; marks, emoji and other signs that a Go identifier can't hold are not.
func GoName(s string) string {
	sp := splitter{in: []rune(s), mute: strings.IndexFunc(s, wordRune) < 0}
	sp.screaming = strings.Contains(s, "_") && strings.IndexFunc(s, unicode.IsLower) < 0
	sp.run()
	return sp.out.String()
}

// words are the words of a name in lower case, as GoName cuts them.
func words(s string) []string {
	sp := splitter{in: []rune(s)}
	sp.run()
	return sp.words
}

// splitter cuts one text into words and writes them one behind the other.
type splitter struct {
	in        []rune
	mute      bool // no letter and no digit in the text
	screaming bool // USER_ROLE: upper case says nothing about its words
	word      []rune
	words     []string // in lower case, symbols left out
	out       strings.Builder
	digit     bool // out ends in a digit
}

// run cuts the whole text.
func (sp *splitter) run() {
	for i := range sp.in {
		sp.step(i)
	}
	sp.end()
}

// at is the rune at i, 0 outside the text.
func (sp *splitter) at(i int) rune {
	if i < 0 || i >= len(sp.in) {
		return 0
	}
	return sp.in[i]
}

// step takes the rune at i into the word, or ends the word there.
func (sp *splitter) step(i int) {
	r, before, after := sp.in[i], sp.at(i-1), sp.at(i+1)
	switch {
	case wordRune(r):
		if len(sp.word) > 0 && sp.hump(i) {
			sp.end()
		}
		sp.word = append(sp.word, r)
		return
	case unicode.Is(unicode.M, r), r == '\u200c', r == '\u200d':
		return // joined to the rune before it
	case (r == '\'' || r == '’') && unicode.IsLetter(before) && unicode.IsLetter(after):
		return // "don't" is one word
	}
	sp.end()
	switch {
	case r == '!' && after == '=':
		sp.speak("Not")
	case sp.mute:
		sp.speak(symbol(r) + separator(r))
	case r == '-' && (strings.Trim(string(sp.in[:i]), "-") == "" || unicode.IsDigit(after) && !wordRune(before) && before != '-'):
		sp.speak("Minus")
	case r == '.' && i == 0 && wordRune(after):
		sp.speak("Dot")
	case r == '.' && unicode.IsDigit(before) && unicode.IsDigit(after):
		sp.speak("Point")
	default:
		sp.speak(symbol(r))
	}
}

// hump reports whether a new word begins at i though nothing stands between: getURL, URLPath, but not inside IDs.
func (sp *splitter) hump(i int) bool {
	if !unicode.IsUpper(sp.in[i]) {
		return false
	}
	if !unicode.IsUpper(sp.at(i - 1)) {
		return true
	}
	plural := sp.at(i+1) == 's' && !unicode.IsLower(sp.at(i+2))
	return unicode.IsLower(sp.at(i+1)) && !plural
}

// end writes the word that has been gathered.
func (sp *splitter) end() {
	if len(sp.word) == 0 {
		return
	}
	if sp.digit && unicode.IsDigit(sp.word[0]) {
		sp.out.WriteByte('_')
	}
	sp.words = append(sp.words, strings.ToLower(string(sp.word)))
	sp.speak(sp.fix(string(sp.word)))
	sp.word = sp.word[:0]
}

// speak writes one finished word.
func (sp *splitter) speak(word string) {
	if word == "" {
		return
	}
	sp.out.WriteString(word)
	last, _ := utf8.DecodeLastRuneInString(word)
	sp.digit = unicode.IsDigit(last)
}

// fix puts one word into the case of a Go name.
func (sp *splitter) fix(word string) string {
	rest := strings.TrimLeftFunc(word, unicode.IsDigit)
	digits := word[:len(word)-len(rest)]
	if rest == "" {
		return word
	}
	lower := strings.ToLower(rest)
	stem := strings.TrimRight(lower, "0123456789")
	single := strings.TrimSuffix(lower, "s")
	switch {
	case strings.HasPrefix(lower, "ipv") && strings.Trim(lower[3:], "46") == "" && len(lower) == 4:
		return digits + "IPv" + lower[3:]
	case initialism(stem):
		return digits + strings.ToUpper(stem) + lower[len(stem):]
	case single != lower && !strings.HasSuffix(single, "s") && initialism(single):
		return digits + strings.ToUpper(single) + "s"
	case sp.screaming:
		rest = lower
	}
	first, n := utf8.DecodeRuneInString(rest)
	return digits + string(unicode.ToUpper(first)) + rest[n:]
}

// wordRune reports whether a Go identifier can hold r; "_" aside, which only separates here.
func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// initialism reports whether a lower-case word is written in capitals: the lists of Go's linters, and words of this field.
func initialism(word string) bool {
	switch word {
	case "acl", "ai", "amqp", "api", "ascii", "aws", "cidr", "cli", "cors", "cpu", "css", "csv", "db", "dns", "eof", "ftp",
		"gcp", "gid", "gpu", "guid", "hmac", "html", "http", "https", "id", "imap", "io", "ip", "json", "jwt", "ldap", "lhs",
		"llm", "mcp", "mime", "oidc", "os", "pdf", "qps", "ram", "rhs", "rpc", "rtp", "saml", "sdk", "sha", "sip", "sla",
		"smtp", "sql", "ssh", "ssl", "sso", "svg", "tcp", "tls", "toml", "ts", "ttl", "udp", "ui", "uid", "uri", "url",
		"usb", "utc", "utf", "uuid", "vm", "vpc", "vpn", "xml", "xmpp", "xsrf", "xss", "yaml":
		return true
	}
	return false
}

// sign is a character and the word that speaks for it.
type sign struct {
	r    rune
	word string
}

// symbol is the word for a sign that is always spoken, "" for one that only separates.
func symbol(r rune) string {
	return said(r, []sign{
		{'+', "Plus"}, {'*', "Star"}, {'=', "Equal"}, {'<', "Less"}, {'>', "Greater"}, {'≤', "LessEqual"}, {'≥', "GreaterEqual"},
		{'≠', "NotEqual"}, {'!', "Bang"}, {'#', "Sharp"}, {'$', "Dollar"}, {'€', "Euro"}, {'£', "Pound"}, {'¥', "Yen"},
		{'%', "Percent"}, {'°', "Degree"}, {'&', "And"}, {'|', "Pipe"}, {'^', "Caret"}, {'~', "Tilde"}, {'@', "At"},
		{'?', "Question"}, {'\\', "Backslash"}, {'`', "Backtick"},
	})
}

// separator is the word for punctuation that speaks only where a text has neither letter nor digit.
func separator(r rune) string {
	return said(r, []sign{
		{'-', "Dash"}, {'_', "Underscore"}, {'.', "Dot"}, {',', "Comma"}, {':', "Colon"}, {';', "Semicolon"}, {'/', "Slash"},
		{'\'', "Apostrophe"}, {'"', "Quote"}, {'(', "OpenParen"}, {')', "CloseParen"}, {'[', "OpenBracket"}, {']', "CloseBracket"},
		{'{', "OpenBrace"}, {'}', "CloseBrace"}, {' ', "Space"}, {'\t', "Tab"}, {'\n', "Newline"},
	})
}

func said(r rune, signs []sign) string {
	for _, s := range signs {
		if s.r == r {
			return s.word
		}
	}
	return ""
}

// Go returns the member's Go name: the explicit one, else GoName of the JSON name, behind an X where that does not begin
// with an upper-case letter ("3d" is X3D).
func (f *Field) Go() string { return exported(f.GoName, f.Name) }

// Go returns the tool's Go name, by the rule of [Field.Go]: "2fa_check" is X2FaCheck.
func (t *Tool) Go() string { return exported(t.GoName, t.Name) }

// Go returns the type's Go name, by the rule of [Field.Go].
func (n *Named) Go() string { return exported(n.GoName, n.Name) }

// exported is explicit, or made from name.
func exported(explicit, name string) string {
	if explicit != "" {
		return explicit
	}
	made := GoName(name)
	if first, _ := utf8.DecodeRuneInString(made); !unicode.IsUpper(first) {
		return "X" + made
	}
	return made
}

// Go returns the end of the constant's name, which always stands behind the name of its type: the explicit one, else
// GoName of a string, Empty for the empty string, and a number in words for its signs (-1.5 is Minus1Point5). It is ""
// where the value can't be spoken, which Check refuses.
func (e *Enum) Go() string {
	if e.GoName != "" {
		return e.GoName
	}
	s, ok := e.text()
	switch {
	case ok && s == "":
		return "Empty"
	case ok:
		return GoName(s)
	}
	return strings.NewReplacer("-", "Minus", ".", "Point", "+", "", "e", "E").Replace(string(e.Value))
}

// text is the value where it is a string.
func (e *Enum) text() (s string, ok bool) {
	if len(e.Value) == 0 || e.Value[0] != '"' || json.Unmarshal(e.Value, &s) != nil {
		return "", false
	}
	return s, true
}

// plain is the value without its JSON spelling, where it is a string.
func (e *Enum) plain() string {
	if s, ok := e.text(); ok {
		return "s" + s
	}
	return string(e.Value)
}

// Reserved reports whether a Go name belongs to the generated package itself: its types and functions, the methods of
// Request and Gate, and what may join them. No tool and no type may have it; go_name is the way out. The list was made
// whole for the first release, so that a later one breaks no freeze.
func Reserved(name string) bool {
	return slices.Contains([]string{
		"Answer", "Audit", "Breaker", "Budget", "Budgets", "Call", "Calls", "Catalog", "Client", "Close", "Code", "Codes",
		"Context", "Denial", "Digest", "Do", "Dry", "Endpoint", "Entries", "Entry", "Err", "Error", "Fault", "Faults",
		"Freeze", "Frozen", "Gate", "GoString", "Handler", "Handlers", "Is", "Job", "Ledger", "Limit", "Limits", "Live",
		"MarshalJSON", "MarshalText", "MaxCalls", "New", "NewDry", "NewServer", "Option", "Options", "Request", "Requests",
		"Run", "Server", "Source", "String", "Tool", "ToolMaxCalls", "Tools", "UnmarshalJSON", "UnmarshalText", "Unwrap",
		"Verdict", "WithDir", "WithDry", "WithLogger", "Workspace",
	}, name) || strings.HasPrefix(name, "Definitions")
}

// Providers returns the model vendors and protocols whose rules a freeze can declare.
func Providers() []string { return []string{"openai", "anthropic", "mcp", "gemini"} }

// Formats returns the formats that a string can have.
func Formats() []string {
	return []string{"date", "date-time", "uri", "uuid", "email", "ipv4", "ipv6"}
}

// Nearest returns the known word that word was most likely meant to be: the first of those with the least edits
// (insert, drop, change, swap two neighbours), where case, "-", "_" and "." make no difference. It is "" where none is
// near: a third of the letters may differ, so none of one or two.
func Nearest(word string, known []string) string {
	const longest = 128
	if len(word) > longest {
		return ""
	}
	best, least := "", len(word)+1
	w := fold(word)
	for _, k := range known {
		f := fold(k)
		allowed := max(len(w), len(f)) / 3
		if len(f) > longest || max(len(w), len(f))-min(len(w), len(f)) > allowed {
			continue
		}
		if d := edits(w, f); d <= allowed && d < least {
			best, least = k, d
		}
	}
	return best
}

// fold is the form in which two names count as one.
func fold(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '.' {
			return '_'
		}
		return unicode.ToLower(r)
	}, name)
}

// edits is the distance between two short texts, in bytes.
func edits(a, b string) int {
	two, one, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range one {
		one[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			change := one[j]
			if a[i] != b[j] {
				change++
			}
			row[j+1] = min(change, one[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], two[j-1]+1)
			}
		}
		two, one, row = one, row, two
	}
	return one[len(b)]
}
