package dispatch

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/toolfreeze/toolfreeze/runtime/encode"
	"github.com/toolfreeze/toolfreeze/runtime/ledger"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// Answer is what the model's call ended in.
type Answer struct {
	// Code is the outcome; never zero.
	Code verdict.Code
	// Body is one JSON object on one line, fit for the model. For OK it is the result, {} for a tool without one; for
	// DRY_RUN {"dry_run":true,"tool":...,"args":...} with the arguments as they were sent; for every other code
	// {"code":...,"detail":...}, with "faults":[{"code":...,"path":...,"want":...}] where the arguments have some and
	// "halt":true where no further call will pass.
	Body []byte
	// Denial is the refusal or failure as a typed call would return it, for the application; nil for OK and DRY_RUN.
	Denial *verdict.Denial
}

// Call takes one call of the model through the gate. args is the argument document, which is not changed or kept; zero
// bytes mean {}. find is the generated dispatch switch: it returns the index of the tool of exactly this name and a new
// job for it, or -1.
func (q *Request) Call(ctx context.Context, name string, args []byte, find func(name string) (tool int, job Job)) Answer {
	c := call{start: time.Now(), model: true, name: name, tool: -1, args: args, entry: -1}
	if q == nil || q.gate == nil {
		return stranger(&c)
	}
	code := q.decide(ctx, &c, find)
	if c.entry < 0 {
		q.record(ctx, &c, code)
	}
	switch code {
	case verdict.OK:
		return Answer{Code: code, Body: c.body}
	case verdict.DryRun:
		return Answer{Code: code, Body: echo(q.gate.heads[c.tool], c.args)}
	}
	return Answer{Code: code, Body: refusal(&c, code), Denial: c.denial(q, code)}
}

// Do takes one call of the application through the gate: the arguments that are set in job are written, checked and read
// back as the model's are. tool is the index of the frozen tool that job belongs to. The error is nil for OK and a
// *verdict.Denial for everything else, DRY_RUN too; after an error the job must not be read, since a handler that was
// given up may still write to it.
func (q *Request) Do(ctx context.Context, tool int, job Job) error {
	c := call{start: time.Now(), tool: -1, job: job, entry: -1}
	switch {
	case q == nil || q.gate == nil:
		return stranger(&c).Denial
	case 0 <= tool && tool < len(q.gate.names):
		c.tool, c.name = tool, q.gate.names[tool]
	default:
		c.name = "tool " + strconv.Itoa(tool)
	}
	code := q.decide(ctx, &c, nil)
	if c.entry < 0 {
		q.record(ctx, &c, code)
	}
	switch code {
	case verdict.OK:
		return nil
	case verdict.DryRun:
		c.refuse(code, "dry run: everything passed, and nothing ran")
	}
	return c.denial(q, code)
}

// stranger is the answer of a request that no gate made.
func stranger(c *call) Answer {
	code := c.refuse(verdict.Cancelled, "this request was not made by a gate; nothing ran")
	return Answer{Code: code, Body: refusal(c, code), Denial: c.denial(nil, code)}
}

// record makes the ledger's entry of a call and returns its number.
func (q *Request) record(ctx context.Context, c *call, code verdict.Code) int {
	if c.elapsed == 0 {
		c.elapsed = time.Since(c.start)
	}
	if ctx == nil {
		ctx = context.Background()
	}
	e := ledger.Entry{Code: code, DryRun: q.dry, Elapsed: c.elapsed, Detail: c.detail}
	tool := c.tool
	if tool < 0 { // the call did not get as far as its name, which may be frozen all the same
		if tool = slices.Index(q.gate.names, c.name); tool < 0 {
			e.Tool = verdict.Show(c.name)
		}
	}
	return q.recorder.Add(ctx, tool, e, c.reserved)
}

// denial is the error of a call that ended in code.
func (c *call) denial(q *Request, code verdict.Code) *verdict.Denial {
	tool := c.name
	if q == nil || c.tool < 0 && !slices.Contains(q.gate.names, tool) {
		tool = verdict.Show(tool)
	}
	return &verdict.Denial{Code: code, Tool: tool, Detail: c.detail, Faults: c.faults, Halt: c.halt, Cause: c.cause}
}

// echoHead is what stands before the arguments in the body of a dry run.
func echoHead(tool string) string {
	var w encode.Writer
	w.String(tool)
	return `{"dry_run":true,"tool":` + string(w.Document()) + `,"args":`
}

// echo is the body of a dry run. The arguments have been read strictly, so they are JSON as they stand.
func echo(head string, args []byte) []byte {
	body := make([]byte, 0, len(head)+max(len(args), 2)+1)
	body = append(body, head...)
	if len(args) == 0 {
		body = append(body, "{}"...)
	}
	body = append(body, args...)
	return unbroken(append(body, '}'))
}

// refusal is the body of every code but OK and DRY_RUN. The faults of a result are not for the model.
func refusal(c *call, code verdict.Code) []byte {
	var w encode.Writer
	w.Object()
	w.Key("code")
	w.String(code.String())
	w.Key("detail")
	w.String(c.detail)
	if len(c.faults) > 0 && code != verdict.BadResult {
		w.Key("faults")
		w.List()
		for _, f := range c.faults {
			w.Object()
			w.Key("code")
			w.String(f.Code.String())
			w.Key("path")
			w.String(f.Path)
			w.Key("want")
			w.String(f.Want)
			w.EndObject()
		}
		w.EndList()
	}
	if c.halt {
		w.Key("halt")
		w.Bool(true)
	}
	w.EndObject()
	return w.Document()
}

// unbroken takes the line breaks out of a JSON document that was read strictly: they can only stand between values. It
// changes doc.
func unbroken(doc []byte) []byte {
	if bytes.IndexByte(doc, '\n') < 0 && bytes.IndexByte(doc, '\r') < 0 {
		return doc
	}
	return slices.DeleteFunc(doc, func(c byte) bool { return c == '\n' || c == '\r' })
}

// maxSaid is how many code points of a handler's words are shown.
const maxSaid = 500

// clean makes a handler's words fit for one line: white space in place of line breaks and tabs, U+FFFD in place of other
// control characters, of those that change the direction of text, and of what is not UTF-8; 500 code points at most.
func clean(text string) string {
	var b strings.Builder
	n := 0
	for _, r := range text {
		if n == maxSaid {
			break
		}
		n++
		switch {
		case r == '\n', r == '\r', r == '\t', r == '\u2028', r == '\u2029':
			r = ' '
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r):
			r = unicode.ReplacementChar
		}
		b.WriteRune(r)
	}
	return strings.TrimSpace(b.String())
}
