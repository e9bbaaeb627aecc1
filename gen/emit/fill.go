package emit

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/dave/jennifer/jen"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

// filler writes the method that fills in the defaults of one struct, and of what it holds.
func (e *emitter) filler(o object, recv jen.Code) {
	e.add(jen.Func().Params(recv).Id("fill").Params().BlockFunc(func(g *jen.Group) {
		for i := range o.fields {
			f := &o.fields[i]
			name := o.name + f.Go()
			value := func() *jen.Statement { return jen.Id("v").Dot(f.Go()) }
			if f.Default != nil {
				g.If(absent(f, value())).Block(value().Op("=").Add(e.present(name, f)))
			}
			if e.reach.fillsType(&f.Type) {
				e.fill(g, &f.Type, f.Optional, value, 0)
			}
		}
	}))
}

// absent is the condition that an optional member is not given.
func absent(f *catalog.Field, value *jen.Statement) *jen.Statement {
	switch f.Type.Kind {
	case catalog.Object, catalog.Ref, catalog.List, catalog.Map, catalog.Bytes, catalog.JSON:
		return value.Op("==").Nil()
	}
	return jen.Op("!").Add(value).Dot("IsSet").Call()
}

// present is the default as the member's Go value.
func (e *emitter) present(name string, f *catalog.Field) *jen.Statement {
	lit := e.literal(name, &f.Type, f.Default)
	switch f.Type.Kind {
	case catalog.List, catalog.Map, catalog.Bytes, catalog.JSON:
		return lit
	case catalog.Object, catalog.Ref:
		return jen.Op("&").Add(lit)
	}
	return jen.Qual(optPath, "Of").Types(e.goType(name, &f.Type)).Call(lit)
}

// fill goes into a value that holds structs with defaults.
func (e *emitter) fill(g *jen.Group, t *catalog.Type, optional bool, value func() *jen.Statement, depth int) {
	switch t.Kind {
	case catalog.Object, catalog.Ref:
		if optional {
			g.If(value().Op("!=").Nil()).Block(value().Dot("fill").Call())
			return
		}
		g.Add(value()).Dot("fill").Call()
	case catalog.List:
		i := fmt.Sprintf("i%d", depth)
		g.For(jen.Id(i).Op(":=").Range().Add(value())).BlockFunc(func(g *jen.Group) {
			e.fill(g, t.Elem, false, func() *jen.Statement { return value().Index(jen.Id(i)) }, depth+1)
		})
	case catalog.Map:
		key, item := fmt.Sprintf("key%d", depth), fmt.Sprintf("value%d", depth)
		g.For(jen.List(jen.Id(key), jen.Id(item)).Op(":=").Range().Add(value())).BlockFunc(func(g *jen.Group) {
			e.fill(g, t.Elem, false, func() *jen.Statement { return jen.Id(item) }, depth+1)
			g.Add(value()).Index(jen.Id(key)).Op("=").Id(item)
		})
	}
}

// literal is a JSON value as a Go expression of type t. gen/freezefile has checked the value against the type.
func (e *emitter) literal(name string, t *catalog.Type, value json.RawMessage) *jen.Statement {
	if len(t.Enum) > 0 {
		return e.goType(name, t).Parens(enumLit(t.Kind, value))
	}
	switch t.Kind {
	case catalog.Int, catalog.Float:
		return number(t.Kind, value)
	case catalog.Bool:
		return jen.Lit(string(value) == "true")
	case catalog.Time:
		return timeLit(jsonString(value))
	case catalog.Bytes:
		return bytesLit(jsonString(value))
	case catalog.JSON:
		return jen.Qual("encoding/json", "RawMessage").Call(jen.Lit(string(value)))
	case catalog.List:
		return e.goType(name, t).ValuesFunc(func(g *jen.Group) {
			var items []json.RawMessage
			if json.Unmarshal(value, &items) == nil {
				for _, item := range items {
					g.Add(e.literal(name+"Item", t.Elem, item))
				}
			}
		})
	case catalog.Map:
		return e.goType(name, t).ValuesFunc(func(g *jen.Group) {
			for _, m := range members(value) {
				g.Lit(m.name).Op(":").Add(e.literal(name+"Value", t.Elem, m.value))
			}
		})
	case catalog.Object:
		return e.structLit(name, object{name: name, fields: t.Fields, open: t.Open}, value)
	case catalog.Ref:
		n := e.cat.TypeNamed(t.Ref)
		return e.structLit(n.Go(), object{name: n.Go(), fields: n.Fields, open: n.Open}, value)
	}
	return jen.Lit(jsonString(value))
}

// structLit is an object default as a composite literal.
func (e *emitter) structLit(name string, o object, value json.RawMessage) *jen.Statement {
	return jen.Id(name).ValuesFunc(func(g *jen.Group) {
		extra := map[string]json.RawMessage{}
		given := members(value)
		for _, m := range given {
			extra[m.name] = m.value
		}
		for i := range o.fields {
			f := &o.fields[i]
			raw, ok := extra[f.Name]
			delete(extra, f.Name)
			if !ok || f.Optional && string(raw) == "null" {
				continue
			}
			with := *f
			with.Default = raw
			lit := e.literal(name+f.Go(), &f.Type, raw)
			if f.Optional {
				lit = e.present(name+f.Go(), &with)
			}
			g.Id(f.Go()).Op(":").Add(lit)
		}
		if o.open && len(extra) > 0 {
			g.Id("Extra").Op(":").Map(jen.String()).Qual("encoding/json", "RawMessage").ValuesFunc(func(g *jen.Group) {
				for _, m := range given {
					if _, ok := extra[m.name]; ok {
						g.Lit(m.name).Op(":").Qual("encoding/json", "RawMessage").Call(jen.Lit(string(m.value)))
					}
				}
			})
		}
	})
}

