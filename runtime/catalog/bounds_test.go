package catalog

import (
	"encoding/json"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// decimals is in rising order; a row holds spellings of one value.
func decimals() [][]string {
	return [][]string{
		{"-1e999999999999999999999"}, {"-1e99"}, {"-9007199254740993"}, {"-9007199254740992", "-9.007199254740992e15"}, {"-1.5", "-15e-1", "-1.50"},
		{"-1", "-1.0", "-10e-1", "-0.1E1"}, {"-1e-999999999"},
		{"0", "-0", "0.0", "0e999999999999999999999", "-0.000e-5", ""},
		{"1e-999999999999999999999"}, {"1e-999999999"}, {"0.001", "1e-3"}, {"0.01"}, {"0.1"}, {"0.10000000000000000001"}, {"0.2"},
		{"1", "1.0", "1e0", "1e+0", "100e-2", "0.001e3", "1.000"}, {"1.0000000000000000001"}, {"9.99"}, {"10", "1e1", "1E+01"}, {"11"}, {"100"},
		{"9007199254740992"}, {"9007199254740993"}, {"9223372036854775807"}, {"9223372036854775808"}, {"1e999999999"}, {"1e999999999999999999999"},
	}
}

func TestCompareDecimal(t *testing.T) {
	for i, row := range decimals() {
		for j, other := range decimals() {
			for _, a := range row {
				for _, b := range other {
					want := 0
					if i < j {
						want = -1
					} else if i > j {
						want = 1
					}
					if got := CompareDecimal(a, b); got != want {
						t.Errorf("CompareDecimal(%q, %q): got %d, want %d", a, b, got, want)
					}
				}
			}
		}
	}
}

func FuzzCompareDecimal(f *testing.F) {
	for _, row := range decimals() {
		for _, other := range decimals() {
			f.Add(row[0], other[0])
		}
	}
	number := regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)
	f.Fuzz(func(t *testing.T, a, b string) {
		if got, want := decimalText(a), number.MatchString(a); got != want {
			t.Fatalf("decimalText(%q): got %v, want %v", a, got, want)
		}
		got := CompareDecimal(a, b)
		if back := CompareDecimal(b, a); back != -got {
			t.Errorf("CompareDecimal(%q, %q): got %d, the other way round %d", a, b, got, back)
		}
		if !number.MatchString(a) || !number.MatchString(b) || len(a)+len(b) > 200 || bigExponent(a) || bigExponent(b) {
			return
		}
		x, _ := new(big.Rat).SetString(a)
		y, _ := new(big.Rat).SetString(b)
		if x == nil || y == nil {
			return
		}
		if want := x.Cmp(y); got != want {
			t.Errorf("CompareDecimal(%q, %q): got %d, want %d", a, b, got, want)
		}
		if whole := readDecimal(a); whole.whole() != x.IsInt() {
			t.Errorf("%q: whole is %v, want %v", a, whole.whole(), x.IsInt())
		}
	})
}

// bigExponent reports whether big.Rat would take long over s.
func bigExponent(s string) bool {
	_, exp, _ := strings.Cut(strings.ToLower(s), "e")
	return len(strings.TrimLeft(exp, "+-0")) > 3
}

func TestCompareDecimalAllocates(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() { CompareDecimal("9007199254740993", "-1.5e300") }); n != 0 {
		t.Errorf("got %v allocations, want 0", n)
	}
}

func TestIntRange(t *testing.T) {
	for _, c := range []struct {
		t      Type
		lo, hi int64
		ok     bool
	}{
		{Type{Kind: Int, Minimum: "1", Maximum: "100"}, 1, 100, true},
		{Type{Kind: Int, ExclusiveMinimum: "0", ExclusiveMaximum: "10"}, 1, 9, true},
		{Type{Kind: Int, Minimum: "5", ExclusiveMinimum: "2"}, 5, 1<<63 - 1, true},
		{Type{Kind: Int, Minimum: "0.5"}, 0, 0, false},
		{Type{Kind: Int}, 0, 0, false},
		{Type{Kind: Float, Minimum: "1"}, 0, 0, false},
		{Type{Kind: Int, ExclusiveMinimum: "9223372036854775807"}, 0, 0, false},
	} {
		lo, hi, ok := c.t.IntRange()
		if ok != c.ok || ok && (lo != c.lo || hi != c.hi) {
			t.Errorf("%+v: got %d, %d, %v", c.t, lo, hi, ok)
		}
	}
}

// A float enum holds values that float64 holds: a Go constant of another decimal would be refused where it is written back.
func TestFloatEnumIsExact(t *testing.T) {
	for text, want := range map[string]bool{"0.1": true, "2.50": true, "1e300": true, "3.14159265358979323846": false, "9007199254740993": false, "-0.0": true} {
		typ := Type{Kind: Float, Enum: []Enum{{Value: json.RawMessage(text)}}}
		if fault := typ.enumFault(&typ.Enum[0], nil); (fault == "") != want {
			t.Errorf("%s: got %q, want it accepted: %v", text, fault, want)
		}
	}
}

// Equal numbers are one enum value, however they are written; the check does not compare each with each.
func TestEnumTwice(t *testing.T) {
	typ := Type{Kind: Float}
	for i := range 20_000 {
		typ.Enum = append(typ.Enum, Enum{Value: json.RawMessage(strconv.Itoa(i)), GoName: "V" + strconv.Itoa(i)})
	}
	typ.Enum = append(typ.Enum, Enum{Value: json.RawMessage("70.0e1")})
	k := &checker{c: &Catalog{}}
	k.enum([]string{"x"}, &typ)
	if len(k.problems) != 1 || k.problems[0].Also[2] != "700" {
		t.Errorf("got %+v, want the last value to clash with 700", k.problems)
	}
}
