package main

import (
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/toolfreeze/toolfreeze/gen/freezefile"
)

const generateUsage = `usage: freezegen [-freeze FILE]
       freezegen list    print the catalog as one table
       freezegen import  make a freeze of the tool definitions of others
       freezegen export  print the tool definitions in a provider's dialect

Without a command, freezegen reads the freeze (tools.freeze.toml) and writes
freeze_gen.go next to it. freezegen COMMAND -h tells more of a command.

  -freeze FILE   the freeze (default tools.freeze.toml)

exit codes: 0 fine, 2 trouble; a refused freeze leaves the old code untouched

example:
  freezegen -freeze internal/tools/tools.freeze.toml
`

const listUsage = `usage: freezegen list [-freeze FILE] [-format text|json]

Prints the catalog as one table, for a person. What the gate passes on
unchecked, values of type json and open objects, is marked with "!".

  -freeze FILE    the freeze (default tools.freeze.toml)
  -format FORMAT  text (default) or json, the catalog in canonical JSON

exit codes: 0 fine, 2 trouble

example:
  freezegen list -freeze internal/tools/tools.freeze.toml
`

// flagSet makes the flags of one command.
func flagSet(name, usage string, stderr io.Writer) *flag.FlagSet {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() { fmt.Fprint(flags.Output(), usage) }
	return flags
}

// freezeFlag is the flag that names the freeze.
func freezeFlag(flags *flag.FlagSet) *string {
	return flags.String("freeze", freezefile.Name, "the freeze")
}

// parse reads the flags and exactly n arguments behind them. ok is false where the command is over, with its exit code:
// after -h (usage on stdout) and after a mistake (one line on stderr).
func parse(flags *flag.FlagSet, args []string, n int, stdout io.Writer) (rest []string, code int, ok bool) {
	stderr := flags.Output()
	flags.SetOutput(io.Discard)
	err := flags.Parse(args)
	flags.SetOutput(stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		flags.SetOutput(stdout)
		flags.Usage()
		return nil, exitOK, false
	case err != nil:
	case flags.NArg() > n:
		err = fmt.Errorf("unexpected argument %q", flags.Arg(n))
	case flags.NArg() < n:
		err = errors.New("got no file, want one")
	}
	if err != nil {
		fmt.Fprintf(stderr, "%s: %v; run %s -h\n", flags.Name(), err, flags.Name())
		return nil, exitTrouble, false
	}
	return flags.Args(), exitOK, true
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
