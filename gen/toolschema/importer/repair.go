package importer

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/toolfreeze/toolfreeze/gen/toolschema/internal/reading"
	"github.com/toolfreeze/toolfreeze/gen/toolschema/internal/tree"
	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

// maxRounds is how often a catalog is checked and repaired before the import is given up.
const maxRounds = 24

// repairer makes a catalog pass its checks: it gives Go names where they clash, and takes out what a freeze refuses.
type repairer struct {
	c     *catalog.Catalog
	notes []Note
	tries map[string]int // how many Go names an item was given
}

// repair returns the problems that it could not solve.
func (r *repairer) repair() []catalog.Problem {
	for range maxRounds {
		problems := r.c.Check()
		problems = slices.DeleteFunc(problems, func(p catalog.Problem) bool { return p.At[len(p.At)-1] == "cost_class" })
		if len(problems) == 0 {
			return nil
		}
		solved := false
		done := map[string]bool{}
		for _, p := range problems {
			// A second problem of one place is looked at in the next round, when the first has changed it.
			if at := strings.Join(p.At, "\x00"); !done[at] {
				done[at] = true
				solved = r.solve(p) || solved
			}
		}
		if !solved {
			return problems
		}
	}
	return r.c.Check()
}

// place is an item of a catalog that a problem is about.
type place struct {
	tool   string
	named  *catalog.Named
	owner  *catalog.Tool
	field  *catalog.Field
	typ    *catalog.Type
	enum   *catalog.Enum
	rest   []string // the keys that lead on from there
	path   string
	fields []catalog.Field
	parent *catalog.Type // what field is a member of; nil for a member of a tool or a named type
	above  string        // the path of parent
}

// locate follows a path of TOML keys as far as it leads to a type.
func (r *repairer) locate(at []string) place {
	p := place{path: "$", rest: at}
	if len(at) < 2 {
		return p
	}
	switch p.rest = at[2:]; at[0] {
	case "types":
		p.path = "types." + at[1]
		if p.named = r.c.TypeNamed(at[1]); p.named != nil && len(p.rest) > 0 && p.rest[0] == "fields" {
			p.fields, p.rest = p.named.Fields, p.rest[1:]
		}
	case "tools":
		p.tool = at[1]
		i := slices.IndexFunc(r.c.Tools, func(t catalog.Tool) bool { return t.Name == at[1] })
		if i < 0 {
			break
		}
		p.owner = &r.c.Tools[i]
		switch {
		case len(p.rest) > 0 && p.rest[0] == "args":
			p.fields, p.rest = p.owner.Args, p.rest[1:]
		case len(p.rest) > 0 && p.rest[0] == "result":
			p.fields, p.rest, p.path = p.owner.Result, p.rest[1:], "result $"
		default:
			p.path = ""
		}
	}
	for len(p.rest) > 0 && p.step() {
	}
	return p
}

func find(fields []catalog.Field, name string) *catalog.Field {
	for i := range fields {
		if fields[i].Name == name {
			return &fields[i]
		}
	}
	return nil
}

// step follows one more part of the path.
func (p *place) step() bool {
	head := p.rest[0]
	switch {
	case p.fields != nil:
		f := find(p.fields, head)
		if f == nil {
			return false
		}
		p.parent, p.above = p.typ, p.path
		p.field, p.typ, p.fields, p.rest, p.path = f, &f.Type, nil, p.rest[1:], reading.MemberPath(p.path, head)
		return true
	case p.typ == nil:
		return false
	case head == "fields" && len(p.rest) > 1 && find(p.typ.Fields, p.rest[1]) != nil:
		p.fields, p.rest = p.typ.Fields, p.rest[1:]
		return true
	case (head == "items" || head == "values") && p.typ.Elem != nil:
		p.typ, p.rest, p.path = p.typ.Elem, p.rest[1:], p.path+map[string]string{"items": "[]", "values": ".*"}[head]
		return true
	case head == "one_of" && len(p.rest) > 1:
		if i, err := strconv.Atoi(p.rest[1]); err == nil && i < len(p.typ.OneOf) {
			p.typ, p.rest = &p.typ.OneOf[i], p.rest[2:]
			return true
		}
	case head == "enum" && len(p.rest) > 1:
		if i, err := strconv.Atoi(p.rest[1]); err == nil && i < len(p.typ.Enum) {
			p.enum, p.rest = &p.typ.Enum[i], p.rest[2:]
		}
	}
	return false
}

