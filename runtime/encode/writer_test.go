package encode_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/toolfreeze/toolfreeze/runtime/encode"
)

func TestDocument(t *testing.T) {
	noon := time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		name  string
		write func(w *encode.Writer)
		want  string
	}{
		{"empty object", func(w *encode.Writer) { w.Object(); w.EndObject() }, `{}`},
		{"empty list", func(w *encode.Writer) { w.List(); w.EndList() }, `[]`},
		{"members", func(w *encode.Writer) {
			w.Object()
			w.Key("a")
			w.Int(-1)
			w.Key("b\"")
			w.List()
			w.Bool(true)
			w.Bool(false)
			w.Null()
			w.Object()
			w.Key("")
			w.String("x")
			w.EndObject()
			w.List()
			w.EndList()
			w.EndList()
			w.Key("c")
			w.Float(1.5)
			w.EndObject()
		}, `{"a":-1,"b\"":[true,false,null,{"":"x"},[]],"c":1.5}`},
		{"ends of int64", func(w *encode.Writer) { w.List(); w.Int(math.MinInt64); w.Int(math.MaxInt64); w.EndList() },
			`[-9223372036854775808,9223372036854775807]`},
		{"text", func(w *encode.Writer) { w.String("\x00\x1f\n\r\t\"\\/<>&\u2028é😀\x7f") }, `"\u0000\u001f\n\r\t\"\\/<>&` + "\u2028é😀\x7f" + `"`},
		{"invalid UTF-8 is passed on", func(w *encode.Writer) { w.String("a\xff\xed\xa0\x80") }, "\"a\xff\xed\xa0\x80\""},
		{"bytes", func(w *encode.Writer) { w.List(); w.Bytes([]byte{0, 1}); w.Bytes(nil); w.EndList() }, `["AAE=",""]`},
		{"raw", func(w *encode.Writer) { w.List(); w.JSON(json.RawMessage(` {"a": 1}`)); w.JSON(nil); w.EndList() }, `[ {"a": 1},null]`},
		{"times", func(w *encode.Writer) {
			w.List()
			w.Time(noon)
			w.Time(noon.Add(123456789))
			w.Time(noon.Add(500 * time.Millisecond).In(time.FixedZone("x", -5*3600-30*60)))
			w.Time(time.Time{})
			w.EndList()
		}, `["2026-01-31T12:00:00Z","2026-01-31T12:00:00.123456789Z","2026-01-31T06:30:00.5-05:30","0001-01-01T00:00:00Z"]`},
		{"floats", func(w *encode.Writer) {
			w.List()
			for _, f := range []float64{0, math.Copysign(0, -1), 1, 0.1, 1e20, 1e21, 1e-6, 1e-7, 1.5e-10, 123456789.125, math.MaxFloat64, math.SmallestNonzeroFloat64} {
				w.Float(f)
			}
			w.EndList()
		}, `[0,-0,1,0.1,100000000000000000000,1e+21,0.000001,1e-7,1.5e-10,123456789.125,1.7976931348623157e+308,5e-324]`},
	} {
		var w encode.Writer
		test.write(&w)
		if got := string(w.Document()); got != test.want || w.Err() != nil {
			t.Errorf("%s: got %s (%v), want %s", test.name, got, w.Err(), test.want)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, test := range []struct {
		name  string
		write func(w *encode.Writer)
		want  string
	}{
		{"NaN", func(w *encode.Writer) { w.Float(math.NaN()) }, "got NaN or an infinity, want a finite number"},
		{"infinity", func(w *encode.Writer) { w.Float(math.Inf(-1)) }, "got NaN or an infinity, want a finite number"},
		{"year 10000", func(w *encode.Writer) { w.Time(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)) }, "got a time in the year 10000, want 0 to 9999"},
		{"year -1", func(w *encode.Writer) { w.Time(time.Date(-1, 1, 1, 0, 0, 0, 0, time.UTC)) }, "got a time in the year -1, want 0 to 9999"},
		{"seconds in the offset", func(w *encode.Writer) { w.Time(time.Unix(0, 0).In(time.FixedZone("", 61))) },
			"got a time with an offset of 61 seconds, want whole minutes, less than a day"},
		{"a day of offset", func(w *encode.Writer) { w.Time(time.Unix(0, 0).In(time.FixedZone("", 24*3600))) },
			"got a time with an offset of 86400 seconds, want whole minutes, less than a day"},
	} {
		var w encode.Writer
		w.List()
		w.Int(1)
		test.write(&w)
		w.Float(math.Inf(1)) // not the first error
		w.EndList()
		if w.Err() == nil || w.Err().Error() != test.want {
			t.Errorf("%s: got %v, want %s", test.name, w.Err(), test.want)
		}
		if got := string(w.Document()); got != "[1,null,null]" {
			t.Errorf("%s: got %s, want [1,null,null]", test.name, got)
		}
		w.Reset()
		w.Null()
		if got := string(w.Document()); got != "null" || w.Err() != nil {
			t.Errorf("%s, after Reset: got %s (%v), want null", test.name, got, w.Err())
		}
	}
}

