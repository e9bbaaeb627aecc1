package dispatch

import (
	"context"
	"encoding/json"
	"errors"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// parent makes the caller's context of a timed case.
type parent func(context.Context) (context.Context, context.CancelFunc)

const ms = time.Millisecond

func background(context.Context) (context.Context, context.CancelFunc) {
	return context.Background(), func() {}
}

func endsAfter(d time.Duration) parent {
	return func(ctx context.Context) (context.Context, context.CancelFunc) { return context.WithTimeout(ctx, d) }
}

func cancelledAfter(d time.Duration) parent {
	return func(ctx context.Context) (context.Context, context.CancelFunc) {
		ctx, cancel := context.WithCancel(ctx)
		timer := time.AfterFunc(d, cancel)
		return ctx, func() { timer.Stop(); cancel() }
	}
}

// outerTool is the context of another tool's handler, which ends with the cause of a timeout too.
func outerTool(d time.Duration) parent {
	return func(ctx context.Context) (context.Context, context.CancelFunc) {
		return context.WithTimeoutCause(ctx, d, verdict.Timeout)
	}
}

func heeds(ctx context.Context) error { <-ctx.Done(); return context.Cause(ctx) }

func sleeps(d time.Duration, err error) func(context.Context) error {
	return func(context.Context) error { time.Sleep(d); return err }
}

// timed is one handler under one caller's context: what the call ends in and when, and what is noted later.
type timed struct {
	name    string
	handler func(context.Context) error
	parent  parent
	want    verdict.Code
	at      time.Duration
	late    verdict.Code
}

// TestTimes: who ends first, and what the caller and the ledger get of it. The tool has 40 ms.
func TestTimes(t *testing.T) {
	fails := errors.New("x")
	var hangUp context.CancelFunc
	cancels := func(context.Context) error { hangUp(); return nil }
	byHandler := func(ctx context.Context) (context.Context, context.CancelFunc) {
		ctx, hangUp = context.WithCancel(ctx)
		return ctx, hangUp
	}
	for _, tt := range []timed{
		{"in time", sleeps(39*ms, nil), background, verdict.OK, 39 * ms, 0},
		{"error in time", sleeps(39*ms, fails), background, verdict.HandlerError, 39 * ms, 0},
		{"at the deadline", sleeps(40*ms, nil), background, verdict.Timeout, 40 * ms, verdict.OK},
		{"after the deadline", sleeps(45*ms, nil), background, verdict.Timeout, 40 * ms, verdict.OK},
		{"error after the deadline", sleeps(45*ms, fails), background, verdict.Timeout, 40 * ms, verdict.HandlerError},
		{"heeds the deadline", heeds, background, verdict.Timeout, 40 * ms, verdict.HandlerError},
		{"panic after the deadline", func(context.Context) error { time.Sleep(50 * ms); panic("secret") }, background, verdict.Timeout, 40 * ms, verdict.HandlerPanic},
		{"caller cancels", heeds, cancelledAfter(10 * ms), verdict.Cancelled, 10 * ms, verdict.HandlerError},
		{"caller cancels, ignored", sleeps(20*ms, nil), cancelledAfter(10 * ms), verdict.Cancelled, 10 * ms, verdict.OK},
		{"caller cancels as it ends", cancels, byHandler, verdict.Cancelled, 0, verdict.OK},
		{"caller's deadline first", heeds, endsAfter(10 * ms), verdict.Cancelled, 10 * ms, verdict.HandlerError},
		{"caller's deadline later", heeds, endsAfter(50 * ms), verdict.Timeout, 40 * ms, verdict.HandlerError},
		{"outer tool's deadline first", heeds, outerTool(10 * ms), verdict.Cancelled, 10 * ms, verdict.HandlerError},
		{"outer tool's deadline later", heeds, outerTool(50 * ms), verdict.Timeout, 40 * ms, verdict.HandlerError},
		{"cancelled before", heeds, cancelledAfter(0), verdict.Cancelled, 0, 0},
	} {
		h := &tools{ping: tt.handler}
		inBubble(t, h, func(t *testing.T, g *Gate, log *buffer) { tt.run(t, g, h, log) })
	}
}

// run makes the call and holds everything that is told of it to the case.
func (tt *timed) run(t *testing.T, g *Gate, h *tools, log *buffer) {
	ctx, cancel := tt.parent(t.Context())
	defer cancel()
	synctest.Wait() // for a context that is cancelled before
	start := time.Now()
	q := request(t, g)
	a := q.Call(ctx, "ping", nil, h.find)
	check(t, a, tt.want)
	if took := time.Since(start); took != tt.at {
		t.Errorf("%s: answered after %s, want %s", tt.name, took, tt.at)
	}
	if e := q.Ledger().Entries()[0]; e.Elapsed != tt.at || e.Code != tt.want {
		t.Errorf("%s: the entry says %s after %s", tt.name, e.Code, e.Elapsed)
	}
	time.Sleep(time.Second)
	synctest.Wait()
	if e := q.Ledger().Entries()[0]; e.Late != tt.late || e.Count != 1 {
		t.Errorf("%s: late is %v, want %v", tt.name, e.Late, tt.late)
	}
	if g.strays.Load() != 0 {
		t.Errorf("%s: %d strays", tt.name, g.strays.Load())
	}
	if late := strings.Contains(log.String(), `msg="late tool result"`); late != (tt.late != 0) {
		t.Errorf("%s: the log is %s", tt.name, log)
	}
	if strings.Contains(string(a.Body), "secret") {
		t.Errorf("%s: the answer tells", tt.name)
	}
	switch tt.want {
	case verdict.Timeout:
		if !errors.Is(a.Denial, context.DeadlineExceeded) || !strings.Contains(a.Denial.Detail, "within 40ms; its effect may have happened") {
			t.Errorf("%s: got %v, cause %v", tt.name, a.Denial, a.Denial.Cause)
		}
	case verdict.Cancelled:
		if a.Denial.Cause != context.Cause(ctx) {
			t.Errorf("%s: got the cause %v", tt.name, a.Denial.Cause)
		}
	}
}

// slow is a context whose timer has not fired yet.
type slow struct {
	context.Context
	at time.Time
}

func (s slow) Deadline() (time.Time, bool) { return s.at, !s.at.IsZero() }

// TestLateTimer: the clock decides where the timer is behind it.
func TestLateTimer(t *testing.T) {
	now := time.Now()
	for _, tt := range []struct {
		own, parent time.Duration // from now; 0 for none
		want        verdict.Code
	}{
		{1, 0, verdict.OK},
		{1, 2, verdict.OK},
		{-1, 0, verdict.Timeout},
		{-1, 1, verdict.Timeout},
		{-1, -1, verdict.Cancelled}, // a context has its parent's deadline where that is the earlier one
	} {
		at := func(d time.Duration) context.Context {
			if d == 0 {
				return context.Background()
			}
			return slow{context.Background(), now.Add(d)}
		}
		if got := expired(at(tt.own), at(tt.parent), now); got != tt.want {
			t.Errorf("own %d, parent's %d: got %s, want %s", tt.own, tt.parent, got, tt.want)
		}
	}
	if got := expired(context.Background(), context.Background(), now); got == verdict.OK {
		t.Error("a context without a deadline is good for ever")
	}
}

// TestDoneContext: neither a context that has ended nor none at all starts a handler; dry runs need none.
func TestDoneContext(t *testing.T) {
	h := &tools{ping: func(context.Context) error { panic("ran") }}
	inBubble(t, h, func(t *testing.T, g *Gate, log *buffer) {
		why := errors.New("user went away")
		ended, cancel := context.WithCancelCause(t.Context())
		cancel(why)
		var none context.Context
		for _, ctx := range []context.Context{ended, none} {
			q := request(t, g)
			a := q.Call(ctx, "ping", nil, h.find)
			check(t, a, verdict.Cancelled)
			if !strings.Contains(a.Denial.Detail, "nothing happened") || ctx != nil && a.Denial.Cause != why {
				t.Errorf("got %v, cause %v", a.Denial, a.Denial.Cause)
			}
			check(t, q.Call(ctx, "none", nil, h.find), verdict.UnknownTool)
			check(t, request(t, g, Dry()).Call(ctx, "ping", nil, h.find), verdict.DryRun)
		}
	})
}

// TestLateHandlerOwnsItsJob: after the fence the gate does not read the job, which the race detector would see.
func TestLateHandlerOwnsItsJob(t *testing.T) {
	h := &tools{}
	release := make(chan struct{})
	h.echo = func(context.Context, echoArgs) (echoResult, error) { <-release; return echoResult{Text: "late"}, nil }
	inBubble(t, h, func(t *testing.T, g *Gate, log *buffer) {
		release = make(chan struct{})
		q := request(t, g)
		check(t, q.Call(t.Context(), "ping", nil, h.find), verdict.OK)
		job := &echoJob{tools: h}
		err := q.Do(t.Context(), echoTool, job)
		if !errors.Is(err, verdict.Timeout) || g.strays.Load() != 1 {
			t.Errorf("got %v, %d strays", err, g.strays.Load())
		}
		if got := rows(q); got != "ping OK x1, echo TIMEOUT x1" {
			t.Errorf("got %s", got)
		}
		close(release)
		synctest.Wait()
		if got := rows(q); got != "ping OK x1, echo TIMEOUT x1 late OK" || g.strays.Load() != 0 {
			t.Errorf("got %s, %d strays", got, g.strays.Load())
		}
	})
}

// TestStrays: sixteen handlers that outlive their deadline are borne; then nothing starts until one ends.
func TestStrays(t *testing.T) {
	var release chan struct{}
	h := &tools{ping: func(context.Context) error { <-release; return nil }}
	inBubble(t, h, func(t *testing.T, g *Gate, log *buffer) {
		release = make(chan struct{})
		for i := range maxStrays {
			a := request(t, g).Call(t.Context(), "ping", nil, h.find)
			if a.Code != verdict.Timeout {
				t.Fatalf("call %d: got %s", i+1, a.Code)
			}
		}
		q := request(t, g)
		a := q.Call(t.Context(), "echo", []byte(`{"text":"a"}`), h.find)
		check(t, a, verdict.Busy)
		check(t, q.Call(t.Context(), "echo", []byte(`{}`), h.find), verdict.BadKeys)
		check(t, request(t, g, Dry()).Call(t.Context(), "ping", nil, h.find), verdict.DryRun)
		if err := q.Do(t.Context(), echoTool, &echoJob{tools: h}); !errors.Is(err, verdict.Busy) {
			t.Errorf("typed: got %v", err)
		}
		if q.calls != 3 || q.used[echoTool] != 3 {
			t.Errorf("%d and %d calls are used, want 3", q.calls, q.used[echoTool])
		}
		release <- struct{}{} // one ends
		synctest.Wait()
		check(t, q.Call(t.Context(), "echo", []byte(`{"text":"a"}`), h.find), verdict.OK)
		close(release)
		synctest.Wait()
		if n := g.strays.Load(); n != 0 {
			t.Errorf("%d strays are left", n)
		}
	})
}

// TestNested: a handler may call through its own request; its deadline bounds the inner call.
func TestNested(t *testing.T) {
	h := &tools{}
	inBubble(t, h, func(t *testing.T, g *Gate, log *buffer) {
		q := request(t, g)
		inner := make(chan error, 1)
		h.ping = func(ctx context.Context) error {
			time.Sleep(20 * time.Millisecond)
			err := q.Do(ctx, echoTool, &echoJob{tools: h})
			inner <- err
			return err
		}
		h.echo = func(ctx context.Context, _ echoArgs) (echoResult, error) {
			<-ctx.Done()
			return echoResult{}, ctx.Err()
		}
		check(t, q.Call(t.Context(), "ping", nil, h.find), verdict.Timeout)
		if err := <-inner; !errors.Is(err, verdict.Cancelled) {
			t.Errorf("inner: got %v, want CANCELLED: its own 40 ms had not passed", err)
		}
		synctest.Wait()
	})
}

// faulty is a log handler that panics in the goroutine of a late handler.
type faulty struct{ slog.Handler }

func (faulty) Enabled(context.Context, slog.Level) bool { return true }
func (faulty) Handle(_ context.Context, r slog.Record) error {
	if r.Message == "late tool result" {
		panic("the log is full")
	}
	return nil
}

// TestFaultyLogger: a logger that panics over a late result does not end the process.
func TestFaultyLogger(t *testing.T) {
	h := &tools{ping: func(ctx context.Context) error { time.Sleep(time.Second); return errors.New("x") }}
	inBubble(t, h, func(t *testing.T, g *Gate, log *buffer) {
		g.log = slog.New(faulty{})
		q := request(t, g)
		check(t, q.Call(t.Context(), "ping", nil, h.find), verdict.Timeout)
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if n := g.strays.Load(); n != 0 {
			t.Errorf("%d strays are left", n)
		}
	})
}

// TestParallelHandlers: many calls of all kinds at once, for the race detector, on the real clock.
func TestParallelHandlers(t *testing.T) {
	c := freeze()
	c.MaxCallsPerRequest = 400
	for i := range c.Tools {
		c.Tools[i].MaxCalls, c.Tools[i].MaxMS = 400, 1
	}
	h := &tools{
		ping: func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() },
		keep: func(context.Context, json.RawMessage) (json.RawMessage, error) { panic("x") },
	}
	t.Setenv(liveEnv, "1")
	g, err := New(frozen(c), h, WithLogger(slog.New(slog.DiscardHandler)))
	if err != nil {
		t.Fatal(err)
	}
	q := request(t, g)
	var wg sync.WaitGroup
	for _, call := range [][2]string{{"ping", ""}, {"echo", `{"text":"a"}`}, {"keep", `{"value":1}`}, {"echo", `{}`}, {"none", ""}} {
		wg.Go(func() {
			for range 20 {
				q.Call(t.Context(), call[0], []byte(call[1]), h.find)
				q.Ledger().Entries()
			}
		})
	}
	wg.Wait()
	if n := len(q.Ledger().Entries()); n != 100 {
		t.Errorf("got %d entries, want 100", n)
	}
}

// TestRealClock is the one test that waits: a handler that ignores everything is answered for on time.
func TestRealClock(t *testing.T) {
	release := make(chan struct{})
	h := &tools{ping: func(context.Context) error { <-release; return nil }}
	g, _ := live(t, h)
	start := time.Now()
	a := request(t, g).Call(t.Context(), "ping", nil, h.find)
	check(t, a, verdict.Timeout)
	if took := time.Since(start); took < 40*time.Millisecond || took > 10*time.Second {
		t.Errorf("answered after %s, want about 40 ms", took)
	}
	close(release)
}
