package freezefile

import (
	"github.com/toolfreeze/toolfreeze/gen/freezefile/tomlpos"
	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

// tools reads all [tools.NAME]. meta is where the error stands if there is nothing at all.
func (r *reader) tools(n, meta *tomlpos.Node) []catalog.Tool {
	const want, hint = "at least one tool, [tools.NAME]", "each tool is a table of its own, such as [tools.lookup_plan]"
	path := []string{"tools"}
	if n == nil {
		var span tomlpos.Span
		if meta != nil {
			span = meta.Span
		}
		r.fail(span, path, hint, "got no tools, want %s", want)
		return nil
	}
	t := r.table(n, path, want, hint)
	if t == nil {
		return nil
	}
	if len(n.Names) == 0 {
		r.fail(n.Span, path, hint, "got no tools, want %s", want)
	}
	var list []catalog.Tool
	for _, name := range n.Names {
		if tool := r.table(n.Member(name), t.at(name), "a table with cost_class, max_calls and max_ms", ""); tool != nil {
			list = append(list, tool.tool(name))
		}
	}
	return list
}

// tool reads one [tools.NAME].
func (t *table) tool(name string) catalog.Tool {
	c := catalog.Tool{Name: name, Description: t.note()}
	c.CostClass = t.costClass()
	t.url(&c)
	c.MaxCalls = t.needCount("max_calls", "how often one request may call the tool", 1, 1)
	c.MaxMS = t.needCount("max_ms", "the deadline of one call in milliseconds", 1, 1)
	c.GoName, _ = t.text("go_name", "a Go name")
	c.ReadOnly, c.Destructive, c.Idempotent = t.flag("read_only"), t.flag("destructive"), t.flag("idempotent")
	c.Args, c.Result = t.fields("args"), t.fields("result")
	t.close(nil)
	return c
}

// costClass reads the class that a person has to decide on. Where it is refused the class that fits the rest of the tool
// stands in.
func (t *table) costClass() string {
	const hint = `a person decides: "local" runs on this machine and costs nothing, "free_net" reaches the one URL of allow_url, free of charge`
	n := t.get("cost_class")
	switch {
	case n == nil:
		t.fail(t.node.Span, t.path, hint, `got an unclassified tool, want cost_class = "local" or "free_net"`)
	case n.Kind != tomlpos.String:
		t.wrong(n, "cost_class", `"local" or "free_net"`, "")
	case n.Text == "", n.Text == "unclassified":
		t.fail(n.Span, t.at("cost_class"), hint, `got an unclassified tool (%s), want "local" or "free_net"`, quote(n.Text))
	case n.Text == catalog.Forbidden:
		t.fail(n.Span, t.at("cost_class"), "what is not in the freeze cannot be called: delete the tool",
			`got the class "forbidden", want "local" or "free_net"`)
	case n.Text != catalog.Local && n.Text != catalog.FreeNet:
		near := hint
		if word := catalog.Nearest(n.Text, []string{catalog.Local, catalog.FreeNet}); word != "" {
			near = "did you mean " + quote(word) + "?"
		}
		t.fail(n.Span, t.at("cost_class"), near, `got the class %s, want "local" or "free_net"`, quote(n.Text))
	default:
		return n.Text
	}
	if t.has("allow_url") {
		return catalog.FreeNet
	}
	return catalog.Local
}

// url reads what only a free_net tool has.
func (t *table) url(c *catalog.Tool) {
	url, _ := t.text("allow_url", "the one URL that the tool may reach")
	limit, given := t.count("max_response_bytes", "a cap in bytes", 1, defaultMaxResponseBytes)
	if c.CostClass == catalog.FreeNet {
		c.AllowURL, c.MaxResponseBytes = url, limit
		if n := t.node.Member("allow_url"); n == nil {
			t.missing("allow_url", "the one URL that a free_net tool may reach", "")
			c.AllowURL = "https://example.invalid/"
		} else if url == "" {
			c.AllowURL = "https://example.invalid/"
		}
		return
	}
	if n := t.node.Member("allow_url"); n != nil {
		t.fail(n.Key, t.at("allow_url"), `a tool that reaches a URL has cost_class = "free_net"`,
			"got a URL for a local tool, want none")
	}
	if n := t.node.Member("max_response_bytes"); n != nil && given {
		t.fail(n.Key, t.at("max_response_bytes"), "only a free_net tool gets a response", "got a cap on the response of a local tool, want none")
	}
}

// named reads [types].
func (r *reader) named(n *tomlpos.Node) []catalog.Named {
	t := r.table(n, []string{"types"}, "a table for each type, [types.NAME]", "")
	if t == nil {
		return nil
	}
	r.types = n
	var list []catalog.Named
	for _, name := range n.Names {
		m := r.table(n.Member(name), t.at(name), "a table with fields", "")
		if m == nil {
			list = append(list, catalog.Named{Name: name})
			continue
		}
		c := catalog.Named{Name: name, Description: m.note(), Open: m.set("open")}
		c.GoName, _ = m.text("go_name", "a Go name")
		if !m.has("fields") && !c.Open {
			m.missing("fields", "the members of the type", "write [types."+tomlpos.Join(name)+".fields], or open = true for any members")
		}
		c.Fields = m.fields("fields")
		m.close(func(key string) string { return "members stand below fields" })
		list = append(list, c)
	}
	return list
}

// fields reads the members of args, result or fields.
func (t *table) fields(key string) []catalog.Field {
	n := t.get(key)
	if n == nil {
		return nil
	}
	m := t.reader.table(n, t.at(key), "a table of members", "")
	if m == nil {
		return nil
	}
	list := make([]catalog.Field, 0, len(n.Names))
	for _, name := range n.Names {
		list = append(list, m.field(name))
	}
	return list
}

// field reads one member.
func (t *table) field(name string) catalog.Field {
	f := catalog.Field{Name: name}
	n, path := t.node.Member(name), t.at(name)
	if n.Kind == tomlpos.String {
		f.Type, f.Optional, _ = t.word(n, path, true)
		return f
	}
	m := t.reader.table(n, path, `a type: a word such as "string?" or a table with type`, typeHint(n))
	if m == nil {
		f.Type = anything()
		return f
	}
	f.Description = m.note()
	f.GoName, _ = m.text("go_name", "a Go name")
	f.Type, f.Optional = m.form(true)
	if def := m.get("default"); def != nil {
		f.Optional = true
		t.defaults[tomlpos.Join(path...)] = def
	}
	m.close(typeKeys)
	return f
}

// typeHint helps where a value stands instead of a type.
func typeHint(n *tomlpos.Node) string {
	if n.Kind == tomlpos.Array {
		return `a list is written "[]string"`
	}
	return "a value that stands in for an absent one is written { type = ..., default = ... }"
}

// typeKeys helps with keys that other schema languages have.
func typeKeys(key string) string {
	switch key {
	case "required", "optional", "nullable":
		return `a member is required unless its type ends in "?"`
	case "properties", "members":
		return "the members of an object stand in fields"
	case "additionalProperties", "additional_properties":
		return `open = true keeps unknown members; values that all have one type are a map, "map[string]T"`
	case "const":
		return "write enum with one value"
	case "anyOf", "oneOf", "any_of", "allOf":
		return `write type = "json" with one_of`
	}
	return ""
}
