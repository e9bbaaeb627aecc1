package accept

import (
	"encoding/json"
	"testing"

	"github.com/toolfreeze/toolfreeze/gen/toolschema/internal/tree"
	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

func strs(values ...string) catalog.Type {
	t := catalog.Type{Kind: catalog.String}
	for _, v := range values {
		t.Enum = append(t.Enum, catalog.Enum{Value: json.RawMessage(`"` + v + `"`)})
	}
	return t
}

func obj(open bool, fields ...catalog.Field) catalog.Type {
	return catalog.Type{Kind: catalog.Object, Open: open, Fields: fields}
}

func req(name string, t catalog.Type) catalog.Field { return catalog.Field{Name: name, Type: t} }

func opt(name string, t catalog.Type) catalog.Field {
	return catalog.Field{Name: name, Type: t, Optional: true}
}

func list(t catalog.Type) catalog.Type { return catalog.Type{Kind: catalog.List, Elem: &t} }

func dict(t catalog.Type) catalog.Type { return catalog.Type{Kind: catalog.Map, Elem: &t} }

func known(name string) *catalog.Named {
	if name != "N" {
		return nil
	}
	return &catalog.Named{Name: "N", Fields: []catalog.Field{req("kind", strs("n")), opt("next", catalog.Type{Kind: catalog.Ref, Ref: "N"})}}
}

func TestCompare(t *testing.T) {
	str, num, whole, any, flag := strs(), catalog.Type{Kind: catalog.Float}, catalog.Type{Kind: catalog.Int}, catalog.Type{Kind: catalog.JSON}, catalog.Type{Kind: catalog.Bool}
	low := catalog.Type{Kind: catalog.Int, Minimum: "1"}
	n := catalog.Type{Kind: catalog.Ref, Ref: "N"}
	ghost := catalog.Type{Kind: catalog.Ref, Ref: "ghost"}
	either := catalog.Type{Kind: catalog.JSON, OneOf: []catalog.Type{str, whole}}
	for _, c := range []struct {
		name                    string
		a, b                    catalog.Type
		covers, back, different bool
	}{
		{"any and string", any, str, true, false, false},
		{"number and integer", num, whole, true, false, false},
		{"integer and bounded", whole, low, true, false, false},
		{"string and enum", str, strs("a"), true, false, false},
		{"enums", strs("a", "b"), strs("b"), true, false, false},
		{"enums apart", strs("a"), strs("b"), false, false, true},
		{"string and bool", str, flag, false, false, true},
		{"string and bytes", str, catalog.Type{Kind: catalog.Bytes}, true, false, false},
		{"lists", list(any), list(str), true, false, false},
		{"free map and object", dict(any), obj(false, req("a", str)), true, false, false},
		{"map and object", dict(str), obj(false, req("a", str)), false, false, false},
		{"open and closed", obj(true, opt("a", str)), obj(false, req("a", str)), true, false, false},
		{"open and other type", obj(true, opt("a", str)), obj(false, opt("a", whole)), false, false, false},
		{"tags", obj(true, req("kind", strs("a"))), obj(true, req("kind", strs("b"))), false, false, true},
		{"optional tags", obj(true, opt("kind", strs("a"))), obj(true, opt("kind", strs("b"))), false, false, false},
		{"missing member", obj(false, req("a", str)), obj(false, req("b", str)), false, false, true},
		{"missing member, open", obj(false, req("a", str)), obj(true, req("b", str)), false, false, true},
		{"named by its tag", n, obj(true, req("kind", strs("m"))), false, false, true},
		{"free map and named", dict(any), n, true, false, false},
		{"unknown type", ghost, obj(false), false, false, false},
		{"free map and unknown type", dict(any), ghost, false, false, false},
		{"union and bool", either, flag, false, false, true},
		{"union and integer", either, low, false, false, false},
	} {
		ts := New(known)
		if got := ts.Covers(&c.a, &c.b); got != c.covers {
			t.Errorf("%s: covers: got %t", c.name, got)
		}
		if got := ts.Covers(&c.b, &c.a); got != c.back {
			t.Errorf("%s: covers, other way: got %t", c.name, got)
		}
		if got, back := ts.Disjoint(&c.a, &c.b), ts.Disjoint(&c.b, &c.a); got != c.different || back != c.different {
			t.Errorf("%s: disjoint: got %t and %t", c.name, got, back)
		}
	}
}

func TestUnfit(t *testing.T) {
	two := 2
	for _, c := range []struct {
		typ  catalog.Type
		src  string
		good bool
	}{
		{strs(), `"a"`, true}, {strs(), `1`, false}, {strs("a"), `"b"`, false}, {strs(), `"\u0000"`, false},
		{catalog.Type{Kind: catalog.String, MaxLength: &two}, `"😀😀"`, true}, {catalog.Type{Kind: catalog.String, MaxLength: &two}, `"abc"`, false},
		{catalog.Type{Kind: catalog.String, Pattern: "^a"}, `"ab"`, true}, {catalog.Type{Kind: catalog.String, Pattern: "^a"}, `"b"`, false},
		{catalog.Type{Kind: catalog.String, Format: "uuid"}, `"123e4567-e89b-12d3-a456-426614174000"`, true}, {catalog.Type{Kind: catalog.String, Format: "uuid"}, `"x"`, false},
		{catalog.Type{Kind: catalog.String, Format: "date"}, `"2026-02-29"`, false}, {catalog.Type{Kind: catalog.String, Format: "ipv4"}, `"127.0.0.1"`, true},
		{catalog.Type{Kind: catalog.Int}, `9007199254740993`, true}, {catalog.Type{Kind: catalog.Int}, `1.5`, false}, {catalog.Type{Kind: catalog.Int}, `99999999999999999999`, false},
		{catalog.Type{Kind: catalog.Int, ExclusiveMaximum: "3"}, `3`, false}, {catalog.Type{Kind: catalog.Float, Minimum: "0.1"}, `0.10`, true}, {catalog.Type{Kind: catalog.Float}, `1e400`, false},
		{catalog.Type{Kind: catalog.Bytes}, `"YQ=="`, true}, {catalog.Type{Kind: catalog.Bytes}, `"YQ"`, false},
		{list(strs()), `["a"]`, true}, {list(strs()), `["a", null]`, false}, {catalog.Type{Kind: catalog.List, Elem: &catalog.Type{Kind: catalog.String}, UniqueItems: true}, `["a", "a"]`, false},
		{dict(strs()), `{"a": "b"}`, true}, {dict(strs()), `{"a": 1}`, false},
		{obj(false, req("a", strs())), `{"a": "b"}`, true}, {obj(false, req("a", strs())), `{}`, false}, {obj(false), `{"a": 1}`, false}, {obj(true), `{"a": 1}`, true},
		{catalog.Type{Kind: catalog.JSON}, `{"a": [1, "b", {}]}`, true}, {catalog.Type{Kind: catalog.JSON}, `[null]`, false},
		{catalog.Type{Kind: catalog.JSON, OneOf: []catalog.Type{strs(), {Kind: catalog.Int}}}, `1`, true}, {catalog.Type{Kind: catalog.JSON, OneOf: []catalog.Type{strs(), {Kind: catalog.Int}}}, `true`, false},
	} {
		v, err := tree.Parse([]byte(c.src))
		if err != nil {
			t.Fatal(err)
		}
		if why := New(known).Unfit(&c.typ, v); (why == "") != c.good {
			t.Errorf("%s for %+v: got %q", c.src, c.typ, why)
		}
	}
}
