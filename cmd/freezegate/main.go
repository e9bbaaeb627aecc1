// Command freezegate is the gate as a command, for agents that are not written in Go.
//
// Usage:
//
//	freezegate check [-policy F] [-breaker F] CALL.json   decide one call; "-" reads JSON Lines and answers a line each
//	freezegate status [-policy F] [-breaker F]            show the breaker
//	freezegate reset -why TEXT [-policy F] [-breaker F]   close the breaker, and write down when and why
//
// check looks at the breaker, the name and the arguments. Budgets belong to a process and are not its business, and what
// it allows it does not run. The answer is one JSON object on stdout, {"allow": true, "code": "OK", "detail": NAME} or
// {"allow": false, "code": ..., "detail": ...}; a refusal also goes to stderr, as one line that a model can act on.
//
// Exit codes of check: 0 where every call was allowed, 2 for everything else (a refusal, no policy, a bad flag, a fault of
// its own), since an agent's hook blocks on 2 alone. Of status and reset: 0 fine, 2 trouble or an open breaker.
package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

const (
	exitAllow   = 0
	exitTrouble = 2
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// run is the command without the process around it. A panic is a refusal like any other: nothing fails open.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	defer func() {
		if v := recover(); v != nil {
			fmt.Fprintf(stderr, "freezegate: internal fault: %v\n", v)
			code = exitTrouble
		}
	}()
	name := ""
	if len(args) > 0 {
		name, args = args[0], args[1:]
	}
	switch name {
	case "check":
		return check(args, stdin, stdout, stderr)
	case "status":
		return status(args, stdout, stderr)
	case "reset":
		return reset(args, stdout, stderr)
	case "-h", "-help", "--help":
		fmt.Fprint(stdout, usage)
		return exitAllow
	}
	commands := []string{"check", "status", "reset"}
	hint := "run freezegate -h"
	if near := catalog.Nearest(name, commands); near != "" {
		hint = fmt.Sprintf("did you mean %q", near)
	}
	fmt.Fprintf(stderr, "freezegate: unknown command %q; want %s; %s\n", name, strings.Join(commands, ", "), hint)
	return exitTrouble
}
