package decode

import (
	"encoding/json"
	"time"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// Args reads the root value of the document in r as the arguments of tool number tool of the catalog. End and Code
// follow. There is no tool of another number: that is BAD_KEYS.
func (p *Program) Args(r *Reader, tool int) { p.root(r, p.args, tool) }

// Result reads the root value as the result of a tool, as Args does its arguments.
func (p *Program) Result(r *Reader, tool int) { p.root(r, p.results, tool) }

func (p *Program) root(r *Reader, all []*node, tool int) {
	if tool < 0 || tool >= len(all) {
		r.refuse(verdict.BadKeys, "a tool of the catalog")
		return
	}
	p.value(r, all[tool])
}

// Value reads the next value as one of type t, which must be a part of the catalog that p was made of, not a copy; any
// other is BAD_TYPE.
func (p *Program) Value(r *Reader, t *catalog.Type) {
	n := p.types[t]
	if n == nil {
		r.refuse(verdict.BadType, "a type of the catalog")
		return
	}
	p.value(r, n)
}

// value makes the calls that generated code makes for n, in its order: the value, then its constraints.
func (p *Program) value(r *Reader, n *node) {
	switch n.t.Kind {
	case catalog.Object:
		p.object(r, n.object)
	case catalog.Map:
		r.Map()
		for key := ""; r.Entry(&key); {
			p.value(r, n.elem)
		}
	case catalog.List:
		r.List(bound(n.t.MinItems), bound(n.t.MaxItems), n.t.UniqueItems)
		for r.Item() {
			p.value(r, n.elem)
		}
	case catalog.String:
		p.text(r, n)
	case catalog.Int:
		var sink int64
		Int(r, &sink)
		p.number(r, n)
	case catalog.Float:
		var sink float64
		r.Float(&sink)
		p.number(r, n)
	default:
		p.plain(r, n)
	}
}

// plain reads a value whose only constraint is in its call.
func (p *Program) plain(r *Reader, n *node) {
	var text string
	switch n.t.Kind {
	case catalog.Bool:
		var sink bool
		r.Bool(&sink)
	case catalog.Time:
		var sink time.Time
		r.Time(&sink)
	case catalog.Bytes:
		var sink []byte
		r.Bytes(&sink)
	case catalog.Path:
		r.Path(&text, n.t.Under, n.t.Access)
	case catalog.Content:
		r.Content(&text, n.t.MaxBytes)
	case catalog.JSON:
		var sink json.RawMessage
		r.JSON(&sink)
		if n.oneOf >= 0 {
			r.OneOf(n.oneOf)
		}
	default:
		r.refuse(verdict.BadType, "a kind that this reader knows")
		r.skip()
	}
}

// text reads a string. What an enum allows was held against length and pattern when the freeze was checked, not against
// the format.
func (p *Program) text(r *Reader, n *node) {
	var sink string
	if n.values != "" {
		Enum(r, &sink, n.values)
	} else {
		r.String(&sink)
		if n.t.MinLength != nil || n.t.MaxLength != nil {
			r.Length(bound(n.t.MinLength), bound(n.t.MaxLength))
		}
		if n.pattern >= 0 {
			r.Pattern(n.pattern)
		}
	}
	if n.t.Format != "" {
		r.Format(n.t.Format)
	}
}

// number checks the number just read. What an enum allows was held against the bounds when the freeze was checked. An
// alternative may go on with an integer outside int64, of which only the text can be compared.
func (p *Program) number(r *Reader, n *node) {
	switch {
	case n.values != "":
		r.Among(n.values)
	case n.ranged && !r.quiet:
		r.Range(n.low, n.high)
	case n.ranged || n.bounded:
		r.Bounds(n.t.Minimum, n.t.Maximum, n.t.ExclusiveMinimum, n.t.ExclusiveMaximum)
	}
}

func (p *Program) object(r *Reader, o *object) {
	var extra map[string]json.RawMessage
	if o.open {
		r.OpenObject(o.keys, o.required)
	} else {
		r.Object(o.keys, o.required)
	}
	for i := r.Field(); i >= 0; i = r.Field() {
		switch {
		case i == len(o.nodes):
			r.Extra(&extra)
		case o.required&(1<<i) != 0 || !r.Null():
			p.value(r, o.nodes[i])
		}
	}
}

// bound is *n, -1 for nil.
func bound(n *int) int {
	if n == nil {
		return -1
	}
	return *n
}
