package toolschema

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

// timePattern is what the format date-time leaves open: upper-case T and Z, a dot, at most nine fraction digits, no leap
// second, an offset up to 23:59. RE2 and ECMA-262 read it alike.
const timePattern = `^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]` +
	`(\.[0-9]{1,9})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$`

// Args returns the JSON Schema 2020-12 of the arguments of c.Tools[tool] as one compact object, with the named types that
// it uses under $defs. A tool without arguments has {"type":"object","properties":{},"additionalProperties":false}.
func Args(c *catalog.Catalog, tool int) json.RawMessage {
	b := builder{c: c, r: JSONSchema.rules()}
	return b.root(c.Tools[tool].Args).json(nil)
}

// Result returns the JSON Schema 2020-12 of the result of c.Tools[tool], in the form of [Args]; nil for a tool that
// returns nothing but success.
func Result(c *catalog.Catalog, tool int) json.RawMessage {
	if len(c.Tools[tool].Result) == 0 {
		return nil
	}
	b := builder{c: c, r: JSONSchema.rules()}
	return b.root(c.Tools[tool].Result).json(nil)
}

// schema is a JSON object whose members stand in a fixed order.
type schema []keyword

// keyword is one member of a schema. Its value is a schema, []schema, []string, string, bool, int or json.RawMessage.
type keyword struct {
	name  string
	value any
}

// get returns the value of a keyword, nil where it is not there.
func (s schema) get(name string) any {
	for _, k := range s {
		if k.name == name {
			return k.value
		}
	}
	return nil
}

// json appends the compact JSON of s to b.
func (s schema) json(b []byte) []byte {
	b = append(b, '{')
	for i, k := range s {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(b, k.name)
		b = append(b, ':')
		b = appendValue(b, k.value)
	}
	return append(b, '}')
}

func appendValue(b []byte, value any) []byte {
	switch v := value.(type) {
	case schema:
		return v.json(b)
	case []schema:
		return appendList(b, v, func(b []byte, s schema) []byte { return s.json(b) })
	case []string:
		return appendList(b, v, appendString)
	case []json.RawMessage:
		return appendList(b, v, func(b []byte, raw json.RawMessage) []byte { return append(b, raw...) })
	case json.RawMessage:
		return append(b, v...)
	case string:
		return appendString(b, v)
	case int:
		return strconv.AppendInt(b, int64(v), 10)
	case bool:
		return strconv.AppendBool(b, v)
	}
	return append(b, "null"...)
}

func appendList[T any](b []byte, list []T, item func([]byte, T) []byte) []byte {
	b = append(b, '[')
	for i, v := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = item(b, v)
	}
	return append(b, ']')
}

// appendString appends a JSON string without the escapes that only HTML needs.
func appendString(b []byte, s string) []byte {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if enc.Encode(s) != nil {
		return append(b, `""`...)
	}
	return append(b, bytes.TrimRight(buf.Bytes(), "\n")...)
}

// builder makes the schemas of one tool, within the rules of one dialect.
type builder struct {
	c    *catalog.Catalog
	r    rules
	refs []string // the named types met so far, in the order in which they go under $defs
	deep bool     // inside a named type that stands where its reference would
}

// root is a whole schema: the object of the fields and the named types that it leads to.
func (b *builder) root(fields []catalog.Field) schema {
	s := b.object("", fields, false)
	if len(b.refs) == 0 {
		return s
	}
	var defs schema
	for i := 0; i < len(b.refs); i++ { // grows while it is walked
		n := named(b.c, b.refs[i])
		defs = append(defs, keyword{n.Name, b.object(n.Description, n.Fields, n.Open)})
	}
	return append(s, keyword{"$defs", defs})
}

func (b *builder) object(description string, fields []catalog.Field, open bool) schema {
	s := schema{{"type", "object"}}
	if description != "" {
		s = append(s, keyword{"description", description})
	}
	properties := schema{}
	var required []string
	for i := range fields {
		f := &fields[i]
		properties = append(properties, keyword{f.Name, b.member(f)})
		if b.r.strict || !optional(f) {
			required = append(required, f.Name)
		}
	}
	s = append(s, keyword{"properties", properties})
	if required != nil || b.r.strict {
		s = append(s, keyword{"required", required})
	}
	return append(s, keyword{"additionalProperties", open})
}

// optional says what required leaves out: a default makes a member optional, whatever its mark says.
func optional(f *catalog.Field) bool { return f.Optional || f.Default != nil }

func (b *builder) member(f *catalog.Field) schema {
	if f.Type.Kind == catalog.JSON && f.Type.OneOf == nil && f.Description == "" {
		return b.value(&f.Type, "Any JSON value.", f.Default) // an empty schema tells a model nothing
	}
	if !b.r.strict || !optional(f) {
		return b.value(&f.Type, f.Description, f.Default)
	}
	if f.Type.Kind != catalog.Ref {
		return nullable(b.value(&f.Type, f.Description, f.Default))
	}
	description := f.Description
	if f.Default != nil {
		description = join(description, presetHint(f.Default))
	}
	s := nullable(b.ref(&f.Type, "", nil))
	if description != "" {
		s = append(schema{{"description", description}}, s...)
	}
	return s
}

