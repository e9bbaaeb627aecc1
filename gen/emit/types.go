package emit

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

// object is a JSON object that becomes a Go struct.
type object struct {
	name   string // its Go name
	about  string // the first line of its doc comment
	text   string // its description
	fields []catalog.Field
	open   bool
}

// named writes one type of [types].
func (e *emitter) named(n *catalog.Named) {
	e.object(object{
		name: n.Go(), about: fmt.Sprintf("%s is the type %s of the freeze.", n.Go(), n.Name),
		text: n.Description, fields: n.Fields, open: n.Open,
	})
}

// object writes a struct, its methods, and the types that its members bring.
func (e *emitter) object(o object) {
	e.about(o.about, o.text)
	e.add(jen.Type().Id(o.name).StructFunc(func(g *jen.Group) {
		for i := range o.fields {
			f := &o.fields[i]
			for _, c := range doc(f.Description, constraintText(f)) {
				g.Add(c)
			}
			g.Id(f.Go()).Add(e.memberType(o.name, f))
		}
		if o.open {
			g.Comment("// Extra holds the members that the freeze does not name, raw.")
			g.Id("Extra").Map(jen.String()).Qual("encoding/json", "RawMessage")
		}
	}))
	e.methods(o)
	for i := range o.fields {
		f := &o.fields[i]
		e.inner(o.name, o.name+f.Go(), &f.Type, f)
	}
}

// inner writes the enums and the structs that the member f of owner holds, named after their place.
func (e *emitter) inner(owner, name string, t *catalog.Type, f *catalog.Field) {
	about := fmt.Sprintf("%s is a value in the member %s of %s.", name, f.Name, owner)
	switch {
	case len(t.Enum) > 0:
		e.enum(name, about, t)
	case t.Kind == catalog.Object:
		e.object(object{name: name, about: about, fields: t.Fields, open: t.Open})
	case t.Kind == catalog.List:
		e.inner(owner, name+"Item", t.Elem, f)
	case t.Kind == catalog.Map:
		e.inner(owner, name+"Value", t.Elem, f)
	}
}

// enum writes a type and one constant a value.
func (e *emitter) enum(name, about string, t *catalog.Type) {
	e.about(about)
	e.add(jen.Type().Id(name).Add(scalar(t.Kind)))
	e.about("The values of " + name + ".")
	e.add(jen.Const().DefsFunc(func(g *jen.Group) {
		for i := range t.Enum {
			v := &t.Enum[i]
			g.Id(name + v.Go()).Id(name).Op("=").Add(enumLit(t.Kind, v.Value))
		}
	}))
}

// enumLit is the Go literal of an enum value.
func enumLit(kind catalog.Kind, value json.RawMessage) *jen.Statement {
	if kind == catalog.String {
		return jen.Lit(jsonString(value))
	}
	return number(kind, value)
}

// jsonString is the text of a JSON string; the catalog's checks have made sure that it is one.
func jsonString(value json.RawMessage) string {
	var s string
	if err := json.Unmarshal(value, &s); err != nil {
		return string(value)
	}
	return s
}

// memberType is the Go type of a member, absence included.
func (e *emitter) memberType(owner string, f *catalog.Field) *jen.Statement {
	t := e.goType(owner+f.Go(), &f.Type)
	if !f.Optional {
		return t
	}
	switch f.Type.Kind {
	case catalog.List, catalog.Map, catalog.Bytes, catalog.JSON:
		return t
	case catalog.Object, catalog.Ref:
		return jen.Op("*").Add(t)
	}
	return jen.Qual(optPath, "Value").Types(t)
}

// goType is the Go type of a value; name is what an enum or a struct at this place is called.
func (e *emitter) goType(name string, t *catalog.Type) *jen.Statement {
	if len(t.Enum) > 0 {
		return jen.Id(name)
	}
	switch t.Kind {
	case catalog.List:
		return jen.Index().Add(e.goType(name+"Item", t.Elem))
	case catalog.Map:
		return jen.Map(jen.String()).Add(e.goType(name+"Value", t.Elem))
	case catalog.Object:
		return jen.Id(name)
	case catalog.Path:
		return jen.Qual(spacePath, pathType(t))
	case catalog.Ref:
		return jen.Id(e.cat.TypeNamed(t.Ref).Go())
	}
	return scalar(t.Kind)
}

// pathType is the capability that a path argument of an access becomes.
func pathType(t *catalog.Type) string {
	switch t.Access {
	case "list":
		return "ListPath"
	case "write":
		return "WritePath"
	}
	return "ReadPath"
}

// scalar is the Go type of a kind that has no parts.
func scalar(k catalog.Kind) *jen.Statement {
	switch k {
	case catalog.Int:
		return jen.Int64()
	case catalog.Float:
		return jen.Float64()
	case catalog.Bool:
		return jen.Bool()
	case catalog.Time:
		return jen.Qual("time", "Time")
	case catalog.Bytes:
		return jen.Index().Byte()
	case catalog.JSON:
		return jen.Qual("encoding/json", "RawMessage")
	}
	return jen.String()
}

// methods writes the decoder, the encoder and the defaults of a struct, as far as they are used.
func (e *emitter) methods(o object) {
	recv := jen.Id("v").Op("*").Id(o.name)
	if e.reach.decodes(o.name) {
		e.decoder(o, recv)
	}
	e.encoder(o, recv)
	if e.reach.decodes(o.name) && e.reach.fills(o.fields) {
		e.filler(o, recv)
	}
}

// constraintText says in one line what a member must satisfy, for its doc comment; "" where it is free.
func constraintText(f *catalog.Field) string {
	words := typeConstraints(&f.Type)
	if f.Default != nil {
		words = append(words, "default "+string(f.Default)+", which a handler finds filled in")
	}
	if len(words) == 0 {
		return ""
	}
	text := strings.Join(words, ", ") + "."
	return strings.ToUpper(text[:1]) + text[1:]
}

// typeConstraints lists the constraints of a type, those of its elements behind "each".
func typeConstraints(t *catalog.Type) []string {
	var words []string
	add := func(w string) {
		if w != "" {
			words = append(words, w)
		}
	}
	add(between(t.MinLength, t.MaxLength, "code points"))
	add(between(t.MinItems, t.MaxItems, "items"))
	if t.UniqueItems {
		add("no two equal")
	}
	for _, b := range []struct{ word, bound string }{
		{"at least", t.Minimum}, {"more than", t.ExclusiveMinimum}, {"at most", t.Maximum}, {"less than", t.ExclusiveMaximum},
	} {
		if b.bound != "" {
			add(b.word + " " + b.bound)
		}
	}
	if t.Pattern != "" {
		add(fmt.Sprintf("matching %q", t.Pattern))
	}
	if t.Format != "" {
		add("in the format " + t.Format)
	}
	if t.Kind == catalog.Content {
		add(fmt.Sprintf("at most %d bytes", t.MaxBytes))
	}
	if t.Elem != nil {
		if each := typeConstraints(t.Elem); len(each) > 0 {
			add("each " + strings.Join(each, ", "))
		}
	}
	return words
}

// between words a pair of limits on a count.
func between(lo, hi *int, unit string) string {
	switch {
	case lo != nil && hi != nil:
		return fmt.Sprintf("%d to %d %s", *lo, *hi, unit)
	case lo != nil:
		return fmt.Sprintf("at least %d %s", *lo, unit)
	case hi != nil:
		return fmt.Sprintf("at most %d %s", *hi, unit)
	}
	return ""
}
