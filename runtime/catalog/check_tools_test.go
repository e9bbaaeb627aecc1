package catalog

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolfreeze/toolfreeze/runtime/endpoint"
)

func goodURLs() []string {
	return []string{
		"https://status.example.invalid/health", "https://status.example.invalid", "https://a.example:8443/x?a=1&b=two%20words", "http://127.0.0.1/x", "http://127.8.9.10:8080/", "http://[::1]:9/", "https://[2001:db8::1]/",
		"https://10.0.0.1/", "https://xn--bcher-kva.example/", "https://a.example/%7Euser/~x", "https://a.example/?monkey=1&author=2&design=3&keyboard=4", "https://169.254.169.254/", "https://a.example/token/x",
		"https://a.example//x//y?", "https://a.example/%de/%d0", "https://a.example/?a=%7B1%7D",
	}
}

func badURLs() [][2]string {
	return [][2]string{
		{"", "add allow_url"}, {"status.example", "absolute https URL"}, {"//a.example/", "absolute"}, {"ftp://a.example/", "absolute"}, {"https:/a.example", "absolute"}, {"HTTPS://a.example/", "lower case"},
		{"http://a.example/", "want https"}, {"http://10.0.0.1/", "want https"}, {"http://[2001:db8::1]/", "want https"}, {"https://user@a.example/", "user information"}, {"https://u:p@a.example/", "user information"},
		{"https://a.example/#x", "fragment"}, {"https://a.example/#", "fragment"}, {"https://localhost/", "literal address"}, {"http://localhost:80/", "literal address"}, {"https://x.localhost/", "literal address"},
		{"https://localhost.localdomain/", "literal address"}, {"https://a.example./", "no dot at its end"}, {"https://localhost./", "no dot"}, {"http://127.1/", "usual spelling"}, {"http://2130706433/", "usual spelling"},
		{"http://0x7f000001/", "usual spelling"}, {"http://0177.0.0.1/", "usual spelling"}, {"http://127.0.0.0x1/", "usual spelling"}, {"https://1.2.3.4.5/", "usual spelling"}, {"http://[::ffff:127.0.0.1]/", "IPv6"},
		{"http://[::1%25lo]/", "IPv6"}, {"http://[0:0:0:0:0:0:0:1]/", "IPv6"}, {"http://[::1/", "IPv6"}, {"https://[1.2.3.4]/", "IPv6"}, {"https://0.0.0.0/", "single host"}, {"https://[::]/", "single host"}, {"https://224.0.0.1/", "single host"},
		{"https://A.example/", "lower case"}, {"https://bücher.example/", "punycode"}, {"https:///x", "no host"}, {"https://:80/", "no host"}, {"https://a.example:/", "port"}, {"https://a.example:0/", "port"}, {"https://a.example:65536/", "port"},
		{"https://a.example:080/", "port"}, {"https://a.example:+80/", "port"}, {"https://a_b.example/", "labels"}, {"https://-a.example/", "labels"}, {"https://a..example/", "labels"}, {"https://a%2eexample/", "labels"},
		{"https://a.example/a b", "0x20"}, {"https://a.example/\\x", "0x5c"}, {"https://a.example/\x00", "0x00"}, {"https://a.example/\n", "0x0a"}, {"https://a.example/é", "0xc3"}, {"https://a.example/\"", "stays the same"}, {"https://a.example//\"", `write "https://a.example//%22"`}, {"https://a.example//x|y", "stays the same"},
		{"https://a.example/{id}", "no parameters in it"}, {"https://a.example/x/{user.id}/y", `placeholder "{user.id}"`}, {"https://a.example/{{id}}", `placeholder "{{id}}"`}, {"https://{host}/x", "no parameters"},
		{"https://a.example/?id={id}", "no parameters"}, {"https://a.example/${ID}", "no parameters"}, {"https://a.example/<id>", "no parameters"}, {"https://a.example/%s", "no parameters"}, {"https://a.example/%d/x", "no parameters"},
		{"https://a.example/{", "stays the same"}, {"https://a.example/{}", "stays the same"},
		{"https://a.example/%zz", "parses"}, {"https://a.example/?a;b", "query"}, {"https://a.example/?token=1", "secret"}, {"https://a.example/?api_key=1", "secret"}, {"https://a.example/?apiKey=1", "secret"}, {"https://a.example/?APIKEY", "secret"},
		{"https://a.example/?key=1", "secret"}, {"https://a.example/?access_token=1", "secret"}, {"https://a.example/?client-secret=1", "secret"}, {"https://a.example/?password=1", "secret"}, {"https://a.example/?sig=1", "secret"},
		{"https://a.example/?X-Amz-Signature=1", "secret"}, {"https://a.example/?auth=1", "secret"}, {"https://a.example/?a=1&%74oken=2", "secret"}, {"https://a.example/" + strings.Repeat("a", 2048), "at most 2048"},
		{"https://" + strings.Repeat("a", 64) + ".example/", "labels"},
	}
}

