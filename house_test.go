// Package toolfreeze_test holds the rules of the whole repository as tests: who may import whom, that every exported name
// has a doc comment, that the example's generated code is current, and what the built example depends on.
package toolfreeze_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/toolfreeze/toolfreeze/gen"
)

const module = "github.com/toolfreeze/toolfreeze/"

// arrow says what a package and everything below it may not import, and why.
type arrow struct {
	from   string   // a folder of the module, with what is below it
	except string   // a folder below from that the rule leaves out
	deny   []string // prefixes of import paths, on "/"
	why    string
}

// arrows are read from top to bottom; each one holds on its own. Test files are free to import what they test against.
func arrows() []arrow {
	return []arrow{
		{"runtime", "", []string{module + "gen", module + "cmd", module + "example", module + "analyzer"}, "the runtime never looks up"},
		{"runtime/catalog", "", []string{module}, "the model is pure data: everybody else imports it"},
		{"runtime/verdict", "", []string{module}, "the codes are the leaf that every package names"},
		{"runtime/opt", "", []string{module}, "an optional value needs nobody"},
		{"runtime/encode", "", []string{module}, "a writer of JSON needs nobody"},
		{"runtime/workspace", "", []string{module + "runtime/catalog", module + "runtime/decode", module + "runtime/dispatch"}, "a capability knows its own limits, not the freeze they came from"},
		{"runtime/endpoint", "", []string{module + "runtime/catalog", module + "runtime/decode", module + "runtime/dispatch"}, "a capability knows its own limits, not the freeze they came from"},
		{"runtime/breaker", "", []string{module}, "the state file knows nothing of the gate that asks it"},
		{"runtime/dispatch", "", []string{module + "runtime/endpoint", module + "runtime/workspace", "net"}, "a program without a free_net tool links no network code; generated code wires the capabilities"},
		{"gen", "", []string{module + "runtime/dispatch", module + "analyzer", module + "cmd", module + "example"}, "the generator knows the gate's API as declarations, and stays apart from the vet tool"},
		{"analyzer", "", []string{module + "gen", module + "runtime/dispatch", module + "cmd", module + "example"}, "the vet tool reads the catalog constant, never the generator's or the gate's mind"},
		{"gen", "gen/freezefile", []string{"github.com/BurntSushi/toml"}, "one package turns TOML into a catalog"},
		{"gen", "gen/emit", []string{"github.com/dave/jennifer"}, "one package writes Go"},
		{"cmd", "", []string{"github.com/BurntSushi/toml", "github.com/dave/jennifer", module + "example"}, "a command hands over to the library"},
	}
}

// thirdParty says who may import a module that is not ours.
func thirdParty() map[string]string {
	return map[string]string{
		"github.com/BurntSushi/toml": "gen/freezefile", // the reference TOML library of the field; it alone parses the freeze
		"github.com/dave/jennifer":   "gen/emit",       // writes Go that quotes and sorts imports by itself
		"modernc.org/sqlite":         "example",        // the example's embedded database, without cgo
	}
}

func TestArrows(t *testing.T) {
	for file, imports := range importsOf(t) {
		dir := filepath.ToSlash(filepath.Dir(file))
		for _, path := range imports {
			for _, a := range arrows() {
				if !below(dir, a.from) || a.except != "" && below(dir, a.except) {
					continue
				}
				for _, deny := range a.deny {
					if path == strings.TrimSuffix(deny, "/") || strings.HasPrefix(path, strings.TrimSuffix(deny, "/")+"/") {
						t.Errorf("%s imports %s: %s may not, since %s", file, path, a.from, a.why)
					}
				}
			}
			checkThirdParty(t, file, dir, path)
		}
	}
}

func checkThirdParty(t *testing.T, file, dir, path string) {
	if !strings.Contains(strings.SplitN(path, "/", 2)[0], ".") || strings.HasPrefix(path, module) {
		return
	}
	for mod, home := range thirdParty() {
		if below(path, mod) && below(dir, home) {
			return
		}
	}
	t.Errorf("%s imports %s: want a line in thirdParty that says who may, and why", file, path)
}

func below(dir, root string) bool { return dir == root || strings.HasPrefix(dir, root+"/") }

// importsOf lists the imports of every hand-written and generated Go file of the module, tests and testdata left out.
func importsOf(t *testing.T) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	eachFile(t, func(path string, f *ast.File) {
		for _, spec := range f.Imports {
			p, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			all[path] = append(all[path], p)
		}
	})
	if len(all) < 10 {
		t.Fatalf("found %d files with imports: the walk is broken", len(all))
	}
	return all
}

