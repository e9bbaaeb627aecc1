package toolschema

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

func tool(name string, args ...catalog.Field) catalog.Tool {
	return catalog.Tool{Name: name, CostClass: catalog.Local, MaxCalls: 1, MaxMS: 1, Args: args}
}

func tools(n int, args ...catalog.Field) []catalog.Tool {
	var list []catalog.Tool
	for i := range n {
		list = append(list, tool(fmt.Sprint("t", i), args...))
	}
	return list
}

func fields(n int, optional bool) []catalog.Field {
	var list []catalog.Field
	for i := range n {
		list = append(list, catalog.Field{Name: fmt.Sprint("f", i), Optional: optional, Type: catalog.Type{Kind: catalog.Int}})
	}
	return list
}

func values(n, length int) []catalog.Enum {
	var list []catalog.Enum
	for i := range n {
		list = append(list, catalog.Enum{Value: json.RawMessage(fmt.Sprintf(`"%0*d"`, length, i))})
	}
	return list
}

// deep nests n objects inside each other.
func deep(n int) catalog.Field {
	f := field("leaf", catalog.Type{Kind: catalog.Int})
	for range n {
		f = field("in", catalog.Type{Kind: catalog.Object, Fields: []catalog.Field{f}})
	}
	return f
}

// TestWarnings meets each limit of each provider from both sides.
func TestWarnings(t *testing.T) {
	str := func(n, length int) catalog.Field {
		return field("e", catalog.Type{Kind: catalog.String, Enum: values(n, length)})
	}
	node := func(optional bool) *catalog.Catalog {
		ref := catalog.Type{Kind: catalog.List, Elem: &catalog.Type{Kind: catalog.Ref, Ref: "N"}}
		return &catalog.Catalog{Types: []catalog.Named{{Name: "N", Fields: []catalog.Field{{Name: "kids", Optional: optional, Type: ref}}}},
			Tools: []catalog.Tool{tool("t", field("n", catalog.Type{Kind: catalog.Ref, Ref: "N"}))}}
	}
	many := func(n int) []catalog.Field {
		var list []catalog.Field
		for i := range n {
			list = append(list, field(fmt.Sprint("o", i), catalog.Type{Kind: catalog.Object, Fields: fields(49, false)}))
		}
		return list
	}
	union := func(enum ...string) catalog.Field {
		var alts []catalog.Type
		for _, e := range enum {
			kind := catalog.Type{Kind: catalog.String}
			if e != "" {
				kind.Enum = values(1, len(e))
			}
			alts = append(alts, catalog.Type{Kind: catalog.Object, Fields: []catalog.Field{field("kind", kind)}})
		}
		return field("u", catalog.Type{Kind: catalog.JSON, OneOf: alts})
	}
	described := tool("t")
	described.Description = strings.Repeat("x", 1025)
	of := func(list ...catalog.Tool) *catalog.Catalog { return &catalog.Catalog{Tools: list} }
	for _, c := range []struct {
		name string
		d    Dialect
		c    *catalog.Catalog
		want string // "" for no warning
	}{
		{"128 tools", OpenAI, of(tools(128)...), ""},
		{"129 tools", OpenAI, of(tools(129)...), "got 129 tools"},
		{"20 tools", Anthropic, of(tools(20)...), ""},
		{"21 tools", Anthropic, of(tools(21)...), "at most 20 with strict"},
		{"24 optional", Anthropic, of(tools(6, fields(4, true)...)...), ""},
		{"25 optional", Anthropic, of(tools(5, fields(5, true)...)...), "got 25 optional members"},
		{"long description", OpenAI, of(described), "description of 1025 characters"},
		{"long description elsewhere", Anthropic, of(described), ""},
		{"1,000 enum values", OpenAI, of(tool("t", str(250, 4), catalog.Field{Name: "f", Type: str(250, 4).Type}, catalog.Field{Name: "g", Type: str(250, 4).Type},
			catalog.Field{Name: "h", Type: str(250, 4).Type})), ""},
		{"1,001 enum values", OpenAI, of(tool("t", str(1001, 4))), "got 1001 enum values"},
		{"long enum", OpenAI, of(tool("t", str(251, 70))), "characters in an enum"},
		{"long values", OpenAI, of(tool("t", str(250, 70))), ""},
		{"120,000 characters", OpenAI, of(tool("t", str(200, 700))), "characters of names"},
		{"10 levels", OpenAI, of(tool("t", deep(9))), ""},
		{"11 levels", OpenAI, of(tool("t", deep(10))), "got 11 levels"},
		{"5,000 members", OpenAI, of(tool("t", many(100)...)), ""},
		{"5,050 members", OpenAI, of(tool("t", many(101)...)), "got 5050 members"},
		{"dot in a name", OpenAI, of(tool("a.b")), `refuses the name "a.b"`},
		{"dot in a name for MCP", MCP, of(tool("a.b")), ""},
		{"digit first for Gemini", Gemini, of(tool("2fa")), `refuses the name "2fa"`},
		{"member name", Anthropic, of(tool("t", field("a b", catalog.Type{Kind: catalog.Int}))), `member name "a b"`},
		{"dash in a member for Gemini", Gemini, of(tool("t", field("a-b", catalog.Type{Kind: catalog.Int}))), `member name "a-b"`},
		{"recursion", Gemini, node(false), "only inside an optional member"},
		{"optional recursion", Gemini, node(true), ""},
		{"recursion elsewhere", OpenAI, node(false), ""},
		{"tagged union", OpenAI, of(tool("t", union("a", "bb"))), ""},
		{"untagged union", OpenAI, of(tool("t", union("", ""))), "begin with the same member"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, warnings, err := Definitions(c.c, c.d)
			if err != nil {
				t.Fatal(err)
			}
			if c.want == "" && len(warnings) > 0 || c.want != "" && (len(warnings) == 0 || !strings.Contains(warnings[0].String(), c.want)) {
				t.Errorf("got %.200q, want %q", warnings, c.want)
			}
			checkDialects(t, c.c)
		})
	}
}

// TestDescribedReferences holds that a described reference doesn't grow without end where it takes its type with it.
func TestDescribedReferences(t *testing.T) {
	c := &catalog.Catalog{Tools: []catalog.Tool{tool("t", catalog.Field{Name: "a", Description: "The first.", Type: catalog.Type{Kind: catalog.Ref, Ref: "T0"}})}}
	for i := range 40 {
		next := catalog.Type{Kind: catalog.Ref, Ref: fmt.Sprint("T", (i+1)%40)}
		c.Types = append(c.Types, catalog.Named{Name: fmt.Sprint("T", i), Fields: []catalog.Field{
			{Name: "l", Description: "Left.", Optional: true, Type: next}, {Name: "r", Description: "Right.", Type: catalog.Type{Kind: catalog.List, Elem: &next}}}})
	}
	for _, d := range Dialects() {
		doc, _, err := Definitions(c, d)
		if err != nil || len(doc) > 64<<10 {
			t.Errorf("%s: got %d bytes, %v", d, len(doc), err)
		}
	}
	checkDialects(t, c)
}
