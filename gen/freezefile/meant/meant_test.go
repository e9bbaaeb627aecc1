package meant

import (
	"slices"
	"strings"
	"testing"
)

func TestType(t *testing.T) {
	known := []string{"string", "int", "float", "bool", "time", "bytes", "path", "content", "json", "Plan"}
	for _, c := range [][2]string{
		{"str", `did you mean "string"?`}, {"Integer", `did you mean "int"?`}, {"array", `did you mean "[]string", or "[]" and another type?`},
		{"dict", `did you mean "map[string]string", or "map[string]" and another type?`}, {"plan", `did you mean "Plan"?`}, {"int[]", `did you mean "[]int"?`},
		{"uuid", `did you mean { type = "string", format = "uuid" }?`}, {"date-time", `did you mean "time"?`}, {"whatever", ""}, {"", ""},
		{"object", `write { type = "object", fields = { ... } }, or give the object a name in [types]`},
	} {
		if got := Type(c[0], known); got != c[1] {
			t.Errorf("%q: got %q, want %q", c[0], got, c[1])
		}
	}
}

func TestTypeKey(t *testing.T) {
	text := []string{"type", "description", "go_name", "default", "enum", "min_length", "max_length", "pattern", "format"}
	number := []string{"type", "description", "go_name", "default", "enum", "minimum", "maximum", "exclusive_minimum", "exclusive_maximum"}
	list := []string{"type", "items", "min_items", "max_items", "unique_items"}
	words := append(slices.Clone(list), "enum", "min_length", "max_length")
	for _, c := range []struct {
		key   string
		known []string
		want  string
	}{
		{"max", number, `did you mean "maximum"?`}, {"max", text, `did you mean "max_length"?`}, {"max", list, `did you mean "max_items"?`},
		{"max", words, `did you mean "max_length" or "max_items"?`}, {"min", number, `did you mean "minimum"?`}, {"min", text, `did you mean "min_length"?`},
		{"maxLength", text, `did you mean "max_length"?`}, {"maxLength", number, `did you mean "maximum"?`}, {"maxItems", words, `did you mean "max_items"?`},
		{"max_value", number, `did you mean "maximum"?`}, {"MAX", []string{"max_bytes"}, `did you mean "max_bytes"?`}, {"min", []string{"max_bytes"}, ""},
		{"gte", number, `did you mean "minimum"?`}, {"lt", number, `did you mean "exclusive_maximum"?`}, {"size", list, `did you mean "min_items" or "max_items"?`},
		{"regex", text, `did you mean "pattern"?`}, {"regex", number, ""}, {"values", text, `did you mean "enum"?`}, {"oneOf", text, `did you mean "enum"?`},
		{"choices", []string{"type"}, ""}, {"kind", text, `did you mean "type"?`}, {"desc", text, `did you mean "description"?`}, {"unique", list, `did you mean "unique_items"?`},
		{"enum", text, ""}, {"maxwell", text, ""}, {"minute", number, ""}, {"", text, ""}, {"element", list, `did you mean "items"?`},
		{"default_value", text, `did you mean "default"?`}, {"folder", []string{"under"}, `did you mean "under"?`}, {"mode", []string{"access"}, `did you mean "access"?`},
	} {
		if got := TypeKey(c.key, c.known); got != c.want {
			t.Errorf("%q of %q: got %q, want %q", c.key, c.known, got, c.want)
		}
	}
}

func TestToolKey(t *testing.T) {
	for _, c := range [][2]string{
		{"timeout", `did you mean "max_ms"?`}, {"timeout_ms", `did you mean "max_ms"?`}, {"url", `did you mean "allow_url"?`}, {"inputSchema", `did you mean "args"?`},
		{"returns", `did you mean "result"?`}, {"class", `did you mean "cost_class"?`}, {"calls", `did you mean "max_calls"?`}, {"title", `did you mean "description"?`},
		{"max_calls_per_request", "it belongs under [meta]"}, {"enabled", ""}, {"name", "the name of a tool is that of its table, [tools.NAME]"},
	} {
		if got := ToolKey(c[0]); got != c[1] {
			t.Errorf("%q: got %q, want %q", c[0], got, c[1])
		}
	}
	for _, c := range [][2]string{{"max_ms", "it belongs under a tool, [tools.NAME]"}, {"read_only", "it belongs under a tool, [tools.NAME]"}, {"api", "it belongs under [meta]"}, {"x", ""}} {
		if got := Table(c[0]); got != c[1] {
			t.Errorf("%q: got %q, want %q", c[0], got, c[1])
		}
	}
}

func TestNumber(t *testing.T) {
	for _, c := range [][3]string{
		{"max_ms", "50ms", "50"}, {"max_ms", " 50 ms ", "50"}, {"max_ms", "1.5s", "1500"}, {"max_ms", "2 seconds", "2000"}, {"max_ms", "1 min", "60000"}, {"max_ms", "1_000ms", "1000"},
		{"max_ms", "500us", ""}, {"max_ms", "2000us", "2"}, {"max_ms", "0ms", ""}, {"max_ms", "-5ms", ""}, {"max_ms", "50", ""}, {"max_ms", "ms", ""}, {"max_ms", "1.2.3s", ""},
		{"max_ms", "5 days", ""}, {"max_ms", "1e3ms", ""}, {"max_ms", "1/2s", ""}, {"max_ms", ".s", ""}, {"max_ms", strings.Repeat("9", 40) + "s", ""},
		{"max_args_bytes", "64KiB", "65536"}, {"max_args_bytes", "64 kB", "64000"}, {"max_bytes", "1M", "1048576"}, {"max_bytes", "10 bytes", "10"}, {"max_bytes", "10ms", ""},
		{"max_calls", "3 calls", ""}, {"max_calls", "3s", ""},
	} {
		if got := Number(c[0], c[1]); got != c[2] {
			t.Errorf("%s = %q: got %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

func TestForeign(t *testing.T) {
	const yaml, json = "a freeze is TOML; README.md shows one", "a freeze is TOML; README.md shows one, and freezegen import makes one of tool definitions in JSON"
	for _, c := range [][2]string{
		{"{\"tools\": []}", json}, {"\n  {\n", json}, {"[{\"name\": \"a\"}]", json}, {"[\n  {", json}, {"---\nmeta:\n", yaml}, {"# a comment\nmeta:\n  api: x\n", yaml}, {"api: shop\n", yaml}, {"- name: x", yaml},
		{"[meta]\n", ""}, {"api = \"a: b\"", ""}, {"", ""}, {"# only\n", ""}, {"[tools.\"a: b\"]", ""}, {"https://a", ""}, {"word", ""}, {"--- = 1", ""},
	} {
		if got := Foreign(c[0]); got != c[1] {
			t.Errorf("%q: got %q, want %q", c[0], got, c[1])
		}
	}
}
