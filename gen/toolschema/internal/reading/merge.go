package reading

import (
	"bytes"
	"github.com/toolfreeze/toolfreeze/gen/toolschema/internal/tree"
	"slices"
	"strings"
)

// annotation reports whether a keyword says nothing about which values are accepted.
func annotation(key string) bool {
	switch key {
	case "title", "description", "default", "examples", "example", "deprecated", "readOnly", "writeOnly", "$schema", "$id", "id",
		"$comment", "$anchor", "$dynamicAnchor", "$defs", "definitions", "$vocabulary", "nullable", "propertyOrdering",
		"contentMediaType", "contentSchema", "markdownDescription", "enumDescriptions", "enumNames", "discriminator", "xml",
		"externalDocs", "icon", "strict":
		return true
	}
	return strings.HasPrefix(key, "x-")
}

// constrains reports whether a schema holds anything but annotations.
func constrains(v *tree.Value) bool {
	return slices.ContainsFunc(v.Keys, func(k string) bool { return !annotation(k) })
}

// merge is one schema that accepts what both accept, nil where this package cannot write one. What a says besides goes
// before what b says.
func merge(a, b *tree.Value) *tree.Value {
	if b.Is(tree.Boolean) && b.Text == "true" {
		return a
	}
	if !a.Is(tree.Object) || !b.Is(tree.Object) {
		return nil
	}
	if closes(a, b) || closes(b, a) {
		return nil
	}
	out := a
	for i, key := range b.Keys {
		mine, theirs := a.Get(key), b.Items[i]
		switch {
		case key == "nullable" && a.Has("type"): // the type outside refuses null
		case mine == nil:
			out = out.With(key, theirs)
		case annotation(key), bytes.Equal(mine.JSON(nil), theirs.JSON(nil)):
		case key == "type" && mine.Is(tree.Text) && theirs.Is(tree.Text) && word(mine.Text) == word(theirs.Text):
		case key == "required" && mine.Is(tree.List) && theirs.Is(tree.List):
			out = out.With(key, &tree.Value{Kind: tree.List, Items: slices.Concat(mine.Items, theirs.Items)})
		case key == "properties" && mine.Is(tree.Object) && theirs.Is(tree.Object):
			both := mergeProperties(mine, theirs)
			if both == nil {
				return nil
			}
			out = out.With(key, both)
		default:
			return nil
		}
	}
	return out
}

// closes reports whether a forbids a member that b describes.
func closes(a, b *tree.Value) bool {
	extra := a.Get("additionalProperties")
	if extra == nil || extra.Is(tree.Boolean) && extra.Text == "true" || !b.Get("properties").Is(tree.Object) {
		return false
	}
	return slices.ContainsFunc(b.Get("properties").Keys, func(k string) bool { return a.Get("properties").Get(k) == nil })
}

func mergeProperties(a, b *tree.Value) *tree.Value {
	out := a
	for i, key := range b.Keys {
		mine := a.Get(key)
		if mine == nil {
			out = out.With(key, b.Items[i])
			continue
		}
		both := merge(mine, b.Items[i])
		if both == nil {
			return nil
		}
		out = out.With(key, both)
	}
	return out
}

// word is the JSON Schema type that a type word means, "any" for one that sets no bounds, "" for one that is not known.
func word(s string) string {
	switch strings.ToLower(s) {
	case "string", "str":
		return "string"
	case "integer", "int", "long":
		return "integer"
	case "number", "float", "double":
		return "number"
	case "boolean", "bool":
		return "boolean"
	case "array", "list", "tuple", "arraylist":
		return "array"
	case "object", "dict", "hashmap", "map":
		return "object"
	case "null":
		return "null"
	case "any", "", "type_unspecified":
		return "any"
	}
	return ""
}
