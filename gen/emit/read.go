package emit

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

// place is where a decoded value goes: value is the expression, addr its address. Each call makes a fresh expression,
// since a jennifer statement changes when it is used.
type place struct {
	value, addr func() *jen.Statement
	// pointer says that addr is a pointer that somebody handed out, and no "&".
	pointer bool
}

// receiver is the expression that a method of the value's address is called on.
func (p place) receiver() *jen.Statement {
	if p.pointer {
		return p.addr()
	}
	return p.value()
}

// decoder writes the strict decoder of one struct: straight-line code over runtime/decode.
func (e *emitter) decoder(o object, recv jen.Code) {
	open := "Object"
	if o.open {
		open = "OpenObject"
	}
	e.add(jen.Func().Params(recv).Id("decode").Params(reader()).BlockFunc(func(g *jen.Group) {
		g.Id("r").Dot(open).Call(jen.Lit(keyTable(o.fields)), bits(requiredBits(o.fields)))
		if len(o.fields) == 0 && !o.open {
			g.For(jen.Id("r").Dot("Field").Call().Op(">=").Lit(0)).Block()
			return
		}
		g.For(
			jen.Id("i").Op(":=").Id("r").Dot("Field").Call(),
			jen.Id("i").Op(">=").Lit(0),
			jen.Id("i").Op("=").Id("r").Dot("Field").Call(),
		).Block(jen.Switch(jen.Id("i")).BlockFunc(func(g *jen.Group) {
			for i := range o.fields {
				g.Case(jen.Lit(i)).BlockFunc(func(g *jen.Group) { e.readMember(g, o.name, &o.fields[i]) })
			}
			if o.open {
				g.Case(jen.Lit(len(o.fields))).Block(jen.Id("r").Dot("Extra").Call(jen.Op("&").Id("v").Dot("Extra")))
			}
		}))
	}))
}

// bits is the literal of a bit set.
func bits(b uint64) *jen.Statement { return jen.Op("0x" + strconv.FormatUint(b, 16)) }

// readMember reads one member; a null for an optional one is the same as leaving it out.
func (e *emitter) readMember(g *jen.Group, owner string, f *catalog.Field) {
	name := owner + f.Go()
	value := func() *jen.Statement { return jen.Id("v").Dot(f.Go()) }
	at := place{value: value, addr: func() *jen.Statement { return jen.Op("&").Add(value()) }}
	if !f.Optional {
		e.read(g, name, &f.Type, at, 0)
		return
	}
	g.If(jen.Op("!").Id("r").Dot("Null").Call()).BlockFunc(func(g *jen.Group) {
		switch f.Type.Kind {
		case catalog.List, catalog.Map, catalog.Bytes, catalog.JSON:
		case catalog.Object, catalog.Ref:
			g.Add(value()).Op("=").New(e.goType(name, &f.Type))
		default:
			at.addr, at.pointer = func() *jen.Statement { return value().Dot("Put").Call() }, true
		}
		e.read(g, name, &f.Type, at, 0)
	})
}

// read reads one value of type t into at. depth counts the lists and maps around it and keeps variable names apart.
func (e *emitter) read(g *jen.Group, name string, t *catalog.Type, at place, depth int) {
	method := func(name string, args ...jen.Code) { g.Id("r").Dot(name).Call(args...) }
	function := func(name string, args ...jen.Code) {
		g.Qual(decodePath, name).Call(append([]jen.Code{jen.Id("r"), at.addr()}, args...)...)
	}
	switch t.Kind {
	case catalog.String:
		if len(t.Enum) > 0 {
			function("Enum", jen.Lit(enumTable(t)))
		} else {
			method("String", at.addr())
		}
		e.stringRules(method, t)
	case catalog.Int:
		function("Int")
		numberRules(method, t)
	case catalog.Float:
		if len(t.Enum) > 0 {
			method("Float", jen.Parens(jen.Op("*").Float64()).Parens(at.addr()))
		} else {
			method("Float", at.addr())
		}
		numberRules(method, t)
	case catalog.Path:
		bound := at.receiver().Dot("Bind").Call(jen.Id("r").Dot("Paths").Call(), jen.Lit(t.Under))
		method("Path", bound, jen.Lit(t.Under), jen.Lit(t.Access))
	case catalog.Content:
		method("Content", at.addr(), jen.Lit(t.MaxBytes))
	case catalog.Bool:
		method("Bool", at.addr())
	case catalog.Time:
		method("Time", at.addr())
	case catalog.Bytes:
		method("Bytes", at.addr())
	case catalog.JSON:
		method("JSON", at.addr())
		if len(t.OneOf) > 0 {
			method("OneOf", jen.Lit(e.oneOfs[t]))
		}
	case catalog.Object, catalog.Ref:
		g.Add(at.value()).Dot("decode").Call(jen.Id("r"))
	case catalog.List:
		e.readList(g, name, t, at, depth)
	case catalog.Map:
		e.readMap(g, name, t, at, depth)
	}
}

