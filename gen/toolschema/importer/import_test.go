package importer

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/toolfreeze/toolfreeze/gen/freezefile"
	"github.com/toolfreeze/toolfreeze/gen/toolschema"
	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

var update = flag.Bool("update", false, "write the wanted output of the tests anew")

// TestFixtures compares the freeze and the notes of each file in testdata with the golden file beside it, and loads it.
func TestFixtures(t *testing.T) {
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("got no fixtures (%v)", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			imported, err := Import(file, src, Options{CostClass: "local"})
			if err != nil {
				t.Fatal(err)
			}
			f, err := freezefile.Load("tools.freeze.toml", imported.Freeze)
			if err != nil {
				t.Fatalf("%v\n%s", err, imported.Freeze)
			}
			if n := len(f.Catalog.Tools); n != imported.Tools {
				t.Errorf("got %d tools in the freeze, want %d", n, imported.Tools)
			}
			o := Options{CostClass: "local"}
			if err := o.settle(file); err != nil {
				t.Fatal(err)
			}
			if c, _, _, err := build(src, o); err != nil || !bytes.Equal(c.JSON(), f.Catalog.JSON()) {
				t.Errorf("the text says something else than the catalog (%v):\n%s\n%s", err, f.Catalog.JSON(), c.JSON())
			}
			got := bytes.Clone(imported.Freeze)
			for _, n := range imported.Notes {
				got = fmt.Appendf(got, "\n# note (inexact: %t): %s", n.Inexact, n)
			}
			got = append(got, '\n')
			golden := strings.TrimSuffix(file, ".json") + ".golden"
			if *update {
				if err := os.WriteFile(golden, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("got another freeze than %s; run go test -update and look at the difference", golden)
			}
		})
	}
}

// TestRefusals holds the messages for what is not imported.
func TestRefusals(t *testing.T) {
	const tool = `{"name": "a", "inputSchema": {}}`
	for _, c := range []struct {
		name, src string
		o         Options
		want      []string
	}{
		{"empty", ``, Options{}, []string{"x.json: line 1", "end of the file"}},
		{"syntax", "{\n\"tools\": [}", Options{}, []string{"x.json: line 2", "invalid character"}},
		{"twice", `{"tools": [], "tools": []}`, Options{}, []string{`"tools" twice`}},
		{"trailing", `[] []`, Options{}, []string{"text after the end"}},
		{"not UTF-8", "\"\xff\"", Options{}, []string{"not UTF-8"}},
		{"scalar", `3`, Options{}, []string{"got a number", "inputSchema"}},
		{"no tools", `{"tools": []}`, Options{}, []string{"without tools"}},
		{"other object", `{"openapi": "3.1.0", "paths": {}}`, Options{}, []string{`"openapi"`, "functionDeclarations"}},
		{"bedrock", `{"tools": [{"toolSpec": {"name": "a"}}]}`, Options{}, []string{"Bedrock toolSpec", "MCP"}},
		{"arguments", `[{"name": "a", "arguments": [{"name": "b", "type": "string", "desc": "c"}]}]`, Options{}, []string{"does not say which are required"}},
		{"no schema", `[{"name": "a", "description": "b"}]`, Options{}, []string{"no schema of the arguments"}},
		{"rpc error", `{"jsonrpc": "2.0", "id": 1, "error": {"code": -32601, "message": "x"}}`, Options{}, []string{"JSON-RPC error"}},
		{"hosted only", `[{"type": "web_search"}]`, Options{}, []string{"only tools that the provider runs"}},
		{"nameless", `[{"inputSchema": {}}]`, Options{}, []string{"entry 1", "no name"}},
		{"two shapes", `[` + tool + `, {"name": "b", "input_schema": {}}]`, Options{}, []string{"entry 2", "anthropic", "mcp"}},
		{"other shape", `[` + tool + `]`, Options{From: "openai"}, []string{"shape of mcp", "openai"}},
		{"unknown shape", `[]`, Options{From: "bedrock"}, []string{`"bedrock"`, "gemini"}},
		{"fold", `[` + tool + `, {"name": "A", "inputSchema": {}}]`, Options{}, []string{`"a" and "A"`}},
		{"fold dots", `[{"name": "a.b", "inputSchema": {}}, {"name": "a-b", "inputSchema": {}}]`, Options{}, []string{`"a.b" and "a-b"`}},
		{"name with a space", `[{"name": "get /x", "inputSchema": {}}]`, Options{}, []string{`"get /x"`, "rename"}},
		{"schema", `[{"name": "a", "inputSchema": true}]`, Options{}, []string{`tool "a"`, "a boolean"}},
		{"not an object", `[{"name": "a", "inputSchema": {"type": "string"}}]`, Options{}, []string{`tool "a"`, `"string"`}},
		{"properties", `[{"name": "a", "inputSchema": {"properties": []}}]`, Options{}, []string{`tool "a"`, "properties: got a list"}},
		{"member name", `[{"name": "a", "inputSchema": {"properties": {"b\u202e": {}}}}]`, Options{}, []string{"member name"}},
		{"free_net", `[` + tool + `]`, Options{CostClass: "free_net"}, []string{"allow_url"}},
		{"forbidden", `[` + tool + `]`, Options{CostClass: "forbidden"}, []string{`"forbidden"`}},
		{"budget", `[` + tool + `]`, Options{MaxCalls: -1}, []string{"max_calls: got -1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Import("x.json", []byte(c.src), c.o)
			if err == nil {
				t.Fatal("got no error")
			}
			for _, w := range c.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("got %q, want it to hold %q", err, w)
				}
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("got more than one line: %q", err)
			}
		})
	}
}

