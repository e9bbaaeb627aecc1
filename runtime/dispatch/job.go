package dispatch

import (
	"context"

	"github.com/toolfreeze/toolfreeze/runtime/decode"
	"github.com/toolfreeze/toolfreeze/runtime/encode"
)

// GeneratedV1 is the handshake with generated code, which holds "const _ = dispatch.GeneratedV1": a runtime that no
// longer speaks this version has no such constant, and old generated code does not build.
const GeneratedV1 = 1

// Job is one call of one tool, made by generated code: its arguments, its handler and its result. The gate calls the
// methods in the order Args (typed calls only), Decode, Run, Result, each once at most, and each only after all before
// it went well. A job is used for one call.
type Job interface {
	// Decode reads the arguments from r, replacing whatever the job held, and fills in defaults after a clean reading.
	Decode(r *decode.Reader)
	// Args writes the arguments that a typed call set.
	Args(w *encode.Writer)
	// Run calls the handler and keeps its result in the job. It runs in a goroutine of its own. Once ctx has ended the gate
	// does not read the job again.
	Run(ctx context.Context) error
	// Result writes the result, after Run returned nil.
	Result(w *encode.Writer)
}

// NoArgs is embedded in the job of a tool that takes no arguments.
type NoArgs struct{}

// Decode accepts the empty object only.
func (NoArgs) Decode(r *decode.Reader) {
	r.Object("", 0)
	for r.Field() >= 0 {
	}
}

// Args writes the empty object.
func (NoArgs) Args(w *encode.Writer) {
	if w.Object() {
		w.EndObject()
	}
}

// NoResult is embedded in the job of a tool that returns nothing but success.
type NoResult struct{}

// Result writes the empty object.
func (NoResult) Result(w *encode.Writer) {
	if w.Object() {
		w.EndObject()
	}
}
