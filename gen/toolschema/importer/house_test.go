package importer

import (
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

// closed is a schema as the house reads it: dialect words in JSON Schema's, nullable as a union, objects with described
// members closed unless they say otherwise, and formats only where a freeze has them.
func closed(v any, root bool) any {
	switch v := v.(type) {
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = closed(v[i], false)
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for k, item := range v {
			switch k {
			case "properties", "$defs", "definitions":
				members := map[string]any{}
				m, _ := item.(map[string]any)
				for n, s := range m {
					members[n] = closed(s, false)
				}
				out[k] = members
			case "items", "anyOf", "oneOf", "allOf", "additionalProperties", "prefixItems":
				out[k] = closed(item, false)
			case "default", "examples", "nullable", "format":
				if f, ok := item.(string); ok && k == "format" && slices.Contains(catalog.Formats(), f) {
					out[k] = item
				}
			default:
				out[k] = item
			}
		}
		closeObject(out, root)
		if v["nullable"] == true {
			return map[string]any{"anyOf": []any{out, map[string]any{"type": "null"}}}
		}
		return out
	}
	return v
}

func closeObject(out map[string]any, root bool) {
	words := map[string]string{"str": "string", "dict": "object", "float": "number", "int": "integer", "tuple": "array", "bool": "boolean"}
	if t, ok := out["type"].(string); ok {
		t = strings.ToLower(t)
		if w := words[t]; w != "" {
			t = w
		}
		if out["type"] = t; t == "any" || t == "" {
			delete(out, "type")
		}
	}
	properties, _ := out["properties"].(map[string]any)
	if _, said := out["additionalProperties"]; !said && (len(properties) > 0 || root) {
		out["additionalProperties"] = false
	}
}

// house compiles a schema as the house reads it, and returns it changed in that way.
func house(schema any) (any, *jsonschema.Schema, error) {
	read := closed(schema, true)
	compiler := func() (*jsonschema.Compiler, error) {
		c := jsonschema.NewCompiler()
		c.DefaultDraft(jsonschema.Draft2020)
		c.AssertFormat()
		return c, c.AddResource("mem:///o.json", read)
	}
	c, err := compiler()
	if err != nil {
		return nil, nil, err
	}
	loosen(c, "mem:///o.json#", read)
	if c, err = compiler(); err != nil {
		return nil, nil, err
	}
	s, err := c.Compile("mem:///o.json")
	return read, s, err
}

// loosen takes out of required what may be null, as the house reads it, all over a schema.
func loosen(comp *jsonschema.Compiler, at string, v any) {
	switch v := v.(type) {
	case []any:
		for i, item := range v {
			loosen(comp, at+"/"+strconv.Itoa(i), item)
		}
	case map[string]any:
		if required, ok := v["required"].([]any); ok {
			v["required"] = slices.DeleteFunc(slices.Clone(required), func(n any) bool {
				name, _ := n.(string)
				properties, _ := v["properties"].(map[string]any)
				if _, there := properties[name]; !there {
					return false
				}
				name = strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
				s, err := comp.Compile(at + "/properties/" + url.PathEscape(name))
				if err != nil || s.Validate(nil) != nil {
					return false
				}
				for _, probe := range []any{"x", true, json.Number("1"), []any{}, map[string]any{}} {
					if s.Validate(probe) != nil {
						return true
					}
				}
				return false
			})
		}
		for k, item := range v {
			loosen(comp, at+"/"+url.PathEscape(strings.NewReplacer("~", "~0", "/", "~1").Replace(k)), item)
		}
	}
}
