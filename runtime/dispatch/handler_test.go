package dispatch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/toolfreeze/toolfreeze/runtime/internal/capability"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// inBubble runs a test on a fake clock, with a live gate whose tools have 40 ms.
func inBubble(t *testing.T, h *tools, test func(t *testing.T, g *Gate, log *buffer)) {
	t.Helper()
	g, log := live(t, h)
	synctest.Test(t, func(t *testing.T) { test(t, g, log) })
}

func TestHandlerBreaksDown(t *testing.T) {
	type held struct{ secret string }
	for _, tt := range []struct {
		name string
		do   func()
		log  string
	}{
		{"panic with text", func() { panic("secret at /etc/passwd") }, "secret at /etc/passwd"},
		{"panic with an error", func() { panic(fmt.Errorf("secret: %w", verdict.OK)) }, "secret: OK"},
		{"panic with words for the model", func() { panic(verdict.Say("secret words")) }, "secret words"},
		{"panic with a denial", func() { panic(&verdict.Denial{Code: verdict.OK, Detail: "secret"}) }, "secret"},
		{"panic with a value", func() { panic(held{"secret"}) }, "a value of type dispatch.held"},
		{"panic with a value that holds itself", func() { m := map[string]any{}; m["secret"] = m; panic(m) }, "a value of type map[string]interface {}"},
		{"panic with nil", func() { panic(nil) }, "panic called with nil"},
		{"nil map", func() { var m map[string]int; m["secret"] = 1 }, "assignment to entry in nil map"},
		{"goexit", runtime.Goexit, "panic=runtime.Goexit"},
		{"panic while panicking", func() { defer func() { panic("secret two") }(); panic("secret one") }, "secret two"},
		{"panic with a value that panics", func() { panic(spoiled{}) }, "a value whose own text panics"},
	} {
		h := &tools{ping: func(context.Context) error { tt.do(); return nil }}
		inBubble(t, h, func(t *testing.T, g *Gate, log *buffer) {
			q := request(t, g)
			a := q.Call(t.Context(), "ping", nil, h.find)
			check(t, a, verdict.HandlerPanic)
			if s := fmt.Sprintf("%s %+v %v", a.Body, *a.Denial, a.Denial); strings.Contains(s, "secret") || strings.Contains(s, "map") || strings.Contains(s, ".go:") {
				t.Errorf("%s: the answer tells: %s", tt.name, s)
			}
			if a.Denial.Cause != nil {
				t.Errorf("%s: the caller gets %v", tt.name, a.Denial.Cause)
			}
			if !strings.Contains(log.String(), tt.log) || !strings.Contains(log.String(), `msg="handler panic" tool=ping`) {
				t.Errorf("%s: the log does not tell: %s", tt.name, log)
			}
			if tt.name != "goexit" && !strings.Contains(log.String(), "handler_test.go") {
				t.Errorf("%s: the log has no stack", tt.name)
			}
			check(t, q.Call(t.Context(), "echo", []byte(`{"text":"a"}`), h.find), verdict.OK)
			if got, want := rows(q), "ping HANDLER_PANIC x1, echo OK x1"; got != want {
				t.Errorf("%s: got %s, want %s", tt.name, got, want)
			}
			if g.strays.Load() != 0 {
				t.Errorf("%s: %d strays", tt.name, g.strays.Load())
			}
		})
	}
}

// spoiled is a panic value whose own printing panics.
type spoiled struct{}

func (spoiled) String() string { panic("secret inside") }

// forged is an error that would hand out a capability's error of its own making.
type forged struct{}

func (forged) Error() string { return "secret" }

func (forged) Is(error) bool { return true }

func (forged) As(target any) bool {
	e := reflect.ValueOf(target).Elem()
	if e.Kind() != reflect.Pointer || e.Type().Elem().Kind() != reflect.Struct {
		return false
	}
	e.Set(reflect.New(e.Type().Elem()))
	if code := e.Elem().FieldByName("Code"); code.IsValid() && code.CanSet() {
		code.SetUint(uint64(verdict.OK))
	}
	return true
}