// member is one name and value of a JSON object, in the order of the document.
type member struct {
	name  string
	value json.RawMessage
}

// members splits an object without losing its order.
func members(value json.RawMessage) []member {
	dec := json.NewDecoder(bytes.NewReader(value))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	var all []member
	for dec.More() {
		t, err := dec.Token()
		name, ok := t.(string)
		if err != nil || !ok {
			return all
		}
		var raw json.RawMessage
		if dec.Decode(&raw) != nil {
			return all
		}
		all = append(all, member{name, raw})
	}
	return all
}

// number is a JSON number as a Go literal. 5.0 and 5e0 of an int are constants that Go takes as 5. A float is written as
// the nearest float64: the compiler does not take every exponent that JSON has.
func number(kind catalog.Kind, value json.RawMessage) *jen.Statement {
	text := string(value)
	if kind == catalog.Float {
		if f, err := strconv.ParseFloat(text, 64); err == nil {
			text = strconv.FormatFloat(f, 'g', -1, 64)
		}
	}
	return jen.Op(text)
}

// timeLit builds the time.Date call of an RFC 3339 text.
func timeLit(text string) *jen.Statement {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return jen.Qual("time", "Time").Values()
	}
	zone := jen.Qual("time", "UTC")
	if _, offset := t.Zone(); offset != 0 {
		zone = jen.Qual("time", "FixedZone").Call(jen.Lit(""), jen.Lit(offset))
	}
	return jen.Qual("time", "Date").Call(jen.Lit(t.Year()), jen.Lit(int(t.Month())), jen.Lit(t.Day()),
		jen.Lit(t.Hour()), jen.Lit(t.Minute()), jen.Lit(t.Second()), jen.Lit(t.Nanosecond()), zone)
}

// bytesLit is the decoded form of a base64 text.
func bytesLit(text string) *jen.Statement {
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		b = nil
	}
	return jen.Index().Byte().Parens(jen.Op(strconv.Quote(string(b))))
}

// reach says which structs need which methods, so that none is emitted that nothing calls.
type reach struct {
	cat *catalog.Catalog
	// args holds the Go names of the structs that arguments are made of.
	args map[string]bool
	// defaults holds, by the name of a named type, whether it or anything in it has a default.
	defaults map[string]bool
}

// findReach walks the catalog once.
func findReach(c *catalog.Catalog) reach {
	r := reach{cat: c, args: map[string]bool{}, defaults: map[string]bool{}}
	for i := range c.Tools {
		t := &c.Tools[i]
		r.markFields(argsName(t), t.Args)
	}
	// A named type has a default when one of its members has, or holds a named type that has: repeated until nothing
	// changes, since types may be recursive.
	for changed := true; changed; {
		changed = false
		for i := range c.Types {
			n := &c.Types[i]
			if !r.defaults[n.Name] && r.fills(n.Fields) {
				r.defaults[n.Name] = true
				changed = true
			}
		}
	}
	return r
}

func (r reach) markFields(owner string, fields []catalog.Field) {
	if r.args[owner] {
		return
	}
	r.args[owner] = true
	for i := range fields {
		r.markType(owner+fields[i].Go(), &fields[i].Type)
	}
}

func (r reach) markType(name string, t *catalog.Type) {
	switch t.Kind {
	case catalog.Object:
		r.markFields(name, t.Fields)
	case catalog.List:
		r.markType(name+"Item", t.Elem)
	case catalog.Map:
		r.markType(name+"Value", t.Elem)
	case catalog.Ref:
		if n := r.cat.TypeNamed(t.Ref); n != nil {
			r.markFields(n.Go(), n.Fields)
		}
	}
}

// decodes reports whether the struct of that Go name is read from a model's arguments.
func (r reach) decodes(name string) bool { return r.args[name] }

// fills reports whether a struct of these members has defaults to fill in, its own or deeper ones.
func (r reach) fills(fields []catalog.Field) bool {
	for i := range fields {
		if fields[i].Default != nil || r.fillsType(&fields[i].Type) {
			return true
		}
	}
	return false
}

// paths reports whether a path argument is among these members, at any depth.
func (r reach) paths(fields []catalog.Field) bool {
	return slices.ContainsFunc(fields, func(f catalog.Field) bool { return r.holdsPath(&f.Type, nil) })
}

func (r reach) holdsPath(t *catalog.Type, seen []string) bool {
	fields := t.Fields
	switch t.Kind {
	case catalog.Path:
		return true
	case catalog.List, catalog.Map:
		return r.holdsPath(t.Elem, seen)
	case catalog.Ref:
		if slices.Contains(seen, t.Ref) {
			return false
		}
		seen, fields = append(seen, t.Ref), r.cat.TypeNamed(t.Ref).Fields
	}
	return slices.ContainsFunc(fields, func(f catalog.Field) bool { return r.holdsPath(&f.Type, seen) })
}

// fillsType reports the same of a value.
func (r reach) fillsType(t *catalog.Type) bool {
	switch t.Kind {
	case catalog.Object:
		return r.fills(t.Fields)
	case catalog.List, catalog.Map:
		return r.fillsType(t.Elem)
	case catalog.Ref:
		return r.defaults[t.Ref]
	}
	return false
}
