package freezefile

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/toolfreeze/toolfreeze/gen/freezefile/meant"
	"github.com/toolfreeze/toolfreeze/gen/freezefile/tomlpos"
	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

// What stands in for keys that may be left out.
const (
	defaultLiveEnv          = "INDIE_TOOL_LIVE"
	defaultMaxArgsBytes     = 1 << 20
	defaultMaxResultBytes   = 1 << 20
	defaultMaxWriteBytes    = 64 << 10
	defaultMaxReadBytes     = 1 << 20
	defaultMaxResponseBytes = 64 << 10
)

// meta reads [meta].
func (r *reader) meta(n *tomlpos.Node, c *catalog.Catalog) {
	c.LiveEnv, c.Providers = defaultLiveEnv, []string{"openai", "anthropic", "mcp"}
	c.MaxTools, c.MaxCallsPerRequest = math.MaxInt32, math.MaxInt32
	c.API, c.MaxArgsBytes, c.MaxResultBytes = "api", defaultMaxArgsBytes, defaultMaxResultBytes
	const want = "a table with api, max_tools and max_calls_per_request"
	if n == nil {
		r.fail(tomlpos.Span{}, []string{"meta"}, "begin the file with [meta]; README.md shows one", "got no [meta], want %s", want)
		return
	}
	t := r.table(n, []string{"meta"}, want, "")
	if t == nil {
		return
	}
	if api := t.need("api", "the name of the service that the freeze belongs to", "my-service"); api != "" {
		c.API = api
	}
	c.MaxTools = t.needCount("max_tools", "how many tools the freeze may hold", 1, math.MaxInt32, 12)
	c.MaxCallsPerRequest = t.needCount("max_calls_per_request", "how many calls one request may make in all", 1, math.MaxInt32, 8)
	c.Package, _ = t.text("package", "a Go package name")
	if env, ok := t.text("live_env", "the name of an environment variable"); ok {
		c.LiveEnv = env
	}
	if list := t.texts("providers", "providers"); list != nil {
		c.Providers = list
	}
	c.MaxArgsBytes, _ = t.count("max_args_bytes", "a cap in bytes", 1, defaultMaxArgsBytes)
	c.MaxResultBytes, _ = t.count("max_result_bytes", "a cap in bytes", 1, defaultMaxResultBytes)
	t.close(meant.Table)
}

// workspace reads [workspace].
func (r *reader) workspace(n *tomlpos.Node) *catalog.Workspace {
	w := &catalog.Workspace{Root: ".", MaxWriteBytes: defaultMaxWriteBytes, MaxReadBytes: defaultMaxReadBytes}
	t := r.table(n, []string{"workspace"}, "a table with root", "")
	if t == nil {
		return w
	}
	if dir := t.need("root", "the folder that path arguments are confined to", "./workspace"); dir != "" {
		w.Root = dir
	}
	w.MaxWriteBytes, _ = t.count("max_write_bytes", "a cap in bytes", 1, defaultMaxWriteBytes)
	w.MaxReadBytes, _ = t.count("max_read_bytes", "a cap in bytes", 1, defaultMaxReadBytes)
	t.close(nil)
	return w
}

// breaker reads [breaker].
func (r *reader) breaker(n *tomlpos.Node) *catalog.Breaker {
	t := r.table(n, []string{"breaker"}, "a table with threshold and file", "")
	if t == nil {
		return nil
	}
	b := &catalog.Breaker{}
	b.Threshold = t.needCount("threshold", "how many refusals in a row open the breaker", 1, 1, 5)
	b.File = t.need("file", "the state file", "breaker.json")
	t.close(nil)
	if b.File == "" {
		return nil
	}
	return b
}

// exceptions reads [[exception]].
func (r *reader) exceptions(n *tomlpos.Node) []catalog.Exception {
	if n.Kind != tomlpos.Array {
		r.fail(n.Span, []string{"exception"}, "write [[exception]], in double brackets", "got %s, want an array of tables", got(n))
		return nil
	}
	list := make([]catalog.Exception, len(n.Items))
	for i, item := range n.Items {
		before := len(r.errs)
		if t := r.table(item, []string{"exception", strconv.Itoa(i)}, "a table with rule, match and reason", ""); t != nil {
			list[i] = catalog.Exception{
				Rule:   t.need("rule", "the name of a vet rule", "forbiddenimport"),
				Match:  t.need("match", "an import path, a full function name or a tool name", "example.com/paid/sdk"),
				Reason: t.need("reason", "why, in at least 10 characters", "local cache, no invoice"),
			}
			t.close(nil)
		}
		if len(r.errs) > before { // a good one stands in, so that the others keep their places
			list[i] = catalog.Exception{Rule: "localonly", Match: "example.com/p.F" + strconv.Itoa(i), Reason: "stands in for one with errors"}
		}
	}
	return list
}

