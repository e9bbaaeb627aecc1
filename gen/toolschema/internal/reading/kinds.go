package reading

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/toolfreeze/toolfreeze/gen/toolschema/internal/accept"
	"github.com/toolfreeze/toolfreeze/gen/toolschema/internal/tree"
	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

// base reads a schema that is neither a reference nor a union.
func (r *reader) base(v *tree.Value, at string, m *made) {
	words := r.typeWords(v, at)
	if len(words) > 1 {
		r.several(v, words, at, m)
		return
	}
	r.unsaid(v, at)
	switch words[0] {
	case "string":
		m.typ = r.text(v, at)
	case "integer":
		m.typ = r.number(v, at, catalog.Int)
	case "number":
		m.typ = r.number(v, at, catalog.Float)
	case "boolean":
		m.typ = catalog.Type{Kind: catalog.Bool}
		r.booleans(v, at)
	case "array":
		m.typ = r.array(v, at, m)
	case "object":
		m.typ = r.object(v, at, m)
	case "null":
		r.keepJSON(m, at, "null is all that is accepted")
	default:
		m.typ = anything()
		if words[0] != "any" {
			r.lose(at, "kept as json: got the type %q, want one of JSON Schema's", words[0])
		}
	}
}

// typeWords are the types of a schema in JSON Schema's words; one that is not known stands as it is. A schema without a
// type has the one that its keywords are for.
func (r *reader) typeWords(v *tree.Value, at string) []string {
	switch t := v.Get("type"); {
	case t.Is(tree.Text):
		return []string{known(t.Text)}
	case t.Is(tree.List) && len(t.Items) > 0:
		var words []string
		for _, item := range t.Items {
			if w := known(item.Text); !slices.Contains(words, w) {
				words = append(words, w)
			}
		}
		return words
	}
	if words := valueWords(v); words != nil {
		return words
	}
	if values(v) != nil {
		r.lose(at, "enum is not kept: it has no value")
	}
	for i, key := range v.Keys {
		typ := typeFor(key)
		if typ != "" && !v.Items[i].Is(tree.Null) {
			r.lose(at, "has no type, so that other values are accepted too; read as %s, which %s is for", typ, key)
			return []string{typ}
		}
	}
	return []string{"any"}
}

// typeFor is the type that a keyword constrains, "" where it is for all or for none.
func typeFor(keyword string) string {
	switch keyword {
	case "properties", "additionalProperties", "required", "patternProperties", "propertyNames", "minProperties", "maxProperties",
		"dependentRequired", "dependentSchemas", "dependencies", "unevaluatedProperties":
		return "object"
	case "items", "prefixItems", "additionalItems", "minItems", "maxItems", "uniqueItems", "contains", "minContains", "maxContains",
		"unevaluatedItems":
		return "array"
	case "minLength", "maxLength", "pattern", "format", "contentEncoding":
		return "string"
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "divisibleBy":
		return "number"
	}
	return ""
}

func known(typ string) string {
	if w := word(typ); w != "" {
		return w
	}
	return typ
}

