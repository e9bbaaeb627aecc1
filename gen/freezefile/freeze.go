package freezefile

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

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

// freeze reads the whole document and checks it.
func (r *reader) freeze() *catalog.Catalog {
	if len(r.root.Names) == 0 {
		r.fail(tomlpos.Span{}, nil, "freezegen init writes a commented freeze to start from", "got an empty file, want a freeze")
		return nil
	}
	r.noNUL(r.root, nil)
	t := &table{reader: r, node: r.root}
	c := &catalog.Catalog{}
	meta := t.get("meta")
	r.meta(meta, c)
	if n := t.get("workspace"); n != nil {
		c.Workspace = r.workspace(n)
	}
	if n := t.get("breaker"); n != nil {
		c.Breaker = r.breaker(n)
	}
	if n := t.get("forbid"); n != nil {
		if f := r.table(n, []string{"forbid"}, "a table with imports", ""); f != nil {
			c.Forbid = f.texts("imports", "import paths")
			f.close(nil)
		}
	}
	if n := t.get("exception"); n != nil {
		c.Exceptions = r.exceptions(n)
	}
	if n := t.get("types"); n != nil {
		c.Types = r.named(n)
	}
	c.Tools = r.tools(t.get("tools"), meta)
	t.close(belongs)
	r.reopened()
	caps(c)
	r.setDefaults(c)
	r.check(c)
	return c
}

// belongs names the table of a key that stands at the top of the file.
func belongs(key string) string {
	switch key {
	case "api", "max_tools", "max_calls_per_request", "package", "live_env", "providers", "max_args_bytes", "max_result_bytes":
		return "it belongs under [meta]"
	case "cost_class", "max_calls", "max_ms", "allow_url", "args", "result":
		return "it belongs under a tool, [tools.NAME]"
	}
	return ""
}

// meta reads [meta].
func (r *reader) meta(n *tomlpos.Node, c *catalog.Catalog) {
	c.LiveEnv, c.Providers = defaultLiveEnv, []string{"openai", "anthropic", "mcp"}
	c.MaxTools, c.MaxCallsPerRequest = math.MaxInt32, math.MaxInt32
	c.API, c.MaxArgsBytes, c.MaxResultBytes = "api", defaultMaxArgsBytes, defaultMaxResultBytes
	const want = "a table with api, max_tools and max_calls_per_request"
	if n == nil {
		r.fail(tomlpos.Span{}, []string{"meta"}, "", "got no [meta], want %s", want)
		return
	}
	t := r.table(n, []string{"meta"}, want, "")
	if t == nil {
		return
	}
	if api := t.need("api", "the name of the service that the freeze belongs to"); api != "" {
		c.API = api
	}
	c.MaxTools = t.needCount("max_tools", "how many tools the freeze may hold", 1, math.MaxInt32)
	c.MaxCallsPerRequest = t.needCount("max_calls_per_request", "how many calls one request may make in all", 1, math.MaxInt32)
	c.Package, _ = t.text("package", "a Go package name")
	if env, ok := t.text("live_env", "the name of an environment variable"); ok {
		c.LiveEnv = env
	}
	if list := t.texts("providers", "providers"); list != nil {
		c.Providers = list
	}
	c.MaxArgsBytes, _ = t.count("max_args_bytes", "a cap in bytes", 1, defaultMaxArgsBytes)
	c.MaxResultBytes, _ = t.count("max_result_bytes", "a cap in bytes", 1, defaultMaxResultBytes)
	t.close(nil)
}

// workspace reads [workspace].
func (r *reader) workspace(n *tomlpos.Node) *catalog.Workspace {
	w := &catalog.Workspace{Root: ".", MaxWriteBytes: defaultMaxWriteBytes, MaxReadBytes: defaultMaxReadBytes}
	t := r.table(n, []string{"workspace"}, "a table with root", "")
	if t == nil {
		return w
	}
	if dir := t.need("root", "the folder that path arguments are confined to"); dir != "" {
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
	b.Threshold = t.needCount("threshold", "how many refusals in a row open the breaker", 1, 1)
	b.File = t.need("file", "the state file")
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
				Rule:   t.need("rule", "the name of a vet rule"),
				Match:  t.need("match", "an import path, a full function name or a tool name"),
				Reason: t.need("reason", "why, in at least 10 characters"),
			}
			t.close(nil)
		}
		if len(r.errs) > before { // a good one stands in, so that the others keep their places
			list[i] = catalog.Exception{Rule: "localonly", Match: "example.com/p.F" + strconv.Itoa(i), Reason: "stands in for one with errors"}
		}
	}
	return list
}

// reopened refuses the tables that are continued elsewhere. [tools] and [types] hold what stands in one place each, and
// every [[exception]] is a thing of its own, so these three may be come back to.
func (r *reader) reopened() {
	last := -1
	for _, again := range r.file.doc.Reopened {
		if len(again.Path) == 1 && !again.Header && slices.Contains([]string{"tools", "types", "exception"}, again.Path[0]) {
			continue
		}
		line, _ := r.file.doc.Position(again.Again.Start)
		if line == last {
			continue // the outermost table of the line says it all
		}
		last = line
		first := r.file.place(again.First)
		path := tomlpos.Join(again.Path...)
		var e *Error
		if again.Header {
			e = r.fail(again.Again, again.Path, fmt.Sprintf("move [%s] and its keys above line %d", path, first.Line),
				"got the table after one that lies in it, want it before")
		} else {
			e = r.fail(again.Again, again.Path, fmt.Sprintf("move this up to the rest of %s, which begins at line %d", path, first.Line),
				"got more of a table after other keys came between, want a table in one place")
		}
		e.Also = []Place{first}
	}
}

// noNUL refuses U+0000, which only an escape can write: no JSON document that the gate reads may hold one.
func (r *reader) noNUL(n *tomlpos.Node, path []string) {
	if strings.Contains(n.Text, "\x00") {
		r.fail(n.Span, path, "", "got the character U+0000 in a string, want text without it")
	}
	for i, item := range n.Items {
		r.noNUL(item, append(path, strconv.Itoa(i)))
	}
	for _, name := range n.Names {
		m := n.Member(name)
		if strings.Contains(name, "\x00") {
			r.fail(m.Key, append(path, name), "", "got the character U+0000 in a key, want text without it")
		}
		r.noNUL(m, append(path, name))
	}
}

// check adds the problems that need no source text. A problem at a place that already has an error is a consequence.
func (r *reader) check(c *catalog.Catalog) {
	taken, clashes := map[Position]bool{}, map[[2]Position]bool{}
	for _, e := range r.errs {
		taken[e.Position] = true
	}
	for _, p := range c.Check() {
		span, path := r.file.find(p.At)
		e := &Error{Place: r.file.place(span), Key: tomlpos.Join(path...), Text: p.Text, Hint: p.Hint}
		if taken[e.Position] {
			continue
		}
		if p.Also != nil {
			span, _ = r.file.find(p.Also)
			e.Also = []Place{r.file.place(span)}
			pair := [2]Position{e.Position, e.Also[0].Position}
			if clashes[pair] {
				continue // names that clash in one way often clash in a second one
			}
			clashes[pair] = true
		}
		r.errs = append(r.errs, e)
	}
}