func TestURLFault(t *testing.T) {
	for _, s := range goodURLs() {
		if text, hint := urlFault(s); text != "" {
			t.Errorf("%s: got %q (%q), want it accepted", s, text, hint)
		}
		if _, err := endpoint.New(s, 1); err != nil {
			t.Errorf("%s: got %v from the endpoint, want it accepted there too", s, err)
		}
	}
	for _, c := range badURLs() {
		if text, hint := urlFault(c[0]); text == "" || !strings.Contains(text+"; "+hint, c[1]) {
			t.Errorf("%.60s: got %q (%q), want %q", c[0], text, hint, c[1])
		}
	}
}

func FuzzURL(f *testing.F) {
	for _, s := range goodURLs() {
		f.Add(s)
	}
	for _, c := range badURLs() {
		f.Add(c[0])
	}
	f.Fuzz(func(t *testing.T, s string) {
		if text, _ := urlFault(s); text != "" {
			return
		}
		u, err := url.Parse(s)
		if err != nil || u.String() != s || u.User != nil || u.Fragment != "" || u.Opaque != "" || u.Hostname() == "" || u.Hostname() != strings.ToLower(u.Hostname()) {
			t.Errorf("%q is accepted, and parses as %+v, %v", s, u, err)
		}
		if _, err := endpoint.New(s, 1); err != nil {
			t.Errorf("%q is accepted here, and by the endpoint: %v", s, err)
		}
	})
}

func TestCheckAccepts(t *testing.T) {
	for name, edit := range map[string]func(*Catalog){
		"main":               func(c *Catalog) { c.Package = "main" },
		"fractional bound":   arg(Type{Kind: Int, Minimum: "0.5", Maximum: "1.5"}),
		"one value":          arg(Type{Kind: Int, Minimum: "5", Maximum: "5.0"}),
		"empty string value": enum(String, `""`, `"a"`),
		"comparisons":        enum(String, `"<"`, `"<="`, `"="`, `"+1"`, `"-1"`, `"C++"`, `"C#"`, `"C"`),
		"odd values":         enum(String, `"C:\\t"`, `"say \"x\""`, "\"tick`\"", `"\");\nfunc init() {"`, `"a\nb"`),
		"enum go_name":       arg(Type{Kind: String, Enum: []Enum{{Value: str(`"kB"`), GoName: "Kilo"}, {Value: str(`"KB"`)}}}),
		"numbers":            enum(Float, `1`, `1.5`, `-1`, `2e-3`),
		"depth":              arg(deep(15)),
		"64 members":         tool("x", many(64)...),
		"path in a list":     arg(Type{Kind: List, Elem: &Type{Kind: Path, Access: "list"}}),
		"path in a type": func(c *Catalog) {
			c.Types[0].Fields[0].Type = Type{Kind: Path, Access: "read"}
			c.Tools[0].Result = nil
		},
		"same name elsewhere": tool("x", Field{Name: "plan_id", Type: Type{Kind: Int}}),
		"keyword names": tool("x", Field{Name: "type", Type: Type{Kind: Int}}, Field{Name: "func", Type: Type{Kind: Int}}, Field{Name: "nil", Type: Type{Kind: Int}},
			Field{Name: "range", Type: Type{Kind: Int}}),
		"optional recursion": func(c *Catalog) {
			c.Types[0].Fields[2] = Field{Name: "parts", Optional: true, Type: Type{Kind: Ref, Ref: "Plan"}}
		},
		"go_name for a reserved one": func(c *Catalog) { tool("call")(c); c.Tools[3].GoName = "Dial" },
		"names raw alternatives do not bring": arg(Type{Kind: JSON, OneOf: []Type{{Kind: String, Enum: []Enum{{Value: str(`"👍"`)}}}, {Kind: Object, Fields: []Field{
			{Name: "a_b", Type: Type{Kind: Int}}, {Name: "aB", Type: Type{Kind: Int}}}}}}),
		"dots for mcp": func(c *Catalog) { c.Providers = []string{"mcp"}; tool("fetch.page")(c) },
		"no tools":     func(c *Catalog) { c.Tools = nil },
	} {
		c := sound()
		edit(c)
		for _, p := range c.Check() {
			t.Errorf("%s: %s: %s; %s", name, strings.Join(p.At, "."), p.Text, p.Hint)
		}
	}
}

