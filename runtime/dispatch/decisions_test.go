package dispatch

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

var update = flag.Bool("update", false, "write the golden file anew")

// probe is one call whose outcome the reference knows.
type probe struct {
	tool string // "ping", or a name that is not frozen
	good bool   // the arguments are
	err  error  // what the handler returns
}

// reference is the gate as a reader of its documentation would write it: counters and an order, no more.
type reference struct {
	live          bool
	request, ping int // calls left
	ledger        []row
}

type row struct {
	tool  string
	code  verdict.Code
	count int
}

// decide returns what the gate must answer, and whether the handler runs.
func (r *reference) decide(p probe) (code verdict.Code, ran bool) {
	if r.request == 0 {
		return verdict.BudgetRequest, false
	}
	r.request--
	if p.tool != "ping" {
		return verdict.UnknownTool, false
	}
	if r.ping == 0 {
		return verdict.BudgetTool, false
	}
	r.ping--
	if !p.good {
		return verdict.BadKeys, false
	}
	if !r.live {
		return verdict.DryRun, false
	}
	if p.err != nil {
		return verdict.HandlerError, true
	}
	return verdict.OK, true
}

// call decides and notes. Only BUDGET_REQUEST reserves nothing; all of them share the entry after the last.
func (r *reference) call(p probe) (code verdict.Code, ran bool) {
	code, ran = r.decide(p)
	if last := len(r.ledger) - 1; code == verdict.BudgetRequest && last >= 0 && r.ledger[last].code == code {
		r.ledger[last].count++
		if r.ledger[last].tool != p.tool {
			r.ledger[last].tool = ""
		}
		return code, ran
	}
	r.ledger = append(r.ledger, row{p.tool, code, 1})
	return code, ran
}

// rows prints the ledger as the function rows prints a request's.
func (r *reference) rows() string {
	var items []string
	for _, e := range r.ledger {
		item := fmt.Sprintf("%s %s x%d", e.tool, e.code, e.count)
		if !r.live {
			item += " dry"
		}
		items = append(items, item)
	}
	return strings.Join(items, ", ")
}

// subject is the gate beside the reference.
type subject struct {
	t       *testing.T
	request *Request
	err     error
	ran     bool
}

// newSubject starts a request with these budgets on a gate that is live or dry.
func newSubject(t *testing.T, g *Gate, live bool, request, ping int) *subject {
	limits := []Limit{MaxCalls(request), ToolMaxCalls("ping", ping)}
	if !live {
		limits = append(limits, Dry())
	}
	q, err := g.Request(limits...)
	if err != nil {
		t.Fatal(err)
	}
	return &subject{t: t, request: q}
}

func (s *subject) call(p probe) (code verdict.Code, ran bool) {
	s.err, s.ran = p.err, false
	h := &tools{ping: func(context.Context) error { s.ran = true; return s.err }}
	args := []byte(`{}`)
	if !p.good {
		args = []byte(`{"x":1}`)
	}
	a := s.request.Call(s.t.Context(), p.tool, args, h.find)
	check(s.t, a, a.Code)
	return a.Code, s.ran
}

// TestDecisionTable enumerates every decision of the small gate and holds it to the reference and to a golden file that
// a person can read. Each line is one request that has made one good call of ping before.
func TestDecisionTable(t *testing.T) {
	g, _ := live(t, &tools{})
	fails := errors.New("fails")
	var table strings.Builder
	fmt.Fprintf(&table, "%-8s %-8s %-8s %-5s %-5s %-8s | %-15s %-4s | %s\n", "name", "request", "tool", "args", "mode", "handler", "code", "ran", "ledger")
	for i := range 1 << 6 {
		bit := func(n int, zero, one string) string {
			if i>>(5-n)&1 == 0 {
				return zero
			}
			return one
		}
		name, left, tool := bit(0, "known", "unknown"), bit(1, "left", "none"), bit(2, "left", "none")
		args, mode, handler := bit(3, "good", "bad"), bit(4, "live", "dry"), bit(5, "ok", "err")
		p := probe{tool: "ping", good: args == "good"}
		if name == "unknown" {
			p.tool = "none"
		}
		if handler == "err" {
			p.err = fails
		}
		budgets := map[string]int{"left": 2, "none": 1}
		want := &reference{live: mode == "live", request: budgets[left], ping: budgets[tool]}
		got := newSubject(t, g, want.live, want.request, want.ping)
		before := probe{tool: "ping", good: true}
		want.call(before)
		got.call(before)
		wantCode, wantRan := want.call(p)
		gotCode, gotRan := got.call(p)
		line := fmt.Sprintf("%-8s %-8s %-8s %-5s %-5s %-8s", name, left, tool, args, mode, handler)
		if gotCode != wantCode || gotRan != wantRan || rows(got.request) != want.rows() {
			t.Errorf("%s: got %s, ran %v, ledger %s\nwant %s, ran %v, ledger %s", line, gotCode, gotRan, rows(got.request), wantCode, wantRan, want.rows())
		}
		fmt.Fprintf(&table, "%s | %-15s %-4s | %s\n", line, gotCode, map[bool]string{true: "yes", false: "no"}[gotRan], rows(got.request))
	}
	if t.Failed() {
		return // what differs from the reference is not recorded
	}
	golden(t, "decisions.golden", table.String())
}

// golden compares text with a file in testdata, or writes it with -update.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if text := strings.ReplaceAll(string(want), "\r\n", "\n"); got != text {
		t.Errorf("%s differs; got\n%s", path, got)
	}
}

// TestSequences runs random sequences of calls on the gate and the reference.
func TestSequences(t *testing.T) {
	g, _ := live(t, &tools{})
	random := rand.New(rand.NewPCG(1, 2))
	fails := errors.New("fails")
	for range 2000 {
		want := &reference{live: random.IntN(2) == 0, request: random.IntN(7), ping: random.IntN(7)}
		got := newSubject(t, g, want.live, want.request, want.ping)
		for range random.IntN(12) {
			p := probe{tool: []string{"ping", "ping", "ping", "none", "nine"}[random.IntN(5)], good: random.IntN(4) > 0}
			if random.IntN(3) == 0 {
				p.err = fails
			}
			wantCode, wantRan := want.call(p)
			if gotCode, gotRan := got.call(p); gotCode != wantCode || gotRan != wantRan {
				t.Fatalf("%+v after %s: got %s, ran %v, want %s, %v", p, want.rows(), gotCode, gotRan, wantCode, wantRan)
			}
		}
		if got := rows(got.request); got != want.rows() {
			t.Fatalf("got %s, want %s", got, want.rows())
		}
	}
}
