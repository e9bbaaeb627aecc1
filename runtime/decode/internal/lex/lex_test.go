package lex_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/toolfreeze/toolfreeze/runtime/decode"
	"github.com/toolfreeze/toolfreeze/runtime/decode/internal/lex"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

func TestPlain(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	bytesOf := []byte("aaaaaaaaaaaaaaaz ~\x7f\x80\xff\xc3\"\\\x00\x1f\n")
	for range 20000 {
		doc := make([]byte, rnd.IntN(40))
		for i := range doc {
			doc[i] = bytesOf[rnd.IntN(len(bytesOf)-rnd.IntN(8))]
		}
		start := rnd.IntN(len(doc) + 1)
		end, ascii := start, true
		for end < len(doc) && doc[end] >= 0x20 && doc[end] != '"' && doc[end] != '\\' {
			ascii = ascii && doc[end] < 0x80
			end++
		}
		if gotEnd, gotASCII := lex.Plain(doc, start); gotEnd != end || gotASCII != ascii {
			t.Fatalf("%q from %d: got %d %v, want %d %v", doc, start, gotEnd, gotASCII, end, ascii)
		}
	}
}

func TestNames(t *testing.T) {
	var names lex.Names
	rnd := rand.New(rand.NewPCG(1, 1))
	for range 3 {
		// An outer set goes on growing after inner ones, small and large, have come and gone.
		outer, held := names.Open(), map[string]bool{}
		for range 60 {
			inner, inside := names.Open(), map[string]bool{}
			for range rnd.IntN(90) {
				name := fmt.Sprint(rnd.IntN(70))
				if got := names.Add(&inner, []byte(name)); got == inside[name] {
					t.Fatalf("%s: got %v inside %v", name, got, inside)
				}
				inside[name] = true
			}
			names.Close(&inner)
			name := strings.Repeat("x", rnd.IntN(50))
			if got := names.Add(&outer, []byte(name)); got == held[name] {
				t.Fatalf("%q: got %v, held %v", name, got, held)
			}
			held[name] = true
		}
		names.Reset()
	}
}

