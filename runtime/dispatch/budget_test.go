package dispatch

import (
	"context"
	"errors"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
	"sync"
	"sync/atomic"
	"testing"
)

// TestBudgets holds what each kind of refusal uses up: requests, and calls of ping.
func TestBudgets(t *testing.T) {
	h := &tools{ping: func(context.Context) error { return errors.New("always fails") }}
	g, _ := live(t, h)
	for _, tt := range []struct {
		name, tool, args string
		limits           []Limit
		code             verdict.Code
		request, used    int
	}{
		{"handler fails", "ping", "", nil, verdict.HandlerError, 1, 1},
		{"dry", "ping", "", []Limit{Dry()}, verdict.DryRun, 1, 1},
		{"bad arguments", "ping", `{"x":1}`, nil, verdict.BadKeys, 1, 1},
		{"unknown", "pong", "", nil, verdict.UnknownTool, 1, 0},
		{"tool used up", "ping", "", []Limit{ToolMaxCalls("ping", 0)}, verdict.BudgetTool, 1, 0},
		{"request used up", "ping", "", []Limit{MaxCalls(0)}, verdict.BudgetRequest, 0, 0},
	} {
		q := request(t, g, tt.limits...)
		check(t, q.Call(t.Context(), tt.tool, []byte(tt.args), h.find), tt.code)
		if q.calls != tt.request || int(q.used[pingTool]) != tt.used {
			t.Errorf("%s: used %d and %d, want %d and %d", tt.name, q.calls, q.used[pingTool], tt.request, tt.used)
		}
	}

	q := request(t, g, MaxCalls(3))
	for i, want := range []verdict.Code{verdict.HandlerError, verdict.UnknownTool, verdict.HandlerError, verdict.BudgetRequest, verdict.BudgetRequest} {
		name := "ping"
		if want == verdict.UnknownTool {
			name = "none"
		}
		a := q.Call(t.Context(), name, nil, h.find)
		if a.Code != want {
			t.Errorf("call %d of a request lowered to 3: got %s, want %s", i+1, a.Code, want)
		}
	}
	if got, want := rows(q), "ping HANDLER_ERROR x1, none UNKNOWN_TOOL x1, ping HANDLER_ERROR x1, ping BUDGET_REQUEST x2"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestParallelBudget: eight calls at once against a budget of six run six, each time.
func TestParallelBudget(t *testing.T) {
	var ran atomic.Int32
	h := &tools{ping: func(context.Context) error { ran.Add(1); return nil }}
	c := freeze()
	for i := range c.Tools {
		c.Tools[i].MaxMS = 60000
	}
	t.Setenv(liveEnv, "1")
	g, err := New(frozen(c), h)
	if err != nil {
		t.Fatal(err)
	}
	for round := range 1000 {
		ran.Store(0)
		limits, refused := []Limit{}, verdict.BudgetRequest
		if round%2 == 1 { // the tool's budget, on every other round
			limits, refused = []Limit{ToolMaxCalls("ping", 4)}, verdict.BudgetTool
		}
		q := request(t, g, limits...)
		var got [8]verdict.Code
		var wg sync.WaitGroup
		for i := range got {
			wg.Go(func() { got[i] = q.Call(t.Context(), "ping", nil, h.find).Code })
		}
		wg.Wait()
		want := 6
		if round%2 == 1 {
			want = 4
		}
		ok, no := 0, 0
		for _, c := range got {
			switch c {
			case verdict.OK:
				ok++
			case refused, verdict.BudgetRequest:
				no++
			}
		}
		if ok != want || no != 8-want || int(ran.Load()) != want {
			t.Fatalf("round %d: %d ran, got %v, want %d", round, ran.Load(), got, want)
		}
	}
}

// fuse is a breaker in memory that opens at three refusals in a row.
type fuse struct {
	denies, counted int
	open            bool
}

func (f *fuse) breaker() *breaker {
	why := func() error {
		if f.open {
			return errors.New("three refusals in a row")
		}
		return nil
	}
	return &breaker{threshold: 3, open: why, count: f.count}
}

func (f *fuse) count(refused bool) state {
	f.counted++
	switch {
	case f.open:
		return foundOpen
	case !refused:
		f.denies = 0
		return stillClosed
	}
	f.denies++
	if f.open = f.denies == 3; f.open {
		return tripped
	}
	return stillClosed
}

// TestBreaker: step 1, and what steps 3 and 5 report to it.
func TestBreaker(t *testing.T) {
	h := &tools{ping: func(context.Context) error { return errors.New("fails") }}
	g, _ := live(t, h)
	f := new(fuse)
	g.breaker = f.breaker()
	bad := []byte(`{"x":1}`)
	for i, tt := range []struct {
		name   string
		args   []byte
		limits []Limit
		want   verdict.Code
		denies int
		halt   bool
	}{
		{"ping", bad, nil, verdict.BadKeys, 1, false},
		{"none", nil, nil, verdict.UnknownTool, 2, false},
		{"ping", nil, nil, verdict.HandlerError, 0, false}, // passed the gate: the count is reset
		{"ping", bad, nil, verdict.BadKeys, 1, false},
		{"ping", bad, []Limit{MaxCalls(0)}, verdict.BudgetRequest, 1, false},          // not counted
		{"ping", bad, []Limit{ToolMaxCalls("ping", 0)}, verdict.BudgetTool, 1, false}, // not counted
		{"ping", nil, []Limit{Dry()}, verdict.DryRun, 0, false},
		{"none", nil, nil, verdict.UnknownTool, 1, false},
		{"none", nil, nil, verdict.UnknownTool, 2, false},
		{"none", nil, nil, verdict.UnknownTool, 3, true}, // opens it
		{"ping", nil, nil, verdict.BreakerOpen, 3, true},
		{"none", nil, []Limit{MaxCalls(0)}, verdict.BreakerOpen, 3, true},
	} {
		a := request(t, g, tt.limits...).Call(t.Context(), tt.name, tt.args, h.find)
		check(t, a, tt.want)
		halt := a.Denial != nil && a.Denial.Halt
		if f.denies != tt.denies || halt != tt.halt {
			t.Errorf("call %d: %d refusals, halt %v, want %d, %v", i+1, f.denies, halt, tt.denies, tt.halt)
		}
	}
	q := request(t, g)
	for range 3 {
		q.Call(t.Context(), "ping", nil, h.find)
	}
	if err := q.Do(t.Context(), pingTool, &pingJob{tools: h}); !errors.Is(err, verdict.BreakerOpen) {
		t.Errorf("typed call: got %v", err)
	}
	if got, want := rows(q), "ping BREAKER_OPEN x4"; got != want || q.calls != 0 {
		t.Errorf("got %s and %d calls used, want %s", got, q.calls, want)
	}
}

// TestBreakerDuringCall: typed calls do not count, and a breaker that opened during a call stops it.
func TestBreakerDuringCall(t *testing.T) {
	ran := false
	h := &tools{ping: func(context.Context) error { ran = true; return nil }}
	g, _ := live(t, h)
	f := new(fuse)
	g.breaker = f.breaker()
	for range 5 {
		err := request(t, g).Do(t.Context(), echoTool, &echoJob{tools: h, in: echoArgs{Text: "123456789"}})
		if !errors.Is(err, verdict.BadValue) || f.counted != 0 {
			t.Errorf("got %v, counted %d times", err, f.counted)
		}
	}
	for _, answer := range []state{foundOpen, tripped, 99} {
		g.breaker.count = func(bool) state { return answer }
		a := request(t, g).Call(t.Context(), "ping", nil, h.find)
		check(t, a, verdict.BreakerOpen)
		if ran || !a.Denial.Halt {
			t.Errorf("%d: ran %v, halt %v", answer, ran, a.Denial.Halt)
		}
	}
	g.breaker.count = func(bool) state { return foundOpen }
	a := request(t, g).Call(t.Context(), "ping", []byte(`{"x":1}`), h.find)
	check(t, a, verdict.BreakerOpen)
	if a.Denial.Faults != nil {
		t.Errorf("the faults %v of a call that was not counted are told", a.Denial.Faults)
	}
}
