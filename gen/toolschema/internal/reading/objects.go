package reading

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolfreeze/toolfreeze/gen/toolschema/internal/tree"
	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

// array reads a list. The description of its items is told with that of the list.
func (r *reader) array(v *tree.Value, at string, m *made) catalog.Type {
	t := catalog.Type{Kind: catalog.List, MinItems: r.length(v, "minItems", at), MaxItems: r.length(v, "maxItems", at)}
	t.UniqueItems, _ = v.Flag("uniqueItems")
	items := v.Get("items")
	if values(v) != nil {
		r.lose(at, "enum is not kept: a freeze has none of lists")
	}
	switch {
	case v.Has("prefixItems"), items.Is(tree.List):
		r.lose(at, "kept as a list of json: a freeze has no list whose items differ by place")
		items = nil
	case items == nil, items.Is(tree.Null):
		items = nil
	}
	elem := made{typ: anything()}
	if items != nil {
		elem = r.element(items, at+"[]")
	}
	t.Elem = &elem.typ
	if elem.description != "" {
		m.description = tellInner(m.description, "Each item: ", elem.description)
	}
	return t
}

// element reads the items of a list or the values of a map, which have no optional null.
func (r *reader) element(v *tree.Value, at string) made {
	m := r.schema(v, at)
	if m.null && !(m.typ.Kind == catalog.JSON && m.typ.OneOf == nil) {
		r.keepJSON(&m, at, "null is accepted besides, which a freeze has for members only")
	}
	if m.preset != nil {
		r.tell(at, "the default is left out: only a member has one")
	}
	return m
}

// tellInner adds the description of what has none of its own in a freeze, as one more sentence or, behind several lines,
// as one more line.
func tellInner(outer, label, inner string) string {
	outer = strings.TrimRight(outer, " \t\r\n")
	switch {
	case inner == outer:
		return outer
	case outer == "":
		return label + inner
	case strings.Contains(outer, "\n"):
		return outer + "\n" + label + inner
	case strings.ContainsAny(outer[len(outer)-1:], ".!?:;"):
		return outer + " " + label + inner
	}
	return outer + ". " + label + inner
}

// object reads an object: with named members, a map, or free.
func (r *reader) object(v *tree.Value, at string, m *made) catalog.Type {
	extra := v.Get("additionalProperties")
	named := v.Get("properties").Is(tree.Object) && len(v.Get("properties").Keys) > 0
	if values(v) != nil {
		r.lose(at, "enum is not kept: a freeze has none of objects")
	}
	free := extra.Is(tree.Boolean) && extra.Text == "true" || extra.Is(tree.Object) && len(extra.Keys) == 0
	switch {
	case named && extra.Is(tree.Object) && !free:
		r.lose(at, "kept as json: it has named members and typed ones besides")
		return anything()
	case named:
		return catalog.Type{Kind: catalog.Object, Fields: r.fields(v, at), Open: free}
	case extra.Is(tree.Object) && !free:
		elem := r.element(extra, at+".*")
		if elem.description != "" {
			m.description = tellInner(m.description, "Each value: ", elem.description)
		}
		return catalog.Type{Kind: catalog.Map, Elem: &elem.typ}
	case extra.Is(tree.Boolean) && !free && len(required(v)) == 0:
		return catalog.Type{Kind: catalog.Object}
	}
	if names := required(v); len(names) > 0 {
		// {"type": "object", "required": ["a"]}: any object that has an a.
		return catalog.Type{Kind: catalog.Object, Fields: r.fields(v, at), Open: true}
	}
	any := anything()
	return catalog.Type{Kind: catalog.Map, Elem: &any}
}

// required are the names that an object must have.
func required(v *tree.Value) []string {
	var names []string
	if l := v.Get("required"); l.Is(tree.List) {
		for _, n := range l.Items {
			if n.Is(tree.Text) && !slices.Contains(names, n.Text) {
				names = append(names, n.Text)
			}
		}
	}
	return names
}

// fields reads the members of an object in their order; those that are required without being described come last.
func (r *reader) fields(v *tree.Value, at string) []catalog.Field {
	var list []catalog.Field
	must := required(v)
	properties := v.Get("properties")
	if properties.Is(tree.Object) {
		for i, name := range properties.Keys {
			list = append(list, r.field(name, properties.Items[i], slices.Contains(must, name), MemberPath(at, name)))
		}
	}
	for _, name := range must {
		if properties.Get(name) == nil {
			r.tell(MemberPath(at, name), "required without being described; read as json")
			list = append(list, catalog.Field{Name: name, Type: anything()})
		}
	}
	return list
}

