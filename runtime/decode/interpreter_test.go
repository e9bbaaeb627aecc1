package decode_test

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
	"github.com/toolfreeze/toolfreeze/runtime/decode"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// compare reads doc as the arguments of tool with generated code and with the interpreter.
func compare(t *testing.T, p *decode.Program, a, b *decode.Reader, tool int, doc []byte) {
	t.Helper()
	a.Reset(p, doc, 1<<20)
	generated(tool).decode(a)
	a.End()
	b.Reset(p, doc, 1<<20)
	p.Args(b, tool)
	b.End()
	if a.Code() != b.Code() || !reflect.DeepEqual(a.Faults(), b.Faults()) {
		t.Fatalf("tool %d, %q:\ngenerated %s %q\ninterpreted %s %q", tool, doc, a.Code(), a.Faults(), b.Code(), b.Faults())
	}
	checkFaults(t, a)
}

// checkFaults holds what is true of all faults.
func checkFaults(t *testing.T, r *decode.Reader) {
	t.Helper()
	faults := r.Faults()
	if (len(faults) == 0) != (r.Code() == verdict.OK) || len(faults) > 20 {
		t.Fatalf("got %s with %d faults", r.Code(), len(faults))
	}
	least := verdict.TooLarge
	for _, f := range faults {
		least = min(least, f.Code)
		if f.Code < verdict.ArgsTooLarge || f.Code > verdict.TooLarge || !strings.HasPrefix(f.Path, "$") || f.Want == "" {
			t.Fatalf("got the fault %+v", f)
		}
	}
	if len(faults) > 0 && least != r.Code() {
		t.Fatalf("got %s, but the faults are %q", r.Code(), faults)
	}
}

