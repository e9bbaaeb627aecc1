package breaker

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// states are what a state file may hold, with a threshold of 3: the state, or a part of the error.
func states() []struct {
	text string
	want state
	err  string
} {
	ok := func(denies int, open bool) state { return state{denies, open} }
	var no state
	return []struct {
		text string
		want state
		err  string
	}{
		{`{"denies": 0, "open": false}`, ok(0, false), ""},
		{"{\"denies\": 2, \"open\": false}\n", ok(2, false), ""},
		{`{"denies": 3, "open": true}`, ok(3, true), ""},
		{`{"denies": 0, "open": true}`, ok(0, true), ""},
		{`{"open":false,"denies":1}`, ok(1, false), ""},
		{"\r\n\t { \"denies\" :\n1\t, \"open\"\r: false } \n", ok(1, false), ""},

		{"", no, "got an empty file"},
		{" \n", no, "got an empty file"},
		{`{"denies": 0, "open": fal`, no, `got "fal" at byte 22, want true or false`},
		{`{"denies": 0, "open": false`, no, `got the end of the file, want "," or "}"`},
		{`{"denies": 0, "ope`, no, "got the end of the file, want the end of a key"},
		{`{"denies": `, no, "want the count"},
		{`{`, no, "want a key"},
		{`{}`, no, "want a key"},
		{`{"denies": 0}`, no, `got no key "open"`},
		{`{"open": false}`, no, `got no key "denies"`},
		{`{"denies": 0, "open": false,}`, no, "want a key"},
		{`{,"denies": 0, "open": false}`, no, "want a key"},
		{`{"denies": 0 "open": false}`, no, `want "," or "}"`},
		{`{"denies" 0, "open": false}`, no, `want ":"`},
		{`{"denies": 0, "open": false, "note": 1}`, no, `got the unknown key "note"`},
		{`{"denies": 0, "open": false, "` + strings.Repeat("x", 100) + `": 1}`, no, `got the unknown key "` + strings.Repeat("x", 64) + `"`},
		{`{"Denies": 0, "open": false}`, no, `got the unknown key "Denies"`},
		{`{"deni` + "\u017f" + `": 0, "open": false}`, no, "got the unknown key"},
		{`{"\u0064enies": 0, "open": false}`, no, "got the unknown key"},
		{`{"denies": 0, "denies": 0, "open": false}`, no, `got the key "denies" twice`},
		{`{"denies": 0, "open": false, "open": false}`, no, `got the key "open" twice`},
		{`{"denies": 0, "open": false} {}`, no, "got text after the object, at byte 29"},
		{`{"denies": 0, "open": false}` + "\x00", no, "got text after the object"},
		{"\ufeff" + `{"denies": 0, "open": false}`, no, `want "{"`},
		{"\x00\x01\xff\xfe", no, `want "{"`},
		{`[{"denies": 0, "open": false}]`, no, `want "{"`},
		{`null`, no, `want "{"`},
		{`{"denies": "0", "open": false}`, no, "want the count"},
		{`{"denies": null, "open": false}`, no, "want the count"},
		{`{"denies": false, "open": false}`, no, "want the count"},
		{`{"denies": -1, "open": false}`, no, "want the count"},
		{`{"denies": -0, "open": false}`, no, "want the count"},
		{`{"denies": +1, "open": false}`, no, "want the count"},
		{`{"denies": 01, "open": false}`, no, "want the count"},
		{`{"denies": 1.0, "open": false}`, no, `want "," or "}"`},
		{`{"denies": 1e0, "open": false}`, no, `want "," or "}"`},
		{`{"denies": 18446744073709551616, "open": false}`, no, "want the count"},
		{`{"denies": 0, "open": 0}`, no, "want true or false"},
		{`{"denies": 0, "open": "false"}`, no, "want true or false"},
		{`{"denies": 0, "open": null}`, no, "want true or false"},
		{`{"denies": 0, "open": falsey}`, no, `want "," or "}"`},
		{`{"denies": 4, "open": false}`, no, "got the count 4, want 0 to the threshold 3"},
		{`{"denies": 4, "open": true}`, no, "got the count 4, want 0 to the threshold 3"},
		{`{"denies": 3, "open": false}`, no, "got the count 3, which is the threshold, and yet open is false"},
		{`{"denies": 0, "open": false}` + strings.Repeat(" ", maxBytes), no, "got more than 4096 bytes"},
	}
}

func TestParse(t *testing.T) {
	for _, c := range states() {
		got, err := parse([]byte(c.text), 3)
		switch {
		case c.err == "" && (err != nil || got != c.want):
			t.Errorf("%q: got %v, %v, want %v", c.text, got, err, c.want)
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%q: got %v, %v, want the error %q", c.text, got, err, c.err)
		}
	}
}

func TestTextOfState(t *testing.T) {
	for s, want := range map[state]string{
		{}:          `{"denies": 0, "open": false}` + "\n",
		{12, false}: `{"denies": 12, "open": false}` + "\n",
		{5, true}:   `{"denies": 5, "open": true}` + "\n",
	} {
		if got := string(s.text()); got != want {
			t.Errorf("%v: got %q, want %q", s, got, want)
		}
	}
}

// FuzzParse: what is accepted is what encoding/json reads too, is in bounds, and survives being written again.
func FuzzParse(f *testing.F) {
	for _, c := range states() {
		f.Add([]byte(c.text), 3)
	}
	f.Fuzz(func(t *testing.T, text []byte, threshold int) {
		if threshold < 1 {
			return
		}
		s, err := parse(text, threshold)
		if err != nil {
			return
		}
		if s.denies < 0 || s.denies > threshold || s.denies == threshold && !s.open {
			t.Fatalf("%q: accepted %v at threshold %d", text, s, threshold)
		}
		var oracle struct {
			Denies *int  `json:"denies"`
			Open   *bool `json:"open"`
		}
		dec := json.NewDecoder(bytes.NewReader(text))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&oracle); err != nil || oracle.Denies == nil || oracle.Open == nil || *oracle.Denies != s.denies || *oracle.Open != s.open {
			t.Fatalf("%q: accepted %v, encoding/json reads %v, %v", text, s, oracle, err)
		}
		if again, err := parse(s.text(), threshold); err != nil || again != s {
			t.Fatalf("%v: written and read as %v, %v", s, again, err)
		}
	})
}
