package catalog

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestCheckSound(t *testing.T) {
	for _, p := range sound().Check() {
		t.Errorf("%s: %s; %s", strings.Join(p.At, "."), p.Text, p.Hint)
	}
}

// broken is one change to the sound catalog, and the one problem that it makes.
type broken struct {
	name string
	edit func(c *Catalog)
	at   string // the path, joined by "/"
	also string
	want string // a part of "text; hint"
}

func str(s string) json.RawMessage { return json.RawMessage(s) }
func ptr(n int) *int               { return &n }

// arg sets the type of the first argument of the first tool.
func arg(ty Type) func(*Catalog) { return func(c *Catalog) { c.Tools[0].Args[0].Type = ty } }

// result adds a member to the result of the first tool.
func result(ty Type) func(*Catalog) {
	return func(c *Catalog) { c.Tools[0].Result = append(c.Tools[0].Result, Field{Name: "more", Type: ty}) }
}

// enum makes the first argument one of values.
func enum(kind Kind, values ...string) func(*Catalog) {
	ty := Type{Kind: kind}
	for _, v := range values {
		ty.Enum = append(ty.Enum, Enum{Value: str(v)})
	}
	return arg(ty)
}

// tool adds a local tool with the given name.
func tool(name string, args ...Field) func(*Catalog) {
	return func(c *Catalog) {
		c.Tools = append(c.Tools, Tool{Name: name, CostClass: Local, MaxCalls: 1, MaxMS: 1, Args: args})
	}
}

func brokenMeta() []broken {
	return []broken{
		{"no api", func(c *Catalog) { c.API = "" }, "meta/api", "", "name of the service"},
		{"api with a newline", func(c *Catalog) { c.API = "a\nb" }, "meta/api", "", "U+000A"},
		{"no max_tools", func(c *Catalog) { c.MaxTools = 0 }, "meta/max_tools", "", "max_tools has to be given"},
		{"negative budget", func(c *Catalog) { c.MaxCallsPerRequest = -1 }, "meta/max_calls_per_request", "", "got -1, want 1 to 1000000000"},
		{"args cap", func(c *Catalog) { c.MaxArgsBytes = 0 }, "meta/max_args_bytes", "", "got 0"},
		{"result cap", func(c *Catalog) { c.MaxResultBytes = maxBudget + 1 }, "meta/max_result_bytes", "", "got 1000000001"},
		{"a tool too many", func(c *Catalog) { c.MaxTools = 2 }, "tools/fetch_public_status", "meta/max_tools", `got "fetch_public_status" as tool number 3, want at most 2`},
		{"package keyword", func(c *Catalog) { c.Package = "func" }, "meta/package", "", `got "func"`},
		{"package dash", func(c *Catalog) { c.Package = "my-tools" }, "meta/package", "", "identifier"},
		{"package blank", func(c *Catalog) { c.Package = "_" }, "meta/package", "", "identifier"},
		{"package test", func(c *Catalog) { c.Package = "tools_test" }, "meta/package", "", "identifier"},
		{"live_env", func(c *Catalog) { c.LiveEnv = "Live" }, "meta/live_env", "", "[A-Z][A-Z0-9_]*"},
		{"live_env digit", func(c *Catalog) { c.LiveEnv = "1LIVE" }, "meta/live_env", "", "[A-Z][A-Z0-9_]*"},
		{"live_env empty", func(c *Catalog) { c.LiveEnv = "" }, "meta/live_env", "", "[A-Z][A-Z0-9_]*"},
		{"no providers", func(c *Catalog) { c.Providers = nil }, "meta/providers", "", "empty list"},
		{"unknown provider", func(c *Catalog) { c.Providers = []string{"mcp", "open-ai"} }, "meta/providers/1", "", `did you mean "openai"?`},
		{"provider twice", func(c *Catalog) { c.Providers = []string{"mcp", "mcp"} }, "meta/providers/1", "meta/providers/0", "twice"},
		{"root", func(c *Catalog) { c.Workspace.Root = "" }, "workspace/root", "", "folder"},
		{"root NUL", func(c *Catalog) { c.Workspace.Root = "a\x00" }, "workspace/root", "", "NUL"},
		{"write cap", func(c *Catalog) { c.Workspace.MaxWriteBytes = 0 }, "workspace/max_write_bytes", "", "got 0"},
		{"read cap", func(c *Catalog) { c.Workspace.MaxReadBytes = -5 }, "workspace/max_read_bytes", "", "got -5"},
		{"no workspace", func(c *Catalog) { c.Workspace = nil }, "tools/write_note/args/to", "", "add [workspace]"},
		{"threshold", func(c *Catalog) { c.Breaker.Threshold = 0 }, "breaker/threshold", "", "got 0"},
		{"breaker file", func(c *Catalog) { c.Breaker.File = " " }, "breaker/file", "", "breaker.json"},
		{"forbid url", func(c *Catalog) { c.Forbid[0] = "https://example.com/x" }, "forbid/imports/0", "", "scheme"},
		{"forbid pattern", func(c *Catalog) { c.Forbid[0] = "example.com/..." }, "forbid/imports/0", "", "covers all below"},
		{"forbid version", func(c *Catalog) { c.Forbid[0] = "example.com/x@v1" }, "forbid/imports/0", "", "version"},
		{"forbid empty", func(c *Catalog) { c.Forbid[0] = "" }, "forbid/imports/0", "", "import path"},
		{"forbid slash", func(c *Catalog) { c.Forbid[0] = "example.com/" }, "forbid/imports/0", "", "import path"},
		{"forbid twice", func(c *Catalog) { c.Forbid = append(c.Forbid, c.Forbid[0]) }, "forbid/imports/1", "forbid/imports/0", "twice"},
		{"exception rule", func(c *Catalog) { c.Exceptions[0].Rule = "localOnly" }, "exception/0/rule", "", `did you mean "localonly"?`},
		{"exception match", func(c *Catalog) { c.Exceptions[0].Match = "" }, "exception/0/match", "", "got no text"},
		{"exception path", func(c *Catalog) { c.Exceptions[0].Match = "not a path" }, "exception/0/match", "", "import path"},
		{"exception reason", func(c *Catalog) { c.Exceptions[0].Reason = "  because     " }, "exception/0/reason", "", "got a reason of 7 characters, want at least 10"},
		{"exception twice", func(c *Catalog) { c.Exceptions = append(c.Exceptions, c.Exceptions[0]) }, "exception/1/match", "exception/0/match", "twice"},
	}
}