func TestItems(t *testing.T) {
	for _, test := range []struct {
		doc  string
		want int
	}{
		{`]`, 0}, {` ]`, 0}, {`1]`, 1}, {`1,2 ]`, 2}, {`"a,]\"",[1,2],{"a":[3,4]}],5`, 3}, {``, 0}, {`1,2`, 1}, {`"a\`, 0}, {`"\"`, 0},
		{strings.Repeat("1,", 2000), 100}, {`"` + strings.Repeat("a", 9000) + `",1]`, 0},
	} {
		if got := lex.Items([]byte(test.doc), 0, 100); got != test.want {
			t.Errorf("%.40q: got %d, want %d", test.doc, got, test.want)
		}
	}
}

func TestInteger(t *testing.T) {
	for _, test := range []struct {
		number string
		n      int64
		size   lex.Size
	}{
		{"0", 0, lex.Fits}, {"-0", 0, lex.Fits}, {"0.000e5", 0, lex.Fits}, {"0e99999999999999999999", 0, lex.Fits},
		{"5.0", 5, lex.Fits}, {"50e-1", 5, lex.Fits}, {"0.05e2", 5, lex.Fits}, {"-1.50E+1", -15, lex.Fits}, {"1e18", 1e18, lex.Fits},
		{"9223372036854775807", 1<<63 - 1, lex.Fits}, {"-9223372036854775808", -1 << 63, lex.Fits}, {"922337203685477580.7e1", 1<<63 - 1, lex.Fits},
		{"9223372036854775808", 0, lex.Beyond}, {"-9223372036854775809", 0, lex.Beyond}, {"9999999999999999999", 0, lex.Beyond},
		{"18446744073709551617", 0, lex.Beyond}, {"1e19", 0, lex.Beyond}, {"1e99999999999999999999", 0, lex.Beyond},
		{"0.5", 0, lex.Fraction}, {"1e-99999999999999999999", 0, lex.Fraction}, {"99999999999999999999.5", 0, lex.Fraction}, {"15e-1", 0, lex.Fraction},
	} {
		if n, size := lex.Integer([]byte(test.number)); n != test.n || size != test.size {
			t.Errorf("%s: got %d %d, want %d %d", test.number, n, size, test.n, test.size)
		}
	}
}

// equal is the equality of JSON Schema, slow and plain.
func equal(a, b any) bool {
	switch a := a.(type) {
	case json.Number:
		b, ok := b.(json.Number)
		if !ok {
			return false
		}
		x, okX := new(big.Rat).SetString(a.String())
		y, okY := new(big.Rat).SetString(b.String())
		return okX && okY && x.Cmp(y) == 0
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !equal(a[i], b[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for k, v := range a {
			if w, held := b[k]; !held || !equal(v, w) {
				return false
			}
		}
		return true
	}
	switch b.(type) {
	case json.Number, []any, map[string]any:
		return false
	}
	return a == b
}

// FuzzCanonical compares the equality of canonical forms with the plain one.
func FuzzCanonical(f *testing.F) {
	for _, pair := range [][2]string{
		{`1`, `1.0`}, {`100`, `1e2`}, {`0`, `-0.0e5`}, {`0.1`, `1e-1`}, {`12`, `1.2`}, {`-1`, `1`}, {`"a"`, `"\u0061"`}, {`"1"`, `1`},
		{`{"a":1,"b":[2]}`, ` { "b" : [ 2.0 ] , "a" : 1 } `}, {`[1,2]`, `[2,1]`}, {`[[1],2]`, `[[1,2]]`}, {`{"a":"b,c"}`, `{"a":"b","c":""}`},
		{`true`, `"t"`}, {`null`, `false`}, {`["a","b"]`, `["a,b"]`}, {`{"":{}}`, `{"":[]}`}, {`1e2`, `1e-2`},
	} {
		f.Add(pair[0], pair[1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		var forms [2][]byte
		var values [2]any
		for i, doc := range []string{a, b} {
			var r decode.Reader
			var raw json.RawMessage
			r.Reset(nil, []byte(doc), 1000)
			r.JSON(&raw)
			r.End()
			if r.Code() != verdict.OK || doc == "" || hugeExponent(doc) {
				return
			}
			dec := json.NewDecoder(strings.NewReader(doc))
			dec.UseNumber()
			if err := dec.Decode(&values[i]); err != nil {
				t.Fatalf("%q: %v", doc, err)
			}
			end := 0
			forms[i], end = lex.Canonical(nil, []byte(doc), 0, nil)
			if strings.TrimSpace(doc[end:]) != "" {
				t.Fatalf("%q: got the end %d", doc, end)
			}
		}
		if got, want := bytes.Equal(forms[0], forms[1]), equal(values[0], values[1]); got != want {
			t.Fatalf("%s and %s: got %v (%q and %q), want %v", a, b, got, forms[0], forms[1], want)
		}
	})
}

// hugeExponent reports whether doc may hold a number that exact arithmetic cannot hold.
func hugeExponent(doc string) bool {
	digits := 0
	for i := range len(doc) {
		if doc[i]-'0' > 9 {
			digits = 0
		} else if digits++; digits > 4 {
			return true
		}
	}
	return false
}

// TestCanonicalFar: exponents that nothing can hold are still told apart.
func TestCanonicalFar(t *testing.T) {
	form := func(doc string) string {
		b, _ := lex.Canonical(nil, []byte(doc), 0, nil)
		return string(b)
	}
	for _, pair := range [][2]string{
		{"1e9999999999999999999", "1e9999999999999999998"}, {"1e9999999999999999999", "1e-9999999999999999999"},
		{"1e9999999999999999999", "-1e9999999999999999999"}, {"1e999999", "1e999998"},
	} {
		if form(pair[0]) == form(pair[1]) {
			t.Errorf("%s and %s: got the form %s for both", pair[0], pair[1], form(pair[0]))
		}
	}
	if form("0e9999999999999999999") != form("0") || form("1e9999999") != form("10e9999998") {
		t.Error("equal numbers have different forms")
	}
}
