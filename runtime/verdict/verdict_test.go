package verdict_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// words is the closed set as it is documented, in the order of the gate. A code that is added, dropped or moved must be
// changed here by hand: applications store these words.
const words = `OK BREAKER_OPEN BUDGET_REQUEST UNKNOWN_TOOL BUDGET_TOOL ARGS_TOO_LARGE TOO_DEEP BAD_JSON BAD_KEYS BAD_PATH
PATH_ESCAPE BAD_TYPE BAD_VALUE BAD_CONTENT TOO_LARGE DRY_RUN TIMEOUT CANCELLED HANDLER_ERROR HANDLER_PANIC BAD_RESULT
NOT_REGULAR URL_DENIED REDIRECT_DENIED ADDR_DENIED BUSY`

func TestCodesAreTheClosedSet(t *testing.T) {
	want := strings.Fields(words)
	all := verdict.All()
	if len(all) != len(want) {
		t.Fatalf("got %d codes, want %d", len(all), len(want))
	}
	for i, c := range all {
		if c.String() != want[i] || c.Error() != want[i] {
			t.Errorf("code %d: got %q and %q, want %q", i, c.String(), c.Error(), want[i])
		}
		text, err := c.MarshalText()
		if err != nil || string(text) != want[i] {
			t.Errorf("%s: marshals as %q, %v", want[i], text, err)
		}
		var back verdict.Code
		if err := back.UnmarshalText(text); err != nil || back != c {
			t.Errorf("%s: reads back as %v, %v", want[i], back, err)
		}
		if i > 0 && all[i-1] >= c {
			t.Errorf("%s: is not greater than %s; the order of the constants is the precedence", c, all[i-1])
		}
	}
	all[0] = verdict.Busy
	if verdict.All()[0] != verdict.OK {
		t.Error("All hands out the same slice twice")
	}
}

func TestNoVerdict(t *testing.T) {
	for _, c := range []verdict.Code{0, verdict.Busy + 1, 255} {
		if c == verdict.OK {
			t.Errorf("%d is OK", c)
		}
		if c.String() != "NO_VERDICT" {
			t.Errorf("%d: got %q, want NO_VERDICT", uint8(c), c.String())
		}
		if text, err := c.MarshalText(); err == nil {
			t.Errorf("%d: marshals as %q, want an error", uint8(c), text)
		}
		if text, err := json.Marshal(verdict.Fault{Code: c}); err == nil {
			t.Errorf("%d: a fault marshals as %s, want an error", uint8(c), text)
		}
	}
}

func TestUnmarshalRefuses(t *testing.T) {
	for _, text := range []string{"", "ok", "Ok", " OK", "OK ", "NO_VERDICT", "BUDGET", "budget_tool", "O\u212a", strings.Repeat("x", 1000)} {
		c := verdict.Timeout
		err := c.UnmarshalText([]byte(text))
		if err == nil || c != verdict.Timeout {
			t.Errorf("%.20q: got %v, %v, want an error and the code untouched", text, c, err)
		} else if len(err.Error()) > 200 {
			t.Errorf("%.20q: the message has %d bytes", text, len(err.Error()))
		}
	}
}

func TestShow(t *testing.T) {
	smile := "\U0001f600"
	for _, tt := range []struct{ in, want string }{
		{"lookup_plan", "lookup_plan"},
		{"A-Z_09", "A-Z_09"},
		{strings.Repeat("a", 64), strings.Repeat("a", 64)},
		{strings.Repeat("a", 65), `"` + strings.Repeat("a", 64) + `"...`},
		{"", `""`},
		{"a.b", `"a.b"`},
		{"a b\n", `"a b\n"`},
		{"\u212aelvin", `"\u212aelvin"`},
		{"\u202egnp", `"\u202egnp"`},
		{"a\x00b", `"a\x00b"`},
		{"\xff", `"\xff"`},
		{`say "x"`, `"say \"x\""`},
		{"[", `"["`}, {"{", `"{"`}, {"@", `"@"`}, {"`", "\"`\""}, {"\x1a", `"\x1a"`}, {"\x7f", `"\x7f"`}, // neighbours of the letters
		{strings.Repeat(smile, 64), `"` + strings.Repeat(`\U0001f600`, 64) + `"`},
		{strings.Repeat(smile, 65), `"` + strings.Repeat(`\U0001f600`, 64) + `"...`},
	} {
		if got := verdict.Show(tt.in); got != tt.want {
			t.Errorf("Show(%.20q): got %s, want %s", tt.in, got, tt.want)
		}
	}
}

func FuzzShow(f *testing.F) {
	for _, s := range []string{"", "a", "a.b", "\xff\xfe", strings.Repeat("\u00e9", 70)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		got := verdict.Show(name)
		if len(got) > 64*10+5 {
			t.Errorf("got %d bytes", len(got))
		}
		for _, r := range got {
			if r < 0x20 || r > 0x7e {
				t.Errorf("Show(%q) holds %q", name, r)
			}
		}
	})
}

