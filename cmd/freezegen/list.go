package main

import (
	"fmt"
	"io"

	"github.com/toolfreeze/toolfreeze/gen"
	"github.com/toolfreeze/toolfreeze/gen/freezefile"
)

// list prints the catalog.
func list(args []string, stdout, stderr io.Writer) int {
	flags := flagSet("freezegen list", listUsage, stderr)
	freeze := freezeFlag(flags)
	format := flags.String("format", "text", "text or json")
	if _, code, ok := parse(flags, args, 0, stdout); !ok {
		return code
	}
	if *format != "text" && *format != "json" {
		fmt.Fprintf(stderr, "freezegen list: -format %q: want %q or %q\n", *format, "text", "json")
		return exitTrouble
	}
	f, err := freezefile.Read(*freeze)
	if err != nil {
		return trouble(stderr, err)
	}
	if *format == "json" {
		_, err = fmt.Fprintf(stdout, "%s\n", f.Catalog.JSON())
	} else {
		err = gen.List(stdout, f.Catalog)
	}
	if err != nil {
		return trouble(stderr, err)
	}
	return exitOK
}
