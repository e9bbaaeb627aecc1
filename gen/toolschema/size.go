package toolschema

import (
	"encoding/json"
	"unicode/utf8"
)

// size is what strict mode counts in one schema.
type size struct {
	properties int
	depth      int // objects and lists inside each other, the root's included
	enums      int
	text       int
	enumLen    int // the longest enum
	enumText   int // its characters
}

// measure adds what s holds. References are not followed: what is under $defs is counted where it stands.
func (n *size) measure(s schema, depth int) {
	if s.get("properties") != nil || s.get("items") != nil {
		depth++
		n.depth = max(n.depth, depth)
	}
	if properties, ok := s.get("properties").(schema); ok {
		n.properties += len(properties)
		for _, p := range properties {
			n.text += utf8.RuneCountInString(p.name)
			n.measure(p.value.(schema), depth)
		}
	}
	for _, name := range []string{"items", "additionalProperties"} {
		if item, ok := s.get(name).(schema); ok {
			n.measure(item, depth)
		}
	}
	if list, ok := s.get("anyOf").([]schema); ok {
		for _, a := range list {
			n.measure(a, depth)
		}
	}
	values, _ := s.get("enum").([]json.RawMessage)
	n.enums += len(values)
	text := 0
	for _, v := range values {
		text += utf8.RuneCount(v)
	}
	n.text += text
	if len(values) > n.enumLen {
		n.enumLen, n.enumText = len(values), text
	}
}
