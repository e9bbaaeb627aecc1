package gen_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"testing"

	"github.com/toolfreeze/toolfreeze/gen/emit"
	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

// Adding a tool, an argument or an enum value renames no identifier that is already there, in any collected catalog.
func TestIdentifiersAreStable(t *testing.T) {
	for _, r := range importAll(t) {
		before := identifiers(t, r.catalog)
		for what, change := range map[string]func(*catalog.Catalog){
			"a tool": func(c *catalog.Catalog) {
				added := catalog.Tool{Name: "a_new_tool", CostClass: catalog.Local, MaxCalls: 1, MaxMS: 1}
				c.MaxTools++
				c.Tools = append([]catalog.Tool{added}, c.Tools...)
			},
			"an argument": func(c *catalog.Catalog) {
				for i := range c.Tools {
					added := catalog.Field{Name: "a_new_argument", Type: catalog.Type{Kind: catalog.String}}
					c.Tools[i].Args = append([]catalog.Field{added}, c.Tools[i].Args...)
				}
			},
			"an enum value": func(c *catalog.Catalog) {
				c.Walk(func(_ []string, _ *catalog.Field, typ *catalog.Type) {
					if len(typ.Enum) > 0 && typ.Kind == catalog.String {
						typ.Enum = append([]catalog.Enum{{Value: json.RawMessage(`"a new value"`)}}, typ.Enum...)
					}
				})
			},
		} {
			c, err := catalog.Parse(string(r.catalog.JSON()))
			if err != nil {
				t.Fatal(err)
			}
			change(c)
			if problems := c.Check(); len(problems) > 0 {
				t.Errorf("%s: with %s added: %v", r.file, what, problems)
				continue
			}
			after := identifiers(t, c)
			for name := range before {
				if !after[name] {
					t.Errorf("%s: adding %s renames %s", r.file, what, name)
				}
			}
		}
	}
}

// identifiers are the names that an application may use: types, constants, methods and fields.
func identifiers(t *testing.T, c *catalog.Catalog) map[string]bool {
	t.Helper()
	src, _, err := emit.File(c, "p", "tools.freeze.toml", "sha256:0")
	if err != nil {
		t.Fatal(err)
	}
	f, err := parser.ParseFile(token.NewFileSet(), "freeze_gen.go", src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			names["func "+d.Name.Name] = true
		case *ast.GenDecl:
			for _, s := range d.Specs {
				declared(s, names)
			}
		}
	}
	return names
}

func declared(s ast.Spec, names map[string]bool) {
	switch s := s.(type) {
	case *ast.ValueSpec:
		for _, n := range s.Names {
			names[n.Name] = true
		}
	case *ast.TypeSpec:
		names[s.Name.Name] = true
		if st, ok := s.Type.(*ast.StructType); ok {
			for _, field := range st.Fields.List {
				for _, n := range field.Names {
					names[s.Name.Name+"."+n.Name] = true
				}
			}
		}
	}
}
