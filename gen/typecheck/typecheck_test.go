package typecheck

import (
	"bytes"
	"flag"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the declarations of the runtime again")

// runtimePackages are those that generated code names, and those that their declarations name.
func runtimePackages() []string {
	return []string{"catalog", "decode", "dispatch", "encode", "endpoint", "ledger", "opt", "verdict", "workspace"}
}

// The embedded declarations are the runtime's exported API, so that what compiles here compiles for a user.
func TestDeclarationsAreCurrent(t *testing.T) {
	for _, name := range runtimePackages() {
		want := declarations(t, name)
		file := stubName("github.com/toolfreeze/toolfreeze/runtime/" + name)
		if *update {
			if err := os.WriteFile(file, want, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		got, err := os.ReadFile(file)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s does not match runtime/%s; run go test ./gen/typecheck -update", file, name)
		}
	}
}

// Every package of api can be imported.
func TestImports(t *testing.T) {
	var src strings.Builder
	src.WriteString("package p\n")
	for _, name := range runtimePackages() {
		src.WriteString("import _ \"github.com/toolfreeze/toolfreeze/runtime/" + name + "\"\n")
	}
	if err := File("p.go", []byte(src.String())); err != nil {
		t.Fatal(err)
	}
}

func TestFileFindsFaults(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"package p\nfunc f() int { return \"\" }\n", "p.go:2:23"},
		{"package p\nimport \"net\"\nvar _ net.Addr\n", "none that generated code may import"},
		{"package p\nimport \"github.com/toolfreeze/toolfreeze/runtime/dispatch\"\nconst _ = dispatch.GeneratedV0\n", "GeneratedV0"},
		{"package p\nvar x int\nvar x int\n", "p.go:3:5"},
		{"package p\nfunc {", "p.go:2:6"},
	} {
		err := File("p.go", []byte(tt.src))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("File(%q) = %v, want an error with %q", tt.src, err, tt.want)
		}
	}
}

// declarations prints the exported declarations of a runtime package, without bodies and without constants that need an
// evaluation (generated code names none of them).
func declarations(t *testing.T, name string) []byte {
	t.Helper()
	dir := filepath.Join("..", "..", "runtime", name)
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	imports := map[string]string{}
	var decls []ast.Decl
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || strings.Contains(file, "_windows") {
			continue
		}
		f, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range f.Imports {
			p, _ := strconv.Unquote(spec.Path.Value)
			imports[path.Base(p)] = p
		}
		ast.FileExports(f)
		for _, d := range f.Decls {
			if keep(d) {
				decls = append(decls, d)
			}
		}
	}
	out := &ast.File{Name: ast.NewIdent(name)}
	used := map[string]bool{}
	for _, d := range decls {
		ast.Inspect(d, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := sel.X.(*ast.Ident); ok && imports[x.Name] != "" {
					used[imports[x.Name]] = true
				}
			}
			return true
		})
	}
	var b bytes.Buffer
	b.WriteString("package " + out.Name.Name + "\n\n")
	for _, p := range slices.Sorted(maps.Keys(used)) {
		b.WriteString("import " + strconv.Quote(p) + "\n")
	}
	for _, d := range decls {
		b.WriteByte('\n')
		if err := format.Node(&b, token.NewFileSet(), d); err != nil {
			t.Fatal(err)
		}
		b.WriteByte('\n')
	}
	src, err := format.Source(b.Bytes())
	if err != nil {
		t.Fatalf("%v in\n%s", err, b.Bytes())
	}
	return src
}

// keep drops bodies, variables and constants that are no literals.
func keep(d ast.Decl) bool {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv != nil && !exportedReceiver(d.Recv.List[0].Type) {
			return false
		}
		d.Body = nil
		if d.Type.TypeParams != nil {
			d.Body = &ast.BlockStmt{List: []ast.Stmt{&ast.ForStmt{Body: &ast.BlockStmt{}}}}
		}
		return true
	case *ast.GenDecl:
		switch d.Tok {
		case token.TYPE:
			return true
		case token.CONST:
			var specs []ast.Spec
			for _, s := range d.Specs {
				if v := s.(*ast.ValueSpec); len(v.Values) == 1 {
					if _, ok := v.Values[0].(*ast.BasicLit); ok {
						specs = append(specs, s)
					}
				}
			}
			d.Specs = specs
			return len(specs) > 0
		}
	}
	return false
}

func exportedReceiver(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.StarExpr:
		return exportedReceiver(x.X)
	case *ast.IndexExpr:
		return exportedReceiver(x.X)
	case *ast.Ident:
		return x.IsExported()
	}
	return false
}
