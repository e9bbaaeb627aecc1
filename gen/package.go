package gen

import (
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

// packageOf finds the Go package of a folder: what its Go files say, else the name of the folder. Test files, the generated
// file and files with the build tag ignore are set aside; files for other systems are not, since the answer must not depend
// on the machine. It reads package clauses only, so that a syntax error in the user's own code does not stop the generation.
func packageOf(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	pkg, from := "", ""
	for _, e := range entries {
		name := e.Name()
		path := filepath.Join(dir, name)
		if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") || name == FileName || strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") {
			continue
		}
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil || f.Name == nil || ignored(f) {
			continue
		}
		if pkg != "" && f.Name.Name != pkg {
			return "", fmt.Errorf("%s: the folder holds the packages %q (%s) and %q (%s); want one, or package in [meta]", dir, pkg, from, f.Name.Name, name)
		}
		pkg, from = f.Name.Name, name
	}
	if pkg != "" {
		return pkg, nil
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	pkg = strings.NewReplacer("-", "", ".", "").Replace(filepath.Base(abs))
	if !catalog.PackageName(pkg) {
		return "", fmt.Errorf("%s: the folder's name %q is no Go package name; want package in [meta], such as package = %q", dir, filepath.Base(abs), "tools")
	}
	return pkg, nil
}

// ignored reports whether a file has a build line that leaves it out unless somebody sets the tag ignore.
func ignored(f *ast.File) bool {
	for _, group := range f.Comments {
		for _, c := range group.List {
			if c.Pos() > f.Package || !constraint.IsGoBuild(c.Text) {
				continue
			}
			if expr, err := constraint.Parse(c.Text); err == nil && expr.Eval(func(string) bool { return true }) && !expr.Eval(func(tag string) bool { return tag != "ignore" }) {
				return true
			}
		}
	}
	return false
}
