package catalog_test

import (
	"fmt"
	"strings"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

func Example() {
	c := &catalog.Catalog{
		API: "indie-agent-api", MaxTools: 12, MaxCallsPerRequest: 8, LiveEnv: "INDIE_TOOL_LIVE",
		Providers: []string{"openai", "anthropic", "mcp"}, MaxArgsBytes: 1 << 20, MaxResultBytes: 1 << 20,
		Tools: []catalog.Tool{
			{Name: "lookup_plan", CostClass: catalog.Local, MaxCalls: 2, MaxMS: 40, Args: []catalog.Field{
				{Name: "page_size", Type: catalog.Type{Kind: catalog.Int}},
				{Name: "pageSize", Type: catalog.Type{Kind: catalog.Int}},
			}},
			{Name: "pay", CostClass: "forbidden", MaxCalls: 1, MaxMS: 40},
		},
	}
	for _, p := range c.Check() {
		fmt.Printf("%s: %s (%s)\n", strings.Join(p.At, "."), p.Text, p.Hint)
	}
	// Output:
	// tools.pay.cost_class: got "forbidden", want "local" or "free_net": what is forbidden is not in a freeze at all (delete the tool from the freeze)
	// tools.lookup_plan.args.pageSize: got the Go name PageSize, which tools.lookup_plan.args.page_size has too, want one for each (set go_name on one of the two)
}

func ExampleParse() {
	text := string((&catalog.Catalog{API: "demo", MaxTools: 1}).JSON())
	c, err := catalog.Parse(text)
	fmt.Println(c.API, err)
	_, err = catalog.Parse(strings.Replace(text, `"max_tools":1`, `"max_tools": 1`, 1))
	fmt.Println(err)
	// Output:
	// demo <nil>
	// catalog: got other bytes than the canonical ones at byte 26; it was edited by hand, so generate it again
}

func ExampleGoName() {
	for _, s := range []string{"api_key_ids", "getURLPath", "C#", "+1", "<=", "3d"} {
		fmt.Println(catalog.GoName(s))
	}
	// Output:
	// APIKeyIDs
	// GetURLPath
	// CSharp
	// Plus1
	// LessEqual
	// 3D
}