// nullable is s or null. The description stays outermost, where a model looks for it.
func nullable(s schema) schema {
	if typ, ok := s.get("type").(string); ok {
		s = slices.Clone(s)
		for i := range s {
			switch s[i].name {
			case "type":
				s[i].value = []string{typ, "null"}
			case "enum":
				s[i].value = append(slices.Clone(s[i].value.([]json.RawMessage)), json.RawMessage("null"))
			}
		}
		return s
	}
	null := schema{{"type", "null"}}
	if any, ok := s.get("anyOf").([]schema); ok {
		s = slices.Clone(s)
		for i := range s {
			if s[i].name == "anyOf" {
				s[i].value = append(slices.Clone(any), null)
			}
		}
		return s
	}
	return schema{{"anyOf", []schema{s, null}}}
}

// value is the schema of one type. What the dialect cannot say ends up in the description.
func (b *builder) value(t *catalog.Type, description string, def json.RawMessage) schema {
	if t.Kind == catalog.Ref {
		return b.ref(t, description, def)
	}
	if t.Kind == catalog.Object {
		return b.preset(b.object(description, t.Fields, t.Open), def)
	}
	p := parts{r: b.r}
	switch t.Kind {
	case catalog.String:
		p.text(t)
	case catalog.Int, catalog.Float:
		p.number(t)
	case catalog.Time:
		p.format("date-time")
		p.say("pattern", timePattern, "")
	case catalog.Bytes:
		p.say("contentEncoding", "base64", "Base64, standard alphabet, padded.")
	case catalog.Path:
		p.path(t)
	case catalog.Content:
		p.content(t)
	case catalog.List:
		p.tail = append(p.tail, keyword{"items", b.value(t.Elem, "", nil)})
		p.list(t)
	case catalog.Map:
		p.tail = append(p.tail, keyword{"additionalProperties", b.value(t.Elem, "", nil)})
	case catalog.JSON:
		b.alternatives(t, &p)
	}
	if def != nil {
		p.preset(def)
	}
	return p.schema(typeWord(t.Kind), description)
}

// alternatives writes one_of. As anyOf it accepts more than one_of does, never less.
func (b *builder) alternatives(t *catalog.Type, p *parts) {
	if t.OneOf == nil {
		return
	}
	list := make([]schema, len(t.OneOf))
	for i := range t.OneOf {
		list[i] = b.value(&t.OneOf[i], "", nil)
	}
	word := "oneOf"
	if !b.r.reads(word) {
		word = "anyOf"
	}
	p.tail = append(p.tail, keyword{word, list})
}

func (b *builder) ref(t *catalog.Type, description string, def json.RawMessage) schema {
	if def != nil && b.r.bareRef {
		description = join(description, presetHint(def))
		def = nil
	}
	if b.r.bareRef && description != "" {
		if !b.deep {
			// No keyword may stand beside $ref there, so the description takes the type with it. Once is enough: types that
			// hold types would grow without end.
			b.deep = true
			n := named(b.c, t.Ref)
			s := b.object(description, n.Fields, n.Open)
			b.deep = false
			return s
		}
		description = ""
	}
	if !slices.Contains(b.refs, t.Ref) {
		b.refs = append(b.refs, t.Ref)
	}
	s := schema{{"$ref", "#/$defs/" + t.Ref}}
	if description != "" {
		s = append(s, keyword{"description", description})
	}
	return b.preset(s, def)
}

// preset adds a default to the schema of an object.
func (b *builder) preset(s schema, def json.RawMessage) schema {
	if def == nil {
		return s
	}
	if b.r.reads("default") {
		return append(s, keyword{"default", def})
	}
	description, _ := s.get("description").(string)
	s = slices.DeleteFunc(s, func(k keyword) bool { return k.name == "description" })
	return slices.Insert(s, 1, keyword{"description", join(description, presetHint(def))})
}

// named returns the type of [types] with that name. A name that is not there is an open object without members, so that
// nothing is claimed of it: a catalog that passed its checks has none.
func named(c *catalog.Catalog, name string) *catalog.Named {
	if n := c.TypeNamed(name); n != nil {
		return n
	}
	return &catalog.Named{Name: name, Open: true}
}

// typeWord is the JSON Schema type of a kind, "" for any.
func typeWord(k catalog.Kind) string {
	switch k {
	case catalog.Int:
		return "integer"
	case catalog.Float:
		return "number"
	case catalog.Bool:
		return "boolean"
	case catalog.List:
		return "array"
	case catalog.Map, catalog.Object:
		return "object"
	case catalog.JSON, catalog.Ref:
		return ""
	}
	return "string"
}
