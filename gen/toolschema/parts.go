package toolschema

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

// parts collects the keywords of one value that is no object, and what the dialect cannot say of it.
type parts struct {
	r     rules
	tail  schema   // everything after type and description
	hints []string // sentences for the description
}

// schema puts the parts in their order.
func (p *parts) schema(typ, description string) schema {
	s := schema{}
	if typ != "" {
		s = append(s, keyword{"type", typ})
	}
	if d := join(description, p.hints...); d != "" {
		s = append(s, keyword{"description", d})
	}
	return append(s, p.tail...)
}

// join ends the description like a sentence before the hints follow.
func join(description string, hints ...string) string {
	hints = slices.DeleteFunc(hints, func(h string) bool { return h == "" })
	if len(hints) == 0 {
		return description
	}
	if description = strings.TrimRight(description, " \t\r\n"); description != "" && !strings.ContainsAny(description[len(description)-1:], ".!?:;") {
		description += "."
	}
	return strings.TrimSpace(description + " " + strings.Join(hints, " "))
}

// hint adds a sentence to the description; "" adds none.
func (p *parts) hint(sentence string) {
	p.hints = append(p.hints, sentence)
}

// say writes a keyword if the dialect reads it, else the sentence that stands in for it.
func (p *parts) say(name string, value any, sentence string) {
	if p.r.reads(name) {
		p.tail = append(p.tail, keyword{name, value})
		return
	}
	p.hint(sentence)
}

func (p *parts) format(name string) {
	if p.r.formats == nil || slices.Contains(p.r.formats, name) {
		p.say("format", name, "Format: "+name+".")
		return
	}
	p.hint("Format: " + name + ".")
}

// count is a sentence about a number of things.
func count(head string, n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%s %d %s.", head, n, thing)
}

func (p *parts) text(t *catalog.Type) {
	p.enum(t)
	if t.MinLength != nil {
		p.say("minLength", *t.MinLength, count("At least", *t.MinLength, "character"))
	}
	if t.MaxLength != nil {
		p.say("maxLength", *t.MaxLength, count("At most", *t.MaxLength, "character"))
	}
	if t.Pattern != "" {
		p.say("pattern", t.Pattern, "Must match "+t.Pattern+" .")
	}
	if t.Format != "" {
		p.format(t.Format)
	}
}

// enum leaves out what the dialect does not read: enums of numbers, or of an empty string.
func (p *parts) enum(t *catalog.Type) {
	if t.Enum == nil {
		return
	}
	values := make([]json.RawMessage, len(t.Enum))
	texts := make([]string, len(t.Enum))
	empty := false
	for i, e := range t.Enum {
		values[i], texts[i] = e.Value, string(e.Value)
		empty = empty || texts[i] == `""`
	}
	if p.r.plainEnums && (t.Kind != catalog.String || empty) {
		p.hint("One of " + strings.Join(texts, ", ") + ".")
		return
	}
	p.tail = append(p.tail, keyword{"enum", values})
}

func (p *parts) number(t *catalog.Type) {
	p.enum(t)
	p.bound("minimum", t.Minimum, "At least %s.")
	p.exclusive(t, "exclusiveMinimum", t.ExclusiveMinimum, "More than %s.", "minimum", t.Minimum, 1)
	p.bound("maximum", t.Maximum, "At most %s.")
	p.exclusive(t, "exclusiveMaximum", t.ExclusiveMaximum, "Less than %s.", "maximum", t.Maximum, -1)
}

func (p *parts) bound(name, text, sentence string) {
	if text != "" {
		p.say(name, json.RawMessage(text), fmt.Sprintf(sentence, text))
	}
}

// exclusive turns the bound of a dialect without exclusive bounds into the nearest inclusive one: the next integer for
// an int, the bound itself, with a sentence, for a float.
func (p *parts) exclusive(t *catalog.Type, name, text, sentence, inclusive, other string, step int64) {
	switch {
	case text == "":
	case p.r.reads(name):
		p.say(name, json.RawMessage(text), "")
	case other != "" || !p.r.reads(inclusive):
		p.hint(fmt.Sprintf(sentence, text))
	default:
		n, whole := new(big.Int).SetString(text, 10)
		if t.Kind == catalog.Int && whole {
			p.tail = append(p.tail, keyword{inclusive, json.RawMessage(n.Add(n, big.NewInt(step)).String())})
			return
		}
		p.tail = append(p.tail, keyword{inclusive, json.RawMessage(text)})
		p.hint(fmt.Sprintf(sentence, text))
	}
}

func (p *parts) path(t *catalog.Type) {
	p.hint("A relative slash path inside the workspace.")
	if t.Under != "" {
		p.hint("It must lie below " + strconv.Quote(t.Under) + ".")
	}
}

// content bounds code points by the cap in bytes, which is an upper bound of them.
func (p *parts) content(t *catalog.Type) {
	if t.MaxBytes > 0 {
		p.hint(count("At most", t.MaxBytes, "byte"))
		p.say("maxLength", t.MaxBytes, "")
	}
}

func (p *parts) list(t *catalog.Type) {
	if t.MinItems != nil {
		p.say("minItems", *t.MinItems, count("At least", *t.MinItems, "item"))
	}
	if t.MaxItems != nil {
		p.say("maxItems", *t.MaxItems, count("At most", *t.MaxItems, "item"))
	}
	if t.UniqueItems {
		p.say("uniqueItems", true, "No two items may be equal.")
	}
}

// preset writes a default.
func (p *parts) preset(def json.RawMessage) { p.say("default", def, presetHint(def)) }

// presetHint is the sentence about a default; "" for a long one, which is of no use to a model.
func presetHint(def json.RawMessage) string {
	if len(def) > 80 {
		return ""
	}
	return "Default: " + string(def) + "."
}
