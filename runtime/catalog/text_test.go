package catalog

import (
	"regexp"
	"strings"
	"testing"
)

func TestCompilePattern(t *testing.T) {
	for _, p := range []string{
		``, `^[a-z]+$`, `a|b`, `(a|b)*?c{2,3}`, `(?:a)`, `(?<year>\d{4})`, `\d\D\w\W`, `\bfoo\B`, `\t\n\r\f\v\x41`, `[\w.-]+`, `[\d-]`, `[-a]`, `[a-]`, `[^a-z\-0-9]`,
		`\p{L}\P{Nd}`, `[\p{Lu}_]`, `\/\.\*`, `^[.\-A-Za-z0-9]+([=!,]{1,2}[./\-A-Za-z0-9]+)+$`, `^([/_.\-A-Za-z0-9=, ()!])+$`, "^[`\\\\]+$", `é`, `[[]`, `[.]`, `a{3,}`, `[\]]`, `[a^]`,
	} {
		if _, err := CompilePattern(p); err != nil {
			t.Errorf("%s: got %v, want it accepted", p, err)
		}
	}
	for _, c := range [][2]string{ // a pattern, and a part of what is said of it
		{`\A`, "^ or $"}, {`a\z`, "^ or $"}, {`\Qa.b\E`, "each sign"}, {`(?i)a`, "flags"}, {`(?i:a)`, "flags"}, {`(?P<n>a)`, "(?<name>"}, {`(?<1>a)`, "flags"}, {`[[:alpha:]]`, "POSIX"},
		{`\pN`, "braces"}, {`\p{Greek}`, "general categories"}, {`\p{^L}`, "general"}, {`\p{Letter}`, "general"}, {`\C`, `\C`}, {`\a`, `\a`}, {`(?U)a`, "flags"}, {`a++`, "invalid nested repetition"}, {`a**`, "invalid nested"},
		{`\s`, "[ \\t"}, {`\S`, "[^ "}, {`[\s]`, "[ \\t"}, {`\u0041`, `\xHH`}, {`\x{41}`, `\xHH`}, {`\cA`, `\c`}, {`\1`, `\1`}, {`\0`, `\0`}, {`\-`, "bare"}, {`\_`, "bare"}, {`\`, "backslash at the end"},
		{`(?=.*[0-9]).+`, "look-around"}, {`(?!a)`, "look-around"}, {`(?<=a)b`, "look-around"}, {`a]`, `\]`}, {`a}`, `\}`}, {`{`, `\{`}, {`a{,3}`, `\{`}, {`a{x}`, `\{`}, {`[]a]`, "empty class"}, {`[^]`, "empty class"},
		{`[a`, "nothing closes"}, {`[a-`, "nothing closes"}, {`(a`, "missing closing"}, {`*a`, "missing argument"}, {`^*`, "place"}, {`\b+`, "place"}, {`$?`, "place"}, {`[\b]`, `\b`}, {`[a-\d]`, "dash"},
		{`[\d-z]`, "dash"}, {`[a-z-9]`, "dash"}, {`[+--]`, "dash"}, {`a{1001}`, "invalid repeat count"}, {`[z-a]`, "invalid character class range"}, {`(?`, "flags"}, {`\é`, `\é`},
	} {
		if _, err := CompilePattern(c[0]); err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%s: got %v, want an error with %q", c[0], err, c[1])
		}
	}
}

func TestCompilePatternReadsAsECMA(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{`^.$`, "a", true}, {`^.$`, "\n", false}, {`^.$`, "\r", false}, {`^.$`, "\u2028", false}, {`^.$`, "\u2029", false}, {`^.$`, "😀", true},
		{`^a$`, "a\n", false}, {`[.]`, "a", false}, {`\.`, "a", false}, {`b`, "abc", true}, {`^[^.]$`, "\r", true},
	} {
		re, err := CompilePattern(c.pattern)
		if err != nil {
			t.Fatal(err)
		}
		if got := re.MatchString(c.text); got != c.want {
			t.Errorf("%s on %q: got %v, want %v", c.pattern, c.text, got, c.want)
		}
	}
}

func FuzzCompilePattern(f *testing.F) {
	for _, p := range []string{`^[a-z]+$`, `(?<y>\d{4})`, `[\d-]`, `\p{L}`, `a{2,}`, `(?i)a`, `[[:alpha:]]`, `\x4`, `[`, `(?<`, `.`} {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, p string) {
		if _, err := CompilePattern(p); err != nil {
			return
		}
		if _, err := regexp.Compile(p); err != nil {
			t.Errorf("%q is accepted, but RE2 refuses it: %v", p, err)
		}
	})
}

func TestFlaw(t *testing.T) {
	for _, s := range []string{"", "plain", "two\nlines\tand a tab", "👨‍👩‍👧 ❤️", "می‌خواهم", "*/ \" ` \\", "日本語"} {
		if got := flaw(s, true); got != "" {
			t.Errorf("%q: got %q, want no flaw", s, got)
		}
	}
	for _, c := range []struct{ s, want string }{
		{"a\x00", "NUL"}, {"a\rb", "control character U+000D"}, {"\x1b[0m", "control"}, {"\u0085", "control"}, {"\ufeffa", "byte order mark"}, {"a\u202eb", "bidirectional control U+202E at offset 1"},
		{"\u2066", "bidirectional"}, {"\u200e", "bidirectional"}, {"\u061c", "bidirectional"}, {"\u200b", "invisible"}, {"\u2060", "invisible"}, {"\u00ad", "invisible"}, {"\U000e0041", "invisible"},
		{"\U000e0100", "invisible"}, {"\u2028", "invisible"}, {"\u3164", "invisible"}, {"a\xff", "0xff at offset 1"}, {strings.Repeat("a", maxText+1), "at most 16384"},
	} {
		if got := flaw(c.s, true); !strings.Contains(got, c.want) {
			t.Errorf("%.20q: got %q, want %q in it", c.s, got, c.want)
		}
	}
	if flaw("a\nb", false) == "" || flaw("a\tb", false) == "" {
		t.Error("a single line may not hold a newline or a tab")
	}
}