// mutate changes a copy of doc at a few places.
func mutate(rnd *rand.Rand, doc []byte) []byte {
	pieces := []string{`"`, `\`, `{`, `}`, `[`, `]`, `,`, `:`, `null`, `true`, `0`, `-`, `.5`, `e9`, `""`, `{}`, `[]`, `"a":1,`, `\u0061`, "\x00", "\xff", " ", "é", `"name"`, `"x"`}
	doc = bytes.Clone(doc)
	for range 1 + rnd.IntN(3) {
		i := rnd.IntN(len(doc) + 1)
		j := min(len(doc), i+rnd.IntN(6))
		switch rnd.IntN(4) {
		case 0:
			doc = append(doc[:i:i], doc[j:]...)
		case 1:
			doc = append(doc[:j:j], doc[i:]...)
		default:
			piece := pieces[rnd.IntN(len(pieces))]
			doc = append(append(doc[:i:i], piece...), doc[i+(j-i)*rnd.IntN(2):]...)
		}
		if len(doc) > 1<<12 {
			doc = doc[:1<<12]
		}
	}
	return doc
}

func TestInterpreter(t *testing.T) {
	p := compiled(t)
	var a, b decode.Reader
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, d := range hostile() {
		compare(t, p, &a, &b, d.tool, []byte(d.doc))
		if len(d.doc) > 1<<12 {
			continue
		}
		for range 200 {
			compare(t, p, &a, &b, d.tool, mutate(rnd, []byte(d.doc)))
		}
	}
	for range 20000 {
		compare(t, p, &a, &b, everything, mutate(rnd, []byte(everythingCall)))
	}
}

// FuzzInterpreter compares generated code with the interpreter, and reuses both readers, so that nothing may be left
// over from the document before.
func FuzzInterpreter(f *testing.F) {
	for _, d := range hostile() {
		if len(d.doc) < 1<<12 {
			f.Add(d.tool, []byte(d.doc))
		}
	}
	p := compiled(f)
	f.Fuzz(func(t *testing.T, tool int, doc []byte) {
		if tool < lookupPlan || tool > nothing {
			return
		}
		var a, b decode.Reader
		run(&a, p, everything, everythingWrong)
		compare(t, p, &a, &b, tool, doc)
	})
}

func TestCompileErrors(t *testing.T) {
	one := func(ty catalog.Type) *catalog.Catalog {
		return &catalog.Catalog{Tools: []catalog.Tool{{Name: "t", Args: []catalog.Field{field("a", false, ty)}}}}
	}
	many := &catalog.Catalog{Tools: []catalog.Tool{{Name: "t", Args: make([]catalog.Field, 65)}}}
	for i := range many.Tools[0].Args {
		many.Tools[0].Args[i] = field(strings.Repeat("a", i+1), false, catalog.Type{Kind: catalog.Int})
	}
	for _, test := range []struct {
		name string
		c    *catalog.Catalog
		want string
	}{
		{"pattern", one(catalog.Type{Kind: catalog.String, Pattern: "(?=a)"}), `pattern "(?=a)": `},
		{"reference", one(catalog.Type{Kind: catalog.Ref, Ref: "Plan"}), `tool "t": got type "Plan", want a name from [types]`},
		{"element", one(catalog.Type{Kind: catalog.List}), `tool "t": got a list without the type of what it holds`},
		{"kind", one(catalog.Type{Kind: "date"}), `tool "t": got kind "date", want one of the kinds of a freeze`},
		{"enum", one(catalog.Type{Kind: catalog.String, Enum: enum("1")}), `tool "t": got the enum value "1", want a JSON string`},
		{"NUL", one(catalog.Type{Kind: catalog.String, Enum: enum(`"\u0000"`)}), `tool "t": got a NUL in the enum value "\x00"`},
		{"members", many, `tool "t": got an object of 65 members, want at most 64`},
	} {
		_, err := decode.Compile(test.c)
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", test.name, err, test.want)
		}
	}
}

// TestNoProgram: whatever does not know what to check refuses.
func TestNoProgram(t *testing.T) {
	p := compiled(t)
	var r decode.Reader
	var s string
	r.Reset(nil, []byte(`"a"`), 3)
	r.String(&s)
	r.Pattern(0)
	if got := printed(r.Faults()); len(got) != 1 || !strings.HasPrefix(got[0], "BAD_VALUE $ want text of a known pattern") {
		t.Errorf("got %q", got)
	}
	r.Reset(p, []byte(`"a"`), 3)
	r.String(&s)
	r.Pattern(99)
	r.Format("zip")
	if r.Code() != verdict.BadValue || len(r.Faults()) != 2 {
		t.Errorf("got %q", r.Faults())
	}
	for _, read := range []func(){
		func() { p.Args(&r, 99) },
		func() { p.Result(&r, -1) },
		func() { p.Value(&r, &catalog.Type{Kind: catalog.String}) },
	} {
		r.Reset(p, []byte(`{}`), 3)
		read()
		if r.Code() == verdict.OK {
			t.Error("got OK, want a refusal")
		}
	}
	var zero decode.Reader
	zero.Object("", 0)
	if zero.Code() != verdict.BadJSON {
		t.Errorf("a Reader without a document: got %s, want BAD_JSON", zero.Code())
	}
}

// TestValue reads a part of a catalog by itself, as defaults are checked.
func TestValue(t *testing.T) {
	c := frozen()
	p, err := decode.Compile(c)
	if err != nil {
		t.Fatal(err)
	}
	var r decode.Reader
	for _, test := range []struct {
		i    int
		doc  string
		code verdict.Code
	}{
		{1, "5", verdict.OK}, {1, "0", verdict.BadValue}, {12, `["a"]`, verdict.OK}, {12, `[]`, verdict.BadValue},
		{14, `{"id":"a","cents":1}`, verdict.OK}, {14, `{}`, verdict.BadKeys}, {11, `[1,2]`, verdict.OK}, {11, `[1.5]`, verdict.BadValue},
	} {
		r.Reset(p, []byte(test.doc), 100)
		p.Value(&r, &c.Tools[everything].Args[test.i].Type)
		r.End()
		if r.Code() != test.code {
			t.Errorf("%s: got %s, want %s", test.doc, r.Code(), test.code)
		}
	}
}

// TestAlternatives: the fault of a one_of says what each alternative is.
func TestAlternatives(t *testing.T) {
	text := catalog.Type{Kind: catalog.String}
	for _, test := range []struct {
		one  catalog.Type
		want string
	}{
		{text, "a string"},
		{catalog.Type{Kind: catalog.String, Enum: enum(`"a"`, `"b"`)}, `one of "a", "b"`},
		{catalog.Type{Kind: catalog.Int}, "an integer"},
		{catalog.Type{Kind: catalog.Int, Enum: enum("7")}, "7"},
		{catalog.Type{Kind: catalog.Float}, "a number"},
		{catalog.Type{Kind: catalog.Bool}, "true or false"},
		{catalog.Type{Kind: catalog.Time}, "a string"},
		{catalog.Type{Kind: catalog.List, Elem: &text}, "a list"},
		{catalog.Type{Kind: catalog.Map, Elem: &text}, "an object"},
		{catalog.Type{Kind: catalog.JSON, OneOf: []catalog.Type{text, {Kind: catalog.Bool}}}, "any value"},
		{catalog.Type{Kind: catalog.Object, Fields: []catalog.Field{field("a", true, text)}}, "an object"},
		{catalog.Type{Kind: catalog.Object, Fields: []catalog.Field{field("a", false, text), field("b", true, text), field("c", false, text)}}, `an object with "a", "c"`},
	} {
		p, err := decode.Compile(&catalog.Catalog{Tools: []catalog.Tool{{Name: "t", Args: []catalog.Field{
			field("v", false, catalog.Type{Kind: catalog.JSON, OneOf: []catalog.Type{test.one, test.one}}),
		}}}})
		if err != nil {
			t.Fatal(err)
		}
		var r decode.Reader
		r.Reset(p, []byte(`{"v":null}`), 100)
		p.Args(&r, 0)
		want := "want a value that fits exactly one of: " + test.want + "; " + test.want + "; this fits none of them"
		if got := r.Faults(); len(got) != 1 || got[0].Want != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