func TestShowPath(t *testing.T) {
	for _, tt := range []struct{ path, name, want string }{
		{"$", "tags", "$.tags"},
		{"$.a[0]", "b-c", "$.a[0].b-c"},
		{"$", "a b", `$["a b"]`},
		{"$", "", `$[""]`},
		{"$", "a]", `$["a]"]`},
	} {
		if got := verdict.ShowPath(tt.path, tt.name); got != tt.want {
			t.Errorf("ShowPath(%q, %q): got %s, want %s", tt.path, tt.name, got, tt.want)
		}
	}
}

func TestDenial(t *testing.T) {
	for _, tt := range []struct {
		d    verdict.Denial
		want string
	}{
		{verdict.Denial{Code: verdict.Busy}, "BUSY"},
		{verdict.Denial{Code: verdict.Timeout, Tool: "t"}, "t: TIMEOUT"},
		{verdict.Denial{Code: verdict.BadKeys, Tool: "t", Detail: "$.a: unknown", Cause: errors.New("secret")}, "t: BAD_KEYS: $.a: unknown"},
		{verdict.Denial{Detail: "forgotten"}, "NO_VERDICT: forgotten"},
	} {
		if got := tt.d.Error(); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
		for _, c := range verdict.All() {
			if got := errors.Is(fmt.Errorf("wrapped: %w", &tt.d), c); got != (c == tt.d.Code) {
				t.Errorf("%v is %s: got %v", &tt.d, c, got)
			}
		}
	}
	if (&verdict.Denial{}).Unwrap() != nil {
		t.Error("a denial without a cause unwraps to something")
	}
}

// TestDenialScreensVerdicts: the denial of another call, wrapped by a handler, is not the verdict of this one.
func TestDenialScreensVerdicts(t *testing.T) {
	inner := &verdict.Denial{Code: verdict.DryRun, Tool: "inner"}
	path := &fs.PathError{Op: "open", Path: "x", Err: fs.ErrNotExist}
	d := &verdict.Denial{Code: verdict.HandlerError, Tool: "outer", Cause: errors.Join(inner, verdict.Timeout, path)}
	for _, c := range verdict.All() {
		if got := errors.Is(d, c); got != (c == verdict.HandlerError) {
			t.Errorf("is %s: got %v", c, got)
		}
	}
	if errors.Is(d, inner) {
		t.Error("the inner denial shows through")
	}
	var c verdict.Code
	if errors.As(d, &c) {
		t.Errorf("the code %s shows through", c)
	}
	var got *verdict.Denial
	if !errors.As(error(d), &got) || got != d {
		t.Errorf("got %v, want the outer denial", got)
	}
	if errors.As(d.Unwrap(), &got) {
		t.Errorf("the inner denial %v shows through", got)
	}
	var pe *fs.PathError
	if !errors.Is(d, fs.ErrNotExist) || !errors.As(error(d), &pe) || pe != path {
		t.Error("other errors do not show through")
	}
	if !strings.Contains(d.Unwrap().Error(), "open x") {
		t.Errorf("got %q", d.Unwrap())
	}
	if text, err := json.Marshal(d); err != nil || string(text) != `{"code":"HANDLER_ERROR","tool":"outer"}` {
		t.Errorf("got %s, %v", text, err)
	}
}

func TestSaid(t *testing.T) {
	say := verdict.Say("the plan is retired")
	for _, tt := range []struct {
		err  error
		want string
		ok   bool
	}{
		{nil, "", false},
		{errors.New("secret"), "", false},
		{say, "the plan is retired", true},
		{fmt.Errorf("row 7: %w", say), "the plan is retired", true},
		{errors.Join(errors.New("secret"), say), "the plan is retired", true},
		{&verdict.Denial{Code: verdict.Busy}, "", false},
		{verdict.Say(""), "", true},
		{errors.Join(fmt.Errorf("a: %w", verdict.Say("first")), verdict.Say("second")), "first", true},
		{&verdict.Denial{Code: verdict.HandlerError, Cause: say}, "the plan is retired", true},
		{loop{}, "", false},
		{bush{}, "", false},
	} {
		if got, ok := verdict.Said(tt.err); got != tt.want || ok != tt.ok {
			t.Errorf("%v: got %q, %v, want %q, %v", tt.err, got, ok, tt.want, tt.ok)
		}
	}
}

// loop and bush are errors whose trees hold themselves.
type loop struct{}

func (loop) Error() string   { return "loop" }
func (l loop) Unwrap() error { return l }

type bush struct{}

func (bush) Error() string     { return "bush" }
func (b bush) Unwrap() []error { return []error{b, nil, b} }
