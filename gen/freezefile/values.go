package freezefile

import (
	"bytes"
	"encoding/json"
	pathpkg "path"
	"slices"
	"strconv"
	"strings"

	"github.com/toolfreeze/toolfreeze/gen/freezefile/tomlpos"
	"github.com/toolfreeze/toolfreeze/runtime/catalog"
	"github.com/toolfreeze/toolfreeze/runtime/decode"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// number reads a bound as exact decimal text.
func (t *table) number(key string) string {
	n := t.get(key)
	if n.Kind != tomlpos.Integer && n.Kind != tomlpos.Float {
		hint := ""
		if _, err := strconv.ParseFloat(n.Text, 64); err == nil && n.Kind == tomlpos.String {
			hint = "write " + cut(n.Text) + " without quotes"
		}
		t.wrong(n, key, "a number", hint)
		return ""
	}
	if !finite(n) {
		t.wrong(n, key, "a finite number", "leave the key out where there is no bound")
		return ""
	}
	return n.Text
}

// finite reports whether a number is neither inf nor nan.
func finite(n *tomlpos.Node) bool {
	return !strings.HasSuffix(n.Text, "inf") && !strings.HasSuffix(n.Text, "nan")
}

// enum reads the allowed values: each one plain, or a table with value and go_name.
func (t *table) enum(key string) []catalog.Enum {
	n := t.get(key)
	if n.Kind != tomlpos.Array {
		t.wrong(n, key, "an array of values", "write ["+source(t.file, n)+"]")
		return nil
	}
	if len(n.Items) == 0 {
		t.fail(n.Span, t.at(key), "leave enum out where any value is allowed", "got an enum without values, want at least one")
	}
	before := len(t.errs)
	var list []catalog.Enum
	for i, item := range n.Items {
		path, e := index(t.at(key), i), catalog.Enum{}
		value := item
		if item.Kind == tomlpos.Table {
			m := &table{reader: t.reader, node: item, path: path}
			if value = m.get("value"); value == nil {
				m.missing("value", "the allowed value", "")
			}
			e.GoName, _ = m.text("go_name", "the end of a Go name")
			m.close(nil)
			path = m.at("value")
		}
		if value == nil {
			continue
		}
		switch value.Kind {
		case tomlpos.String, tomlpos.Integer, tomlpos.Float:
			if value.Kind == tomlpos.Float && !finite(value) {
				t.fail(value.Span, path, "", "got %s, want a finite number", got(value))
				continue
			}
			e.Value = scalarJSON(value)
			list = append(list, e)
		default:
			t.fail(value.Span, path, "", "got %s, want a string or a number", got(value))
		}
	}
	if len(t.errs) > before {
		return nil // the places of the others would not be those of the file
	}
	return list
}

// oneOf reads the alternatives of a json value.
func (t *table) oneOf(key string) []catalog.Type {
	n := t.get(key)
	if n.Kind != tomlpos.Array || len(n.Items) == 0 {
		t.wrong(n, key, "an array of types, one or more", `such as one_of = ["string", { type = "int", minimum = 0 }]`)
		return nil
	}
	list := make([]catalog.Type, len(n.Items))
	for i, item := range n.Items {
		list[i] = t.element(item, index(t.at(key), i))
	}
	return list
}

// scalarJSON is the JSON of a string, a number or a boolean; numbers keep their digits as they are written.
func scalarJSON(n *tomlpos.Node) json.RawMessage {
	if n.Kind == tomlpos.String {
		return stringJSON(n.Text)
	}
	return json.RawMessage(n.Text)
}

// stringJSON is the JSON of a string, without the escapes that only HTML needs.
func stringJSON(text string) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(text) != nil { // a string always encodes
		return nil
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// member is one field of a catalog and where it stands.
type member struct {
	path  []string
	field *catalog.Field
}

// walk visits every type of the catalog, and every member that is one.
func walk(c *catalog.Catalog, visit func(t *catalog.Type), each func(m member)) {
	var types func(t *catalog.Type, path []string)
	fields := func(list []catalog.Field, path []string) {
		for i := range list {
			at := append(slices.Clip(path), list[i].Name)
			each(member{at, &list[i]})
			types(&list[i].Type, at)
		}
	}
	types = func(t *catalog.Type, path []string) {
		visit(t)
		switch path = slices.Clip(path); {
		case t.Kind == catalog.Object:
			fields(t.Fields, append(path, "fields"))
		case t.Kind == catalog.List:
			types(t.Elem, append(path, "items"))
		case t.Kind == catalog.Map:
			types(t.Elem, append(path, "values"))
		}
		for i := range t.OneOf {
			types(&t.OneOf[i], append(path, "one_of", strconv.Itoa(i)))
		}
	}
	for i := range c.Types {
		fields(c.Types[i].Fields, []string{"types", c.Types[i].Name, "fields"})
	}
	for i := range c.Tools {
		fields(c.Tools[i].Args, []string{"tools", c.Tools[i].Name, "args"})
		fields(c.Tools[i].Result, []string{"tools", c.Tools[i].Name, "result"})
	}
}

// caps gives every content its cap.
func caps(c *catalog.Catalog) {
	limit := defaultMaxWriteBytes
	if c.Workspace != nil {
		limit = c.Workspace.MaxWriteBytes
	}
	walk(c, func(t *catalog.Type) {
		if t.Kind == catalog.Content && t.MaxBytes == 0 {
			t.MaxBytes = limit
		}
	}, func(member) {})
}

// setDefaults turns the defaults into JSON and holds each against its type, with the very reader that will hold the
// model's values against it.
func (r *reader) setDefaults(c *catalog.Catalog) {
	if len(r.defaults) == 0 {
		return
	}
	whole, err := decode.Compile(c)
	walk(c, func(*catalog.Type) {}, func(m member) {
		n := r.defaults[tomlpos.Join(m.path...)]
		if n == nil {
			return
		}
		path := append(m.path, "default")
		raw, ok := r.json(n, c, &m.field.Type, path)
		if !ok {
			return
		}
		m.field.Default = raw
		p, of := whole, &m.field.Type
		if err != nil { // something else in the freeze does not compile, and Check says what
			part := &catalog.Catalog{Types: c.Types, Tools: []catalog.Tool{{Args: []catalog.Field{*m.field}}}}
			var bad error
			if p, bad = decode.Compile(part); bad != nil {
				return
			}
			of = &part.Tools[0].Args[0].Type
		}
		var reader decode.Reader
		reader.Reset(p, raw, c.MaxArgsBytes)
		p.Value(&reader, of)
		reader.End()
		for _, fault := range reader.Faults() {
			r.badDefault(n, path, fault)
		}
	})
}

// badDefault words a fault of a default at the part of the value that it is about.
func (r *reader) badDefault(n *tomlpos.Node, path []string, fault verdict.Fault) {
	path = slices.Clip(path)
	for _, step := range steps(fault.Path) {
		if child(n, step) == nil {
			break
		}
		n, path = child(n, step), append(path, step)
	}
	text, ok := strings.CutPrefix(fault.Want, "want ")
	if !ok {
		text = "a default that the type takes: " + fault.Want
	}
	r.fail(n.Span, path, "", "got %s, want %s", got(n), text)
}

// steps takes a JSON path apart: $.a["b c"][2] is a, b c, 2.
func steps(path string) []string {
	var list []string
	for path = strings.TrimPrefix(path, "$"); path != ""; {
		step := path[1:]
		if path[0] == '[' {
			if quoted, err := strconv.QuotedPrefix(step); err == nil {
				name, _ := strconv.Unquote(quoted)
				list, path = append(list, name), strings.TrimPrefix(step[len(quoted):], "]")
				continue
			}
			step, path, _ = strings.Cut(step, "]")
		} else if i := strings.IndexAny(step, ".["); i >= 0 {
			step, path = step[:i], step[i:]
		} else {
			path = ""
		}
		list = append(list, step)
	}
	return list
}

// json writes a TOML value as the JSON of a type. Members keep the order of the file.
func (r *reader) json(n *tomlpos.Node, c *catalog.Catalog, t *catalog.Type, path []string) (raw json.RawMessage, ok bool) {
	path = slices.Clip(path)
	switch n.Kind {
	case tomlpos.Array:
		raw, ok = append(raw, '['), true
		for i, item := range n.Items {
			part, good := r.json(item, c, inside(c, t, ""), append(path, strconv.Itoa(i)))
			if ok = ok && good; i > 0 {
				raw = append(raw, ',')
			}
			raw = append(raw, part...)
		}
		return append(raw, ']'), ok
	case tomlpos.Table:
		raw, ok = append(raw, '{'), true
		for i, name := range n.Names {
			part, good := r.json(n.Member(name), c, inside(c, t, name), append(path, name))
			if ok = ok && good; i > 0 {
				raw = append(raw, ',')
			}
			raw = append(append(append(raw, stringJSON(name)...), ':'), part...)
		}
		return append(raw, '}'), ok
	case tomlpos.Float:
		if !finite(n) {
			r.fail(n.Span, path, "", "got %s, want a finite number", got(n))
			return nil, false
		}
	case tomlpos.OffsetDateTime, tomlpos.LocalDateTime, tomlpos.LocalDate, tomlpos.LocalTime:
		return r.date(n, t, path)
	case tomlpos.String:
		if t.Kind == catalog.Path && t.Under != "" && !fenced(n.Text, t.Under) {
			r.fail(n.Span, path, "a path is written relative to the workspace root", "got %s, want a path below %s", got(n), quote(t.Under))
		}
	}
	return scalarJSON(n), true
}

// fenced reports whether a slash path lies in the folder under, or is it.
func fenced(name, under string) bool {
	under = pathpkg.Clean(under)
	return under == "." || strings.HasPrefix(pathpkg.Clean(name)+"/", under+"/")
}

// inside is the type of a member or an item; an arbitrary value where the type does not say, which the reader refuses.
func inside(c *catalog.Catalog, t *catalog.Type, name string) *catalog.Type {
	fields := t.Fields
	switch t.Kind {
	case catalog.List, catalog.Map:
		return t.Elem
	case catalog.Ref:
		for i := range c.Types {
			if c.Types[i].Name == t.Ref {
				fields = c.Types[i].Fields
			}
		}
	}
	for i := range fields {
		if fields[i].Name == name {
			return &fields[i].Type
		}
	}
	return &catalog.Type{Kind: catalog.JSON}
}

// date writes a TOML date or time as a string where the type is one.
func (r *reader) date(n *tomlpos.Node, t *catalog.Type, path []string) (json.RawMessage, bool) {
	moment := t.Kind == catalog.Time || t.Format == "date-time"
	switch {
	case moment && n.Kind == tomlpos.OffsetDateTime, t.Format == "date" && n.Kind == tomlpos.LocalDate:
		return stringJSON(n.Text), true
	case moment && n.Kind == tomlpos.LocalDateTime:
		r.fail(n.Span, path, "add an offset from UTC, such as Z", "got %s, want a time with an offset", got(n))
	default:
		r.fail(n.Span, path, "a text stands in quotes: "+quote(n.Text), "got %s, want a value of type %s", got(n), t.Kind)
	}
	return nil, false
}
