package catalog

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// sound is a catalog that uses every kind and passes Check.
func sound() *Catalog {
	n := func(i int) *int { return &i }
	yes := true
	return &Catalog{
		API: "indie-agent-api", MaxTools: 12, MaxCallsPerRequest: 8, LiveEnv: "INDIE_TOOL_LIVE", Providers: []string{"openai", "anthropic", "mcp"},
		MaxArgsBytes: 1 << 20, MaxResultBytes: 1 << 20,
		Workspace:  &Workspace{Root: "./workspace", MaxWriteBytes: 65536, MaxReadBytes: 1 << 20},
		Breaker:    &Breaker{Threshold: 5, File: "breaker.json"},
		Forbid:     []string{"example.com/paid/sdk"},
		Exceptions: []Exception{{Rule: "forbiddenimport", Match: "github.com/redis/go-redis/v9", Reason: "local cache on the laptop"}},
		Types: []Named{{Name: "Plan", Description: "A <plan> & more.", Fields: []Field{
			{Name: "id", Type: Type{Kind: String}},
			{Name: "cents", Type: Type{Kind: Int, Minimum: "0"}},
			{Name: "parts", Optional: true, Type: Type{Kind: List, Elem: &Type{Kind: Ref, Ref: "Plan"}}},
		}}},
		Tools: []Tool{
			{Name: "lookup_plan", CostClass: Local, MaxCalls: 2, MaxMS: 40, ReadOnly: &yes, Args: []Field{
				{Name: "plan_id", Type: Type{Kind: String, MaxLength: n(64), Pattern: "^[a-z]+$"}},
				{Name: "unit", Optional: true, Default: json.RawMessage(`"kelvin"`), Type: Type{Kind: String, Enum: []Enum{{Value: json.RawMessage(`"celsius"`)}, {Value: json.RawMessage(`"kelvin"`)}}}},
				{Name: "limit", Optional: true, Type: Type{Kind: Int, Minimum: "1", Maximum: "100"}},
			}, Result: []Field{
				{Name: "plan", Optional: true, Type: Type{Kind: Ref, Ref: "Plan"}},
				{Name: "missing", Type: Type{Kind: Bool}},
			}},
			{Name: "write_note", CostClass: Local, MaxCalls: 2, MaxMS: 40, Args: []Field{
				{Name: "to", Type: Type{Kind: Path, Access: "write", Under: "notes"}},
				{Name: "text", Type: Type{Kind: Content, MaxBytes: 4096}},
				{Name: "tags", Optional: true, Type: Type{Kind: List, UniqueItems: true, MaxItems: n(5), Elem: &Type{Kind: String, Pattern: "^[0-9]$"}}},
				{Name: "meta", Optional: true, Type: Type{Kind: Map, Elem: &Type{Kind: Object, Open: true, Fields: []Field{
					{Name: "at", Type: Type{Kind: Time}}, {Name: "raw", Type: Type{Kind: Bytes}}, {Name: "score", Type: Type{Kind: Float, ExclusiveMinimum: "-1.5"}},
				}}}},
				{Name: "any", Optional: true, Type: Type{Kind: JSON, OneOf: []Type{{Kind: String, Pattern: "^[a-z]+$"}, {Kind: Object, Fields: []Field{{Name: "x", Type: Type{Kind: Int}}}}}}},
			}},
			{Name: "fetch_public_status", CostClass: FreeNet, AllowURL: "https://status.example.invalid/health?a=1&b=2", MaxCalls: 1, MaxMS: 200, MaxResponseBytes: 65536},
		},
	}
}

func TestJSON(t *testing.T) {
	c := sound()
	text := string(c.JSON())
	if strings.ContainsAny(text, "\n\t") || strings.Contains(text, `\u0026`) {
		t.Errorf("got %s, want one line without HTML escapes", text)
	}
	lines := c.Lines()
	if strings.Join(lines, "") != text {
		t.Error("the lines are not the JSON")
	}
	if want := 3 + len(c.Types) + len(c.Tools); len(lines) != want {
		t.Errorf("got %d lines, want %d", len(lines), want)
	}
	for i, tool := range c.Tools {
		if line := lines[2+len(c.Types)+i]; !strings.HasPrefix(line, `{"name":"`+tool.Name+`"`) {
			t.Errorf("got %.40s, want the line of %s", line, tool.Name)
		}
	}
	back, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(back, c) {
		t.Error("Parse returns another catalog than the one that was printed")
	}
	var generic any
	if err := json.Unmarshal([]byte(text), &generic); err != nil {
		t.Error(err)
	}
}

