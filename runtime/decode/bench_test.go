package decode_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/toolfreeze/toolfreeze/runtime/decode"
	"github.com/toolfreeze/toolfreeze/runtime/encode"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

const (
	tinyCall  = `{"plan_id":"pro"}`
	issueCall = `{"owner":"toolfreeze","repo":"toolfreeze","title":"the reader says \"want a list\"","body":"Send the list itself.\n\nIt was sent as text, and the answer did not say so: see the log of the second call, and the first.","milestone":12,"draft":false,"state":"open","labels":["bug","decode","good first issue","docs","p2"]}`
)

func benchmark(b *testing.B, tool int, doc string) {
	data := []byte(doc)
	var r decode.Reader
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	switch tool {
	case lookupPlan:
		for b.Loop() {
			var v lookupPlanArgs
			r.Reset(nil, data, 1<<20)
			v.decode(&r)
			r.End()
		}
	case createIssue:
		for b.Loop() {
			var v createIssueArgs
			r.Reset(nil, data, 1<<20)
			v.decode(&r)
			r.End()
		}
	}
	if r.Code() != verdict.OK {
		b.Fatal(r.Faults())
	}
}

func BenchmarkTiny(b *testing.B)  { benchmark(b, lookupPlan, tinyCall) }
func BenchmarkIssue(b *testing.B) { benchmark(b, createIssue, issueCall) }

func BenchmarkInterpretIssue(b *testing.B) {
	p := compiled(b)
	data := []byte(issueCall)
	var r decode.Reader
	b.ReportAllocs()
	for b.Loop() {
		r.Reset(p, data, 1<<20)
		p.Args(&r, createIssue)
		r.End()
	}
	if r.Code() != verdict.OK {
		b.Fatal(r.Faults())
	}
}

// BenchmarkContent reads 64 KiB of source text, of prose and of text outside ASCII.
func BenchmarkContent(b *testing.B) {
	for _, text := range []struct{ name, unit string }{
		{"source", "func f(a int) error {\n\tif a < 0 {\n\t\treturn fmt.Errorf(\"got %q\", a)\n\t}\n\treturn nil // é\n}\n\n"},
		{"prose", "plain words, one after the other, and no escapes. "},
		{"kanji", "日本語のテキスト "},
	} {
		b.Run(text.name, func(b *testing.B) {
			var w encode.Writer
			w.String(strings.Repeat(text.unit, 65536/len(text.unit)))
			data := w.Document()
			var r decode.Reader
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				var s string
				r.Reset(nil, data, 1<<20)
				r.Content(&s, 1<<20)
				r.End()
			}
		})
	}
}

// BenchmarkJSON reads a value that is kept raw.
func BenchmarkJSON(b *testing.B) {
	data := []byte(`{"a":[1,2,3,{"b":"text","c":null,"d":true}],"e":{"f":1.5e3,"g":"more text here"}}`)
	var r decode.Reader
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		var raw json.RawMessage
		r.Reset(nil, data, 1<<20)
		r.JSON(&raw)
		r.End()
	}
}