func TestHandlerErrors(t *testing.T) {
	const fixed = "the tool reported an error; its effect may have happened"
	refusal := &capability.Error{Code: verdict.TooLarge, Detail: "the response is over the cap", Cause: errors.New("secret")}
	bush := &tree{}
	bush.inner = []error{bush, nil, bush}
	for _, tt := range []struct {
		name   string
		err    error
		code   verdict.Code
		detail string
	}{
		{"plain", errors.New("secret"), verdict.HandlerError, fixed},
		{"code", verdict.OK, verdict.HandlerError, fixed},
		{"wrapped code", fmt.Errorf("secret: %w", verdict.DryRun), verdict.HandlerError, fixed},
		{"capability's code", fmt.Errorf("secret: %w", verdict.PathEscape), verdict.HandlerError, fixed},
		{"timeout's code", verdict.Timeout, verdict.HandlerError, fixed},
		{"context's error", context.DeadlineExceeded, verdict.HandlerError, fixed},
		{"denial", &verdict.Denial{Code: verdict.UnknownTool, Detail: "secret", Halt: true, Faults: []verdict.Fault{{}}}, verdict.HandlerError, fixed},
		{"nil denial", (*verdict.Denial)(nil), verdict.HandlerPanic, "the tool broke down; its effect may have happened"},
		{"joined", errors.Join(verdict.OK, &verdict.Denial{Code: verdict.OK}), verdict.HandlerError, fixed},
		{"forged", forged{}, verdict.HandlerError, fixed},
		{"holds itself", bush, verdict.HandlerError, fixed},
		{"said", verdict.Say("plan pro is gone"), verdict.HandlerError, "plan pro is gone"},
		{"said, wrapped", fmt.Errorf("secret: %w", verdict.Say("plan pro is gone")), verdict.HandlerError, "plan pro is gone"},
		{"said nothing", verdict.Say(" \n"), verdict.HandlerError, fixed},
		{"said by a nested call", &verdict.Denial{Code: verdict.HandlerError, Cause: verdict.Say("inner words")}, verdict.HandlerError, "inner words"},
		{"capability", refusal, verdict.TooLarge, "the response is over the cap"},
		{"capability, wrapped", fmt.Errorf("secret: %w", errors.Join(errors.New("secret"), refusal)), verdict.TooLarge, "the response is over the cap"},
		{"capability before words", errors.Join(verdict.Say("words"), refusal), verdict.TooLarge, "the response is over the cap"},
		{"capability of a nested call", &verdict.Denial{Code: verdict.TooLarge, Cause: refusal}, verdict.HandlerError, fixed},
		{"capability with another code", &capability.Error{Code: verdict.OK, Detail: "secret"}, verdict.HandlerError, fixed},
	} {
		h := &tools{ping: func(context.Context) error { return tt.err }}
		inBubble(t, h, func(t *testing.T, g *Gate, log *buffer) {
			q := request(t, g)
			a := q.Call(t.Context(), "ping", nil, h.find)
			check(t, a, tt.code)
			if a.Denial.Detail != tt.detail || a.Denial.Halt || a.Denial.Faults != nil {
				t.Errorf("%s: got %+v, want the detail %q", tt.name, *a.Denial, tt.detail)
			}
			if strings.Contains(string(a.Body)+a.Denial.Error(), "secret") {
				t.Errorf("%s: the answer tells: %s", tt.name, a.Body)
			}
			err := q.Do(t.Context(), pingTool, &pingJob{tools: h})
			for _, c := range verdict.All() {
				// forged says yes to everything, which is its own business; the field is what counts.
				if got := errors.Is(err, c); got != (c == tt.code) && tt.name != "forged" {
					t.Errorf("%s: is %s: %v", tt.name, c, got)
				}
			}
			if tt.name == "plain" && (!errors.Is(err, tt.err) || !strings.Contains(log.String(), `msg="handler error" tool=ping error=secret`)) {
				t.Errorf("the application got %v, the operator %s", err, log)
			}
		})
	}
	var nobody []error
	if refused(&tree{nobody}) != nil || refused(nil) != nil {
		t.Error("nothing is a refusal")
	}
}

