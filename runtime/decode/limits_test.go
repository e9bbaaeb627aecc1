package decode_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"weak"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
	"github.com/toolfreeze/toolfreeze/runtime/decode"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

func TestTooLarge(t *testing.T) {
	var r decode.Reader
	for _, test := range []struct {
		doc  string
		max  int
		code verdict.Code
	}{
		{`{}`, 2, verdict.OK}, {`{}`, 1, verdict.ArgsTooLarge}, {``, 0, verdict.OK}, {`{bad`, 2, verdict.ArgsTooLarge},
	} {
		r.Reset(nil, []byte(test.doc), test.max)
		new(nothingArgs).decode(&r)
		r.End()
		if r.Code() != test.code {
			t.Errorf("%q in %d bytes: got %s, want %s", test.doc, test.max, r.Code(), test.code)
		}
		if test.code != verdict.OK {
			want := fmt.Sprintf("[ARGS_TOO_LARGE $ want a document of at most %d bytes]", test.max)
			if got := fmt.Sprint(printed(r.Faults())); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		}
	}
}

// TestManyFaults: 20 are kept, and the code of all is explained by one of them.
func TestManyFaults(t *testing.T) {
	var r decode.Reader
	head := `{"labels":[` + strings.Repeat(`"",`, 30)
	labels := func(doc string) {
		r.Reset(nil, []byte(doc), 8<<20)
		r.Object("labels\x00", 1)
		for i := r.Field(); i >= 0; i = r.Field() {
			for r.List(-1, -1, false); r.Item(); {
				var s string
				r.String(&s)
				r.Length(1, 50)
			}
		}
		r.End()
	}
	for _, test := range []struct {
		tail string
		code verdict.Code
		last string
	}{
		{`"a"]}`, verdict.BadValue, "BAD_VALUE $.labels[19] want 1 to 50 characters"},
		{`1,2]}`, verdict.BadType, "BAD_TYPE $.labels[30] want a string, not a number; send it in quotes"},
		{`1],"x":2,"y":3}`, verdict.BadKeys, ""},
		{`1`, verdict.BadJSON, `BAD_JSON $.labels[30] byte 102: want "," or "]" after the item, not the end of the text`},
	} {
		labels(head + test.tail)
		got := printed(r.Faults())
		if r.Code() != test.code || len(got) != 20 || got[0] != "BAD_VALUE $.labels[0] want 1 to 50 characters" {
			t.Fatalf("%s: got %s %q", test.tail, r.Code(), got)
		}
		if test.last != "" && got[19] != test.last {
			t.Errorf("%s: got %q, want %q", test.tail, got[19], test.last)
		}
		checkFaults(t, &r)
		fresh := r.Faults()
		fresh[0].Want = "changed"
		if r.Faults()[0].Want == "changed" {
			t.Error("Faults hands out its own slice")
		}
	}
}

// A list past its bound is counted and skipped: what is refused anyhow does not fill the memory.
func TestListPastItsBound(t *testing.T) {
	var r decode.Reader
	for _, test := range []struct {
		doc  string
		kept int
		want string
	}{
		{`["a","b"]`, 2, ""},
		{`["a","b","c",7,{"x":[1]}]`, 2, "BAD_VALUE $ want at most 2 items"},
		{`["a","b","c",]`, 2, ""},
		{`["a","b",{"x":1,"x":2}]`, 2, ""},
	} {
		r.Reset(nil, []byte(test.doc), 1<<20)
		var list []string
		for r.List(-1, 2, false); r.Item(); {
			r.String(decode.Grow(&list))
		}
		r.End()
		if len(list) != test.kept || test.want != "" && !slices.Contains(printed(r.Faults()), test.want) {
			t.Errorf("%s: kept %q, faults %q", test.doc, list, printed(r.Faults()))
		}
		if test.want == "" && (r.Code() == verdict.OK) != (test.doc == `["a","b"]`) {
			t.Errorf("%s: got %s", test.doc, r.Code())
		}
	}
}

func TestAllocations(t *testing.T) {
	p := compiled(t)
	for _, test := range []struct {
		name string
		tool int
		doc  string
		want float64
	}{
		{"tiny", lookupPlan, tinyCall, 1},     // the string
		{"issue", createIssue, issueCall, 10}, // 4 strings, 5 labels and their slice
		{"none", nothing, `{}`, 0},
		{"escaped", lookupPlan, `{"plan\u005fid":"\u0070ro"}`, 1},
	} {
		doc := []byte(test.doc)
		var r decode.Reader
		var tiny lookupPlanArgs
		var issue createIssueArgs
		got := testing.AllocsPerRun(100, func() {
			r.Reset(p, doc, 1<<20)
			switch test.tool {
			case lookupPlan:
				tiny.decode(&r)
			case createIssue:
				issue.decode(&r)
			default:
				new(nothingArgs).decode(&r)
			}
			r.End()
		})
		if got != test.want || r.Code() != verdict.OK {
			t.Errorf("%s: got %v allocations and %s, want %v and OK", test.name, got, r.Code(), test.want)
		}
	}
}

