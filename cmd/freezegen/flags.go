package main

import (
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/toolfreeze/toolfreeze/gen/freezefile"
)

const generateUsage = `usage: freezegen [-freeze FILE]
       freezegen list [-freeze FILE] [-format text|json]

Without a command, freezegen reads the freeze (tools.freeze.toml) and writes
freeze_gen.go next to it. list prints the catalog as one table.

  -freeze FILE   the freeze (default tools.freeze.toml)

exit codes: 0 fine, 2 trouble; a refused freeze leaves the old code untouched

example:
  freezegen -freeze internal/tools/tools.freeze.toml
`

const listUsage = `usage: freezegen list [-freeze FILE] [-format text|json]

Prints the catalog as one table, for a person. Arguments of type json, which
the gate passes on unchecked, are marked with "!".

  -freeze FILE    the freeze (default tools.freeze.toml)
  -format FORMAT  text (default) or json, the catalog in canonical JSON

exit codes: 0 fine, 2 trouble

example:
  freezegen list -freeze internal/tools/tools.freeze.toml
`

// flagSet makes the flags that every command has. A flag given twice is an error, so that a later one cannot hide an
// earlier one from a reviewer.
func flagSet(name, usage string, stderr io.Writer) (*flag.FlagSet, *string) {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() { fmt.Fprint(flags.Output(), usage) }
	return flags, flags.String("freeze", "tools.freeze.toml", "the freeze")
}

// parse reads the flags. ok is false where the command is over, with its exit code: after -h (usage on stdout) and after
// a mistake (usage on stderr).
func parse(flags *flag.FlagSet, args []string, stdout io.Writer) (code int, ok bool) {
	stderr := flags.Output()
	flags.SetOutput(io.Discard)
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		flags.SetOutput(stdout)
		flags.Usage()
		return exitOK, false
	case err == nil && flags.NArg() > 0:
		err = fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	flags.SetOutput(stderr)
	if err != nil {
		fmt.Fprintf(stderr, "%s: %v; run %s -h\n", flags.Name(), err, flags.Name())
		return exitTrouble, false
	}
	return exitOK, true
}

// trouble prints an error, a freeze's problems with their source lines, and returns the exit code.
func trouble(stderr io.Writer, err error) int {
	var problems freezefile.Errors
	if errors.As(err, &problems) {
		problems.WriteTo(stderr)
		return exitTrouble
	}
	fmt.Fprintf(stderr, "freezegen: %v\n", err)
	return exitTrouble
}