// tree is a generated type that can hold itself.
type tree struct{ left, right *tree }

func (v *tree) encode(w *encode.Writer) {
	if !w.Object() {
		return
	}
	if v.left != nil {
		w.Key("left")
		v.left.encode(w)
	}
	if v.right != nil {
		w.Key("right")
		v.right.encode(w)
	}
	w.EndObject()
}

func TestDepth(t *testing.T) {
	nested := func(n int) *tree {
		var v *tree
		for range n {
			v = &tree{left: v}
		}
		return v
	}
	var w encode.Writer
	nested(64).encode(&w)
	if w.Err() != nil || strings.Count(string(w.Document()), "{") != 64 {
		t.Errorf("64 levels: got %v", w.Err())
	}
	w.Reset()
	nested(65).encode(&w)
	if w.Err() == nil || !json.Valid(w.Document()) {
		t.Errorf("65 levels: got %v, want an error", w.Err())
	}
	// Walked to the end, this one would take 2^64 steps.
	circle := new(tree)
	circle.left, circle.right = circle, circle
	w.Reset()
	circle.encode(&w)
	if want := "got values nested deeper than 64, want fewer levels"; w.Err() == nil || w.Err().Error() != want {
		t.Errorf("a circle: got %v, want %s", w.Err(), want)
	}
}

// FuzzText: what is written reads back the same in encoding/json.
func FuzzText(f *testing.F) {
	for _, s := range []string{"", "plain", "\"\\/\b\f\n\r\t\x00", "eight by\x1f", "é😀\u2028", "exactly8", "\\\\\\\\\\\\\\\\", "<&>"} {
		f.Add(s, int64(len(s)), float64(len(s))/3)
	}
	f.Fuzz(func(t *testing.T, s string, n int64, x float64) {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return
		}
		s = strings.ToValidUTF8(s, "")
		var w encode.Writer
		w.Object()
		w.Key(s)
		w.List()
		w.String(s)
		w.Int(n)
		w.Float(x)
		w.Bytes([]byte(s))
		w.EndList()
		w.EndObject()
		dec := json.NewDecoder(strings.NewReader(string(w.Document())))
		dec.UseNumber()
		var got map[string][]any
		if err := dec.Decode(&got); err != nil {
			t.Fatalf("%s: %v", w.Document(), err)
		}
		number, _ := json.Marshal(x)
		want := map[string][]any{s: {s, json.Number(fmt.Sprint(n)), json.Number(number), base64.StdEncoding.EncodeToString([]byte(s))}}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}

func TestAllocations(t *testing.T) {
	var w encode.Writer
	now := time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	raw, data := json.RawMessage(`[1]`), []byte("data")
	got := testing.AllocsPerRun(100, func() {
		w.Reset()
		w.Object()
		w.Key("a")
		w.String("text with \"quotes\"")
		w.Key("b")
		w.Time(now)
		w.Key("c")
		w.Float(0.1)
		w.Key("d")
		w.JSON(raw)
		w.Key("e")
		w.Bytes(data)
		w.EndObject()
	})
	if got != 0 {
		t.Errorf("got %v allocations, want 0 in a buffer that is large enough", got)
	}
}

func ExampleWriter() {
	var w encode.Writer
	w.Object()
	w.Key("plan")
	w.String("pro")
	w.Key("cents")
	w.Int(1900)
	w.Key("since")
	w.Time(time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC))
	w.EndObject()
	fmt.Println(string(w.Document()), w.Err())
	// Output:
	// {"plan":"pro","cents":1900,"since":"2026-01-31T12:00:00Z"} <nil>
}

func TestExtra(t *testing.T) {
	var w encode.Writer
	w.Object()
	w.Key("b")
	w.Int(1)
	w.Extra(map[string]json.RawMessage{"c": json.RawMessage("[]"), "a": nil, "b": json.RawMessage("2")})
	w.Extra(nil)
	w.EndObject()
	// A name that is there twice stays so: the reader that checks the document refuses it.
	if got, want := string(w.Document()), `{"b":1,"a":null,"b":2,"c":[]}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestReset: a buffer that has grown large is not kept.
func TestReset(t *testing.T) {
	var w encode.Writer
	w.String(strings.Repeat("a", 2<<20))
	w.Reset()
	w.Int(1)
	if got := w.Document(); string(got) != "1" || cap(got) > 1<<10 {
		t.Errorf("got %s in %d bytes", got, cap(got))
	}
}
