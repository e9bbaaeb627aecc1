package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"

	"github.com/toolfreeze/toolfreeze/gen/freezefile"
	"github.com/toolfreeze/toolfreeze/runtime/breaker"
	"github.com/toolfreeze/toolfreeze/runtime/catalog"
	"github.com/toolfreeze/toolfreeze/runtime/decode"
	"github.com/toolfreeze/toolfreeze/runtime/workspace"
)

const usage = `usage: freezegate check [-policy FILE] [-breaker FILE] CALL.json
       freezegate status [-policy FILE] [-breaker FILE]
       freezegate reset -why TEXT [-policy FILE] [-breaker FILE]

check decides one call by the freeze: breaker, name and arguments. It answers
with one JSON object and exits with 0 (allow) or 2 (everything else). "-" reads
calls from stdin, one JSON object a line, and answers a line each. status shows
the breaker; reset closes it, which is a person's decision.

  -policy FILE   the freeze (default tools.freeze.toml); relative paths in it
                 start at its folder
  -breaker FILE  the breaker's state (default: the freeze's [breaker] file)
  -why TEXT      why it is safe to go on; written to the breaker's log

A call is {"tool", "args"}, or what OpenAI, Anthropic, MCP (tools/call) and an
agent's hook ({"tool_name", "tool_input"}) send.

example:
  echo '{"tool": "lookup_plan", "args": {"plan_id": "pro"}}' | freezegate check -
`

// defaultThreshold opens a breaker that was named on the command line only.
const defaultThreshold = 5

// policy is a freeze made ready to decide calls.
type policy struct {
	catalog *catalog.Catalog
	program *decode.Program
	tools   map[string]int
	breaker *breaker.Breaker     // nil for none
	space   *workspace.Workspace // nil where no argument is a path
}

// flags are those that every command has.
type flags struct {
	*flag.FlagSet
	policy, breaker *string
}

func newFlags(name string, stderr io.Writer) flags {
	f := flag.NewFlagSet("freezegate "+name, flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() { fmt.Fprint(f.Output(), usage) }
	return flags{f, f.String("policy", freezefile.Name, "the freeze"), f.String("breaker", "", "the breaker's state")}
}

// parse reads the flags and exactly n arguments behind them. over says that the command is over, with its exit code.
func (f flags) parse(args []string, n int, stdout io.Writer) (code int, over bool) {
	stderr := f.Output()
	f.SetOutput(io.Discard)
	err := f.Parse(args)
	f.SetOutput(stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, usage)
		return exitAllow, true
	case err == nil && f.NArg() != n:
		err = fmt.Errorf("got %d arguments, want %d", f.NArg(), n)
	}
	if err != nil {
		fmt.Fprintf(stderr, "%s: %v; run freezegate -h\n", f.Name(), err)
		return exitTrouble, true
	}
	return 0, false
}

// open reads the freeze, and opens what it needs. The caller closes the policy.
func (f flags) open() (*policy, error) {
	file, err := freezefile.Read(*f.policy)
	if err != nil {
		return nil, err
	}
	c := file.Catalog
	p := &policy{catalog: c, tools: map[string]int{}}
	if p.program, err = decode.Compile(c); err != nil {
		return nil, err
	}
	for i := range c.Tools {
		p.tools[c.Tools[i].Name] = i
	}
	dir, err := filepath.Abs(filepath.Dir(*f.policy))
	if err != nil {
		return nil, err
	}
	state := []string{*f.policy}
	if path, threshold := f.state(c, dir); path != "" {
		if p.breaker, err = breaker.Open(path, threshold); err != nil {
			return nil, err
		}
		state = append(state, breaker.Files(path)...)
	}
	if w := c.Workspace; w != nil {
		limits := workspace.Limits{MaxReadBytes: w.MaxReadBytes, MaxWriteBytes: w.MaxWriteBytes}
		if p.space, err = workspace.Open(w.Root, dir, limits, state...); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// state is the file of the breaker, "" for none, and its threshold.
func (f flags) state(c *catalog.Catalog, dir string) (path string, threshold int) {
	threshold = defaultThreshold
	if c.Breaker != nil {
		path, threshold = c.Breaker.File, c.Breaker.Threshold
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
	}
	if *f.breaker != "" {
		path = *f.breaker
	}
	return path, threshold
}

// Close closes the workspace.
func (p *policy) Close() {
	if p.space != nil {
		p.space.Close()
	}
}
