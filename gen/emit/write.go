package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

// encoder writes the method that prints one struct as JSON, for results and for the application's typed arguments. The
// writer says no where values hold themselves: nothing may be written then, or the method would never end.
func (e *emitter) encoder(o object, recv jen.Code) {
	e.add(jen.Func().Params(recv).Id("write").Params(writer()).BlockFunc(func(g *jen.Group) {
		g.If(jen.Op("!").Id("w").Dot("Object").Call()).Block(jen.Return())
		for i := range o.fields {
			e.writeMember(g, o.name, &o.fields[i])
		}
		if o.open {
			g.Id("w").Dot("Extra").Call(jen.Id("v").Dot("Extra"))
		}
		g.Id("w").Dot("EndObject").Call()
	}))
}

// writeMember writes one member; an absent one is left out.
func (e *emitter) writeMember(g *jen.Group, owner string, f *catalog.Field) {
	name := owner + f.Go()
	value := func() *jen.Statement { return jen.Id("v").Dot(f.Go()) }
	body := func(value func() *jen.Statement) func(*jen.Group) {
		return func(g *jen.Group) {
			g.Id("w").Dot("Key").Call(jen.Lit(f.Name))
			e.write(g, name, &f.Type, value, 0)
		}
	}
	if !f.Optional {
		body(value)(g)
		return
	}
	switch f.Type.Kind {
	case catalog.Object, catalog.Ref, catalog.List, catalog.Map, catalog.Bytes, catalog.JSON:
		g.If(value().Op("!=").Nil()).BlockFunc(body(value))
	default:
		g.If(jen.List(jen.Id("x"), jen.Id("ok")).Op(":=").Add(value()).Dot("Get").Call(), jen.Id("ok")).
			BlockFunc(body(func() *jen.Statement { return jen.Id("x") }))
	}
}

// write writes one value of type t.
func (e *emitter) write(g *jen.Group, name string, t *catalog.Type, value func() *jen.Statement, depth int) {
	i, key, item := fmt.Sprintf("i%d", depth), fmt.Sprintf("key%d", depth), fmt.Sprintf("item%d", depth)
	switch t.Kind {
	case catalog.Object, catalog.Ref:
		g.Add(value()).Dot("write").Call(jen.Id("w"))
	case catalog.List:
		g.If(jen.Id("w").Dot("List").Call()).BlockFunc(func(g *jen.Group) {
			g.For(jen.Id(i).Op(":=").Range().Add(value())).BlockFunc(func(g *jen.Group) {
				e.write(g, name+"Item", t.Elem, func() *jen.Statement { return value().Index(jen.Id(i)) }, depth+1)
			})
			g.Id("w").Dot("EndList").Call()
		})
	case catalog.Map:
		g.If(jen.Id("w").Dot("Object").Call()).BlockFunc(func(g *jen.Group) {
			g.For(jen.List(jen.Id("_"), jen.Id(key)).Op(":=").Range().Qual(encodePath, "Keys").Call(value())).BlockFunc(func(g *jen.Group) {
				g.Id("w").Dot("Key").Call(jen.Id(key))
				g.Id(item).Op(":=").Add(value()).Index(jen.Id(key))
				e.write(g, name+"Value", t.Elem, func() *jen.Statement { return jen.Id(item) }, depth+1)
			})
			g.Id("w").Dot("EndObject").Call()
		})
	case catalog.Path:
		g.Id("w").Dot("String").Call(value().Dot("Name").Call())
	default:
		g.Id("w").Dot(writeMethod(t)).Call(convert(t, value()))
	}
}

// writeMethod names the method of encode.Writer for a kind that has no parts.
func writeMethod(t *catalog.Type) string {
	switch t.Kind {
	case catalog.Int:
		return "Int"
	case catalog.Float:
		return "Float"
	case catalog.Bool:
		return "Bool"
	case catalog.Time:
		return "Time"
	case catalog.Bytes:
		return "Bytes"
	case catalog.JSON:
		return "JSON"
	}
	return "String"
}

// convert turns an enum value into its base.
func convert(t *catalog.Type, value *jen.Statement) *jen.Statement {
	if len(t.Enum) == 0 {
		return value
	}
	return scalar(t.Kind).Parens(value)
}
