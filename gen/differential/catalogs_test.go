package differential_test

import (
	"encoding/json"
	"fmt"
	"math/bits"
	"slices"
	"strconv"

	"pgregory.net/rapid"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

// draw is one of from; the simplest case is the first.
func draw[T any](t *rapid.T, from ...T) T { return from[upTo(t, len(from)-1)] }

// upTo is 0 to n, all about equally likely; the library's own integers prefer small ones by far.
func upTo(t *rapid.T, n int) int {
	v, coin := 0, rapid.Bool()
	for range bits.Len(uint(n)) + 2 {
		v *= 2
		if coin.Draw(t, "bit") {
			v++
		}
	}
	return v % (n + 1)
}

// oneIn is true about once in n times, and false in the simplest case.
func oneIn(t *rapid.T, n int) bool { return upTo(t, n-1) == n-1 }

// some is a few of from, at least least, in any order.
func some[T any](t *rapid.T, least int, from []T) []T {
	all := rapid.Permutation(from).Draw(t, "order")
	return all[:least+upTo(t, len(all)-least)]
}

// maker draws one catalog.
type maker struct {
	t *rapid.T
	c *catalog.Catalog
	// ended is how many of the named types may be needed by the one that is being made: a chain of required members has
	// to end.
	ended int
	// raw says that the type is an alternative.
	raw bool
}

// catalogs draws catalogs without defaults. Few of them do not pass their checks.
func catalogs() *rapid.Generator[*catalog.Catalog] {
	return rapid.Custom(func(t *rapid.T) *catalog.Catalog {
		m := maker{t: t, c: &catalog.Catalog{
			API: "differential", MaxTools: 9, MaxCallsPerRequest: 1, LiveEnv: "INDIE_TOOL_LIVE", Providers: []string{"mcp"},
			MaxArgsBytes: draw(t, 1<<20, 1<<20, 1<<20, 2000, 300), MaxResultBytes: 1 << 20,
		}}
		for i := range upTo(t, 4) {
			m.c.Types = append(m.c.Types, catalog.Named{Name: fmt.Sprintf("Type%c", 'A'+i), Open: oneIn(t, 4)})
		}
		for i := range m.c.Types {
			m.ended = i
			m.c.Types[i].Fields = m.fields(upTo(t, 4), 1, false)
		}
		m.ended = len(m.c.Types)
		for i := range 3 {
			n := upTo(t, 6)
			if i == 2 && oneIn(t, 3) {
				n = 20 + upTo(t, 20)
			}
			m.c.Tools = append(m.c.Tools, catalog.Tool{Name: fmt.Sprintf("tool_%c", 'a'+i), CostClass: catalog.Local, MaxCalls: 1, MaxMS: 1, Args: m.fields(n, 1, false)})
		}
		return m.c
	})
}

// memberNames are names that JSON, Go, JavaScript, JSON pointers or a folding of case make trouble with.
func memberNames() []string {
	names := []string{
		"a", "A", "id", "ID", "plan_id", "planId", "type", "func", "$ref", "$defs", "@type", "properties", "required", "__proto__", "constructor", "a b", "x-y", "x.y", "a/b", "a~1b", "100%25",
		`say "x"`, `back\slash`, "naïve", "nai\u0308ve", "größe", "名前", "k", "\u212a", "s", "ſ", "😀x", "<b>&amp;", "it's", "tick`", "null", "0", "-1", "#", "a#b", "?x=1", "[0]", "a,b", "é", "e\u0301",
	}
	for i := range 20 {
		names = append(names, fmt.Sprintf("m%d", i))
	}
	return names
}

// fields draws the members of one object. loose says that the object may be missing, so that any type can be needed.
func (m *maker) fields(n, depth int, loose bool) []catalog.Field {
	names := rapid.Permutation(memberNames()).Draw(m.t, "names")[:n]
	var fields []catalog.Field
	for i, name := range names {
		f := catalog.Field{Name: name, GoName: fmt.Sprintf("F%d", i), Optional: draw(m.t, true, false)}
		f.Type = m.typ(depth, loose || f.Optional)
		fields = append(fields, f)
	}
	return fields
}

// typ draws a type that stands below depth objects and lists.
func (m *maker) typ(depth int, loose bool) catalog.Type {
	kinds := []catalog.Kind{catalog.String, catalog.String, catalog.String, catalog.Int, catalog.Int, catalog.Float, catalog.Float, catalog.Bool, catalog.Time, catalog.Bytes, catalog.JSON, catalog.Ref}
	if !m.raw {
		kinds = append(kinds, catalog.Content)
	}
	if depth < 4 {
		kinds = append(kinds, catalog.JSON, catalog.List, catalog.List, catalog.List, catalog.Map, catalog.Object, catalog.Object)
	}
	t := catalog.Type{Kind: draw(m.t, kinds...)}
	switch t.Kind {
	case catalog.String:
		m.text(&t)
	case catalog.Int, catalog.Float:
		m.number(&t)
	case catalog.Content:
		t.MaxBytes = 1 + upTo(m.t, 12)
	case catalog.List:
		m.list(&t, depth, loose)
	case catalog.Map:
		elem := m.typ(depth+1, true)
		t.Elem = &elem
	case catalog.Object:
		t.Open = oneIn(m.t, 3)
		t.Fields = m.fields(upTo(m.t, 4), depth+1, loose)
	case catalog.JSON:
		if depth < 4 && draw(m.t, true, true, false) {
			m.alternatives(&t, depth)
		}
	case catalog.Ref:
		m.ref(&t, loose)
	}
	return t
}

// ref draws a named type, or a bool where there is none. One with content cannot be an alternative: the checks find that.
func (m *maker) ref(t *catalog.Type, loose bool) {
	n := m.ended
	if loose {
		n = len(m.c.Types)
	}
	if n == 0 {
		t.Kind = catalog.Bool
		return
	}
	t.Ref = m.c.Types[upTo(m.t, n-1)].Name
}

func (m *maker) list(t *catalog.Type, depth int, loose bool) {
	t.MinItems, t.MaxItems = m.range_(4)
	t.UniqueItems = oneIn(m.t, 2)
	elem := m.typ(depth+1, loose || t.MinItems == nil || *t.MinItems == 0)
	t.Elem = &elem
}

// range_ is a pair of bounds on a count, each of which may be missing.
func (m *maker) range_(most int) (low, high *int) {
	a, b := upTo(m.t, most), upTo(m.t, most)
	a, b = min(a, b), max(a, b)
	if draw(m.t, true, false) {
		low = &a
	}
	if draw(m.t, true, false) {
		high = &b
	}
	return low, high
}

// alternatives draws one_of. Tagged objects are what real freezes have; the others overlap, which is the harder case.
func (m *maker) alternatives(t *catalog.Type, depth int) {
	raw := m.raw
	m.raw = true
	for i := range 2 + upTo(m.t, 1) {
		a := m.typ(depth+1, true)
		if a.Kind == catalog.Object && draw(m.t, true, false) {
			tag := catalog.Type{Kind: catalog.String, Enum: enum(strconv.Quote(fmt.Sprintf("tag%d", i)))}
			a.Fields = slices.Insert(a.Fields, 0, catalog.Field{Name: "tag", GoName: "Tag", Type: tag})
		}
		t.OneOf = append(t.OneOf, a)
	}
	m.raw = raw
}

// enum makes allowed values; Go names of their own keep odd ones from clashing.
func enum(values ...string) []catalog.Enum {
	var all []catalog.Enum
	for i, v := range values {
		all = append(all, catalog.Enum{Value: json.RawMessage(v), GoName: fmt.Sprintf("V%d", i)})
	}
	return all
}

func (m *maker) text(t *catalog.Type) {
	switch draw(m.t, "free", "length", "pattern", "format", "format", "format", "enum", "short format", "short pattern") {
	case "length":
		t.MinLength, t.MaxLength = m.range_(8)
	case "pattern":
		t.Pattern = m.pattern()
	case "format":
		t.Format = draw(m.t, catalog.Formats()...)
	case "enum":
		t.Enum = enum(some(m.t, 1, []string{`""`, `"a"`, `"A"`, `"ab"`, `"k"`, `"K"`, "\"\u212a\"", `"a\nb"`, `"say \"x\""`, `"é"`, "\"e\u0301\"", `"😀"`, `"null"`, `"1"`, `"<b>"`, `"\\"`, `" a"`, `"2026-01-31"`, `"127.0.0.1"`})...)
		if oneIn(m.t, 2) {
			t.Format = draw(m.t, catalog.Formats()...)
		}
		if oneIn(m.t, 2) {
			zero, most := 0, 10
			t.MinLength, t.MaxLength, t.Pattern = &zero, &most, "^"
		}
	case "short format":
		t.MinLength, t.MaxLength = m.range_(40)
		t.Format = draw(m.t, catalog.Formats()...)
	case "short pattern":
		t.MinLength, t.MaxLength = m.range_(6)
		t.Pattern = m.pattern()
	}
}

// pattern draws a regular expression that RE2 and ECMA-262 read alike, but for ".", and that matches something.
func (m *maker) pattern() string {
	p := ""
	for range 1 + upTo(m.t, 2) {
		p += draw(m.t, "a", "[a-c]", "[^a]", ".", `\d`, `\w`, `\W`, `\D`, "é", "😀", "(?:ab|c)", "(?<x>a|b)", `\p{Lu}`, `\P{L}`, `\.`, `[\-x]`, `[\x00-\x1f]`, `\/`, "[ \\t]")
		p += draw(m.t, "", "", "?", "*", "+", "{2}", "{1,3}", "{0,2}", "+?")
	}
	return draw(m.t, "", "^", `\bx`) + p + draw(m.t, "", "$", `a\b`)
}

// numbers are bounds and values in increasing order, those of an int first; exact decimals that no float64 holds are among them.
func (m *maker) numbers(kind catalog.Kind, bound bool) []string {
	all := []string{"-9223372036854775808", "-9223372036854775807", "-9007199254740993", "-100", "-2", "-1", "0", "1", "2", "3", "5", "10", "9007199254740993", "9223372036854775806", "9223372036854775807"}
	if kind == catalog.Float || bound {
		all = append(all, "-1.5", "-0.0", "1e-7", "0.1", "0.30000000000000004", "0.5", "1.0", "2.50", "5e0", "1E+2", "1e2")
	}
	if kind == catalog.Float {
		all = append(all, "-1.7976931348623157e308", "-1e21", "1e-320", "0.10000000000000000555", "123456789012345678901234567890", "1e300", "1.7976931348623157e308")
	}
	return all
}

func (m *maker) number(t *catalog.Type) {
	if oneIn(m.t, 4) {
		values := some(m.t, 1, m.numbers(t.Kind, false))
		values = values[:min(len(values), 5)]
		slices.SortStableFunc(values, catalog.CompareDecimal)
		if t.Kind == catalog.Float {
			values = slices.DeleteFunc(values, func(v string) bool { // the checks refuse what float64 does not hold
				f, err := strconv.ParseFloat(v, 64)
				return err != nil || catalog.CompareDecimal(v, strconv.FormatFloat(f, 'g', -1, 64)) != 0
			})
		}
		if len(values) == 0 {
			values = []string{"1"}
		}
		t.Enum = enum(slices.CompactFunc(values, func(a, b string) bool { return catalog.CompareDecimal(a, b) == 0 })...)
	}
	if draw(m.t, true, true, false) {
		m.bounds(t)
	}
}

// bounds draws bounds that hold the allowed values, where there are some.
func (m *maker) bounds(t *catalog.Type) {
	pair := []string{draw(m.t, m.numbers(t.Kind, true)...), draw(m.t, m.numbers(t.Kind, true)...)}
	if len(t.Enum) > 0 {
		pair = []string{string(t.Enum[0].Value), string(t.Enum[len(t.Enum)-1].Value)}
	}
	slices.SortFunc(pair, catalog.CompareDecimal)
	tight := len(t.Enum) > 0 || catalog.CompareDecimal(pair[0], pair[1]) == 0
	for _, b := range []struct{ text, open, closed *string }{
		{&pair[0], &t.ExclusiveMinimum, &t.Minimum}, {&pair[1], &t.ExclusiveMaximum, &t.Maximum},
	} {
		switch draw(m.t, "closed", "open", "none") {
		case "closed":
			*b.closed = *b.text
		case "open":
			if !tight {
				*b.open = *b.text
			}
		}
	}
}
