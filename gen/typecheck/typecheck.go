// Package typecheck type-checks one generated file in memory: no go command, no network, no module cache.
//
// The packages that generated code imports are known as declarations only, embedded from the folder api: those of the
// runtime are written from its source by this package's test (go test ./gen/typecheck -update) and held equal to it; those
// of the standard library are the few declarations that generated code and the runtime's API name.
//
// Only the file itself is checked. The rest of the user's package may hold anything, a syntax error included.
package typecheck

import (
	"embed"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
)

//go:embed api
var api embed.FS

// File type-checks the Go source src; name is what positions call it. The error joins every fault, each with its line.
func File(name string, src []byte) error {
	c := &checker{fset: token.NewFileSet(), known: map[string]*types.Package{"unsafe": types.Unsafe}}
	f, err := parser.ParseFile(c.fset, name, src, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	var faults []error
	conf := types.Config{Importer: c, Error: func(err error) { faults = append(faults, err) }}
	if _, err := conf.Check(f.Name.Name, c.fset, []*ast.File{f}, nil); err != nil && len(faults) == 0 {
		return err
	}
	return errors.Join(faults...)
}

// checker imports the declarations of api, each package once.
type checker struct {
	fset  *token.FileSet
	known map[string]*types.Package
}

// Import implements types.Importer.
func (c *checker) Import(path string) (*types.Package, error) {
	if p, ok := c.known[path]; ok {
		return p, nil
	}
	file := stubName(path)
	src, err := api.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("package %q is none that generated code may import", path)
	}
	f, err := parser.ParseFile(c.fset, file, src, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	conf := types.Config{Importer: c, IgnoreFuncBodies: true}
	p, err := conf.Check(path, c.fset, []*ast.File{f}, nil)
	if err != nil {
		return nil, err
	}
	c.known[path] = p
	return p, nil
}

// stubName is the file of a package in api: the import path with "_" for "/".
func stubName(path string) string {
	path = strings.TrimPrefix(path, "github.com/toolfreeze/toolfreeze/")
	return "api/" + strings.ReplaceAll(path, "/", "_") + ".txt"
}