func TestProviderRules(t *testing.T) {
	long := strings.Repeat("a", 65)
	for _, c := range []struct{ provider, name string }{
		{"openai", "fetch.page"}, {"openai", "get /x"}, {"openai", long}, {"openai", "re\u0430d"}, {"anthropic", "a.b"}, {"anthropic", long}, {"mcp", "a/b"}, {"mcp", strings.Repeat("a", 129)},
		{"gemini", "2fa"}, {"gemini", "-a"}, {"gemini", long}, {"gemini", "a b"},
	} {
		cat := sound()
		cat.Providers = []string{c.provider}
		tool(c.name)(cat)
		got := cat.Check()
		if len(got) != 1 || !strings.Contains(got[0].Text, ruleOf(c.provider)) {
			t.Errorf("%s %.20q: got %+v, want the rule quoted", c.provider, c.name, got)
		}
	}
	for _, c := range []struct{ provider, name string }{{"openai", "2fa_check"}, {"anthropic", "-a"}, {"mcp", long + ".b"}, {"gemini", "_a.b:c-d"}} {
		cat := sound()
		cat.Providers = []string{c.provider}
		tool(c.name)(cat)
		if got := cat.Check(); got != nil {
			t.Errorf("%s %q: got %+v, want no problem", c.provider, c.name, got)
		}
	}
}

// ruleOf is what a provider demands of a tool's name.
func ruleOf(provider string) string {
	rule, _ := toolRule(provider)
	return rule
}

// TestToolNameHints holds the whole message for a refused name: each rule once, the length only where that is wrong.
func TestToolNameHints(t *testing.T) {
	const short, of = `^[a-zA-Z0-9_-]{1,64}$`, " (the rule of openai and anthropic)"
	long := strings.Repeat("a", 65)
	for _, c := range []struct{ name, text, hint string }{
		{"a.b", `got the tool name "a.b", want ` + short + of, "write a_b"},
		{"get /x", `got the tool name "get /x", want ` + short + of + ` and ^[A-Za-z0-9_.-]{1,128}$ (the rule of mcp)`, "write get_x"},
		{"a:b", `got the tool name "a:b", want ` + short + of + ` and ^[A-Za-z0-9_.-]{1,128}$ (the rule of mcp)`, "write a_b"},
		{long, `got the tool name "` + long[:64] + `"... of 65 characters, want ` + short + of, "rename the tool, or take openai and anthropic out of providers"},
		{"lookup.plan", `got the tool name "lookup.plan", want ` + short + of, "rename the tool, or take openai and anthropic out of providers"},
		{"re\u0430d", "got the tool name \"re\u0430d\", want " + short + of + ` and ^[A-Za-z0-9_.-]{1,128}$ (the rule of mcp)`, "rename the tool, or take openai, anthropic and mcp out of providers"},
	} {
		cat := sound()
		tool(c.name)(cat)
		got := cat.Check()
		if len(got) == 0 || got[0].Text != c.text || got[0].Hint != c.hint {
			t.Errorf("%.20q: got %+v, want %q, %q", c.name, got, c.text, c.hint)
		}
	}
}

func TestSpellToolName(t *testing.T) {
	all, mcp, gemini := Providers(), []string{"mcp"}, []string{"gemini"}
	for _, c := range []struct {
		name      string
		providers []string
		want      string
	}{
		{"a_b", all, "a_b"}, {"a.b", all, "a_b"}, {"a.b", mcp, "a.b"}, {"a.b.c", all, "a_b_c"}, {"/a", all, "_a"}, {"2fa", gemini, "_2fa"}, {"2.fa", all, "_2_fa"},
		{"a  b", all, "a_b"}, {"...", all, ""}, {"", all, ""}, {"\u0430", all, ""}, {strings.Repeat("a", 65), all, ""}, {"any name", nil, "any name"},
	} {
		if got := SpellToolName(c.name, c.providers); got != c.want {
			t.Errorf("%.20q for %q: got %q, want %q", c.name, c.providers, got, c.want)
		}
	}
}