// MemberPath is the JSON path of a member of what at is the path of.
func MemberPath(at, name string) string {
	plain := name != ""
	for _, c := range name {
		plain = plain && (c == '_' || c == '-' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z')
	}
	if plain {
		return at + "." + name
	}
	return fmt.Sprintf("%s[%s]", at, tree.Quote(name))
}

func (r *reader) field(name string, v *tree.Value, must bool, at string) catalog.Field {
	m := r.schema(v, at)
	f := catalog.Field{Name: name, Description: m.description, Optional: !must, Type: m.typ}
	free := m.typ.Kind == catalog.JSON && m.typ.OneOf == nil
	if m.null && must && !free {
		// To a freeze null and absent are one, so that "here, or null" is "optional".
		f.Optional = true
		if !r.Strict {
			r.tell(at, "required, but null is accepted: made optional, so that it may also be left out")
		}
	}
	f.Default = r.preset(&m, must, at)
	return f
}

// preset is the default of a member as JSON, nil where there is none or it can't be kept.
func (r *reader) preset(m *made, must bool, at string) []byte {
	d := m.preset
	switch {
	case d == nil, d.Is(tree.Null):
		return nil
	case must:
		r.tell(at, "the default %s is left out: the member is required, and a default would make it optional", cut(d))
		return nil
	}
	if why := r.unfitDefault(&m.typ, d); why != "" {
		r.tell(at, "the default %s is left out: %s", cut(d), why)
		return nil
	}
	return d.JSON(nil)
}

// unfitDefault says why a member can't have a default, "" where it can.
func (r *reader) unfitDefault(t *catalog.Type, v *tree.Value) string {
	switch {
	case r.raw > 0:
		return "a member of an alternative has none"
	case r.Result:
		return "a member of a result has none"
	}
	return r.types.accept.Unfit(t, v)
}

// cut is the JSON of a value for a message, at most 64 characters of it.
func cut(v *tree.Value) string {
	if s := []rune(string(v.JSON(nil))); len(s) > 64 {
		return string(s[:64]) + "..."
	}
	return string(v.JSON(nil))
}

// arguments reads the schema of all arguments, or of a result, into members.
func (r *reader) arguments(v *tree.Value) ([]catalog.Field, error) {
	var m made
	at := r.side
	flat := r.flatten(v, at, &m)
	if flat == nil && m.typ.Kind == catalog.Ref {
		if n := r.types.Named(m.typ.Ref); n != nil {
			if n.Open {
				r.lose(at, "additionalProperties is not kept: the members of a tool are closed")
			}
			return slices.Clone(n.Fields), nil
		}
	}
	if flat == nil {
		if len(v.Keys) == 0 {
			return nil, nil
		}
		return nil, fmt.Errorf("got a schema that no object can be made of, want an object with properties")
	}
	if key := unionKey(flat); key != "" {
		r.lose(at, "%s over the whole object is not kept: a tool has one list of members", key)
		flat = r.joined(flat, key)
	}
	if w := known(flat.Str("type")); flat.Has("type") && w != "object" && w != "any" {
		if r.Result {
			r.tell(at, "the result is no object: it stands in the member \"result\" of one")
			return []catalog.Field{r.field("result", v, true, at)}, nil
		}
		return nil, fmt.Errorf("got the type %s for the whole, want an object", flat.Get("type").JSON(nil))
	}
	r.unsaid(flat, at)
	if extra := flat.Get("additionalProperties"); extra.Is(tree.Object) || extra.Is(tree.Boolean) && extra.Text == "true" {
		r.lose(at, "additionalProperties is not kept: the members of a tool are closed")
	}
	if !flat.Get("properties").Is(tree.Object) && flat.Has("properties") {
		return nil, fmt.Errorf("properties: got %s, want an object", flat.Get("properties").Kind)
	}
	return r.fields(flat, at), nil
}

// joined puts the members of all alternatives into one object, in which only those that every alternative requires are
// required.
func (r *reader) joined(v *tree.Value, key string) *tree.Value {
	out := v.Without(key)
	properties := &tree.Value{Kind: tree.Object}
	if p := out.Get("properties"); p.Is(tree.Object) {
		properties = p
	}
	var must []string
	for i, alt := range v.Get(key).Items {
		for range maxSteps {
			target := r.resolve(alt.Get("$ref"))
			if target == nil {
				break
			}
			alt = target
		}
		names := required(alt)
		if i == 0 {
			must = names
		}
		must = slices.DeleteFunc(must, func(n string) bool { return !slices.Contains(names, n) })
		if p := alt.Get("properties"); p.Is(tree.Object) {
			for j, name := range p.Keys {
				if mine := properties.Get(name); mine == nil {
					properties = properties.With(name, p.Items[j])
				} else if both := merge(mine, p.Items[j]); both == nil {
					properties = properties.With(name, &tree.Value{Kind: tree.Object})
				}
			}
		}
	}
	all := &tree.Value{Kind: tree.List}
	for _, n := range append(required(out), must...) {
		all.Items = append(all.Items, &tree.Value{Kind: tree.Text, Text: n})
	}
	return out.With("properties", properties).With("required", all)
}