// TestUnclassified imports without a class: the freeze is refused until a person gives one, for no other reason.
func TestUnclassified(t *testing.T) {
	got, err := Import("dir/my-api.json", []byte(`[{"name": "a", "inputSchema": {}}, {"name": "b", "inputSchema": {}}]`), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(got.Freeze, []byte("api = \"my-api\"\nmax_tools = 2\n")) {
		t.Errorf("got another head:\n%s", got.Freeze)
	}
	_, err = freezefile.Load("f.toml", got.Freeze)
	if err == nil || strings.Count(err.Error(), "unclassified") != 2 || strings.Count(err.Error(), "\n") != 1 {
		t.Errorf("got %v, want two errors about the class", err)
	}
}

// TestOwnDefinitions imports what toolschema exports.
func TestOwnDefinitions(t *testing.T) {
	src, err := os.ReadFile("testdata/refs.json")
	if err != nil {
		t.Fatal(err)
	}
	first, err := Import("refs", src, Options{CostClass: "local"})
	if err != nil {
		t.Fatal(err)
	}
	f, err := freezefile.Load("f.toml", first.Freeze)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range toolschema.Dialects() {
		doc, _, err := toolschema.Definitions(f.Catalog, d)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Import("refs", doc, Options{CostClass: "local"})
		if err != nil {
			t.Errorf("%s: %v", d, err)
			continue
		}
		g, err := freezefile.Load("f.toml", again.Freeze)
		if err != nil {
			t.Errorf("%s: %v", d, err)
			continue
		}
		if d != toolschema.JSONSchema && d != toolschema.MCP && d != toolschema.Anthropic {
			continue // those say less
		}
		for i := range f.Catalog.Tools[:4] {
			if got, want := toolschema.Args(g.Catalog, i), toolschema.Args(f.Catalog, i); !bytes.Equal(got, want) {
				t.Errorf("%s %s: got\n%s\nwant\n%s", d, f.Catalog.Tools[i].Name, got, want)
			}
		}
	}
}

// FuzzImport demands that whatever is imported loads, and that nothing panics.
func FuzzImport(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.json")
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		got, err := Import("fuzz.json", src, Options{CostClass: "local"})
		if err != nil {
			return
		}
		file, err := freezefile.Load("f.toml", got.Freeze)
		if err != nil {
			t.Fatalf("%v\n%s", err, got.Freeze)
		}
		for i := range file.Catalog.Tools {
			compileSchema(t, decodeJSON(t, toolschema.Args(file.Catalog, i)))
		}
	})
}

// TestProviders holds the providers of a freeze against what the catalog's own check says of each name.
func TestProviders(t *testing.T) {
	for _, name := range []string{"a", "a.b", "a-b", "2fa", "_x", strings.Repeat("a", 64), strings.Repeat("a", 65), strings.Repeat("a", 128),
		strings.Repeat("a", 129), "a b", "\u0430", "a/b", "a:b", ""} {
		got, err := providers([]source{{name: name}})
		var want []string
		for _, p := range defaultProviders() {
			c := &catalog.Catalog{API: "x", MaxTools: 1, MaxCallsPerRequest: 1, LiveEnv: "X", Providers: []string{p}, MaxArgsBytes: 1, MaxResultBytes: 1,
				Tools: []catalog.Tool{{Name: name, GoName: "X", CostClass: catalog.Local, MaxCalls: 1, MaxMS: 1}}}
			if c.Check() == nil {
				want = append(want, p)
			}
		}
		if !slices.Equal(got, want) || (err != nil) != (want == nil) {
			t.Errorf("%q: got %q, %v, want %q", name, got, err, want)
		}
	}
}

// Of two definitions of one name the first stays, and the other is named.
func TestOneNameTwice(t *testing.T) {
	src := `[{"name": "a", "description": "first", "inputSchema": {"type": "object", "properties": {"x": {"type": "string"}}}},
		{"name": "a", "description": "second", "inputSchema": {"type": "object"}}]`
	got, err := Import("tools.json", []byte(src), Options{CostClass: "local"})
	if err != nil {
		t.Fatal(err)
	}
	if got.Tools != 1 || len(got.Notes) != 1 || !got.Notes[0].Dropped || !strings.Contains(got.Notes[0].Text, "entry 2 is left out") {
		t.Errorf("got %d tools, %v", got.Tools, got.Notes)
	}
	if !strings.Contains(string(got.Freeze), `"first"`) {
		t.Errorf("the first definition is not kept:\n%s", got.Freeze)
	}
}