func TestJSONOfLittle(t *testing.T) {
	const want = `{"api":"","max_tools":0,"max_calls_per_request":0,"live_env":"","providers":[],"max_args_bytes":0,"max_result_bytes":0,"tools":[]}`
	if got := string((&Catalog{}).JSON()); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if _, err := Parse(want); err != nil {
		t.Error(err)
	}
	c := &Catalog{Types: []Named{{Name: "A"}}}
	if got := string(c.JSON()); !strings.Contains(got, `"types":[{"name":"A","fields":[]}],"tools":[]`) {
		t.Errorf("got %s", got)
	}
	if c.Types[0].Fields != nil {
		t.Error("printing changed the catalog")
	}
	c = &Catalog{Tools: []Tool{{Args: []Field{{Name: "a", Default: json.RawMessage(`{`), Type: Type{Kind: String}}}}}}
	if c.JSON() != nil || c.Lines() != nil {
		t.Error("a default that is not JSON prints as nil")
	}
}

// badTexts are texts near a good one that Parse refuses.
func badTexts() map[string]string {
	text := string(sound().JSON())
	swap := func(old, with string) string { return strings.Replace(text, old, with, 1) }
	return map[string]string{
		"empty":           "",
		"null":            "null",
		"list":            "[]",
		"space":           " " + text,
		"newline at end":  text + "\n",
		"trailing":        text + "{}",
		"cut":             text[:len(text)-1],
		"unknown member":  swap(`"api":`, `"new":1,"api":`),
		"duplicate":       swap(`"max_tools":12`, `"max_tools":99,"max_tools":12`),
		"folded":          swap(`"max_tools"`, `"Max_Tools"`),
		"order":           swap(`"max_tools":12,"max_calls_per_request":8`, `"max_calls_per_request":8,"max_tools":12`),
		"other number":    swap(`"max_tools":12`, `"max_tools":12.0`),
		"zero shown":      swap(`"kind":"bool"`, `"kind":"bool","open":false`),
		"empty shown":     swap(`"max_tools"`, `"package":"","max_tools"`),
		"null list":       swap(`"providers":["openai","anthropic","mcp"]`, `"providers":null`),
		"escape":          swap(`indie-agent-api`, `\u0069ndie-agent-api`),
		"html escape":     swap(`<plan>`, `\u003cplan>`),
		"unknown kind":    swap(`"kind":"bool"`, `"kind":"boolean"`),
		"list of nothing": swap(`"kind":"bool"`, `"kind":"list"`),
		"scalar with one": swap(`"kind":"bool"`, `"kind":"bool","elem":{"kind":"bool"}`),
		"bad utf-8":       swap(`indie-agent-api`, "indie\xff"),
	}
}

func TestParseRefuses(t *testing.T) {
	for name, text := range badTexts() {
		if c, err := Parse(text); err == nil || c != nil {
			t.Errorf("%s: got no error, want one", name)
		} else if !strings.HasPrefix(err.Error(), "catalog: ") {
			t.Errorf("%s: got %q, want the package named", name, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(string(sound().JSON()))
	f.Add(string((&Catalog{}).JSON()))
	for _, text := range badTexts() {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Parse(text)
		if err != nil {
			return
		}
		if again := string(c.JSON()); again != text {
			t.Errorf("got %s, want %s", again, text)
		}
		c.Check() // whatever parses can be checked
		Patterns(c)
		OneOfs(c)
	})
}

func TestDigest(t *testing.T) {
	const want = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	if got := Digest(""); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestWalk(t *testing.T) {
	c := sound()
	var got []string
	c.Walk(func(at []string, f *Field, ty *Type) {
		line := strings.Join(at, ".") + " " + string(ty.Kind)
		if f != nil && f.Name != at[len(at)-1] {
			t.Errorf("%s: got the member %q", line, f.Name)
		}
		if f != nil {
			line += " +"
		}
		got = append(got, line)
	})
	want := []string{
		"types.Plan.fields.id string +", "types.Plan.fields.cents int +", "types.Plan.fields.parts list +", "types.Plan.fields.parts.items ref",
		"tools.lookup_plan.args.plan_id string +", "tools.lookup_plan.args.unit string +", "tools.lookup_plan.args.limit int +",
		"tools.lookup_plan.result.plan ref +", "tools.lookup_plan.result.missing bool +",
		"tools.write_note.args.to path +", "tools.write_note.args.text content +", "tools.write_note.args.tags list +", "tools.write_note.args.tags.items string",
		"tools.write_note.args.meta map +", "tools.write_note.args.meta.values object", "tools.write_note.args.meta.values.fields.at time +",
		"tools.write_note.args.meta.values.fields.raw bytes +", "tools.write_note.args.meta.values.fields.score float +",
		"tools.write_note.args.any json +", "tools.write_note.args.any.one_of.0 string", "tools.write_note.args.any.one_of.1 object", "tools.write_note.args.any.one_of.1.fields.x int +",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got, want := Patterns(c), []string{"^[a-z]+$", "^[0-9]$"}; !slices.Equal(got, want) {
		t.Errorf("Patterns: got %q, want %q", got, want)
	}
	if got := OneOfs(c); len(got) != 1 || got[0] != &c.Tools[1].Args[4].Type {
		t.Errorf("OneOfs: got %v", got)
	}
	if c.TypeNamed("Plan") != &c.Types[0] || c.TypeNamed("plan") != nil {
		t.Error("TypeNamed: want an exact match")
	}
}
