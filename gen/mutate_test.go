package gen_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

// call is a line of calls.jsonl.
type call struct {
	Tool, Expect string
	ToolID       string `json:"tool_id"`
	Args         json.RawMessage
	Why          []string
}

// called are the tools that calls.jsonl calls, imported into as few catalogs as their names allow; where says which
// catalog holds the tool of an id.
func called(t *testing.T, calls []call) (all []*real, where map[string]*real) {
	t.Helper()
	ids := map[string]bool{}
	for _, c := range calls {
		ids[c.ToolID] = true
	}
	type definition struct {
		ID          string          `json:"id,omitempty"`
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Schema      json.RawMessage `json:"schema,omitempty"`
		InputSchema json.RawMessage `json:"inputSchema"`
	}
	var groups [][]definition
	group := map[string]int{}
	for line := range lines(t, filepath.Join(dataDir(t), "catalogs.jsonl")) {
		var d definition
		if err := json.Unmarshal(line, &d); err != nil {
			t.Fatal(err)
		}
		if !ids[d.ID] {
			continue
		}
		i := slices.IndexFunc(groups, func(g []definition) bool {
			return !slices.ContainsFunc(g, func(o definition) bool { return o.Name == d.Name })
		})
		if i < 0 {
			i, groups = len(groups), append(groups, nil)
		}
		group[d.ID] = i
		d.ID, d.InputSchema, d.Schema = "", d.Schema, nil
		groups[i] = append(groups[i], d)
	}
	for i, g := range groups {
		src, err := json.Marshal(map[string]any{"tools": g})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, importSource(t, src, fmt.Sprintf("called-%d.json", i), fmt.Sprintf("c%d", i)))
	}
	where = map[string]*real{}
	for id, i := range group {
		where[id] = all[i]
	}
	return all, where
}

// recordedCalls are the calls of calls.jsonl and mutations of the valid ones, with the catalogs that they are for.
func recordedCalls(t *testing.T) (all []*real, docs []document) {
	t.Helper()
	var calls []call
	for line := range lines(t, filepath.Join(dataDir(t), "calls.jsonl")) {
		var c call
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		calls = append(calls, c)
	}
	all, where := called(t, calls)
	for _, c := range calls {
		r := where[c.ToolID]
		if r == nil {
			t.Fatalf("no catalog holds the tool %s of id %s", c.Tool, c.ToolID)
		}
		d := document{real: r, tool: c.Tool, args: string(c.Args), what: c.Expect}
		i := slices.IndexFunc(r.catalog.Tools, func(t catalog.Tool) bool { return t.Name == c.Tool })
		if i < 0 {
			t.Fatalf("the catalog of id %s has no tool %s", c.ToolID, c.Tool)
		}
		tool := &r.catalog.Tools[i]
		d.ok = c.Expect == "valid" || nullOfOptional(tool, c.Args, c.Why)
		docs = append(docs, d)
		if c.Expect == "valid" {
			docs = append(docs, mutations(d, tool)...)
		}
	}
	return all, docs
}

// nullOfOptional is the one exception to what calls.jsonl expects: it was computed with a validator to which null is a
// value of the wrong type, and here a null for an optional argument means that it is not given.
func nullOfOptional(tool *catalog.Tool, args json.RawMessage, why []string) bool {
	if len(why) != 1 || !strings.HasPrefix(why[0], "type@") {
		return false
	}
	var given map[string]json.RawMessage
	if json.Unmarshal(args, &given) != nil {
		return false
	}
	name := strings.TrimPrefix(why[0], "type@")
	i := slices.IndexFunc(tool.Args, func(f catalog.Field) bool { return f.Name == name })
	return i >= 0 && tool.Args[i].Optional && string(given[name]) == "null"
}

func lines(t *testing.T, path string) func(yield func([]byte) bool) {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return func(yield func([]byte) bool) {
		s := bufio.NewScanner(bytes.NewReader(src))
		s.Buffer(nil, 16<<20)
		for s.Scan() {
			if !yield(s.Bytes()) {
				return
			}
		}
	}
}

