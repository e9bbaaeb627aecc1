package differential_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/toolfreeze/toolfreeze/gen/toolschema"
	"github.com/toolfreeze/toolfreeze/runtime/catalog"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// oracle says what is right for the documents of one catalog: by a validator over the emitted schemas, and by the list of
// what the specification refuses beyond them.
type oracle struct {
	c     *catalog.Catalog
	roots []catalog.Type // the arguments of each tool as one object
	// whole are the schemas as they are emitted. loose are the same with every oneOf open, and alternatives what stood in
	// it: a null for an optional member is absent for the alternative that says so, so each is asked about its own
	// reading of a value.
	whole, loose []*jsonschema.Schema
	alternatives map[*catalog.Type][]*jsonschema.Schema
	formats      map[string]*jsonschema.Schema // the validator's opinion of a format alone
	uri          *regexp.Regexp
}

func newOracle(c *catalog.Catalog) (*oracle, error) {
	o := &oracle{c: c, alternatives: map[*catalog.Type][]*jsonschema.Schema{}, formats: map[string]*jsonschema.Schema{}, uri: regexp.MustCompile(uriText)}
	for i := range c.Tools {
		o.roots = append(o.roots, catalog.Type{Kind: catalog.Object, Fields: c.Tools[i].Args})
	}
	for i := range c.Tools {
		if err := o.compile(i); err != nil {
			return nil, err
		}
	}
	for _, name := range catalog.Formats() {
		comp := newCompiler()
		if err := comp.AddResource("mem:///format.json", map[string]any{"format": name}); err != nil {
			return nil, err
		}
		s, err := comp.Compile("mem:///format.json")
		if err != nil {
			return nil, err
		}
		o.formats[name] = s
	}
	return o, nil
}

// newCompiler is the validator as the freeze means its schemas: draft 2020-12, formats asserted.
func newCompiler() *jsonschema.Compiler {
	comp := jsonschema.NewCompiler()
	comp.DefaultDraft(jsonschema.Draft2020)
	comp.AssertFormat()
	comp.UseRegexpEngine(func(pattern string) (jsonschema.Regexp, error) { return regexp.Compile(re2(pattern)) })
	return comp
}

// re2 is a pattern of maker.pattern as RE2 reads it. The one difference is ".", which never stands in a class there.
func re2(pattern string) string {
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		switch pattern[i] {
		case '\\':
			b.WriteString(pattern[i : i+2])
			i++
		case '.':
			b.WriteString(`[^\n\r\x{2028}\x{2029}]`)
		default:
			b.WriteByte(pattern[i])
		}
	}
	return b.String()
}

// compile compiles the schemas of one tool.
func (o *oracle) compile(tool int) error {
	var both [2]*jsonschema.Schema
	comp := newCompiler()
	for i, name := range []string{"mem:///whole.json", "mem:///loose.json"} {
		schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(toolschema.Args(o.c, tool)))
		if err != nil {
			return err
		}
		if i == 1 {
			open(schema)
		}
		if err := comp.AddResource(name, schema); err != nil {
			return err
		}
		if both[i], err = comp.Compile(name); err != nil {
			return err
		}
	}
	o.whole, o.loose = append(o.whole, both[0]), append(o.loose, both[1])
	return (&collector{o, comp, map[string]bool{}}).typ("#", &o.roots[tool])
}

// open turns every oneOf of a schema into an anyOf that accepts all, where its alternatives can still be found.
func open(schema any) {
	switch s := schema.(type) {
	case []any:
		for _, item := range s {
			open(item)
		}
	case map[string]any:
		for _, item := range s {
			open(item)
		}
		if list, ok := s["oneOf"].([]any); ok {
			delete(s, "oneOf")
			s["anyOf"] = append(list, true)
		}
	}
}

// collector compiles the alternatives of the types that one tool uses.
type collector struct {
	*oracle
	comp *jsonschema.Compiler
	seen map[string]bool // the named types; they may be recursive
}

// typ compiles the alternatives of t, whose schema stands at a JSON pointer, and of what t is made of.
func (c *collector) typ(at string, t *catalog.Type) error {
	switch t.Kind {
	case catalog.Ref:
		if c.seen[t.Ref] {
			return nil
		}
		c.seen[t.Ref] = true
		return c.members("#/$defs/"+t.Ref, c.fields(t))
	case catalog.Object:
		return c.members(at, t.Fields)
	case catalog.List:
		return c.typ(at+"/items", t.Elem)
	case catalog.Map:
		return c.typ(at+"/additionalProperties", t.Elem)
	}
	var all []*jsonschema.Schema
	for i := range t.OneOf {
		here := fmt.Sprintf("%s/anyOf/%d", at, i)
		s, err := c.comp.Compile("mem:///loose.json" + here)
		if err != nil {
			return err
		}
		all = append(all, s)
		if err := c.typ(here, &t.OneOf[i]); err != nil {
			return err
		}
	}
	c.alternatives[t] = all
	return nil
}