func brokenTools() []broken {
	at := func(key string) string { return "tools/lookup_plan/" + key }
	return []broken{
		{"max_calls", func(c *Catalog) { c.Tools[0].MaxCalls = 0 }, at("max_calls"), "", "got 0, want 1 to"},
		{"max_ms", func(c *Catalog) { c.Tools[0].MaxMS = 24*60*60*1000 + 1 }, at("max_ms"), "", "want 1 to 86400000"},
		{"no class", func(c *Catalog) { c.Tools[0].CostClass = "" }, at("cost_class"), "", "a person decides"},
		{"forbidden", func(c *Catalog) { c.Tools[0].CostClass = "forbidden" }, at("cost_class"), "", "delete the tool"},
		{"near class", func(c *Catalog) { c.Tools[0].CostClass = "free-net" }, at("cost_class"), "", `did you mean "free_net"?`},
		{"paid", func(c *Catalog) { c.Tools[0].CostClass = "paid" }, at("cost_class"), "", `got "paid", want "local" or "free_net"`},
		{"local with URL", func(c *Catalog) { c.Tools[0].AllowURL = "https://a.example/" }, at("allow_url"), "", "want none"},
		{"local with cap", func(c *Catalog) { c.Tools[0].MaxResponseBytes = 5 }, at("max_response_bytes"), "", "free_net tool only"},
		{"free_net without URL", func(c *Catalog) { c.Tools[2].AllowURL = "" }, "tools/fetch_public_status/allow_url", "", "add allow_url"},
		{"read-only and destructive", func(c *Catalog) { yes := true; c.Tools[0].Destructive = &yes }, at("destructive"), at("read_only"), "got both read_only and destructive, want one"},
		{"free_net cap", func(c *Catalog) { c.Tools[2].MaxResponseBytes = 0 }, "tools/fetch_public_status/max_response_bytes", "", "got 0"},
		{"description", func(c *Catalog) { c.Tools[0].Description = "a\u202eb" }, at("description"), "", "bidirectional"},
		{"dotted name", tool("fetch.page"), "tools/fetch.page", "", "^[a-zA-Z0-9_-]{1,64}$"},
		{"reserved", tool("call"), "tools/call", "", "set go_name"},
		{"folded", tool("Lookup-Plan"), "tools/Lookup-Plan", "tools/lookup_plan", `"lookup_plan" and "Lookup-Plan"`},
		{"go name", func(c *Catalog) { c.Tools[0].GoName = "lookupPlan" }, at("go_name"), "", "exported Go identifier"},
		{"go name code", func(c *Catalog) { c.Tools[0].GoName = "X struct{}" }, at("go_name"), "", "exported Go identifier"},
		{"Go clash", tool("lookup__plan"), "tools/lookup__plan", "tools/lookup_plan", "LookupPlan, which tools.lookup_plan has too"},
		{"member clash", tool("x", Field{Name: "page_size", Type: Type{Kind: Int}}, Field{Name: "pageSize", Type: Type{Kind: Int}}), "tools/x/args/pageSize", "tools/x/args/page_size", "PageSize, which tools.x.args.page_size has too"},
		{"member twice", tool("x", Field{Name: "a", Type: Type{Kind: Int}}, Field{Name: "a", Type: Type{Kind: Int}}), "tools/x/args/a", "", "twice"},
		{"type clash", func(c *Catalog) { c.Types = append(c.Types, Named{Name: "LookupPlanArgs"}) }, "tools/lookup_plan", "types/LookupPlanArgs", "LookupPlanArgs"},
		{"nested type clash", func(c *Catalog) { c.Types = append(c.Types, Named{Name: "WriteNoteArgsMetaValue"}) }, "tools/write_note/args/meta/values", "types/WriteNoteArgsMetaValue", "go_name"},
		{"constant clash", func(c *Catalog) { c.Types = append(c.Types, Named{Name: "LookupPlanArgsUnitKelvin"}) }, "tools/lookup_plan/args/unit/enum/1", "types/LookupPlanArgsUnitKelvin", "go_name"},
		{"reserved type", func(c *Catalog) { c.Types = append(c.Types, Named{Name: "Gate"}) }, "types/Gate", "", "generated package itself"},
		{"Extra", func(c *Catalog) { c.Tools[1].Args[3].Type.Elem.Fields[0].Name = "extra" }, "tools/write_note/args/meta/values/fields/extra", "", "Extra"},
		{"no name in emoji", func(c *Catalog) {
			c.Providers = []string{"openai", "mcp"}
			tool("x", Field{Name: "👍", Type: Type{Kind: Int}})(c)
		}, "tools/x/args/👍", "", "set go_name"},
		{"member go_name", tool("x", Field{Name: "a", GoName: "2a", Type: Type{Kind: Int}}), "tools/x/args/a/go_name", "", "exported Go identifier"},
		{"empty member", tool("x", Field{Name: "", GoName: "A", Type: Type{Kind: Int}}), "tools/x/args/", "", "got a member name of 0 bytes"},
		{"long member", tool("x", Field{Name: strings.Repeat("a", 129), Type: Type{Kind: Int}}), "tools/x/args/" + strings.Repeat("a", 129), "", "129 bytes"},
		{"bidi member", tool("x", Field{Name: "a\u202e", Type: Type{Kind: Int}}), "tools/x/args/a\u202e", "", "bidirectional"},
		{"joiner member", tool("x", Field{Name: "a\u200d", Type: Type{Kind: Int}}), "tools/x/args/a\u200d", "", "joiner"},
		{"NUL member", tool("x", Field{Name: "a\x00", Type: Type{Kind: Int}}), "tools/x/args/a\x00", "", "NUL"},
		{"65 members", tool("x", many(65)...), "tools/x/args/m64", "", "got 65 members, want at most 64"},
		{"member description", func(c *Catalog) { c.Tools[0].Args[0].Description = "\ufeff" }, at("args/plan_id/description"), "", "byte order mark"},
		{"default required", func(c *Catalog) { c.Tools[0].Args[1].Optional = false }, at("args/unit/default"), "", "required member"},
		{"default null", func(c *Catalog) { c.Tools[0].Args[1].Default = str("null") }, at("args/unit/default"), "", "got no value"},
		{"default result", func(c *Catalog) { c.Tools[0].Result[0].Default = str("{}") }, at("result/plan/default"), "", "on arguments only"},
		{"default one_of", func(c *Catalog) {
			f := &c.Tools[1].Args[4].Type.OneOf[1].Fields[0]
			f.Optional, f.Default = true, str("1")
		}, "tools/write_note/args/any/one_of/1/fields/x/default", "", "kept raw"},
	}
}

