package gen

import (
	"fmt"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// packageOf finds the Go package of a folder: what its Go files say (test files, the generated file and files that the
// build leaves out set aside), else the name of the folder. It reads package clauses only, so that a syntax error in the
// user's own code does not stop the generation.
func packageOf(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	pkg, from := "", ""
	for _, e := range entries {
		name := e.Name()
		if !e.Type().IsRegular() || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") || name == FileName {
			continue
		}
		if ok, err := build.Default.MatchFile(dir, name); err != nil || !ok {
			continue
		}
		path := filepath.Join(dir, name)
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.PackageClauseOnly)
		if err != nil || f.Name == nil {
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
	if !token.IsIdentifier(pkg) || pkg == "_" {
		return "", fmt.Errorf("%s: the folder's name %q is no Go package name; want package in [meta], such as package = %q", dir, filepath.Base(abs), "tools")
	}
	return pkg, nil
}