// eachFile visits every Go file that is not a test, outside testdata and nested modules.
func eachFile(t *testing.T, visit func(path string, f *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if _, err := os.Stat(filepath.Join(path, "go.mod")); path != "." && (err == nil || d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".")) {
				return filepath.SkipDir
			}
			return nil
		}
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		visit(path, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Every exported name has a doc comment.
func TestExportedNamesHaveDocs(t *testing.T) {
	eachFile(t, func(path string, f *ast.File) {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() && exportedReceiver(d.Recv) && d.Doc.Text() == "" && !gateMethod(path, d) {
					t.Errorf("%s: %s has no doc comment", path, d.Name.Name)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					checkSpec(t, path, d, spec)
				}
			}
		}
	})
}

// gateMethod reports whether d is a method of a generated job, which is unexported as a type.
func gateMethod(path string, d *ast.FuncDecl) bool {
	return filepath.Base(path) == gen.FileName && d.Recv != nil
}

func exportedReceiver(recv *ast.FieldList) bool {
	if recv == nil {
		return true
	}
	x := recv.List[0].Type
	for {
		switch v := x.(type) {
		case *ast.StarExpr:
			x = v.X
		case *ast.IndexExpr:
			x = v.X
		case *ast.Ident:
			return v.IsExported()
		default:
			return false
		}
	}
}

func checkSpec(t *testing.T, path string, d *ast.GenDecl, spec ast.Spec) {
	switch s := spec.(type) {
	case *ast.TypeSpec:
		if s.Name.IsExported() && s.Doc.Text() == "" && d.Doc.Text() == "" {
			t.Errorf("%s: %s has no doc comment", path, s.Name.Name)
		}
	case *ast.ValueSpec:
		for _, n := range s.Names {
			if n.IsExported() && s.Doc.Text() == "" && s.Comment.Text() == "" && d.Doc.Text() == "" {
				t.Errorf("%s: %s has no doc comment", path, n.Name)
			}
		}
	}
}

// The example's generated code is what freezegen writes today.
func TestExampleIsCurrent(t *testing.T) {
	dir := filepath.Join("example", "tools")
	want, err := os.ReadFile(filepath.Join(dir, gen.FileName))
	if err != nil {
		t.Fatal(err)
	}
	tmp := filepath.Join(t.TempDir(), "tools")
	if err := os.CopyFS(tmp, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(tmp, gen.FileName)); err != nil {
		t.Fatal(err)
	}
	if _, err := gen.Run(filepath.Join(tmp, "tools.freeze.toml")); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(tmp, gen.FileName))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, bytes.ReplaceAll(want, []byte("\r\n"), []byte("\n"))) {
		t.Error("example/tools/freeze_gen.go is not current; run go generate ./example/...")
	}
}

// What an application links: the runtime brings the standard library only, and the example its SQLite driver.
func TestDependencies(t *testing.T) {
	for _, path := range list(t, "./runtime/...") {
		if strings.Contains(strings.SplitN(path, "/", 2)[0], ".") && !strings.HasPrefix(path, module+"runtime/") {
			t.Errorf("./runtime/... depends on %s; want the standard library and runtime only", path)
		}
	}
	for _, path := range list(t, "./runtime/dispatch") {
		if path == "net" || strings.HasPrefix(path, "net/http") || strings.HasPrefix(path, "os/exec") {
			t.Errorf("./runtime/dispatch depends on %s; a program without a free_net tool must not link it", path)
		}
	}
	driver := list(t, "modernc.org/sqlite")
	for _, path := range list(t, "./example") {
		if strings.Contains(strings.SplitN(path, "/", 2)[0], ".") && !strings.HasPrefix(path, module) && !slices.Contains(driver, path) {
			t.Errorf("./example depends on %s; want nothing beyond its SQLite driver", path)
		}
		if strings.HasPrefix(path, module+"gen") {
			t.Errorf("./example depends on %s; an application never links the generator", path)
		}
	}
}

// list is go list -deps: the import paths that a pattern depends on, the standard library included.
func list(t *testing.T, pattern string) []string {
	t.Helper()
	out, err := exec.Command("go", "list", "-deps", pattern).Output()
	if err != nil {
		t.Fatalf("go list -deps %s: %v", pattern, err)
	}
	return strings.Fields(string(out))
}