func many(n int) (fields []Field) {
	for i := range n {
		fields = append(fields, Field{Name: fmt.Sprintf("m%d", i), Type: Type{Kind: Bool}})
	}
	return fields
}

func brokenTypes() []broken {
	at := func(key string) string { return strings.TrimSuffix("tools/lookup_plan/args/plan_id/"+key, "/") }
	elem := &Type{Kind: Int}
	return []broken{
		{"unknown kind", arg(Type{Kind: "integer"}), at(""), "", "write int"},
		{"unknown ref", arg(Type{Kind: Ref, Ref: "plan"}), at(""), "", `did you mean "Plan"?`},
		{"other notation", arg(Type{Kind: Ref, Ref: "Boolean"}), at(""), "", "write bool"},
		{"list of nothing", arg(Type{Kind: List}), at(""), "", "element"},
		{"max_length on int", arg(Type{Kind: Int, MaxLength: ptr(3)}), at("max_length"), "", "got max_length on the type int, want it on string only"},
		{"minimum on string", arg(Type{Kind: String, Minimum: "1"}), at("minimum"), "", "int or float"},
		{"enum on bool", arg(Type{Kind: Bool, Enum: []Enum{{Value: str("true")}}}), at("enum"), "", "string, int or float"},
		{"pattern on time", arg(Type{Kind: Time, Pattern: "a"}), at("pattern"), "", "string only"},
		{"format on content", arg(Type{Kind: Content, MaxBytes: 1, Format: "uri"}), at("format"), "", "string only"},
		{"min_items on map", arg(Type{Kind: Map, Elem: elem, MinItems: ptr(1)}), at("min_items"), "", "list only"},
		{"unique_items on string", arg(Type{Kind: String, UniqueItems: true}), at("unique_items"), "", "list only"},
		{"max_bytes on string", arg(Type{Kind: String, MaxBytes: 1}), at("max_bytes"), "", "content only"},
		{"under on string", arg(Type{Kind: String, Under: "a"}), at("under"), "", "path only"},
		{"access on string", arg(Type{Kind: String, Access: "read"}), at("access"), "", "path only"},
		{"one_of on string", arg(Type{Kind: String, OneOf: []Type{{Kind: Int}, {Kind: Bool}}}), at("one_of"), "", "json only"},
		{"open on string", arg(Type{Kind: String, Open: true}), at("open"), "", "object only"},
		{"bounds crossed", arg(Type{Kind: Int, Minimum: "5", Maximum: "4"}), at("maximum"), at("minimum"), "got 4"},
		{"bounds touch", arg(Type{Kind: Float, Minimum: "1.0", ExclusiveMaximum: "1"}), at("exclusive_maximum"), at("minimum"), "no number"},
		{"no whole number", arg(Type{Kind: Int, ExclusiveMinimum: "1", ExclusiveMaximum: "2"}), at(""), "", "no whole number"},
		{"huge bound", arg(Type{Kind: Float, Maximum: "1e999999999"}), at("maximum"), "", "float64"},
		{"bound outside int64", arg(Type{Kind: Int, Maximum: "9223372036854775808"}), at("maximum"), "", "int64"},
		{"bound no number", arg(Type{Kind: Int, Maximum: "NaN"}), at("maximum"), "", `got "NaN", want a number`},
		{"negative length", arg(Type{Kind: String, MinLength: ptr(-1)}), at("min_length"), "", "got -1"},
		{"lengths crossed", arg(Type{Kind: String, MinLength: ptr(3), MaxLength: ptr(2)}), at("max_length"), at("min_length"), "got 2"},
		{"items crossed", arg(Type{Kind: List, Elem: elem, MinItems: ptr(3), MaxItems: ptr(2)}), at("max_items"), at("min_items"), "got 2"},
		{"pattern", arg(Type{Kind: String, Pattern: `(?i)a`}), at("pattern"), "", "flags"},
		{"pattern syntax", arg(Type{Kind: String, Pattern: `(`}), at("pattern"), "", "missing closing )"},
		{"pattern text", arg(Type{Kind: String, Pattern: "a\x00"}), at("pattern"), "", "NUL"},
		{"format", arg(Type{Kind: String, Format: "datetime"}), at("format"), "", `did you mean "date-time"?`},
		{"enum empty", arg(Type{Kind: String, Enum: []Enum{}}), at("enum"), "", "empty list"},
		{"enum type", enum(String, `"a"`, `1`), at("enum/1"), "", "got the number 1, want a string"},
		{"enum twice", enum(String, `"a"`, `"\u0061"`), at("enum/1"), at("enum/0"), `got the string "a" twice`},
		{"enum case", enum(String, `"kB"`, `"KB"`), at("enum/1"), at("enum/0"), "LookupPlanArgsPlanIDKB"},
		{"enum without name", enum(String, `"a"`, `"👍"`), at("enum/1"), "", "set go_name"},
		{"enum NUL", enum(String, `"a\u0000"`), at("enum/0"), "", "NUL"},
		{"enum go_name", arg(Type{Kind: String, Enum: []Enum{{Value: str(`"a"`), GoName: "b c"}}}), at("enum/0/go_name"), "", "stands behind"},
		{"enum length", arg(Type{Kind: String, MaxLength: ptr(1), Enum: []Enum{{Value: str(`"ab"`)}}}), at("enum/0"), "", "max_length"},
		{"enum pattern", arg(Type{Kind: String, Pattern: "^a$", Enum: []Enum{{Value: str(`"a"`)}, {Value: str(`"b"`)}}}), at("enum/1"), "", "pattern"},
		{"enum fraction", enum(Int, `1.5`), at("enum/0"), "", "got the number 1.5, want an integer"},
		{"enum with a dot", enum(Int, `1.0`), at("enum/0"), "", "got the number 1.0, want an integer written without dot and exponent"},
		{"enum equal numbers", enum(Float, `1`, `1.0`), at("enum/1"), at("enum/0"), "twice"},
		{"enum string for number", enum(Int, `"1"`), at("enum/0"), "", `got the string "1", want an integer`},
		{"enum string for float", enum(Float, `"a"`), at("enum/0"), "", `got the string "a", want a number`},
		{"enum outside int64", enum(Int, `9223372036854775808`), at("enum/0"), "", "int64"},
		{"enum outside bounds", arg(Type{Kind: Int, ExclusiveMaximum: "3", Enum: []Enum{{Value: str("3")}}}), at("enum/0"), "", "inside the bounds"},
		{"access", arg(Type{Kind: Path, Access: "reed"}), at("access"), "", `did you mean "read"?`},
		{"under dots", arg(Type{Kind: Path, Access: "read", Under: "../a"}), at("under"), "", "clean relative"},
		{"under absolute", arg(Type{Kind: Path, Access: "read", Under: "/a"}), at("under"), "", "clean relative"},
		{"under drive", arg(Type{Kind: Path, Access: "read", Under: "c:a"}), at("under"), "", "clean relative"},
		{"under backslash", arg(Type{Kind: Path, Access: "read", Under: `a\b`}), at("under"), "", "clean relative"},
		{"under dot", arg(Type{Kind: Path, Access: "read", Under: "."}), at("under"), "", "clean relative"},
		{"under slash", arg(Type{Kind: Path, Access: "read", Under: "a//b/"}), at("under"), "", "clean relative"},
	}
}

