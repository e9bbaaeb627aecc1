package dispatch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"reflect"
	"runtime/debug"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/toolfreeze/toolfreeze/runtime/decode"
	"github.com/toolfreeze/toolfreeze/runtime/encode"
	"github.com/toolfreeze/toolfreeze/runtime/internal/capability"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// maxStrays is how many handlers of a gate may run on after their calls were fenced.
const maxStrays = 16

// The states of a handler. It leaves running once: by ending, or by being fenced.
const (
	running int32 = iota
	ended         // its outcome may be read
	fenced        // its call was given up: only its own goroutine may touch it and its job
)

// handler is one run of a job, shared by the caller and the goroutine that runs it.
type handler struct {
	request *Request
	job     Job
	name    string
	ctx     context.Context
	done    chan struct{} // closed when the state is ended
	state   atomic.Int32
	entry   int // of the ledger; set before the state is fenced

	// What it ended in, written by its goroutine before the state is ended.
	code   verdict.Code
	detail string
	cause  error  // what it returned
	text   string // of cause or of the panic, for the log
	stack  []byte // of the panic
}

// run is step 7: it starts the handler and waits for it or for the end of its context.
func (q *Request) run(ctx context.Context, c *call) verdict.Code {
	if ctx == nil || ctx.Err() != nil {
		code := c.refuse(verdict.Cancelled, "the call was cancelled before the tool ran; nothing happened")
		if ctx != nil {
			c.cause = context.Cause(ctx)
		}
		return code
	}
	if q.gate.strays.Load() >= maxStrays {
		return c.refuse(verdict.Busy, strconv.Itoa(maxStrays)+" tool runs are past their deadline and have not ended; nothing ran, try again later")
	}
	limit := time.Duration(min(int64(q.gate.cat.Tools[c.tool].MaxMS), math.MaxInt64/int64(time.Millisecond))) * time.Millisecond
	own, cancel := context.WithTimeoutCause(ctx, limit, verdict.Timeout)
	defer cancel()
	h := &handler{request: q, job: c.job, name: c.name, ctx: own, done: make(chan struct{})}
	go h.serve()
	select {
	case <-h.done:
	case <-own.Done():
	}
	now := time.Now()
	c.elapsed = now.Sub(c.start)
	// A context that has ended decides, also where the handler ended at the same instant: what comes after the deadline is
	// never delivered, and which branch of the select won must not matter.
	if code := expired(own, ctx, now); code != verdict.OK {
		return q.fence(ctx, c, h, code, limit)
	}
	h.log()
	if h.code != verdict.OK {
		code := c.refuse(h.code, h.detail)
		c.cause = h.cause
		return code
	}
	return q.result(ctx, c)
}

// expired returns TIMEOUT where own's deadline of its own has passed at now, CANCELLED where own ended otherwise, and OK
// where it is still good. A timer that is late is not waited for.
func expired(own, parent context.Context, now time.Time) verdict.Code {
	switch cause := context.Cause(own); {
	case cause == nil:
		at, ok := own.Deadline()
		if ok && now.Before(at) {
			return verdict.OK
		}
		if theirs, ok := parent.Deadline(); ok && !theirs.After(at) {
			return verdict.Cancelled
		}
		return verdict.Timeout
	case cause == error(verdict.Timeout) && context.Cause(parent) != error(verdict.Timeout):
		// A parent with that cause is the context of an outer handler, whose deadline is not ours.
		return verdict.Timeout
	}
	return verdict.Cancelled
}

// fence gives the call up. From here on the job and the outcome belong to the handler's goroutine.
func (q *Request) fence(ctx context.Context, c *call, h *handler, code verdict.Code, limit time.Duration) verdict.Code {
	if code == verdict.Timeout {
		c.refuse(code, "the tool did not end within "+limit.String()+"; its effect may have happened")
		c.cause = context.DeadlineExceeded
	} else {
		c.refuse(code, "the call was cancelled while the tool ran; its effect may have happened")
		c.cause = context.Cause(ctx)
	}
	// The entry is made and the stray is counted before the handler can see the fence, so that it finds both.
	c.entry = q.record(ctx, c, code)
	h.entry = c.entry
	q.gate.strays.Add(1)
	if !h.state.CompareAndSwap(running, fenced) {
		h.late()
	}
	return code
}

// serve runs the job in its own goroutine. Whatever happens in the handler, finish runs last.
func (h *handler) serve() {
	defer h.finish()
	defer h.caught()
	// Overwritten by a normal return only: after runtime.Goexit, recover finds nothing.
	h.code, h.detail = verdict.HandlerPanic, "the tool broke down; its effect may have happened"
	err := h.job.Run(h.ctx)
	if err == nil {
		h.code, h.detail = verdict.OK, ""
		return
	}
	// The methods of err are foreign code: they run here, where they may panic or hang.
	code, detail := judge(err)
	if h.request.gate.log != nil {
		h.text = err.Error()
	}
	h.code, h.detail, h.cause = code, detail, err
}

// caught turns a panic into an outcome. The value is for the log only, as text: the model and the caller get nothing of it.
func (h *handler) caught() {
	if v := recover(); v != nil {
		h.stack = debug.Stack()
		h.text = panicText(v)
	}
}

