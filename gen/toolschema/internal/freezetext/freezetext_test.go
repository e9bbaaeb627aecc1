package freezetext

import (
	"encoding/json"
	"testing"

	"github.com/toolfreeze/toolfreeze/gen/freezefile"
	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

// TestWrite writes a catalog that uses every form, and loads it again.
func TestWrite(t *testing.T) {
	one, yes := 1, true
	str := catalog.Type{Kind: catalog.String}
	object := func(fields ...catalog.Field) catalog.Type {
		return catalog.Type{Kind: catalog.Object, Fields: fields}
	}
	field := func(name string, t catalog.Type) catalog.Field { return catalog.Field{Name: name, Type: t} }
	long := "A description that is long enough to push the member over the length of a line, so that it becomes a table of its own."
	c := &catalog.Catalog{API: "a \"b\" \\ c", MaxTools: 2, MaxCallsPerRequest: 8, Package: "tools", LiveEnv: "INDIE_TOOL_LIVE", Providers: []string{"mcp"},
		MaxArgsBytes: 1 << 20, MaxResultBytes: 1 << 20,
		Types: []catalog.Named{
			{Name: "Empty", Open: true, Fields: []catalog.Field{}},
			{Name: "Pair", Description: "Two\nlines \"\"\"", GoName: "Couple", Fields: []catalog.Field{field("a", str), field("b c", str)}},
		},
		Tools: []catalog.Tool{
			{Name: "all", GoName: "Everything", Description: "tab\t and \"quotes\"\"\"\" \\ at the end\"\n\"", CostClass: catalog.Local, MaxCalls: 1, MaxMS: 2, ReadOnly: &yes,
				Args: []catalog.Field{
					{Name: "é", GoName: "E", Optional: true, Default: json.RawMessage(`"\\ \" \n é"`), Type: str},
					field("pattern", catalog.Type{Kind: catalog.String, Pattern: `^[^\\'"]+$`, MinLength: &one}),
					field("literal", catalog.Type{Kind: catalog.String, Pattern: `^\d"$`}),
					field("lists", catalog.Type{Kind: catalog.List, MinItems: &one, Elem: &catalog.Type{Kind: catalog.List, UniqueItems: true, Elem: &str}}),
					field("maps", catalog.Type{Kind: catalog.Map, Elem: &catalog.Type{Kind: catalog.List, MaxItems: &one, Elem: &catalog.Type{Kind: catalog.Ref, Ref: "Pair"}}}),
					field("number", catalog.Type{Kind: catalog.Float, Minimum: "-1e-7", ExclusiveMaximum: "0.10"}),
					field("enum", catalog.Type{Kind: catalog.String, Enum: []catalog.Enum{{Value: json.RawMessage(`"a"`)}, {Value: json.RawMessage(`"A"`), GoName: "UpperA"}}}),
					{Name: "object", Description: long, Type: catalog.Type{Kind: catalog.List, Elem: &catalog.Type{Kind: catalog.Map, Elem: &catalog.Type{Kind: catalog.Object,
						Open: true, Fields: []catalog.Field{field("x", object(field("y", object())))}}}}},
					{Name: "after", Optional: true, Type: catalog.Type{Kind: catalog.Int}},
					{Name: "union", Description: "Several\nlines.", Optional: true, Type: catalog.Type{Kind: catalog.JSON, OneOf: []catalog.Type{object(field("a", str)), str}}},
					{Name: "preset", Optional: true, Default: json.RawMessage(`{"x":[1,-2.5e3,{"y z":true}]}`), Type: catalog.Type{Kind: catalog.JSON}},
				},
				Result: []catalog.Field{field("first", object(field("deep", catalog.Type{Kind: catalog.Ref, Ref: "Empty"})))}},
			{Name: "none.at-all", CostClass: catalog.Local, MaxCalls: 1, MaxMS: 1},
		},
	}
	text := Write(c, Comments{Head: []string{"A comment."}})
	f, err := freezefile.Load("tools.freeze.toml", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if got, want := string(f.Catalog.JSON()), string(c.JSON()); got != want {
		t.Errorf("got\n%s\nwant\n%s\n%s", got, want, text)
	}
}
