package toolschema_test

import (
	"fmt"

	"github.com/toolfreeze/toolfreeze/gen/toolschema"
	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

func lookup() *catalog.Catalog {
	longest := 64
	return &catalog.Catalog{Tools: []catalog.Tool{{
		Name: "lookup_plan", Description: "Look up one billing plan.", CostClass: catalog.Local,
		Args: []catalog.Field{
			{Name: "plan_id", Type: catalog.Type{Kind: catalog.String, MaxLength: &longest}},
			{Name: "year", Optional: true, Type: catalog.Type{Kind: catalog.Int}},
		},
	}}}
}

// A strict dialect has no optional members and fewer keywords: what it lacks is said in words.
func ExampleDefinitions() {
	for _, d := range []toolschema.Dialect{toolschema.Anthropic, toolschema.OpenAI} {
		doc, warnings, err := toolschema.Definitions(lookup(), d)
		fmt.Println(string(doc), warnings, err)
	}
	// Output:
	// [{"name":"lookup_plan","description":"Look up one billing plan.","input_schema":{"type":"object","properties":{"plan_id":{"type":"string","maxLength":64},"year":{"type":"integer"}},"required":["plan_id"],"additionalProperties":false}}] [] <nil>
	// [{"type":"function","function":{"name":"lookup_plan","description":"Look up one billing plan.","parameters":{"type":"object","properties":{"plan_id":{"type":"string","description":"At most 64 characters."},"year":{"type":["integer","null"]}},"required":["plan_id","year"],"additionalProperties":false},"strict":true}}] [] <nil>
}

// The schema of the arguments is plain JSON Schema 2020-12.
func ExampleArgs() {
	fmt.Println(string(toolschema.Args(lookup(), 0)))
	// Output:
	// {"type":"object","properties":{"plan_id":{"type":"string","maxLength":64},"year":{"type":"integer"}},"required":["plan_id"],"additionalProperties":false}
}