// mutations break a valid call in every way that its types allow to be sure of.
func mutations(d document, tool *catalog.Tool) []document {
	docs := []document{{real: d.real, tool: d.tool + "_x", args: d.args, what: "made-up tool"}}
	m := mutator{types: d.real.catalog}
	m.object(tool.Args, json.RawMessage(d.args), func(args string) string { return args })
	for _, b := range m.broken {
		docs = append(docs, document{real: d.real, tool: d.tool, args: b.args, what: b.what})
	}
	return docs
}

type broken struct{ args, what string }

// mutator collects documents with one fault each.
type mutator struct {
	types  *catalog.Catalog
	broken []broken
}

// member is one name and value, in the order of the document.
type member struct {
	name  string
	value json.RawMessage
}

func membersOf(object json.RawMessage) []member {
	dec := json.NewDecoder(bytes.NewReader(object))
	if tok, err := dec.Token(); err != nil || tok != json.Delim('{') {
		return nil
	}
	var all []member
	for dec.More() {
		tok, err := dec.Token()
		name, ok := tok.(string)
		var value json.RawMessage
		if err != nil || !ok || dec.Decode(&value) != nil {
			return nil
		}
		all = append(all, member{name, value})
	}
	return all
}

func printObject(members []member) string {
	var b strings.Builder
	for i, m := range members {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Quote(m.name) + ":" + string(m.value))
	}
	return "{" + b.String() + "}"
}

// object breaks a closed object; around puts a broken value back into the whole document.
func (m *mutator) object(fields []catalog.Field, value json.RawMessage, around func(string) string) {
	add := func(what string, members []member) {
		m.broken = append(m.broken, broken{around(printObject(members)), what})
	}
	members := membersOf(value)
	add("unknown member", append(slices.Clone(members), member{"zz_unknown", json.RawMessage("1")}))
	for i, given := range members {
		add("duplicate", append(slices.Clone(members), given))
		j := slices.IndexFunc(fields, func(f catalog.Field) bool { return f.Name == given.name })
		if j < 0 {
			continue
		}
		f := &fields[j]
		if !f.Optional {
			add("missing", slices.Delete(slices.Clone(members), i, i+1))
		}
		m.value(&f.Type, given.value, func(v string) string {
			changed := slices.Clone(members)
			changed[i].value = json.RawMessage(v)
			return around(printObject(changed))
		})
	}
}

// value breaks one value by its type.
func (m *mutator) value(t *catalog.Type, value json.RawMessage, around func(string) string) {
	if string(value) == "null" {
		return
	}
	add := func(what, v string) { m.broken = append(m.broken, broken{around(v), what}) }
	switch t.Kind {
	case catalog.JSON:
		return // anything goes
	case catalog.String, catalog.Time, catalog.Bytes, catalog.Content:
		add("wrong type", "7")
	case catalog.Int, catalog.Float:
		add("number as text", strconv.Quote(string(value)))
	case catalog.Bool:
		add("wrong type", strconv.Quote(string(value)))
	case catalog.List:
		add("list as text", strconv.Quote(string(value)))
		var items []json.RawMessage
		if json.Unmarshal(value, &items) != nil || len(items) == 0 {
			return
		}
		m.value(t.Elem, items[0], func(v string) string {
			rest := []string{v}
			for _, item := range items[1:] {
				rest = append(rest, string(item))
			}
			return around("[" + strings.Join(rest, ",") + "]")
		})
	case catalog.Object:
		add("object as text", strconv.Quote(string(value)))
		if !t.Open {
			m.object(t.Fields, value, around)
		}
	case catalog.Ref:
		add("object as text", strconv.Quote(string(value)))
		if n := m.types.TypeNamed(t.Ref); !n.Open {
			m.object(n.Fields, value, around)
		}
	}
}
