// Package tools is what the agent of indie-agent-api may do: the freeze (tools.freeze.toml), the code that is generated
// from it (freeze_gen.go), and the handlers (handlers.go), which are all there is to write by hand.
package tools

//go:generate go tool freezegen