// TestNumbersDoNotAllocate: neither floats nor bounds nor enums.
func TestNumbersDoNotAllocate(t *testing.T) {
	var r decode.Reader
	var f float64
	var n int64
	doc := []byte(`[0.999999999999999999, 300e-1, 7]`)
	got := testing.AllocsPerRun(100, func() {
		r.Reset(nil, doc, 100)
		r.List(-1, 5, false)
		r.Item()
		r.Float(&f)
		r.Bounds("0", "", "", "1")
		r.Item()
		decode.Int(&r, &n)
		r.Among("1\x0030\x00")
		r.Item()
		decode.Int(&r, &n)
		r.Range(1, 9)
		r.Item()
		r.End()
	})
	if got != 0 || r.Code() != verdict.OK {
		t.Errorf("got %v allocations and %s, want 0 and OK", got, r.Code())
	}
}

// TestReuse: a Reader that has read anything reads the next document as a new one does.
func TestReuse(t *testing.T) {
	p := compiled(t)
	var used decode.Reader
	for _, d := range hostile() {
		run(&used, p, d.tool, d.doc)
		for _, next := range []document{{tool: createIssue, doc: issueCall}, {tool: everything, doc: everythingCall}, {tool: everything, doc: everythingWrong}, {tool: lookupPlan}} {
			var fresh decode.Reader
			got, want := run(&used, p, next.tool, next.doc), run(&fresh, p, next.tool, next.doc)
			if used.Code() != fresh.Code() || !reflect.DeepEqual(used.Faults(), fresh.Faults()) {
				t.Fatalf("after %s: got %s %q, want %s %q", d.name, used.Code(), used.Faults(), fresh.Code(), fresh.Faults())
			}
			if fresh.Code() == verdict.OK && !reflect.DeepEqual(got, want) {
				t.Fatalf("after %s: got %+v, want %+v", d.name, got, want)
			}
		}
	}
}

// TestLetGo: a Reader in a pool does not hold the document that it has read, and what the caller keeps does not either.
func TestLetGo(t *testing.T) {
	p := compiled(t)
	var r decode.Reader
	doc := []byte(everythingCall)
	held := weak.Make(&doc[0])
	var v everythingArgs
	r.Reset(p, doc, len(doc))
	v.decode(&r)
	r.End()
	if r.Code() != verdict.OK {
		t.Fatal(r.Faults())
	}
	r.Reset(nil, nil, 0)
	doc = nil
	runtime.GC()
	if held.Value() != nil {
		t.Error("the document is still held")
	}
	runtime.KeepAlive(&r)
	runtime.KeepAlive(&v)
}