// named reads [types].
func (r *reader) named(n *tomlpos.Node) []catalog.Named {
	t := r.table(n, []string{"types"}, "a table for each type, [types.NAME]", "")
	if t == nil {
		return nil
	}
	r.types = n
	types := nested{what: "type", want: `letters, digits and "_"`, keys: []string{"description", "go_name", "open", "fields"}, marks: []string{"open", "fields"},
		spell: func(name string) string { return strings.NewReplacer(".", "_", "-", "_").Replace(name) }}
	var list []catalog.Named
	for _, name := range n.Names {
		if r.dotted(n, name, t.path, types) {
			continue
		}
		m := r.table(n.Member(name), t.at(name), "a table with fields", "")
		if m == nil {
			list = append(list, catalog.Named{Name: name})
			continue
		}
		c := catalog.Named{Name: name, Description: m.note(), Open: m.set("open")}
		c.GoName, _ = m.text("go_name", "a Go name")
		c.Fields = m.fields("fields")
		switch bare := m.bareMembers(); {
		case bare != "":
			m.missing("fields", "the members of the type", fmt.Sprintf("put %s below [%s]", bare, tomlpos.Join(m.at("fields")...)))
		case !m.has("fields") && !c.Open:
			m.missing("fields", "the members of the type", "write [types."+tomlpos.Join(name)+".fields], or open = true for any members")
		}
		m.close(func(key string) string { return "members stand below fields" })
		list = append(list, c)
	}
	return list
}

// tools reads all [tools.NAME]. meta is where the error stands if there is nothing at all.
func (r *reader) tools(n, meta *tomlpos.Node, providers []string) []catalog.Tool {
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
	tools := nested{what: "tool", want: `letters, digits, "_" and "-"`, keys: append(meant.ToolKeys(), "description", "go_name"), marks: meant.ToolKeys(),
		spell: func(name string) string { return catalog.SpellToolName(name, providers) }}
	var list []catalog.Tool
	for _, name := range n.Names {
		if r.dotted(n, name, path, tools) {
			continue
		}
		if tool := r.table(n.Member(name), t.at(name), "a table with cost_class, max_calls and max_ms", ""); tool != nil {
			list = append(list, tool.tool(name))
		}
	}
	return list
}

// tool reads one [tools.NAME].
func (t *table) tool(name string) catalog.Tool {
	t.strays()
	c := catalog.Tool{Name: name, Description: t.note()}
	c.CostClass = t.costClass()
	t.url(&c)
	c.MaxCalls = t.needCount("max_calls", "how often one request may call the tool", 1, 1, 4)
	c.MaxMS = t.needCount("max_ms", "the deadline of one call in milliseconds", 1, 1, 200)
	c.GoName, _ = t.text("go_name", "a Go name")
	c.ReadOnly, c.Destructive, c.Idempotent = t.flag("read_only"), t.flag("destructive"), t.flag("idempotent")
	c.Args, c.Result = t.fields("args"), t.fields("result")
	t.close(meant.ToolKey)
	return c
}

// costClass reads the class that a person has to decide on. Where it is refused the class that fits the rest of the tool
// stands in.
func (t *table) costClass() string {
	const hint = `a person decides: "local" runs on this machine and costs nothing, "free_net" reaches the one URL of allow_url, free of charge`
	n := t.get("cost_class")
	switch {
	case n == nil && slices.Contains(t.stray, "cost_class"):
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
	if t.has("allow_url") || slices.Contains(t.stray, "allow_url") {
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
			t.missing("allow_url", "the one URL that a free_net tool may reach", `such as allow_url = "https://status.example.com/health"`)
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

// fields reads the members of args, result or fields.
func (t *table) fields(key string) []catalog.Field {
	n := t.get(key)
	if n == nil {
		return nil
	}
	m := t.reader.table(n, t.at(key), "a table of members", t.fieldsHint(key, n))
	if m == nil {
		return nil
	}
	list := make([]catalog.Field, 0, len(n.Names))
	for _, name := range n.Names {
		if !t.refused[n.Member(name)] {
			list = append(list, m.field(name))
		}
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
	m := t.reader.table(n, path, `a type: a word such as "string?" or a table with type`, t.typeHint(name, n))
	if m == nil {
		f.Type = anything()
		return f
	}
	if m.membersOnly(n) {
		f.Type = m.fieldless()
		return f
	}
	f.Description = m.note()
	f.GoName, _ = m.text("go_name", "a Go name")
	f.Type, f.Optional = m.form(true)
	if def := m.get("default"); def != nil {
		f.Optional = true
		t.defaults[tomlpos.Join(path...)] = def
	}
	m.close(m.typeKey(true))
	return f
}