func brokenPlaces() []broken {
	at := func(key string) string { return strings.TrimSuffix("tools/lookup_plan/args/plan_id/"+key, "/") }
	return []broken{
		{"content cap", arg(Type{Kind: Content}), at("max_bytes"), "", "got 0"},
		{"path in result", result(Type{Kind: Path, Access: "read"}), "tools/lookup_plan/result/more", "", "in a result"},
		{"content in result", result(Type{Kind: List, Elem: &Type{Kind: Content, MaxBytes: 1}}), "tools/lookup_plan/result/more/items", "", "in a result"},
		{"path in result by name", func(c *Catalog) {
			c.Types = append(c.Types, Named{Name: "Place", Fields: []Field{{Name: "where", Type: Type{Kind: Path, Access: "read"}}}})
			result(Type{Kind: Ref, Ref: "Place"})(c)
		}, "tools/lookup_plan/result/more", "types/Place/fields/where", `"Place" in a result`},
		{"path in one_of", arg(Type{Kind: JSON, OneOf: []Type{{Kind: Int}, {Kind: Path, Access: "read"}}}), at("one_of/1"), "", "kept raw"},
		{"one alternative", arg(Type{Kind: JSON, OneOf: []Type{{Kind: Int}}}), at("one_of"), "", "2 or more"},
		{"depth", arg(deep(16)), at("") + strings.Repeat("/items", 15), "", "deeper than 16"},
		{"cycle", func(c *Catalog) { c.Types[0].Fields[2] = Field{Name: "parts", Type: Type{Kind: Ref, Ref: "Plan"}} }, "types/Plan/fields/parts", "types/Plan", "back to itself"},
		{"cycle of two", func(c *Catalog) {
			c.Types = append(c.Types, Named{Name: "A", Fields: []Field{{Name: "b", Type: Type{Kind: Ref, Ref: "B"}}}},
				Named{Name: "B", Fields: []Field{{Name: "in", Type: Type{Kind: Object, Fields: []Field{{Name: "a", Type: Type{Kind: List, MinItems: ptr(1), Elem: &Type{Kind: Ref, Ref: "A"}}}}}}}})
		}, "types/B/fields/in/fields/a/items", "types/A", "back to itself"},
		{"type name", func(c *Catalog) { c.Types = append(c.Types, Named{Name: "a b"}) }, "types/a b", "", "type name"},
		{"type of the language", func(c *Catalog) { c.Types = append(c.Types, Named{Name: "string"}) }, "types/string", "", "a type already"},
		{"type go_name", func(c *Catalog) { c.Types[0].GoName = "plan" }, "types/Plan/go_name", "", "exported"},
		{"type description", func(c *Catalog) { c.Types[0].Description = "\x07" }, "types/Plan/description", "", "control"},
	}
}