// solve changes the catalog so that a problem goes away, and says whether it could.
func (r *repairer) solve(p catalog.Problem) bool {
	at := r.locate(p.At)
	last := p.At[len(p.At)-1]
	names := strings.Contains(p.Hint, "go_name") || last == "go_name"
	switch {
	case at.field != nil && strings.HasPrefix(p.Text, "got the argument name"):
		return r.withdraw(at)
	case at.owner != nil && last == "destructive":
		r.note(at, false, "destructive is left out: %s", p.Text)
		at.owner.Destructive = nil
	case at.field != nil && len(at.rest) == 0 && (strings.Contains(p.Text, "member name") || strings.Contains(p.Text, " members, want")):
		if at.parent == nil {
			return false
		}
		at.path = at.above
		r.note(at, true, "kept as json: %s", p.Text)
		*at.parent = catalog.Type{Kind: catalog.JSON}
	case names && at.enum != nil:
		at.enum.GoName = r.goName(p.At, enumText(at.enum), at.enum.Go(), "Value")
	case names && at.field != nil:
		at.field.GoName = r.goName(p.At, at.field.Name, at.field.Go(), "Field")
	case names && at.named != nil:
		at.named.GoName = r.goName(p.At, at.named.Name, at.named.Go(), "Type")
	case names && at.owner != nil:
		at.owner.GoName = r.goName(p.At, at.owner.Name, at.owner.Go(), "Tool")
	case last == "description":
		return r.describe(at, p)
	case last == "default" && at.field != nil && at.field.Default != nil:
		r.note(at, false, "the default is left out: %s", p.Text)
		at.field.Default = nil
	case at.typ != nil && at.enum == nil && at.typ.Kind != catalog.JSON && len(at.rest) == 1 && drop(at.typ, at.rest[0]):
		r.note(at, true, "%s is not kept: %s", at.rest[0], p.Text)
	case at.enum != nil:
		r.note(at, true, "enum is not kept: %s", p.Text)
		at.typ.Enum = nil
	case at.typ != nil && !(at.typ.Kind == catalog.JSON && at.typ.OneOf == nil):
		r.note(at, true, "kept as json: %s", p.Text)
		*at.typ = catalog.Type{Kind: catalog.JSON}
	default:
		return false
	}
	return true
}

func (r *repairer) note(at place, inexact bool, format string, args ...any) {
	r.notes = append(r.notes, Note{Tool: at.tool, Path: at.path, Text: fmt.Sprintf(format, args...), Inexact: inexact})
}

// withdraw takes out the providers that refuse the name of an argument. The last one stays.
func (r *repairer) withdraw(at place) bool {
	var kept, out []string
	for _, p := range r.c.Providers {
		if catalog.TakesArgument(p, at.field.Name) {
			kept = append(kept, p)
		} else {
			out = append(out, p)
		}
	}
	if out == nil || kept == nil {
		return false
	}
	r.note(at, false, "providers leaves out %s, since that refuses the name of this argument", strings.Join(out, " and "))
	r.c.Providers = kept
	return true
}

// describe takes out a description that a freeze refuses for more than characters that cannot be seen.
func (r *repairer) describe(at place, p catalog.Problem) bool {
	switch {
	case at.field != nil:
		at.field.Description = ""
	case at.named != nil:
		at.named.Description = ""
	case at.owner != nil:
		at.owner.Description = ""
	default:
		return false
	}
	r.note(at, false, "the description is left out: %s", p.Text)
	return true
}

// drop clears one constraint of a type, by its key in a freeze.
func drop(t *catalog.Type, key string) bool {
	switch key {
	case "enum":
		t.Enum = nil
	case "minimum":
		t.Minimum = ""
	case "maximum":
		t.Maximum = ""
	case "exclusive_minimum":
		t.ExclusiveMinimum = ""
	case "exclusive_maximum":
		t.ExclusiveMaximum = ""
	case "min_length":
		t.MinLength = nil
	case "max_length":
		t.MaxLength = nil
	case "pattern":
		t.Pattern = ""
	case "format":
		t.Format = ""
	case "min_items":
		t.MinItems = nil
	case "max_items":
		t.MaxItems = nil
	case "unique_items":
		t.UniqueItems = false
	default:
		return false
	}
	return true
}

func enumText(e *catalog.Enum) string {
	if v, err := tree.Parse(e.Value); err == nil {
		return v.Text
	}
	return string(e.Value)
}

// goName is the next explicit Go name to try for an item: by what it is (but for a value of an enum), by its case or with
// its punctuation spoken, and at last by its bytes.
func (r *repairer) goName(at []string, name, made, what string) string {
	id := strings.Join(at, "\x00")
	base := asciiName(made)
	var names []string
	if base != "" && what != "Value" {
		names = append(names, base+what)
	}
	if !cased(name) {
		names = append(names, spell(name))
	}
	switch {
	case base == "":
	case name == strings.ToLower(name):
		names = append(names, "Lower"+base)
	case name == strings.ToUpper(name):
		names = append(names, "Upper"+base)
	default:
		names = append(names, "Mixed"+base)
	}
	if len(name) > 24 {
		name = name[:24]
	}
	names = append(names, what+"X"+strings.ToUpper(hex.EncodeToString([]byte(name))))
	n := r.tries[id]
	r.tries[id]++
	return names[min(n, len(names)-1)] + strings.Repeat("X", max(0, n-len(names)+1))
}

// cased reports whether a name is letters and digits only, so that only its case can tell it from another.
func cased(name string) bool {
	return strings.IndexFunc(name, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }) < 0
}

// asciiName is a Go name that begins with an upper-case ASCII letter, or "".
func asciiName(made string) string {
	if made == "" || made[0] < 'A' || made[0] > 'Z' {
		return ""
	}
	return strings.ReplaceAll(made, "_", "")
}

// spell is a Go name in which every character but letters and digits has its word.
func spell(name string) string {
	var b strings.Builder
	up := true
	for _, c := range name {
		switch {
		case c < utf8.RuneSelf && (unicode.IsLetter(c) || unicode.IsDigit(c)):
			if up {
				c = unicode.ToUpper(c)
			}
			b.WriteRune(c)
			up = false
			continue
		case c >= utf8.RuneSelf || catalog.GoName(string(c)) == "":
			fmt.Fprintf(&b, "U%04X", c)
		default:
			b.WriteString(catalog.GoName(string(c)))
		}
		up = true
	}
	if s := b.String(); s != "" && s[0] >= 'A' && s[0] <= 'Z' {
		return s
	}
	return "X" + b.String()
}
