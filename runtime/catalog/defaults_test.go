package catalog

import (
	"encoding/json"
	"slices"
	"testing"
)

// A default that brings itself is refused; one that ends is not.
func TestDefaultsEnd(t *testing.T) {
	node := func(def string, list bool) []Named {
		child := Type{Kind: Ref, Ref: "Node"}
		if list {
			child = Type{Kind: List, Elem: &Type{Kind: Ref, Ref: "Node"}}
		}
		return []Named{{Name: "Node", Fields: []Field{
			{Name: "name", Optional: true, Type: Type{Kind: String}},
			{Name: "child", Optional: true, Default: json.RawMessage(def), Type: child},
		}}}
	}
	mutual := []Named{
		{Name: "A", Fields: []Field{{Name: "b", Optional: true, Default: json.RawMessage(`{}`), Type: Type{Kind: Ref, Ref: "B"}}}},
		{Name: "B", Fields: []Field{{Name: "a", Optional: true, Default: json.RawMessage(`{}`), Type: Type{Kind: Ref, Ref: "A"}}}},
	}
	ends := []Named{
		{Name: "A", Fields: []Field{{Name: "b", Optional: true, Default: json.RawMessage(`{}`), Type: Type{Kind: Ref, Ref: "B"}}}},
		{Name: "B", Fields: []Field{{Name: "n", Optional: true, Default: json.RawMessage(`1`), Type: Type{Kind: Int}}}},
	}
	for _, tt := range []struct {
		name  string
		types []Named
		want  [][]string
	}{
		{"itself", node(`{}`, false), [][]string{{"types", "Node", "fields", "child", "default"}}},
		{"itself, two deep", node(`{"child":{"name":"x"}}`, false), [][]string{{"types", "Node", "fields", "child", "default"}}},
		{"in a list", node(`[{}]`, true), [][]string{{"types", "Node", "fields", "child", "default"}}},
		{"an empty list", node(`[]`, true), nil},
		{"mutual", mutual, [][]string{{"types", "A", "fields", "b", "default"}}},
		{"it ends", ends, nil},
	} {
		c := &Catalog{Types: tt.types}
		k := &checker{c: c}
		k.defaults()
		var got [][]string
		for _, p := range k.problems {
			got = append(got, p.At)
		}
		if !slices.EqualFunc(got, tt.want, slices.Equal) {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
