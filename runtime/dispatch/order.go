package dispatch

import (
	"context"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/toolfreeze/toolfreeze/runtime/decode"
	"github.com/toolfreeze/toolfreeze/runtime/encode"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// call is one call on its way through the gate. It stays on the caller's stack; a handler's goroutine has no part in it.
type call struct {
	start time.Time
	model bool   // it came through Call; a typed one through Do
	name  string // as it was called
	tool  int    // index of the frozen tool; -1 until step 3 has found it
	job   Job
	args  []byte // the argument document of the model; a typed call's is made in step 5

	// What the steps leave behind.
	reserved bool            // something was taken from a budget
	elapsed  time.Duration   // 0 until it was taken
	entry    int             // of the ledger; -1 until it was made
	detail   string          // of a refusal
	faults   []verdict.Fault // of the arguments or the result
	halt     bool
	cause    error
	body     []byte // of OK, for the model
}

// refuse notes why the call goes no further, and returns code.
func (c *call) refuse(code verdict.Code, detail string) verdict.Code {
	c.detail, c.faults, c.cause = detail, nil, nil
	return code
}

// decide is the gate: its one order, written once. Each step answers verdict.OK to let the call go on; any other code, the
// zero Code too, ends it there. Do not reorder the steps, do not run one after another has refused, and do not let a call
// reach step 7 by another way.
func (q *Request) decide(ctx context.Context, c *call, find func(name string) (int, Job)) verdict.Code {
	// Before all: nothing is decided by a gate that was closed. Its workspace is gone.
	if q.gate.closed.Load() {
		c.halt = true
		return c.refuse(verdict.Cancelled, "the gate is closed; nothing ran")
	}

	// 1. The breaker, first: an open one must not spend budgets or tell names, and holds for legal and typed calls too.
	if why := q.stopped(ctx); why != nil {
		return c.broken(why)
	}

	// 2. The request's budget. It is taken before anything is looked at and never given back, so that refused attempts
	// count: keep it before the name and the arguments.
	if !q.reserveCall() {
		return c.refuse(verdict.BudgetRequest, budget(q.maxCalls, "this request")+"; call no more tools, answer with what you have")
	}
	c.reserved = true

	// 3. The name, exact. Whatever the generated switch does not hold, or holds for another tool, does not exist.
	if code := q.lookUp(c, find); code != verdict.OK {
		return q.counted(c, code)
	}

	// 4. The tool's budget, before the arguments are read: a call whose name is known has used it, whatever follows.
	if !q.reserveTool(c.tool) {
		return c.refuse(verdict.BudgetTool, budget(q.toolMax(c.tool), c.name+" in this request")+"; do not call it again, go on without it")
	}

	// 5. The arguments. Typed ones are written out and read back, so that there is one check and the handler owns its copy.
	if code := q.read(ctx, c); code != verdict.OK {
		return q.counted(c, code)
	}
	// The call has passed what is counted. If the breaker opened meanwhile, nothing may run.
	if code := q.counted(c, verdict.OK); code != verdict.OK {
		return code
	}

	// 6. Dry run. Below this line handler code runs: nothing may be added between here and step 7.
	if q.dry {
		return verdict.DryRun
	}

	// 7. The handler, under its deadline.
	return q.run(ctx, c)
}

// budget is the detail of a budget that is used up.
func budget(n int, of string) string {
	if n == 1 {
		return "the budget of 1 call for " + of + " is used up"
	}
	return "the budget of " + strconv.Itoa(n) + " calls for " + of + " is used up"
}

// lookUp is step 3: it sets the tool and the job of the call.
func (q *Request) lookUp(c *call, find func(name string) (int, Job)) verdict.Code {
	tool, job := c.tool, c.job
	c.tool, c.job = -1, nil
	if c.model {
		tool, job = -1, nil
		if find != nil {
			tool, job = find(c.name)
		}
	}
	if tool < 0 || tool >= len(q.gate.names) {
		return c.refuse(verdict.UnknownTool, suggest(c.name, q.gate.names))
	}
	// The switch and the catalog are generated from one freeze; if they differ, neither is believed.
	if c.model && c.name != q.gate.names[tool] || job == nil {
		return c.refuse(verdict.UnknownTool, "the generated code holds no job for this tool")
	}
	c.name, c.tool, c.job = q.gate.names[tool], tool, job
	return verdict.OK
}

// read is step 5: it decodes the argument document into the job.
func (q *Request) read(ctx context.Context, c *call) (code verdict.Code) {
	r, _ := q.gate.readers.Get().(*decode.Reader)
	defer func() {
		// A reader that panicked is in an unknown state and is not used again, and the call is refused.
		if v := recover(); v != nil {
			q.gate.logPanic(ctx, "decoder panic", c.name, panicText(v), debug.Stack())
			code = c.refuse(verdict.BadJSON, "the arguments could not be checked")
			return
		}
		q.gate.readers.Put(r)
	}()
	doc := c.args
	if !c.model {
		w, _ := q.gate.writers.Get().(*encode.Writer)
		defer q.gate.writers.Put(w)
		w.Reset()
		w.Limit(q.gate.cat.MaxArgsBytes)
		c.job.Args(w)
		err := w.Err()
		if long, ok := err.(encode.TooLong); ok {
			return c.refuse(verdict.ArgsTooLarge, "the arguments are too large: "+long.Error())
		}
		if err != nil {
			return c.refuse(verdict.BadValue, "the arguments cannot be written as JSON: "+err.Error())
		}
		doc = w.Document()
	}
	r.Reset(q.gate.program, doc, q.gate.cat.MaxArgsBytes)
	c.job.Decode(r)
	r.End()
	if code = settled(r.Code()); code == verdict.OK {
		return code
	}
	faults := r.Faults()
	c.refuse(code, summary(code, faults))
	c.faults = faults
	return code
}

// settled returns OK and the codes of step 5 as they are. No verdict, and one that arguments cannot end in, are BAD_JSON.
func settled(code verdict.Code) verdict.Code {
	if code == verdict.OK || verdict.ArgsTooLarge <= code && code <= verdict.TooLarge {
		return code
	}
	return verdict.BadJSON
}

// summary is the detail of a document with faults: the first of the deciding code, and how many others there are.
func summary(code verdict.Code, faults []verdict.Fault) string {
	if len(faults) == 0 {
		return "the arguments are refused"
	}
	first := 0
	for i := range faults {
		if faults[i].Code == code {
			first = i
			break
		}
	}
	text := faults[first].Path + ": " + faults[first].Want
	switch n := len(faults) - 1; n {
	case 0:
		return text
	case 1:
		return text + " (and 1 more fault)"
	default:
		return text + " (and " + strconv.Itoa(n) + " more faults)"
	}
}