func TestValues(t *testing.T) {
	p := compiled(t)
	var r decode.Reader
	v := run(&r, p, everything, everythingCall).(*everythingArgs)
	if r.Code() != verdict.OK {
		t.Fatal(r.Faults())
	}
	at, _ := v.At.Get()
	if want := time.Date(2026, 1, 31, 14, 4, 5, 500e6, time.UTC); !at.Equal(want) {
		t.Errorf("got %s, want %s", at, want)
	}
	got, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"Name":"abc","Count":5,"Ratio":0,"Unit":"kelvin","Level":30,"On":false,"At":"2026-01-31T15:04:05.5+01:00","Blob":"AAE=",` +
		`"File":"notes/a.md","Text":"sixteen bytes, 1","Any":{"a":[1,{"b":1e999}]},"Shape":{"radius":1,"type":"circle"},"Tags":["a","b"],` +
		`"Labels":{"A":2,"a":1},"Plan":{"ID":"x","Cents":0,"Parts":[{"ID":"y","Cents":1,"Parts":null}]},` +
		`"Filter":{"State":null,"Limit":10,"Extra":{"x":[],"y":null}},"ID":"123e4567-e89b-12d3-a456-426614174000","Grid":[[1,2],[2,1]]}`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestRefusedStays: a refused value leaves its variable as it was.
func TestRefusedStays(t *testing.T) {
	var r decode.Reader
	read := func(doc string, leaf func()) {
		t.Helper()
		r.Reset(nil, []byte(doc), 100)
		leaf()
		r.End()
		if r.Code() == verdict.OK {
			t.Errorf("%s: got OK, want a refusal", doc)
		}
	}
	s, n, f, b, at, bytes, raw := "kept", int64(7), 0.5, true, time.Unix(1, 0), []byte("kept"), json.RawMessage("1")
	e := issueState("kept")
	for _, doc := range []string{"null", "[1]", "{}", "-", `"\x"`, "tru", ""} {
		read(doc, func() { r.String(&s) })
		read(doc, func() { decode.Int(&r, &n) })
		read(doc, func() { r.Float(&f) })
		read(doc, func() { r.Bool(&b) })
		read(doc, func() { r.Time(&at) })
		read(doc, func() { r.Bytes(&bytes) })
		read(doc, func() { r.Path(&s, "", "read") })
		read(doc, func() { r.Content(&s, 5) })
		read(doc, func() { decode.Enum(&r, &e, "a\x00") })
	}
	read(`"six..."`, func() { r.Content(&s, 5) })
	read(`"../a"`, func() { r.Path(&s, "", "read") })
	read(`"AA"`, func() { r.Bytes(&bytes) })
	read(`"AA==\n"`, func() { r.Bytes(&bytes) })
	read(`"2026-02-30T00:00:00Z"`, func() { r.Time(&at) })
	read(`"b"`, func() { decode.Enum(&r, &e, "a\x00") })
	read(`1e999`, func() { r.Float(&f) })
	read(`1e19`, func() { decode.Int(&r, &n) })
	read(`{"a":1,"a":2}`, func() { r.JSON(&raw) })
	if s != "kept" || n != 7 || f != 0.5 || !b || at != time.Unix(1, 0) || string(bytes) != "kept" || string(raw) != "1" || e != "kept" {
		t.Errorf("got %q %d %v %v %v %q %s %q", s, n, f, b, at, bytes, raw, e)
	}
}

// TestAttacks reads documents that cost too much time where something is quadratic or worse.
func TestAttacks(t *testing.T) {
	p := compiled(t)
	var r decode.Reader
	var names, twice, pairs strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&names, `"k%d":0,`, i)
		fmt.Fprintf(&pairs, `[%d,0],`, i)
	}
	twice.WriteString(strings.Repeat(`"a":0,`, 200_000))
	for _, test := range []struct {
		name, doc string
		tool      int
		code      verdict.Code
	}{
		{"many names in a json value", `{"v":{` + names.String() + `"k":0}}`, anything, verdict.OK},
		{"many names in a map", `{"name":"a","on":true,"labels":{` + names.String() + `"k":0}}`, everything, verdict.OK},
		{"many names in an open object", `{"name":"a","on":true,"filter":{` + names.String() + `"k":0}}`, everything, verdict.OK},
		{"many unknown names", `{` + names.String() + `"name":"a","on":true}`, everything, verdict.BadKeys},
		{"one name many times", `{"v":{` + twice.String() + `"a":0}}`, anything, verdict.BadKeys},
		{"many items that must differ", `{"name":"a","on":true,"grid":[` + pairs.String() + `[0.5,0]]}`, everything, verdict.OK},
		{"many wrong items", `{"name":"a","on":true,"tags":[` + strings.Repeat("1,", 200_000) + `1]}`, everything, verdict.BadType},
		{"many objects without members", `{"name":"a","on":true,"plan":{"id":"","cents":0,"parts":[` + strings.Repeat("{},", 200_000) + `{}]}}`, everything, verdict.BadKeys},
	} {
		run(&r, p, test.tool, test.doc)
		if r.Code() != test.code {
			t.Errorf("%s: got %s %q, want %s", test.name, r.Code(), r.Faults(), test.code)
		}
	}
}

// TestNestedAlternatives: two types whose member may be either of them, 30 deep, would be tried 2^30 times.
func TestNestedAlternatives(t *testing.T) {
	either := catalog.Type{Kind: catalog.JSON, OneOf: []catalog.Type{{Kind: catalog.Ref, Ref: "A"}, {Kind: catalog.Ref, Ref: "B"}}}
	tag := func(v string) catalog.Type { return catalog.Type{Kind: catalog.String, Enum: enum(v)} }
	c := &catalog.Catalog{
		Types: []catalog.Named{
			{Name: "A", Fields: []catalog.Field{field("x", true, either), field("t", true, tag(`"a"`))}},
			{Name: "B", Fields: []catalog.Field{field("x", true, either), field("t", true, tag(`"b"`))}},
		},
		Tools: []catalog.Tool{{Name: "t", Args: []catalog.Field{field("x", false, either)}}},
	}
	p, err := decode.Compile(c)
	if err != nil {
		t.Fatal(err)
	}
	nest := func(n int, inner string) string {
		return `{"x":` + strings.Repeat(`{"t":"b","x":`, n) + inner + strings.Repeat(`}`, n) + `}`
	}
	var r decode.Reader
	for _, test := range []struct {
		doc  string
		code verdict.Code
	}{
		{nest(30, `{"t":"a"}`), verdict.OK},
		{nest(30, `{}`), verdict.BadValue},        // fits both
		{nest(30, `{"t":"c"}`), verdict.BadValue}, // fits none
		{nest(30, `{"t":"a","x":1}`), verdict.BadValue},
		{nest(31, `{"t":"a"}`), verdict.TooDeep},
	} {
		r.Reset(p, []byte(test.doc), 1<<20)
		p.Args(&r, 0)
		r.End()
		if r.Code() != test.code {
			t.Errorf("%s: got %s %q, want %s", test.doc, r.Code(), r.Faults(), test.code)
		}
	}
}
