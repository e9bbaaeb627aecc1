package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/toolfreeze/toolfreeze/gen/freezefile"
	"github.com/toolfreeze/toolfreeze/gen/toolschema"
	"github.com/toolfreeze/toolfreeze/gen/toolschema/importer"
	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

const importUsage = `usage: freezegen import [-from FORMAT] [-cost-class local] [flags] FILE

Reads the tool definitions of others and prints a freeze. What a freeze cannot
say is kept as json and named on stderr. No tool has a cost class yet, and
freezegen refuses the freeze until a person has given one to each; -cost-class
local decides in bulk. "-" as FILE reads stdin.

  -from FORMAT       auto (default), mcp, openai, openai-responses, anthropic,
                     gemini
  -cost-class local  classify every tool as local
  -max-calls N       budget of each tool in one request (default 4)
  -max-ms N          deadline of each call in milliseconds (default 5000)
  -max-calls-per-request N   budget of a whole request (default 8)
  -api NAME          name of the service (default: the file's name)
  -package NAME      Go package of the generated code (default: the folder's)

exit codes: 0 fine, 2 trouble

example:
  freezegen import -cost-class local tools.json > tools.freeze.toml
`

const exportUsage = `usage: freezegen export -dialect DIALECT [-freeze FILE]

Prints the tool definitions that a model is shown, as one JSON document: the
same bytes that the generated code holds. What the provider may refuse, or its
dialect cannot say, is named on stderr; the decoder enforces it all the same.

  -dialect DIALECT  json-schema, mcp, openai, anthropic or gemini
  -freeze FILE      the freeze (default tools.freeze.toml)

exit codes: 0 fine, 2 trouble

example:
  freezegen export -dialect openai > tools.openai.json
`

// importTools prints a freeze that is made of the tool definitions of others.
func importTools(args []string, stdout, stderr io.Writer) int {
	var o importer.Options
	flags := flagSet("freezegen import", importUsage, stderr)
	flags.StringVar(&o.From, "from", "auto", "format")
	flags.StringVar(&o.CostClass, "cost-class", "", "class of every tool")
	flags.IntVar(&o.MaxCalls, "max-calls", 4, "budget of each tool")
	flags.IntVar(&o.MaxMS, "max-ms", 5000, "deadline of each call")
	flags.IntVar(&o.MaxCallsPerRequest, "max-calls-per-request", 8, "budget of a request")
	flags.StringVar(&o.API, "api", "", "name of the service")
	flags.StringVar(&o.Package, "package", "", "Go package")
	files, code, ok := parse(flags, args, 1, stdout)
	if !ok {
		return code
	}
	src, err := readDefinitions(files[0])
	if err != nil {
		return trouble(stderr, err)
	}
	made, err := importer.Import(files[0], src, o)
	if err != nil {
		return trouble(stderr, err)
	}
	for _, n := range made.Notes {
		fmt.Fprintf(stderr, "freezegen import: %s\n", n)
	}
	if _, err := stdout.Write(made.Freeze); err != nil {
		return trouble(stderr, err)
	}
	return exitOK
}

// maxDefinitions is how large a file of tool definitions may be.
const maxDefinitions = 64 << 20

// readDefinitions reads a file, or stdin for "-".
func readDefinitions(name string) ([]byte, error) {
	in := os.Stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	src, err := io.ReadAll(io.LimitReader(in, maxDefinitions+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(src) > maxDefinitions {
		return nil, fmt.Errorf("%s: got more than %d bytes, want the definitions of tools", name, maxDefinitions)
	}
	return src, nil
}

// exportTools prints the tool definitions in one dialect.
func exportTools(args []string, stdout, stderr io.Writer) int {
	flags := flagSet("freezegen export", exportUsage, stderr)
	freeze := freezeFlag(flags)
	dialect := flags.String("dialect", "", "dialect")
	if _, code, ok := parse(flags, args, 0, stdout); !ok {
		return code
	}
	if !slices.Contains(toolschema.Dialects(), toolschema.Dialect(*dialect)) {
		return trouble(stderr, fmt.Errorf("-dialect %q: want one of %s", *dialect, dialects()))
	}
	f, err := freezefile.Read(*freeze)
	if err != nil {
		return trouble(stderr, err)
	}
	text, warnings, err := toolschema.Definitions(f.Catalog, toolschema.Dialect(*dialect))
	if err != nil {
		return trouble(stderr, err)
	}
	for _, w := range warnings {
		fmt.Fprintf(stderr, "freezegen export: %s\n", w)
	}
	if _, err := fmt.Fprintf(stdout, "%s\n", text); err != nil {
		return trouble(stderr, err)
	}
	return exitOK
}

// dialects lists the dialects for a message.
func dialects() string {
	var names []string
	for _, d := range toolschema.Dialects() {
		names = append(names, string(d))
	}
	return strings.Join(names, ", ")
}

// unknown refuses a command that does not exist.
func unknown(name string, stderr io.Writer) int {
	commands := []string{"list", "import", "export"}
	hint := "run freezegen -h"
	if near := catalog.Nearest(name, commands); near != "" {
		hint = fmt.Sprintf("did you mean %q", near)
	}
	fmt.Fprintf(stderr, "freezegen: unknown command %q; want %s, or no command to generate; %s\n", name, strings.Join(commands, ", "), hint)
	return exitTrouble
}
