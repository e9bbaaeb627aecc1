package dispatch

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
	"github.com/toolfreeze/toolfreeze/runtime/ledger"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// Request is one agent run: its budgets and its ledger. It is safe for concurrent use. Gate.Request makes one; a nil or
// zero Request refuses every call.
type Request struct {
	gate     *Gate
	dry      bool
	maxCalls int
	caps     []int // lowered budgets of the tools, by index; nil where none is lowered
	recorder ledger.Recorder

	mu    sync.Mutex
	calls int // reserved so far
	// strikes are the refusals in a row that the breaker counts; halted says that they have closed this request for good.
	strikes int
	halted  bool
	used    []int32 // reserved so far of each tool, by index
}

// Limit lowers a budget of one Request. The functions below make limits; the zero Limit is an error.
type Limit struct{ apply func(*Request) error }

// MaxCalls lowers the budget of the whole request to n calls. n is 0, for no call at all, to the freeze's
// max_calls_per_request. Of several the lowest holds.
func MaxCalls(n int) Limit {
	return Limit{func(q *Request) error {
		if err := lower("max_calls_per_request", n, q.gate.cat.MaxCallsPerRequest); err != nil {
			return err
		}
		q.maxCalls = min(q.maxCalls, n)
		return nil
	}}
}

// ToolMaxCalls lowers the budget of one tool to n calls. n is 0, for no call of this tool, to the freeze's max_calls. Of
// several for one tool the lowest holds. A name that is not frozen is an error.
func ToolMaxCalls(tool string, n int) Limit {
	return Limit{func(q *Request) error {
		i := slices.Index(q.gate.names, tool)
		if i < 0 {
			return fmt.Errorf("limit of max_calls: %s", suggest(tool, q.gate.names))
		}
		if err := lower(fmt.Sprintf("max_calls of tool %q", tool), n, q.gate.cat.Tools[i].MaxCalls); err != nil {
			return err
		}
		if q.caps == nil {
			for j := range q.gate.cat.Tools {
				q.caps = append(q.caps, q.gate.cat.Tools[j].MaxCalls)
			}
		}
		q.caps[i] = min(q.caps[i], n)
		return nil
	}}
}

// Dry makes the request dry, also where its gate is live.
func Dry() Limit {
	return Limit{func(q *Request) error {
		q.dry = true
		return nil
	}}
}

// lower checks that n lowers a frozen budget or keeps it.
func lower(what string, n, frozen int) error {
	if n < 0 || n > frozen {
		return fmt.Errorf("limit of %s: got %d, want 0 to %d; a limit cannot raise what the freeze says", what, n, frozen)
	}
	return nil
}

// suggest says that there is no tool of that name, and which there are, in words for the model.
func suggest(name string, known []string) string {
	const most, longest = 10, 256
	text := "there is no tool " + verdict.Show(name)
	if len(name) <= longest {
		if near := catalog.Nearest(name, known); near != "" {
			return text + "; did you mean " + near + "?"
		}
	}
	if len(known) > most {
		return text + "; want one of " + strings.Join(known[:most], ", ") + " or " + strconv.Itoa(len(known)-most) + " others"
	}
	return text + "; want one of " + strings.Join(known, ", ")
}

// Request starts one agent run, with the budgets of the freeze or lower ones. It is an error if a limit would raise a
// budget or names no tool, or if the gate is closed.
func (g *Gate) Request(limits ...Limit) (*Request, error) {
	if g == nil || g.cat == nil {
		return nil, errors.New("request: got a gate that was not made by New")
	}
	if g.closed.Load() {
		return nil, errors.New("request: the gate is closed")
	}
	q := &Request{gate: g, dry: !g.live, maxCalls: g.cat.MaxCallsPerRequest, used: make([]int32, len(g.names))}
	for i, l := range limits {
		if l.apply == nil {
			return nil, fmt.Errorf("limit %d: got the zero Limit, want MaxCalls, ToolMaxCalls or Dry", i+1)
		}
		if err := l.apply(q); err != nil {
			return nil, err
		}
	}
	q.recorder.Start(g.names, q.maxCalls, g.log)
	return q, nil
}

// Ledger returns the record of every call of this request, which may be read while calls are running.
func (q *Request) Ledger() *ledger.Ledger {
	if q == nil {
		return nil
	}
	return q.recorder.Ledger()
}

// reserveCall takes one call from the request's budget. Look and take are one step under the lock: do not part them, or
// parallel calls overrun the budget.
func (q *Request) reserveCall() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.calls >= q.maxCalls {
		return false
	}
	q.calls++
	return true
}

// reserveTool takes one call from the budget of a tool, as reserveCall does.
func (q *Request) reserveTool(tool int) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if int(q.used[tool]) >= q.toolMax(tool) {
		return false
	}
	q.used[tool]++
	return true
}

// toolMax is the budget of a tool in this request.
func (q *Request) toolMax(tool int) int {
	if q.caps != nil {
		return q.caps[tool]
	}
	return q.gate.cat.Tools[tool].MaxCalls
}
