package importer_test

import (
	"fmt"

	"github.com/toolfreeze/toolfreeze/gen/toolschema/importer"
)

// The definitions of an MCP server become a freeze, without a cost class.
func ExampleImport() {
	src := `{"tools": [{
		"name": "create_note",
		"description": "Write a note.",
		"inputSchema": {
			"type": "object",
			"properties": {
				"title": {"type": "string", "maxLength": 80},
				"tags": {"type": "array", "items": {"type": "string"}},
				"at": {"type": "number", "multipleOf": 0.5}
			},
			"required": ["title"]
		},
		"annotations": {"readOnlyHint": false}
	}]}`
	got, err := importer.Import("notes.json", []byte(src), importer.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(string(got.Freeze))
	for _, n := range got.Notes {
		fmt.Println("note:", n)
	}
	// Output:
	// # Imported from "notes.json" (mcp): 1 tool.
	// # No tool has a cost class yet. A person gives one to each: "local" reaches no network, "free_net" reaches the
	// # one URL of allow_url, free of charge. Delete the tools that are neither.
	//
	// [meta]
	// api = "notes"
	// max_tools = 1
	// max_calls_per_request = 8
	//
	// [tools.create_note]
	// description = "Write a note."
	// # cost_class: a person decides, "local" or "free_net" with allow_url
	// max_calls = 4
	// max_ms = 5000
	// read_only = false
	// [tools.create_note.args]
	// title = { type = "string", max_length = 80 }
	// tags = "[]string?"
	// at = "float?"
	// note: create_note: $.at: multipleOf is not kept: a freeze has no word for it
}