// readList reads an array, item by item into the slice itself.
func (e *emitter) readList(g *jen.Group, name string, t *catalog.Type, at place, depth int) {
	item := fmt.Sprintf("item%d", depth)
	g.Add(at.value()).Op("=").Make(jen.Index().Add(e.goType(name+"Item", t.Elem)), jen.Lit(0),
		jen.Id("r").Dot("List").Call(bound(t.MinItems), bound(t.MaxItems), jen.Lit(t.UniqueItems)))
	grow := func() *jen.Statement { return jen.Qual(decodePath, "Grow").Call(at.addr()) }
	g.For(jen.Id("r").Dot("Item").Call()).BlockFunc(func(g *jen.Group) {
		if parts(t.Elem) {
			g.Id(item).Op(":=").Add(grow())
			e.read(g, name+"Item", t.Elem, place{
				value:   func() *jen.Statement { return deref(item, t.Elem) },
				addr:    func() *jen.Statement { return jen.Id(item) },
				pointer: true,
			}, depth+1)
			return
		}
		e.read(g, name+"Item", t.Elem, place{func() *jen.Statement { return jen.Op("*").Add(grow()) }, grow, true}, depth+1)
	})
}

// parts says that reading a value names its place more than once.
func parts(t *catalog.Type) bool {
	return t.Kind == catalog.List || t.Kind == catalog.Map || t.Kind == catalog.Object || t.Kind == catalog.Ref
}

// deref is the value behind a pointer variable; a method call needs no star.
func deref(ptr string, t *catalog.Type) *jen.Statement {
	if t.Kind == catalog.Object || t.Kind == catalog.Ref {
		return jen.Id(ptr)
	}
	return jen.Op("*").Id(ptr)
}

// readMap reads an object with free keys.
func (e *emitter) readMap(g *jen.Group, name string, t *catalog.Type, at place, depth int) {
	all, key, item := fmt.Sprintf("map%d", depth), fmt.Sprintf("key%d", depth), fmt.Sprintf("value%d", depth)
	elem := func() *jen.Statement { return e.goType(name+"Value", t.Elem) }
	g.Id(all).Op(":=").Map(jen.String()).Add(elem()).Values()
	g.Id("r").Dot("Map").Call()
	g.For(jen.Id(key).Op(":=").Lit(""), jen.Id("r").Dot("Entry").Call(jen.Op("&").Id(key)), jen.Empty()).BlockFunc(func(g *jen.Group) {
		g.Var().Id(item).Add(elem())
		e.read(g, name+"Value", t.Elem, place{
			value: func() *jen.Statement { return jen.Id(item) },
			addr:  func() *jen.Statement { return jen.Op("&").Id(item) },
		}, depth+1)
		g.Id(all).Index(jen.Id(key)).Op("=").Id(item)
	})
	g.Add(at.value()).Op("=").Id(all)
}

// enumTable is the NUL-terminated table of the allowed texts.
func enumTable(t *catalog.Type) string {
	var b strings.Builder
	for _, v := range t.Enum {
		if t.Kind == catalog.String {
			b.WriteString(jsonString(v.Value))
		} else {
			b.Write(v.Value)
		}
		b.WriteByte(0)
	}
	return b.String()
}

// stringRules writes the constraints of a string. What an enum allows was held against length and pattern when the freeze
// was checked, not against the format.
func (e *emitter) stringRules(method func(string, ...jen.Code), t *catalog.Type) {
	free := len(t.Enum) == 0
	if free && (t.MinLength != nil || t.MaxLength != nil) {
		method("Length", bound(t.MinLength), bound(t.MaxLength))
	}
	if free && t.Pattern != "" {
		method("Pattern", jen.Lit(e.patterns[t.Pattern]))
	}
	if t.Format != "" {
		method("Format", jen.Lit(t.Format))
	}
}

// numberRules writes the constraints of a number. What an enum allows was held against the bounds when the freeze was
// checked.
func numberRules(method func(string, ...jen.Code), t *catalog.Type) {
	if len(t.Enum) > 0 {
		method("Among", jen.Lit(enumTable(t)))
		return
	}
	if t.Minimum == "" && t.Maximum == "" && t.ExclusiveMinimum == "" && t.ExclusiveMaximum == "" {
		return
	}
	if lo, hi, ok := t.IntRange(); ok {
		method("Range", int64Lit(lo), int64Lit(hi))
		return
	}
	method("Bounds", jen.Lit(t.Minimum), jen.Lit(t.Maximum), jen.Lit(t.ExclusiveMinimum), jen.Lit(t.ExclusiveMaximum))
}

// bound is a limit on a count; -1 stands for none.
func bound(n *int) *jen.Statement {
	if n == nil {
		return jen.Lit(-1)
	}
	return jen.Lit(*n)
}

// int64Lit is an untyped literal; the ends of int64 have names.
func int64Lit(n int64) *jen.Statement {
	switch n {
	case math.MinInt64:
		return jen.Qual("math", "MinInt64")
	case math.MaxInt64:
		return jen.Qual("math", "MaxInt64")
	}
	return jen.Op(strconv.FormatInt(n, 10))
}
