package decode_test

import (
	"fmt"
	"testing"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
	"github.com/toolfreeze/toolfreeze/runtime/decode"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// TestSchemaOnly holds what only the schema explains: an optional null is absent where items are compared, and an
// alternative that the schema accepts counts, whether a Go value can hold what stands there or not.
func TestSchemaOnly(t *testing.T) {
	whole, float, blob := catalog.Type{Kind: catalog.Int}, catalog.Type{Kind: catalog.Float}, catalog.Type{Kind: catalog.Bytes}
	ranged := func(min, max string) catalog.Type {
		return catalog.Type{Kind: catalog.Int, Minimum: min, Maximum: max}
	}
	oneOf := func(all ...catalog.Type) catalog.Type { return catalog.Type{Kind: catalog.JSON, OneOf: all} }
	unique := func(elem catalog.Type) catalog.Type {
		return catalog.Type{Kind: catalog.List, Elem: &elem, UniqueItems: true}
	}
	pair := catalog.Type{Kind: catalog.Object, Open: true, Fields: []catalog.Field{field("a", true, whole), field("b", true, catalog.Type{Kind: catalog.JSON})}}
	const again = "[BAD_VALUE $.v[1] want items that differ; an equal one stands before this]"
	fits := func(all, how string) string {
		return "[BAD_VALUE $.v want a value that fits exactly one of: " + all + "; this " + how + "]"
	}
	for _, test := range []struct {
		of        catalog.Type
		doc, want string
	}{
		{unique(pair), `[{"a":null},{}]`, again},
		{unique(pair), `[{}, { "b" : null , "a" : null }]`, again},
		{unique(pair), `[{"a":1,"b":null},{"\u0062":null,"a":1.0}]`, again},
		{unique(pair), `[{"x":null},{}]`, "[]"},
		{unique(pair), `[{"b":{"a":null}},{"b":{}}]`, "[]"},
		{unique(unique(pair)), `[[{"a":null}],[{}]]`, again},
		{unique(catalog.Type{Kind: catalog.Map, Elem: &pair}), `[{"k":{"a":null}},{"k":{}}]`, again},
		{unique(oneOf(pair, whole)), `[{"a":null},{}]`, again},
		{unique(oneOf(whole, oneOf(blob, pair))), `[{"a":null},{}]`, again},
		{unique(catalog.Type{Kind: catalog.JSON}), `[{"a":null},{}]`, "[]"},
		{oneOf(unique(pair), whole), `[{"a":null},{}]`, fits("a list; an integer", "fits none of them")},

		{oneOf(whole, float), `1e30`, fits("an integer; a number", "fits more than one of them")},
		{oneOf(ranged("", "9223372036854775807"), float), `1e30`, "[]"},
		{oneOf(ranged("-5", ""), float), `-1e30`, "[]"},
		{oneOf(whole, blob), `1e30`, fits("an integer; a string", "is outside of what the one that it fits can hold")},
		{oneOf(float, blob), `-1e400`, fits("a number; a string", "is outside of what the one that it fits can hold")},
		{oneOf(whole, oneOf(float, blob)), `1e400`, fits("an integer; any value", "fits more than one of them")},
		{oneOf(blob, catalog.Type{Kind: catalog.String, MinLength: num(2)}), `"!!"`, fits("a string; a string", "fits more than one of them")},
		{oneOf(blob, whole), `"!!"`, fits("a string; an integer", "is outside of what the one that it fits can hold")},
		{oneOf(blob, whole), `"QQ=="`, "[]"},
	} {
		p, err := decode.Compile(&catalog.Catalog{Tools: []catalog.Tool{{Name: "t", Args: []catalog.Field{field("v", false, test.of)}}}})
		if err != nil {
			t.Fatal(err)
		}
		var r decode.Reader
		for range 2 { // the second reading finds nothing of the first
			doc := `{"v":` + test.doc + `}`
			r.Reset(p, []byte(doc), len(doc))
			p.Args(&r, 0)
			r.End()
			if got := fmt.Sprint(printed(r.Faults())); got != test.want || (r.Code() == verdict.OK) != (got == "[]") {
				t.Errorf("%s: got %s %s, want %s", test.doc, r.Code(), got, test.want)
			}
		}
	}
}
