// Command freezegen turns a freeze, the file that lists every tool an agent may call, into typed Go.
//
// Usage:
//
//	freezegen [-freeze tools.freeze.toml]        generate freeze_gen.go next to the freeze
//	freezegen list [-freeze F] [-format text]    print the catalog as one table
//
// It is made for a generate line in the package that holds the freeze:
//
//	//go:generate go tool freezegen
//
// Exit codes: 0 fine, 2 trouble (a bad flag, a refused freeze, a file that cannot be written); nothing is written then.
package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/toolfreeze/toolfreeze/gen"
	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

const (
	exitOK      = 0
	exitTrouble = 2
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the command without the process around it.
func run(args []string, stdout, stderr io.Writer) int {
	name := ""
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		name, args = args[0], args[1:]
	}
	switch name {
	case "":
		return generate(args, stdout, stderr)
	case "list":
		return list(args, stdout, stderr)
	}
	hint := "run freezegen -h"
	if near := catalog.Nearest(name, []string{"list"}); near != "" {
		hint = fmt.Sprintf("did you mean %q", near)
	}
	fmt.Fprintf(stderr, "freezegen: unknown command %q; want list, or no command to generate; %s\n", name, hint)
	return exitTrouble
}

func generate(args []string, stdout, stderr io.Writer) int {
	flags, freeze := flagSet("freezegen", generateUsage, stderr)
	if code, ok := parse(flags, args, stdout); !ok {
		return code
	}
	if _, err := gen.Run(*freeze); err != nil {
		return trouble(stderr, err)
	}
	return exitOK
}