func (c *collector) members(at string, fields []catalog.Field) error {
	for i := range fields {
		name := url.PathEscape(strings.NewReplacer("~", "~0", "/", "~1").Replace(fields[i].Name))
		if err := c.typ(at+"/properties/"+name, &fields[i].Type); err != nil {
			return err
		}
	}
	return nil
}

// opinion is what is right for one document.
type opinion struct {
	code verdict.Code // OK where it is to be accepted
	why  []string     // in which ways the validator alone would say something else, each once
	doc  parsed
}

// judge says what is right for doc as the arguments of a tool. An error is a doubt about the oracle itself.
func (o *oracle) judge(tool int, doc []byte) (op opinion, err error) {
	refuse := func(code verdict.Code, why string) (opinion, error) {
		op.code, op.why = code, []string{why}
		return op, nil
	}
	if len(doc) > o.c.MaxArgsBytes {
		return refuse(verdict.ArgsTooLarge, overCap)
	}
	if len(doc) == 0 {
		doc = []byte("{}")
	}
	op.doc = parse(doc)
	switch {
	case op.doc.code == verdict.TooDeep:
		return refuse(op.doc.code, tooDeep)
	case op.doc.code != verdict.OK:
		return refuse(op.doc.code, notJSON)
	case op.doc.twice:
		return refuse(verdict.BadKeys, nameTwice)
	}
	j := judgement{oracle: o}
	value := j.settle(&o.roots[tool], op.doc.value)
	fault := o.loose[tool].Validate(value)
	accepted := fault == nil && j.onlyBeyond()
	op.code = o.first(&o.roots[tool], fault, j.findings)
	if fault == nil {
		op.why = reasons(j.findings)
	}
	// Without a null, and without a format that the validator reads more widely, the emitted schema itself must say the same.
	plain := o.whole[tool].Validate(op.doc.value) == nil
	switch {
	case accepted && op.doc.nulls && !plain:
		op.why = append(op.why, nullAbsent)
	case !op.doc.nulls && !j.narrow && plain != accepted:
		return op, fmt.Errorf("the emitted schema says accepted %v, its parts %v", plain, accepted)
	}
	return op, nil
}

// reasons are those of all findings, each once.
func reasons(all []finding) (list []string) {
	for _, f := range all {
		if !slices.Contains(list, f.why) {
			list = append(list, f.why)
		}
	}
	return list
}

// first is the code that comes first in the order of the gate, OK where nothing is wrong.
func (o *oracle) first(root *catalog.Type, fault error, findings []finding) verdict.Code {
	code := verdict.Busy
	if fault != nil {
		code = o.codeOf(root, fault)
	}
	for _, f := range findings {
		code = min(code, f.code)
	}
	if code == verdict.Busy {
		return verdict.OK
	}
	return code
}

// codeOf is the first code, in the order of the gate, that the validator's errors lead to; Busy, which is behind them all,
// for none.
func (o *oracle) codeOf(root *catalog.Type, fault error) verdict.Code {
	var e *jsonschema.ValidationError
	if !errors.As(fault, &e) {
		return 0
	}
	if len(e.Causes) > 0 {
		code := verdict.Busy
		for _, cause := range e.Causes {
			code = min(code, o.codeOf(root, cause))
		}
		return code
	}
	t, seen := o.typeAt(root, e.InstanceLocation)
	if !seen {
		return verdict.Busy
	}
	content := t != nil && t.Kind == catalog.Content
	switch e.ErrorKind.(type) {
	case *kind.Required, *kind.AdditionalProperties:
		return verdict.BadKeys
	case *kind.Type:
		if content {
			return verdict.BadContent
		}
		return verdict.BadType
	case *kind.MaxLength:
		if content {
			return verdict.TooLarge
		}
	}
	return verdict.BadValue
}

// typeAt is the type at a place of a document, nil where the freeze has none. seen says that a decoder looks there.
func (o *oracle) typeAt(t *catalog.Type, at []string) (found *catalog.Type, seen bool) {
	for _, name := range at {
		if i, err := strconv.Atoi(name); err == nil && t.Kind == catalog.List && past(t, i) {
			return nil, false
		}
		if t = o.below(t, name); t == nil {
			break
		}
	}
	return t, true
}

func (o *oracle) below(t *catalog.Type, name string) *catalog.Type {
	if t.Elem != nil {
		return t.Elem
	}
	fields := o.fields(t)
	for i := range fields {
		if fields[i].Name == name {
			return &fields[i].Type
		}
	}
	return nil
}

// fields are the members that t declares.
func (o *oracle) fields(t *catalog.Type) []catalog.Field {
	if t.Kind == catalog.Ref {
		return o.c.TypeNamed(t.Ref).Fields
	}
	return t.Fields
}

// exact is the text of a number.
func exact(v any) (text string, ok bool) {
	n, ok := v.(json.Number)
	return string(n), ok
}
