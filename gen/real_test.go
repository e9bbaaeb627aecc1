package gen_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/toolfreeze/toolfreeze/gen"
	"github.com/toolfreeze/toolfreeze/gen/freezefile"
	"github.com/toolfreeze/toolfreeze/gen/toolschema/importer"
	"github.com/toolfreeze/toolfreeze/runtime/catalog"
	"github.com/toolfreeze/toolfreeze/runtime/decode"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// real is one file of collected tool definitions, imported and generated.
type real struct {
	file    string // below the data folder
	pkg     string
	catalog *catalog.Catalog
	program *decode.Program
	made    *importer.Imported
}

// dataDir is the folder of collected data; the test is skipped where there is none.
func dataDir(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("TOOLFREEZE_DATA")
	if dir == "" {
		t.Skip("TOOLFREEZE_DATA is not set: no collected tool definitions to test with")
	}
	return dir
}

// importAll imports every file that the importer reads, with the freeze's text loaded again.
func importAll(t *testing.T) []*real {
	t.Helper()
	dir := dataDir(t)
	var all []*real
	for _, folder := range []string{"mcp-tools", "openai", "openai-responses", "anthropic", "gemini"} {
		files, err := filepath.Glob(filepath.Join(dir, folder, "*.json"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no files: %v", folder, err)
		}
		for _, file := range files {
			all = append(all, importFile(t, file, folder+"/"+filepath.Base(file), fmt.Sprintf("p%d", len(all))))
		}
	}
	return all
}

func importFile(t *testing.T, path, file, pkg string) *real {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return importSource(t, src, file, pkg)
}

func importSource(t *testing.T, src []byte, file, pkg string) *real {
	t.Helper()
	made, err := importer.Import(file, src, importer.Options{CostClass: catalog.Local, Package: pkg})
	if err != nil {
		t.Fatal(err)
	}
	f, err := freezefile.Load(file, made.Freeze)
	if err != nil {
		t.Fatalf("%s: %s", file, errorText(err))
	}
	program, err := decode.Compile(f.Catalog)
	if err != nil {
		t.Fatal(err)
	}
	return &real{file: file, pkg: pkg, catalog: f.Catalog, program: program, made: made}
}

// document is one call for one package, and what has to come of it.
type document struct {
	real *real
	tool string
	args string
	ok   bool
	what string
}

// Every collected catalog imports, generates, builds and vets; recorded calls and their mutations get the right answer
// from the generated decoders and from the interpreter alike.
func TestRealCatalogs(t *testing.T) {
	all := importAll(t)
	report(t, all)
	more, docs := recordedCalls(t)
	all = append(all, more...)
	dir := newModule(t)
	for _, r := range all {
		path := filepath.Join(dir, r.pkg)
		if err := os.Mkdir(path, 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(path, "tools.freeze.toml"), string(r.made.Freeze))
		if _, err := gen.Run(filepath.Join(path, "tools.freeze.toml")); err != nil {
			t.Fatalf("%s: %s", r.file, errorText(err))
		}
	}
	write(t, filepath.Join(dir, "main.go"), driver(all))
	command(t, dir, "go", "build", "-trimpath", "-o", "driver", ".")
	command(t, dir, "go", "vet", "./...")
	if !t.Failed() {
		ask(t, filepath.Join(dir, "driver"), docs)
	}
}

// report prints what the import kept, and holds that 99 % of the distinct tools are exact.
func report(t *testing.T, all []*real) {
	dropped := 0
	exact := map[string]bool{} // by name and schema text, so that a tool that stands in several files counts once
	for _, r := range all {
		inexact := map[string]bool{}
		for _, n := range r.made.Notes {
			if n.Inexact {
				inexact[n.Tool] = true
			}
			if n.Dropped {
				dropped++
			}
		}
		for i := range r.catalog.Tools {
			tool := &r.catalog.Tools[i]
			id, err := json.Marshal(tool)
			if err != nil {
				t.Fatal(err)
			}
			exact[string(id)] = !inexact[tool.Name]
		}
	}
	n := 0
	for _, ok := range exact {
		if ok {
			n++
		}
	}
	t.Logf("%d files, %d distinct tools: %d exact, %d kept as json in part; %d second definitions of a name refused", len(all), len(exact), n, len(exact)-n, dropped)
	if n*100 < len(exact)*99 {
		t.Errorf("got %d of %d tools exact, want at least 99 %%", n, len(exact))
	}
}

// driver is a program that imports every generated package and answers a line of stdin, a package, a tool and an argument
// document, each quoted, with the code of a dry call.
func driver(all []*real) string {
	var imports, cases strings.Builder
	for _, r := range all {
		fmt.Fprintf(&imports, "\t%q\n", "example.test/app/"+r.pkg)
		fmt.Fprintf(&cases, "\tgates[%q] = caller(%s.NewDry())\n", r.pkg, r.pkg)
	}
	return `package main

import (
	"bufio"
	"context"
	"fmt"
	"os"

	"github.com/toolfreeze/toolfreeze/runtime/dispatch"

` + imports.String() + `)

type request interface {
	Call(context.Context, string, []byte) dispatch.Answer
}

func caller[R request, G interface {
	Request(...dispatch.Limit) (R, error)
}](gate G, err error) func(tool, args string) string {
	return func(tool, args string) string {
		if err != nil {
			return err.Error()
		}
		q, err := gate.Request()
		if err != nil {
			return err.Error()
		}
		return q.Call(context.Background(), tool, []byte(args)).Code.String()
	}
}

func main() {
	gates := map[string]func(tool, args string) string{}
` + cases.String() + `	in, out := bufio.NewReader(os.Stdin), bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for {
		var pkg, tool, args string
		if n, _ := fmt.Fscanf(in, "%q %q %q\n", &pkg, &tool, &args); n != 3 {
			return
		}
		fmt.Fprintln(out, gates[pkg](tool, args))
	}
}
`
}

// ask runs the documents through the driver and through the interpreter.
func ask(t *testing.T, driver string, docs []document) {
	var in bytes.Buffer
	for _, d := range docs {
		fmt.Fprintf(&in, "%q %q %q\n", d.real.pkg, d.tool, d.args)
	}
	cmd := exec.Command(driver)
	cmd.Stdin = &in
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	codes := bufio.NewScanner(bytes.NewReader(out))
	count := map[string]int{}
	for _, d := range docs {
		if !codes.Scan() {
			t.Fatal("the driver answered too few lines")
		}
		got, interpreted := codes.Text(), interpret(d)
		if got != interpreted {
			t.Errorf("%s: %s %s (%s): generated %s, interpreter %s", d.real.file, d.tool, d.args, d.what, got, interpreted)
		}
		if (got == "DRY_RUN") != d.ok {
			t.Errorf("%s: %s %s (%s): got %s", d.real.file, d.tool, d.args, d.what, got)
		}
		count[d.what]++
	}
	t.Logf("documents: %v", count)
}

// interpret is the code of the same call without generated code.
func interpret(d document) string {
	i := slices.IndexFunc(d.real.catalog.Tools, func(t catalog.Tool) bool { return t.Name == d.tool })
	if i < 0 {
		return verdict.UnknownTool.String()
	}
	var r decode.Reader
	r.Reset(d.real.program, []byte(d.args), d.real.catalog.MaxArgsBytes)
	d.real.program.Args(&r, i)
	r.End()
	if r.Code() == verdict.OK {
		return verdict.DryRun.String()
	}
	return r.Code().String()
}
