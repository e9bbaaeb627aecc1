package tree

import (
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{` {"b": 1.50, "a": [true, null, "\u003c\n"], "": {}} `, `{"b":1.50,"a":[true,null,"<\n"],"":{}}`},
		{"\xef\xbb\xbf9007199254740993", `9007199254740993`},
		{`"�"`, `"�"`},
		{`"\ufffd"`, `"�"`},
	} {
		v, err := Parse([]byte(c.src))
		if err != nil {
			t.Errorf("%s: %v", c.src, err)
			continue
		}
		if got := string(v.JSON(nil)); got != c.want {
			t.Errorf("%s: got %s, want %s", c.src, got, c.want)
		}
	}
	for _, c := range []struct{ src, want string }{
		{``, "line 1: got the end of the file"},
		{"[1,\n2", "line 2"},
		{`{"a": 1, "a": 2}`, `the member "a" twice`},
		{`{"a": 1, "\u0061": 2}`, `the member "a" twice`},
		{`1 2`, "text after the end"},
		{"\"\xff\"", "not UTF-8"},
		{`"\ud800"`, "half of a surrogate pair"},
		{`{"\udc00": 1}`, "half of a surrogate pair"},
		{strings.Repeat("[", 300), "levels of nesting"},
		{`[01]`, "line 1"},
	} {
		if v, err := Parse([]byte(c.src)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40s: got %v, %v, want an error with %q", c.src, v, err, c.want)
		}
	}
}

func TestValue(t *testing.T) {
	v, err := Parse([]byte(`{"s": "x", "n": null, "b": true, "l": []}`))
	if err != nil {
		t.Fatal(err)
	}
	on, ok := v.Flag("b")
	_, none := v.Flag("s")
	if v.Str("s") != "x" || v.Str("l") != "" || v.Has("n") || !v.Has("l") || !on || !ok || none || v.Get("x") != nil || v.Get("s").Get("x") != nil {
		t.Error("a member is read wrongly")
	}
	if got := string(v.Without("n", "b").With("s", v.Get("l")).With("z", v.Get("b")).JSON(nil)); got != `{"s":[],"l":[],"z":true}` {
		t.Errorf("got %s", got)
	}
	if got := string(v.JSON(nil)); got != `{"s":"x","n":null,"b":true,"l":[]}` {
		t.Errorf("the value was changed: %s", got)
	}
}

func TestIntegral(t *testing.T) {
	for s, want := range map[string]bool{"5": true, "-5.0": true, "5.50": false, "1e3": false, "5.000": true} {
		if Integral(s) != want {
			t.Errorf("%s: got %t", s, !want)
		}
	}
}
