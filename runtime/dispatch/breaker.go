package dispatch

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"

	file "github.com/toolfreeze/toolfreeze/runtime/breaker"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// breaker is what step 1 asks and steps 3 and 5 report to.
type breaker struct {
	// threshold is how many refusals in a row open it; also of one request, which it then closes for good.
	threshold int
	// open returns nil where calls may pass, else why not, for the operator. What cannot be read is open.
	open func() error
	// count notes whether a call of the model was refused for what it asked (steps 3 and 5) or passed, durably, and returns
	// what the breaker is afterwards.
	count func(refused bool) state
}

// state is what a breaker is after it has counted a call. The zero state is open.
type state uint8

const (
	foundOpen   state = iota // it was open already: the call was not counted, and must not run
	tripped                  // this refusal opened it
	stillClosed              // it lets calls pass
)

// openBreaker makes the breaker of the freeze, where it has one. A relative file starts at the gate's folder.
func (g *Gate) openBreaker() error {
	if g.cat.Breaker == nil {
		return nil
	}
	path := g.cat.Breaker.File
	if !filepath.IsAbs(path) {
		path = filepath.Join(g.dir, path)
	}
	b, err := file.Open(path, g.cat.Breaker.Threshold)
	if err != nil {
		return err
	}
	g.state = file.Files(path)
	g.breaker = &breaker{threshold: g.cat.Breaker.Threshold, open: b.Check, count: func(refused bool) state {
		if !refused {
			if b.Pass() != nil {
				return foundOpen
			}
			return stillClosed
		}
		switch opened, err := b.Refuse(); {
		case err != nil:
			return foundOpen
		case opened:
			return tripped
		}
		return stillClosed
	}}
	return nil
}

// inMemory makes a breaker that nobody else sees and that ends with its gate.
func inMemory(threshold int) *breaker {
	var mu sync.Mutex
	denies := 0
	return &breaker{threshold: threshold, open: func() error {
		mu.Lock()
		defer mu.Unlock()
		if denies >= threshold {
			return fmt.Errorf("breaker in memory: open, with %d refusals in a row counted", denies)
		}
		return nil
	}, count: func(refused bool) state {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case denies >= threshold:
			return foundOpen
		case !refused:
			denies = 0
			return stillClosed
		}
		if denies++; denies == threshold {
			return tripped
		}
		return stillClosed
	}}
}

// Dir returns the folder where relative paths of the freeze start, as an absolute path.
func (g *Gate) Dir() string { return g.dir }

// StateFiles returns the files that hold the gate's own state: the breaker's, its lock and its log; nil where the freeze has
// no breaker. None of them may lie where a tool can write, which generated code makes sure of.
func (g *Gate) StateFiles() []string { return g.state }

// errHalted is why a request is closed while the breaker is not.
type errHalted struct{}

func (errHalted) Error() string {
	return "this request was refused as often in a row as opens the breaker, and is closed for good"
}

// stopped is step 1: it says why the breaker is open, for everybody or for this request; nil where it is not.
func (q *Request) stopped(ctx context.Context) error {
	b := q.gate.breaker
	if b == nil {
		return nil
	}
	q.mu.Lock()
	halted := q.halted
	q.mu.Unlock()
	if halted {
		return errHalted{}
	}
	why := b.open()
	if why != nil && q.gate.log != nil {
		q.gate.log.LogAttrs(ctx, slog.LevelError, "breaker open", slog.String("error", why.Error()))
	}
	return why
}

// broken refuses a call at an open breaker. why is for the operator; nil where it opened while the call was under way.
func (c *call) broken(why error) verdict.Code {
	c.halt = true
	code := c.refuse(verdict.BreakerOpen, "the breaker is open; stop, and let a person look")
	c.cause = why
	return code
}

// counted reports the outcome of steps 3 and 5 to the breaker and returns what becomes of the call. Only the model's calls
// count: an application's own mistake must not close the gate for everybody.
func (q *Request) counted(c *call, code verdict.Code) verdict.Code {
	b := q.gate.breaker
	if b == nil || !c.model {
		return code
	}
	before, halted := q.strike(code != verdict.OK, b.threshold)
	if before {
		return c.broken(errHalted{})
	}
	switch b.count(code != verdict.OK) {
	case stillClosed:
		c.halt = halted
		return code
	case tripped:
		if code != verdict.OK {
			c.halt = true
			return code
		}
	}
	return c.broken(nil)
}

// strike counts the refusals in a row of this request, so that the good calls of other requests cannot hide them. before
// says that the request was closed already, now that it is closed.
func (q *Request) strike(refused bool, threshold int) (before, now bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.halted:
		return true, true
	case !refused:
		q.strikes = 0
		return false, false
	}
	q.strikes++
	q.halted = q.strikes >= threshold
	return false, q.halted
}