// valueWords are the types of the values of enum or const, nil where there are none.
func valueWords(v *tree.Value) []string {
	var words []string
	for _, e := range values(v) {
		w := map[tree.Kind]string{tree.Text: "string", tree.Number: "number", tree.Boolean: "boolean", tree.List: "array",
			tree.Object: "object", tree.Null: "null"}[e.Kind]
		if e.Kind == tree.Number && tree.Integral(e.Text) {
			w = "integer"
		}
		if !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	if slices.Contains(words, "number") {
		words = slices.DeleteFunc(words, func(w string) bool { return w == "integer" })
	}
	return words
}

// values are those of enum, or that of const.
func values(v *tree.Value) []*tree.Value {
	if e := v.Get("enum"); e.Is(tree.List) {
		return append([]*tree.Value{}, e.Items...) // not nil where there is no value
	}
	if c := v.Get("const"); c != nil {
		return []*tree.Value{c}
	}
	return nil
}

// unsaid notes the keywords that constrain and that a freeze has no word for.
func (r *reader) unsaid(v *tree.Value, at string) {
	for i, key := range v.Keys {
		item := v.Items[i]
		switch key {
		case "not", "if", "then", "else", "dependentRequired", "dependentSchemas", "dependencies", "patternProperties",
			"contains", "minContains", "maxContains", "unevaluatedItems", "additionalItems", "minProperties", "maxProperties",
			"multipleOf", "divisibleBy", "$dynamicRef", "$recursiveRef", "disallow", "extends":
			if item.Is(tree.Number) && (key == "minProperties" && item.Text == "0" || key == "multipleOf" && item.Text == "1" && word(v.Str("type")) == "integer") {
				continue
			}
			r.lose(at, "%s is not kept: a freeze has no word for it", key)
		case "propertyNames":
			if word(item.Str("type")) == "string" && len(item.Keys) == 1 {
				continue
			}
			r.lose(at, "propertyNames is not kept: a freeze has no word for it")
		case "unevaluatedProperties":
			if item.Is(tree.Boolean) && item.Text == "false" {
				continue // objects are closed
			}
			r.lose(at, "unevaluatedProperties is not kept: a freeze has no word for it")
		case "type", "enum", "const", "properties", "required", "additionalProperties", "items", "prefixItems", "minItems",
			"maxItems", "uniqueItems", "minLength", "maxLength", "pattern", "format", "contentEncoding", "minimum", "maximum",
			"exclusiveMinimum", "exclusiveMaximum", "anyOf", "oneOf", "allOf", "$ref":
		default:
			if !annotation(key) {
				r.tell(at, "%s is left out: JSON Schema gives it no meaning", tree.Shown(key))
			}
		}
	}
}

func (r *reader) text(v *tree.Value, at string) catalog.Type {
	t := catalog.Type{Kind: catalog.String}
	if enc := v.Get("contentEncoding"); enc != nil {
		if enc.Text == "base64" {
			return catalog.Type{Kind: catalog.Bytes}
		}
		r.tell(at, "contentEncoding %s is left out", enc.JSON(nil))
	}
	t.Enum = r.enum(v, at, catalog.String)
	t.MinLength, t.MaxLength = r.length(v, "minLength", at), r.length(v, "maxLength", at)
	if p := v.Get("pattern"); p.Is(tree.Text) && p.Text != "" {
		if _, err := catalog.CompilePattern(p.Text); err != nil {
			r.lose(at, "pattern is not kept: %v", err)
		} else {
			t.Pattern = p.Text
		}
	}
	switch f := v.Str("format"); {
	case slices.Contains(catalog.Formats(), f):
		t.Format = f
	case f == "", f == "enum", f == "string":
	default:
		r.tell(at, "format %s is left out: a freeze has %s", tree.Shown(f), strings.Join(catalog.Formats(), ", "))
	}
	bare := t
	bare.Enum, bare.Format = nil, ""
	if r.possible(&t, at, func(e *tree.Value) bool { return accept.UnfitText(&bare, e.Text) == "" }) {
		t = catalog.Type{Kind: t.Kind, Enum: t.Enum, Format: t.Format}
	}
	return t
}

// length reads a count, which Gemini writes as a string. One of 0 that bounds from below says nothing.
func (r *reader) length(v *tree.Value, key, at string) *int {
	n := v.Get(key)
	if n == nil || n.Is(tree.Null) {
		return nil
	}
	whole, _, _ := strings.Cut(n.Text, ".")
	count, err := strconv.Atoi(whole)
	switch {
	case !n.Is(tree.Number) && !n.Is(tree.Text), err != nil, n.Is(tree.Number) && !tree.Integral(n.Text), count < 0:
		r.lose(at, "%s is not kept: got %s, want a whole number", key, n.JSON(nil))
		return nil
	case count == 0 && strings.HasPrefix(key, "min"), count > math.MaxInt32 && strings.HasPrefix(key, "max"):
		return nil
	}
	return &count
}

func (r *reader) number(v *tree.Value, at string, k catalog.Kind) catalog.Type {
	t := catalog.Type{Kind: k, Enum: r.enum(v, at, k)}
	bound := func(key string) string {
		n := v.Get(key)
		switch {
		case n == nil, n.Is(tree.Null), n.Is(tree.Boolean):
			return ""
		case n.Is(tree.Text) && numeric(n.Text), n.Is(tree.Number):
			return r.decimal(n.Text, key, at, k)
		}
		r.lose(at, "%s is not kept: got %s, want a number", key, n.JSON(nil))
		return ""
	}
	t.Minimum, t.Maximum = bound("minimum"), bound("maximum")
	t.ExclusiveMinimum, t.ExclusiveMaximum = bound("exclusiveMinimum"), bound("exclusiveMaximum")
	// The drafts before 6 had flags beside the inclusive bounds.
	if on, _ := v.Flag("exclusiveMinimum"); on {
		t.Minimum, t.ExclusiveMinimum = "", t.Minimum
	}
	if on, _ := v.Flag("exclusiveMaximum"); on {
		t.Maximum, t.ExclusiveMaximum = "", t.Maximum
	}
	switch f := v.Str("format"); f {
	case "", "int32", "int64", "float", "double", "enum", "integer", "number":
	default:
		r.tell(at, "format %s is left out: it is not one of numbers", tree.Shown(f))
	}
	bare := t
	bare.Enum = nil
	if r.possible(&t, at, func(e *tree.Value) bool { return accept.UnfitNumber(&bare, e.Text) == "" }) {
		t = catalog.Type{Kind: t.Kind, Enum: t.Enum}
	}
	return t
}

// numeric reports whether a text is a number as JSON writes it.
func numeric(s string) bool {
	return json.Valid([]byte(s)) && strings.Trim(s[:1], "-0123456789") == "" && strings.TrimSpace(s) == s
}

// decimal is a bound as the freeze writes it. A bound of an int that int64 keeps anyhow says nothing.
func (r *reader) decimal(s, key, at string, k catalog.Kind) string {
	if k == catalog.Int {
		below, above := catalog.CompareDecimal(s, "-9223372036854775808"), catalog.CompareDecimal(s, "9223372036854775807")
		if key == "minimum" && below <= 0 || key == "exclusiveMinimum" && below < 0 || key == "maximum" && above >= 0 || key == "exclusiveMaximum" && above > 0 {
			return ""
		}
		if below < 0 || above > 0 {
			r.lose(at, "%s is not kept: %s is outside int64, so nothing would be accepted", key, s)
			return ""
		}
	}
	if f, err := strconv.ParseFloat(s, 64); err != nil || math.IsInf(f, 0) {
		r.lose(at, "%s is not kept: %s is outside float64", key, s)
		return ""
	}
	return floatText(s)
}

// floatText is a number as a freeze can hold it: TOML has no integers beyond int64, but floats that are as large.
func floatText(s string) string {
	if _, err := strconv.ParseInt(s, 10, 64); err != nil && !strings.ContainsAny(s, ".eE") {
		return s + ".0"
	}
	return s
}

func (r *reader) booleans(v *tree.Value, at string) {
	seen := map[string]bool{}
	for _, e := range values(v) {
		seen[e.Text] = e.Is(tree.Boolean)
	}
	if values(v) != nil && !(seen["true"] && seen["false"]) {
		r.lose(at, "the one allowed value is not kept: a bool of a freeze is true or false")
	}
}

// enum reads enum or const. Values that the type refuses anyhow are left out, as are repeated ones.
func (r *reader) enum(v *tree.Value, at string, k catalog.Kind) []catalog.Enum {
	var list []catalog.Enum
	all, had := values(v), map[string]bool{}
	for _, e := range all {
		if e.Is(tree.Text) && k != catalog.String && r.StringEnums && numeric(e.Text) {
			e = &tree.Value{Kind: tree.Number, Text: e.Text}
		}
		raw := json.RawMessage(e.JSON(nil))
		switch {
		case k == catalog.String && !e.Is(tree.Text), k != catalog.String && !e.Is(tree.Number),
			k == catalog.Int && !tree.Integral(e.Text):
			continue
		case k == catalog.Int:
			whole, _, _ := strings.Cut(e.Text, ".")
			if _, err := strconv.ParseInt(whole, 10, 64); err != nil {
				continue
			}
			raw = json.RawMessage(whole)
		case k == catalog.Float:
			raw = json.RawMessage(floatText(e.Text))
		}
		if had[string(raw)] || k == catalog.Float && slices.ContainsFunc(list, func(x catalog.Enum) bool { return accept.SameValue(x.Value, raw, k) }) {
			continue
		}
		had[string(raw)] = true
		list = append(list, catalog.Enum{Value: raw})
	}
	if all != nil && len(list) == 0 {
		r.lose(at, "enum is not kept: it has no value of the type")
	}
	return list
}

// possible keeps the values of an enum that the other constraints allow, which says all that those say. It is false where
// there is no enum, or none is left.
func (r *reader) possible(t *catalog.Type, at string, allowed func(*tree.Value) bool) bool {
	kept := slices.DeleteFunc(slices.Clone(t.Enum), func(e catalog.Enum) bool {
		v, err := tree.Parse(e.Value)
		return err != nil || !allowed(v)
	})
	if t.Enum != nil && len(kept) == 0 {
		r.lose(at, "enum is not kept: the other constraints allow none of its values")
		t.Enum = nil
	}
	if len(kept) == 0 {
		return false
	}
	t.Enum = kept
	return true
}