// TestArgumentRules holds the names of arguments against Anthropic's rule, at every depth and through named types.
func TestArgumentRules(t *testing.T) {
	odd := []Field{{Name: "a b", Type: Type{Kind: Int}}}
	object := Type{Kind: Object, Fields: odd}
	inType := func(side func(t *Tool) *[]Field) func(*Catalog) {
		return func(c *Catalog) {
			c.Types = append(c.Types, Named{Name: "Odd", Fields: odd}, Named{Name: "Outer", Fields: []Field{{Name: "x", Type: Type{Kind: List, Elem: &Type{Kind: Ref, Ref: "Odd"}}}}})
			f := side(&c.Tools[0])
			*f = append(*f, Field{Name: "outer", Optional: true, Type: Type{Kind: Ref, Ref: "Outer"}})
		}
	}
	args, res := func(t *Tool) *[]Field { return &t.Args }, func(t *Tool) *[]Field { return &t.Result }
	for _, c := range []struct {
		name     string
		edit     func(*Catalog)
		at, also string
	}{
		{"argument", tool("x", odd...), "tools/x/args/a b", ""},
		{"object", tool("x", Field{Name: "o", Type: object}), "tools/x/args/o/fields/a b", ""},
		{"list", tool("x", Field{Name: "o", Type: Type{Kind: List, Elem: &object}}), "tools/x/args/o/items/fields/a b", ""},
		{"map", tool("x", Field{Name: "o", Type: Type{Kind: Map, Elem: &object}}), "tools/x/args/o/values/fields/a b", ""},
		{"one_of", tool("x", Field{Name: "o", Type: Type{Kind: JSON, OneOf: []Type{{Kind: Int}, object}}}), "tools/x/args/o/one_of/1/fields/a b", ""},
		{"named type", inType(args), "types/Odd/fields/a b", "types/Outer/fields/x/items"},
		{"named type of a result", inType(res), "", ""},
		{"a type like a tool", func(c *Catalog) {
			c.Types = append(c.Types, Named{Name: "lookup_plan", GoName: "Other", Fields: odd})
		}, "", ""},
		{"result", func(c *Catalog) { c.Tools[0].Result = append(c.Tools[0].Result, odd...) }, "", ""},
		{"too long", tool("x", Field{Name: strings.Repeat("a", 65), Type: Type{Kind: Int}}), "tools/x/args/" + strings.Repeat("a", 65), ""},
		{"dots and dashes", tool("x", Field{Name: "a.b-c", Type: Type{Kind: Int}}), "", ""},
	} {
		cat := sound()
		c.edit(cat)
		got := cat.Check()
		if c.at == "" {
			if got != nil {
				t.Errorf("%s: got %+v, want no problem", c.name, got)
			}
			continue
		}
		if len(got) != 1 || strings.Join(got[0].At, "/") != c.at || strings.Join(got[0].Also, "/") != c.also ||
			!strings.Contains(got[0].Text, "want ^[a-zA-Z0-9_.-]{1,64}$ (the rule of anthropic)") || got[0].Hint != "rename it, or take anthropic out of providers" {
			t.Errorf("%s: got %+v, want one problem at %s", c.name, got, c.at)
		}
		cat.Providers = []string{"openai", "mcp"}
		if got := cat.Check(); got != nil {
			t.Errorf("%s without anthropic: got %+v, want no problem", c.name, got)
		}
	}
	cat := sound()
	tool("x", Field{Name: "a?", Type: Type{Kind: List, Elem: &Type{Kind: String}}})(cat)
	if got := cat.Check(); len(got) != 1 || got[0].Hint != `the ? goes behind the type: a = "[]string?"` {
		t.Errorf("got %+v, want the hint about the ?", got)
	}
}

// Real names, descriptions and values pass, or are refused for a reason that is counted here.
func TestRealTools(t *testing.T) {
	dir := os.Getenv("TOOLFREEZE_DATA")
	if dir == "" {
		t.Skip("TOOLFREEZE_DATA is not set: want the folder that holds catalogs.jsonl")
	}
	text, err := os.ReadFile(filepath.Join(dir, "catalogs.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		var tool struct {
			Name, Description string
			Schema            struct{ Properties map[string]json.RawMessage }
		}
		if err := json.Unmarshal([]byte(line), &tool); err != nil {
			continue // some schemas are no objects
		}
		n++
		if f := flaw(strings.ReplaceAll(tool.Description, "\r\n", "\n"), true); f != "" {
			t.Errorf("%s: description: %s", tool.Name, f)
		}
		if GoName(tool.Name) == "" {
			t.Errorf("%q gives no Go name", tool.Name)
		}
		seen := map[string]string{}
		for name := range tool.Schema.Properties {
			g := (&Field{Name: name}).Go()
			if other, taken := seen[g]; taken {
				t.Errorf("%s: %q and %q are both %s", tool.Name, name, other, g)
			}
			seen[g] = name
		}
	}
	if n < 500 {
		t.Errorf("read %d tools, want at least 500", n)
	}
}
