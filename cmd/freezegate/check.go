package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/toolfreeze/toolfreeze/runtime/decode"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// envelope is how much longer than its arguments a call may be, in bytes: what a hook or a protocol writes around them.
// Arguments in a string are escaped, which at most doubles them, or nearly so.
const envelope = 1 << 20

// check decides one call or, for "-", a line of stdin each.
func check(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	f := newFlags("check", stderr)
	if code, over := f.parse(args, 1, stdout); over {
		return code
	}
	p, err := f.open()
	if err != nil {
		return refuse(stdout, stderr, "NO_POLICY", oneLine(err))
	}
	defer p.Close()
	g := &gate{policy: p, out: bufio.NewWriter(stdout), stderr: stderr, maxBytes: 2*p.catalog.MaxArgsBytes + envelope}
	if name := f.Arg(0); name != "-" {
		doc, err := read(name, g.maxBytes)
		if err != nil {
			return refuse(stdout, stderr, "NO_CALL", oneLine(err))
		}
		g.decide(doc)
	} else if err := g.lines(stdin); err != nil {
		return refuse(stdout, stderr, "NO_CALL", oneLine(err))
	}
	if err := g.out.Flush(); err != nil || g.refused {
		return exitTrouble
	}
	return exitAllow
}

// read reads the file of one call, of maxBytes and one byte at the most: what is over is refused by the reader.
func read(name string, maxBytes int) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: got %s, want a regular file", name, info.Mode().Type())
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, int64(maxBytes)+1))
}

// gate decides calls and prints the answers.
type gate struct {
	policy   *policy
	reader   decode.Reader
	out      *bufio.Writer
	stderr   io.Writer
	maxBytes int
	refused  bool // a call was
}

// lines answers each line of in with a line, which is flushed before the gate waits for more. A line over the cap is
// refused as a whole, and the next one read.
func (g *gate) lines(in io.Reader) error {
	lines := bufio.NewReaderSize(in, 64<<10)
	var doc []byte
	for {
		part, err := lines.ReadSlice('\n')
		if len(doc) <= g.maxBytes {
			doc = append(doc, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && !errors.Is(err, io.EOF):
			return err
		}
		if len(trim(doc)) > 0 {
			g.decide(trim(doc))
		}
		doc = doc[:0]
		if err != nil {
			return nil
		}
		if lines.Buffered() == 0 {
			if err := g.out.Flush(); err != nil {
				return err
			}
		}
	}
}

// trim takes the line end off.
func trim(line []byte) []byte {
	for len(line) > 0 && (line[len(line)-1] == '\n' || line[len(line)-1] == '\r') {
		line = line[:len(line)-1]
	}
	return line
}

// decide prints what becomes of one call.
func (g *gate) decide(doc []byte) {
	c, denial := g.judge(doc)
	if denial == nil {
		answer(g.out, true, verdict.OK.String(), c.tool)
		return
	}
	g.refused = true
	answer(g.out, false, denial.Code.String(), denial.Detail)
	fmt.Fprintf(g.stderr, "freezegate: %s\n", denial.Error())
}

// judge is the gate's order without budgets and without a handler: breaker, name, arguments.
func (g *gate) judge(doc []byte) (call, *verdict.Denial) {
	b := g.policy.breaker
	if b != nil {
		if why := b.Check(); why != nil {
			return call{}, open(why)
		}
	}
	c, denial := readCall(&g.reader, doc, g.maxBytes)
	if denial == nil {
		denial = g.policy.look(&g.reader, c)
	}
	switch {
	case b == nil:
		return c, denial
	case denial == nil:
		if why := b.Pass(); why != nil {
			return call{}, open(why)
		}
		return c, nil
	}
	opened, why := b.Refuse()
	if why != nil {
		return call{}, open(why)
	}
	denial.Halt = opened
	return c, denial
}

// open is the refusal of an open breaker.
func open(why error) *verdict.Denial {
	return &verdict.Denial{Code: verdict.BreakerOpen, Detail: "the breaker is open; stop, and let a person look", Halt: true, Cause: why}
}

// look checks the name and the arguments.
func (p *policy) look(r *decode.Reader, c call) *verdict.Denial {
	i, ok := p.tools[c.tool]
	if !ok {
		return &verdict.Denial{Code: verdict.UnknownTool, Tool: verdict.Show(c.tool), Detail: "there is no such tool"}
	}
	r.Reset(p.program, c.args, p.catalog.MaxArgsBytes)
	if p.space != nil {
		paths := p.space.Call(context.Background())
		defer paths.Close()
		r.SetPaths(paths)
	}
	p.program.Args(r, i)
	r.End()
	code := r.Code()
	if code == verdict.OK {
		return nil
	}
	d := &verdict.Denial{Code: code, Tool: c.tool, Faults: r.Faults()}
	for _, f := range d.Faults {
		if f.Code == code {
			d.Detail = f.Path + ": " + f.Want
			break
		}
	}
	return d
}

// answer prints one answer, in the spacing of the article's gate.
func answer(w io.Writer, allow bool, code, detail string) {
	var quoted bytes.Buffer
	enc := json.NewEncoder(&quoted)
	enc.SetEscapeHTML(false)
	if enc.Encode(detail) != nil {
		quoted.Reset()
		quoted.WriteString(`""`)
	}
	fmt.Fprintf(w, "{\"allow\": %t, \"code\": %q, \"detail\": %s}\n", allow, code, bytes.TrimSpace(quoted.Bytes()))
}

// refuse answers where no call could be decided.
func refuse(stdout, stderr io.Writer, code, detail string) int {
	answer(stdout, false, code, detail)
	fmt.Fprintf(stderr, "freezegate: %s: %s\n", code, detail)
	return exitTrouble
}

// oneLine is an error's text on one line.
func oneLine(err error) string {
	b := []byte(err.Error())
	for i := range b {
		if b[i] == '\n' {
			b[i] = ';'
		}
	}
	return string(b)
}