// tree is an error with others inside.
type tree struct{ inner []error }

func (*tree) Error() string     { return "tree" }
func (e *tree) Unwrap() []error { return e.inner }

func TestClean(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"plain", "plain"},
		{" a\nb\r\n\tc\u2028d ", "a b   c d"},
		{"\x1b[31mred\x00\x7f\u0085", "\ufffd[31mred\ufffd\ufffd\ufffd"},
		{"a\u202eb\u2066c\u200ed", "a\ufffdb\ufffdc\ufffdd"},
		{"\xff\xfe", "\ufffd\ufffd"},
		{strings.Repeat("\u00e9", 501), strings.Repeat("\u00e9", 500)},
		{"family \U0001f468\u200d\U0001f469", "family \U0001f468\u200d\U0001f469"},
	} {
		if got := clean(tt.in); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestBadResults(t *testing.T) {
	for _, tt := range []struct {
		name string
		out  echoResult
		want verdict.Code
	}{
		{"good", echoResult{Text: "a", Score: 10}, verdict.OK},
		{"infinity", echoResult{Score: math.Inf(1)}, verdict.BadResult},
		{"minus infinity", echoResult{Score: math.Inf(-1)}, verdict.BadResult},
		{"NaN", echoResult{Score: math.NaN()}, verdict.BadResult},
		{"out of bounds", echoResult{Score: 10.5}, verdict.BadResult},
		{"not UTF-8", echoResult{Text: "secret \xff"}, verdict.BadResult},
		{"too many code points", echoResult{Text: strings.Repeat("\u00e9", 201)}, verdict.BadResult},
		{"at the cap", echoResult{Text: strings.Repeat("a", 100-len(`{"text":"","score":0}`))}, verdict.OK},
		{"over the cap", echoResult{Text: strings.Repeat("a", 101-len(`{"text":"","score":0}`))}, verdict.BadResult},
		{"NUL", echoResult{Text: "secret \x00"}, verdict.BadResult},
	} {
		h := &tools{echo: func(context.Context, echoArgs) (echoResult, error) { return tt.out, nil }}
		inBubble(t, h, func(t *testing.T, g *Gate, log *buffer) {
			a := request(t, g).Call(t.Context(), "echo", []byte(`{"text":"a"}`), h.find)
			check(t, a, tt.want)
			job := &echoJob{tools: h}
			err := request(t, g).Do(t.Context(), echoTool, job)
			if tt.want == verdict.OK {
				if err != nil || job.out != tt.out {
					t.Errorf("%s: got %v", tt.name, err)
				}
				return
			}
			if !errors.Is(err, verdict.BadResult) || a.Denial.Cause == nil {
				t.Errorf("%s: got %v, cause %v", tt.name, err, a.Denial.Cause)
			}
			if want := `{"code":"BAD_RESULT","detail":"the tool's result breaks its frozen type and is withheld; its effect has happened"}`; string(a.Body) != want {
				t.Errorf("%s: got %s", tt.name, a.Body)
			}
			if !strings.Contains(log.String(), `msg="bad result" tool=echo`) || strings.Contains(log.String(), "secret") {
				t.Errorf("%s: the log does not tell, or too much: %s", tt.name, log)
			}
		})
	}
	h := &tools{keep: func(context.Context, json.RawMessage) (json.RawMessage, error) {
		return json.RawMessage(`{"a":1,"a":2}`), nil
	}}
	inBubble(t, h, func(t *testing.T, g *Gate, log *buffer) {
		a := request(t, g).Call(t.Context(), "keep", []byte(`{"value":1}`), h.find)
		check(t, a, verdict.BadResult)
		if len(a.Denial.Faults) != 0 || a.Denial.Cause == nil {
			t.Errorf("got the faults %v and the cause %v, want the cause alone: the keys of a result are the handler's", a.Denial.Faults, a.Denial.Cause)
		}
	})
}
