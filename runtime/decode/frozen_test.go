package decode_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
	"github.com/toolfreeze/toolfreeze/runtime/decode"
)

func num(n int) *int { return &n }

func enum(values ...string) []catalog.Enum {
	var all []catalog.Enum
	for _, v := range values {
		all = append(all, catalog.Enum{Value: json.RawMessage(v)})
	}
	return all
}

func field(name string, optional bool, t catalog.Type) catalog.Field {
	return catalog.Field{Name: name, Optional: optional, Type: t}
}

// frozen is the catalog that the decoders above stand for.
func frozen() *catalog.Catalog {
	text := catalog.Type{Kind: catalog.String}
	short := func(min *int, max int) catalog.Type {
		return catalog.Type{Kind: catalog.String, MinLength: min, MaxLength: num(max)}
	}
	label := short(num(1), 50)
	return &catalog.Catalog{
		Types: []catalog.Named{
			{Name: "Plan", Fields: []catalog.Field{
				field("id", false, text),
				field("cents", false, catalog.Type{Kind: catalog.Int, Minimum: "0"}),
				field("parts", true, catalog.Type{Kind: catalog.List, Elem: &catalog.Type{Kind: catalog.Ref, Ref: "Plan"}}),
			}},
		},
		Tools: []catalog.Tool{
			{Name: "lookup_plan", Args: []catalog.Field{field("plan_id", false, short(nil, 64))}},
			{Name: "create_issue", Args: []catalog.Field{
				field("owner", false, short(num(1), 64)),
				field("repo", false, short(num(1), 64)),
				field("title", false, short(num(1), 256)),
				field("body", false, short(nil, 4096)),
				field("milestone", false, catalog.Type{Kind: catalog.Int, Minimum: "1", Maximum: "1000"}),
				field("draft", false, catalog.Type{Kind: catalog.Bool}),
				field("state", false, catalog.Type{Kind: catalog.String, Enum: enum(`"open"`, `"closed"`)}),
				field("labels", false, catalog.Type{Kind: catalog.List, Elem: &label, MaxItems: num(10)}),
			}},
			{Name: "everything", Args: everythingFields()},
			{Name: "anything", Args: []catalog.Field{field("v", false, catalog.Type{Kind: catalog.JSON})}},
			{Name: "nothing"},
		},
	}
}

func everythingFields() []catalog.Field {
	text := catalog.Type{Kind: catalog.String}
	whole := catalog.Type{Kind: catalog.Int}
	float := catalog.Type{Kind: catalog.Float}
	row := catalog.Type{Kind: catalog.List, Elem: &float, MinItems: num(2), MaxItems: num(2)}
	tagged := func(kind, size string) catalog.Type {
		return catalog.Type{Kind: catalog.Object, Fields: []catalog.Field{
			field("type", false, catalog.Type{Kind: catalog.String, Enum: enum(kind)}),
			field(size, false, float),
		}}
	}
	return []catalog.Field{
		field("name", false, catalog.Type{Kind: catalog.String, MinLength: num(1), MaxLength: num(8), Pattern: `^[a-z]+$`}),
		field("count", true, catalog.Type{Kind: catalog.Int, Minimum: "1", Maximum: "100"}),
		field("ratio", true, catalog.Type{Kind: catalog.Float, Minimum: "0", ExclusiveMaximum: "1"}),
		field("unit", true, catalog.Type{Kind: catalog.String, Enum: enum(`"celsius"`, `"kelvin"`)}),
		field("level", true, catalog.Type{Kind: catalog.Int, Enum: enum("1", "2", "30"), Minimum: "1", Maximum: "30"}),
		field("on", false, catalog.Type{Kind: catalog.Bool}),
		field("at", true, catalog.Type{Kind: catalog.Time}),
		field("blob", true, catalog.Type{Kind: catalog.Bytes}),
		field("file", true, catalog.Type{Kind: catalog.Path}),
		field("text", true, catalog.Type{Kind: catalog.Content, MaxBytes: 16}),
		field("any", true, catalog.Type{Kind: catalog.JSON}),
		field("shape", true, catalog.Type{Kind: catalog.JSON, OneOf: []catalog.Type{
			text, tagged(`"circle"`, "radius"), tagged(`"square"`, "side"), {Kind: catalog.List, Elem: &whole},
		}}),
		field("tags", true, catalog.Type{Kind: catalog.List, Elem: &text, MinItems: num(1), MaxItems: num(3), UniqueItems: true}),
		field("labels", true, catalog.Type{Kind: catalog.Map, Elem: &whole}),
		field("plan", true, catalog.Type{Kind: catalog.Ref, Ref: "Plan"}),
		field("filter", true, catalog.Type{Kind: catalog.Object, Open: true, Fields: []catalog.Field{
			field("state", true, text),
			field("limit", true, catalog.Type{Kind: catalog.Int, Maximum: "10.5", ExclusiveMinimum: "0"}),
		}}),
		field("id", true, catalog.Type{Kind: catalog.String, Format: "uuid"}),
		field("grid", true, catalog.Type{Kind: catalog.List, Elem: &row, UniqueItems: true}),
	}
}

// compiled is the Program of frozen.
func compiled(t testing.TB) *decode.Program {
	t.Helper()
	p, err := decode.Compile(frozen())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// deep is n lists, one in the other.
func deep(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
