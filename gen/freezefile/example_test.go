package freezefile_test

import (
	"errors"
	"fmt"
	"os"

	"github.com/toolfreeze/toolfreeze/gen/freezefile"
)

func ExampleLoad() {
	f, err := freezefile.Load("tools.freeze.toml", []byte(`[meta]
api = "shop"
max_tools = 4
max_calls_per_request = 8

[tools.lookup_plan]
cost_class = "local"
max_calls = 2
max_ms = 40
args = { plan_id = { type = "string", max_length = 64 } }
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	tool := f.Catalog.Tools[0]
	fmt.Println(tool.Name, tool.CostClass, tool.Args[0].Name, *tool.Args[0].Type.MaxLength)
	fmt.Println(f.Position("tools", "lookup_plan", "args", "plan_id", "max_length"))
	// Output:
	// lookup_plan local plan_id 64
	// tools.freeze.toml:10:52
}

func ExampleErrors_WriteTo() {
	_, err := freezefile.Load("tools.freeze.toml", []byte(`[meta]
api = "shop"
max_tools = 4
max_calls_per_request = 8

[tools.lookup_plan]
cost_class = "local"
Max_Calls = 2
max_calls = 2
max_ms = 40
args.plan_id = "[]text"
`))
	var errs freezefile.Errors
	if errors.As(err, &errs) {
		errs.WriteTo(os.Stdout)
	}
	// Output:
	// tools.freeze.toml:8:1: tools.lookup_plan.Max_Calls: got an unknown key, want a known one
	//   8 | Max_Calls = 2
	//     | ^^^^^^^^^
	//     = did you mean "max_calls"?
	// tools.freeze.toml:11:19: tools.lookup_plan.args.plan_id: got the type "text", want one of string, int, float, bool, time, bytes, path, content, json, []T, map[string]T
	//   11 | args.plan_id = "[]text"
	//      |                   ^^^^
	//      = did you mean "string"?
}