// panicText words a panic value for the log. Package fmt is not asked: it follows a value that holds itself until the stack
// of the whole process is gone, and lets a second panic of a String method through.
func panicText(v any) (text string) {
	defer func() {
		if recover() != nil {
			text = "a value whose own text panics"
		}
	}()
	switch v := v.(type) {
	case error:
		return v.Error()
	case bool, int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, uintptr, float32, float64, string:
		return fmt.Sprint(v)
	case fmt.Stringer:
		return v.String()
	}
	return "a value of type " + reflect.TypeOf(v).String()
}

// finish hands the outcome to the caller, or notes it where the call was fenced.
func (h *handler) finish() {
	if h.state.CompareAndSwap(running, ended) {
		close(h.done)
		return
	}
	h.late()
}

// late notes the outcome of a fenced handler in the entry of its call and takes it off the strays. A logger that panics
// must not end the process from a goroutine that nobody else can recover.
func (h *handler) late() {
	defer func() {
		_ = recover()
		h.request.gate.strays.Add(-1)
	}()
	h.ctx = context.WithoutCancel(h.ctx) // or a logger would think that nobody waits for it
	h.request.recorder.Late(h.ctx, h.entry, h.code)
	h.log()
}

// log tells the operator what the handler returned or panicked with.
func (h *handler) log() {
	g := h.request.gate
	switch {
	case g.log == nil || h.code == verdict.OK:
	case h.code == verdict.HandlerPanic:
		text := h.text
		if h.stack == nil {
			text = "runtime.Goexit"
		}
		g.logPanic(h.ctx, "handler panic", h.name, text, h.stack)
	default:
		// A handler that has words for the model has foreseen the case; the ledger's own record says the rest.
		level := slog.LevelError
		if _, said := verdict.Said(h.cause); said {
			level = slog.LevelInfo
		}
		g.log.LogAttrs(h.ctx, level, "handler error", slog.String("tool", h.name), slog.String("error", h.text))
	}
}

// logPanic tells the operator of a panic.
func (g *Gate) logPanic(ctx context.Context, message, tool, text string, stack []byte) {
	if g.log != nil {
		g.log.LogAttrs(ctx, slog.LevelError, message, slog.String("tool", tool), slog.String("panic", text), slog.String("stack", string(stack)))
	}
}

// judge returns the code and the detail of a handler's error. Codes are taken from a capability's own error and from
// nothing else: not from a verdict.Code, not from a *verdict.Denial, not through errors.As, which a handler can answer.
func judge(err error) (code verdict.Code, detail string) {
	if refusal := refused(err); refusal != nil {
		switch refusal.Code {
		case verdict.PathEscape, verdict.TooLarge, verdict.NotRegular, verdict.URLDenied, verdict.RedirectDenied, verdict.AddrDenied:
			return refusal.Code, clean(refusal.Detail)
		}
	}
	if text, ok := verdict.Said(err); ok {
		if text = clean(text); text != "" {
			return verdict.HandlerError, text
		}
	}
	return verdict.HandlerError, "the tool reported an error; its effect may have happened"
}

// refused returns the first capability.Error in the tree of err. It looks at no more than 1,000 errors, since a tree can
// hold itself.
func refused(err error) *capability.Error {
	left := []error{err}
	for range 1000 {
		if len(left) == 0 {
			return nil
		}
		err, left = left[len(left)-1], left[:len(left)-1]
		switch e := err.(type) {
		case *capability.Error:
			return e
		case interface{ Unwrap() error }:
			left = append(left, e.Unwrap())
		case interface{ Unwrap() []error }:
			inner := slices.Clone(e.Unwrap())
			slices.Reverse(inner)
			left = append(left, inner...)
		}
	}
	return nil
}

// result reads what the handler left in the job and holds it to its frozen type, bounds and cap.
func (q *Request) result(ctx context.Context, c *call) (code verdict.Code) {
	r, _ := q.gate.readers.Get().(*decode.Reader)
	w, _ := q.gate.writers.Get().(*encode.Writer)
	const withheld = "the tool's result breaks its frozen type and is withheld; its effect has happened"
	defer func() {
		if v := recover(); v != nil {
			q.gate.logPanic(ctx, "decoder panic", c.name, panicText(v), debug.Stack())
			code = c.refuse(verdict.BadResult, withheld)
			return
		}
		q.gate.readers.Put(r)
		q.gate.writers.Put(w)
	}()
	w.Reset()
	w.Limit(q.gate.cat.MaxResultBytes)
	c.job.Result(w)
	err := w.Err()
	var faults []verdict.Fault
	if err == nil {
		r.Reset(q.gate.program, w.Document(), q.gate.cat.MaxResultBytes)
		q.gate.program.Result(r, c.tool)
		r.End()
		if r.Code() == verdict.OK {
			if c.model {
				c.body = unbroken(bytes.Clone(w.Document()))
			}
			return verdict.OK
		}
		faults = r.Faults()
		err = errors.New("result: " + summary(r.Code(), faults))
	}
	// The faults are for the operator: their paths hold keys of the result, which are the handler's data.
	c.refuse(verdict.BadResult, withheld)
	c.cause = err
	if q.gate.log != nil {
		q.gate.log.LogAttrs(ctx, slog.LevelError, "bad result", slog.String("tool", c.name), slog.String("error", err.Error()), slog.Any("faults", faults))
	}
	return verdict.BadResult
}