// deep is a list in a list, n times.
func deep(n int) Type {
	t := Type{Kind: Int}
	for range n {
		inner := t
		t = Type{Kind: List, Elem: &inner}
	}
	return t
}

func TestCheck(t *testing.T) {
	for _, b := range slices.Concat(brokenMeta(), brokenTools(), brokenTypes(), brokenPlaces()) {
		t.Run(b.name, func(t *testing.T) {
			c := sound()
			b.edit(c)
			got := c.Check()
			if len(got) != 1 {
				t.Fatalf("got %d problems, want 1: %+v", len(got), got)
			}
			p := got[0]
			if at := strings.Join(p.At, "/"); at != b.at {
				t.Errorf("got the place %q, want %q", at, b.at)
			}
			if also := strings.Join(p.Also, "/"); also != b.also {
				t.Errorf("got the second place %q, want %q", also, b.also)
			}
			if said := p.Text + "; " + p.Hint; !strings.Contains(said, b.want) {
				t.Errorf("got %q, want %q in it", said, b.want)
			}
			if !strings.HasPrefix(p.Text, "got ") && !strings.HasPrefix(p.Text, "member name: got ") || strings.HasSuffix(p.Text, ".") || strings.HasSuffix(p.Hint, ".") {
				t.Errorf("got the text %q and the hint %q, want got and want, and no full stop", p.Text, p.Hint)
			}
			if again := c.Check(); !reflect.DeepEqual(got, again) {
				t.Error("a second check finds something else")
			}
		})
	}
}
