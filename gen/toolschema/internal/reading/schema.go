package reading

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/toolfreeze/toolfreeze/gen/toolschema/internal/tree"
	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

// maxSteps is how many references in a row are followed.
const maxSteps = 100

// maxSchemas is how many schemas one tool may come to once its references are followed.
const maxSchemas = 20000

// Note is one place where the members say something else than their schema.
type Note struct {
	// Path is the place as a JSON path.
	Path string
	// Text says what was done and why.
	Text string
	// Inexact is true where other documents are accepted.
	Inexact bool
}

// Schema is one schema that is to be read.
type Schema struct {
	// Tool is the name of the tool that it belongs to.
	Tool string
	// Root is the schema itself, an object; what its references lead into.
	Root *tree.Value
	// Result says that it describes a result, where no member can have a default.
	Result bool
	// Strict says that a required member that may be null is an optional one, as strict modes have it.
	Strict bool
	// StringEnums says that enum values are strings whatever the type, as Gemini's own schemas have them.
	StringEnums bool
}

// reader turns one schema into types of the freeze.
type reader struct {
	Schema
	side   string                 // what the paths of notes begin with
	shared map[*tree.Value]string // the schemas that get a name where they can, and a reference to each
	names  map[*tree.Value]string // the names that they got; "" for one that cannot have any
	inside []*tree.Value          // the targets of references that are being read in place
	count  int
	raw    int // inside alternatives, where no member can have a default
	types  *Types
	notes  []Note
}

// made is what a schema became.
type made struct {
	typ         catalog.Type
	description string
	null        bool        // null is accepted besides
	preset      *tree.Value // the default; nil for none
}

// anything is the type of a value that only its syntax is checked of.
func anything() catalog.Type { return catalog.Type{Kind: catalog.JSON} }

// lose notes that the freeze accepts other documents than the source.
func (r *reader) lose(at, format string, args ...any) {
	r.notes = append(r.notes, Note{Path: at, Text: fmt.Sprintf(format, args...), Inexact: true})
}

// tell notes a change that decides about no document.
func (r *reader) tell(at, format string, args ...any) {
	r.notes = append(r.notes, Note{Path: at, Text: fmt.Sprintf(format, args...)})
}

// keepJSON makes the value json and says why.
func (r *reader) keepJSON(m *made, at, format string, args ...any) {
	m.typ = anything()
	r.lose(at, "kept as json: "+format, args...)
}

// schema reads one schema. at is the path of the value that it describes.
func (r *reader) schema(v *tree.Value, at string) made {
	var m made
	if r.count++; r.count > maxSchemas {
		if r.count == maxSchemas+1 {
			r.lose(at, "kept as json: the tool comes to more than %d schemas", maxSchemas)
		}
		m.typ = anything()
		return m
	}
	if ref, ok := r.shared[v]; ok {
		annotate(v, &m)
		if name := r.types.ref(r, v, ref); name != "" {
			m.typ = catalog.Type{Kind: catalog.Ref, Ref: name}
			return m
		}
	}
	depth := len(r.inside)
	if v = r.flatten(v, at, &m); v != nil {
		if key := unionKey(v); key != "" {
			r.union(v, key, at, &m)
		} else {
			r.base(v, at, &m)
		}
	}
	r.inside = r.inside[:depth]
	return m
}

// flatten takes references, allOf, null and unions of one out of a schema, and its annotations into m. It returns nil
// where m.typ is settled by that.
func (r *reader) flatten(v *tree.Value, at string, m *made) *tree.Value {
	for range maxSteps {
		switch {
		case v.Is(tree.Boolean) && v.Text == "true":
			m.typ = anything()
			return nil
		case !v.Is(tree.Object):
			r.keepJSON(m, at, "got %s for a schema", v.Kind)
			return nil
		}
		annotate(v, m)
		if on, ok := v.Flag("nullable"); ok {
			m.null = m.null || on
			v = v.Without("nullable")
		}
		next := v
		switch {
		case v.Has("$ref"):
			next = r.follow(v, at, m)
		case v.Get("allOf").Is(tree.List):
			next = r.all(v, at, m)
		default:
			next = r.unnull(v, m)
			if key := unionKey(next); key != "" && len(next.Get(key).Items) == 1 {
				if next = merge(next.Without(key), next.Get(key).Items[0]); next == nil {
					r.keepJSON(m, at, "%s does not go with what stands beside it", key)
				}
			}
			if next == v {
				return v
			}
		}
		if v = next; v == nil {
			return nil
		}
	}
	r.keepJSON(m, at, "references lead on and on")
	return nil
}

// annotate takes the outermost description and default.
func annotate(v *tree.Value, m *made) {
	if !v.Is(tree.Object) {
		return
	}
	if d := v.Str("description"); m.description == "" {
		m.description = d
	}
	if d := v.Get("default"); d != nil && m.preset == nil {
		m.preset = d
	}
}

// follow resolves a reference: to a named type, which settles m.typ, or into the place where it stands.
func (r *reader) follow(v *tree.Value, at string, m *made) *tree.Value {
	target := r.resolve(v.Get("$ref"))
	if target == nil {
		r.keepJSON(m, at, "the reference %s leads nowhere in the schema", v.Get("$ref").JSON(nil))
		return nil
	}
	beside := v.Without("$ref")
	if ref, ok := r.shared[target]; ok && !constrains(beside) {
		if name := r.types.ref(r, target, ref); name != "" {
			m.typ = catalog.Type{Kind: catalog.Ref, Ref: name}
			return nil
		}
	}
	if slices.Contains(r.inside, target) {
		r.keepJSON(m, at, "the schema is recursive, and not through an object alone")
		return nil
	}
	r.inside = append(r.inside, target)
	if target.Is(tree.Boolean) {
		return target
	}
	merged := merge(beside, target)
	if merged == nil {
		r.keepJSON(m, at, "what stands beside the reference does not go with its target")
	}
	return merged
}

// resolve finds the target of a local reference: "#" or a JSON pointer below the root.
func (r *reader) resolve(ref *tree.Value) *tree.Value {
	if !ref.Is(tree.Text) {
		return nil
	}
	pointer, local := strings.CutPrefix(ref.Text, "#")
	if !local {
		return nil
	}
	if p, err := url.PathUnescape(pointer); err == nil {
		pointer = p
	}
	v := r.Root
	for i, step := range strings.Split(pointer, "/") {
		if i == 0 {
			if step != "" {
				return nil
			}
			continue
		}
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		if v.Is(tree.List) {
			n, err := strconv.Atoi(step)
			if err != nil || n < 0 || n >= len(v.Items) {
				return nil
			}
			v = v.Items[n]
		} else if v = v.Get(step); v == nil {
			return nil
		}
	}
	return v
}

// all merges the parts of allOf into one schema.
func (r *reader) all(v *tree.Value, at string, m *made) *tree.Value {
	out := v.Without("allOf")
	for _, part := range v.Get("allOf").Items {
		for range maxSteps {
			if !part.Has("$ref") {
				break
			}
			target := r.resolve(part.Get("$ref"))
			if target == nil || slices.Contains(r.inside, target) {
				r.keepJSON(m, at, "allOf holds a reference that cannot be put in its place")
				return nil
			}
			if len(v.Get("allOf").Items) == 1 && !constrains(out) {
				return merge(out, part) // one reference and no more: it may be a named type
			}
			r.inside = append(r.inside, target)
			part = merge(part.Without("$ref"), target)
		}
		if out = merge(out, part); out == nil {
			r.keepJSON(m, at, "allOf joins schemas that cannot be written as one")
			return nil
		}
	}
	return out
}
