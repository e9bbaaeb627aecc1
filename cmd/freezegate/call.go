package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/toolfreeze/toolfreeze/runtime/decode"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// call is what a model asked for.
type call struct {
	tool string
	args []byte
}

// shape is one way to write a call: the member that gives it away, and where name and arguments stand.
type shape struct {
	mark, is   string   // the member, and the string that it must be ("" for anything)
	inside     string   // the member that holds the rest, "" for the document itself
	name, args string   // members
	text       bool     // the arguments are JSON text in a string
	only       []string // the only members that may stand in the document, nil for any
}

// shapes are read strictly: a document that fits none of them, or more than one, is refused.
func shapes() []shape {
	return []shape{
		{mark: "tool", name: "tool", args: "args", only: []string{"tool", "args"}},
		{mark: "tool_name", name: "tool_name", args: "tool_input"},
		{mark: "type", is: "tool_use", name: "name", args: "input"},
		{mark: "type", is: "function_call", name: "name", args: "arguments", text: true},
		{mark: "function", inside: "function", name: "name", args: "arguments", text: true},
		{mark: "method", is: "tools/call", inside: "params", name: "name", args: "arguments"},
	}
}

// readCall finds the tool and the arguments in one document. A fault is a refusal with the code that the gate would give:
// BAD_JSON for what is no JSON object, BAD_KEYS for what fits no shape, BAD_TYPE for a name that is no string.
func readCall(r *decode.Reader, doc []byte, maxBytes int) (call, *verdict.Denial) {
	members, denial := object(r, doc, maxBytes)
	if denial != nil {
		return call{}, denial
	}
	var fits []shape
	for _, s := range shapes() {
		value, ok := members[s.mark]
		if ok && (s.is == "" || text(value) == s.is) {
			fits = append(fits, s)
		}
	}
	if len(fits) != 1 {
		return call{}, &verdict.Denial{Code: verdict.BadKeys, Detail: fmt.Sprintf("the document fits %d shapes of a call, want one: {\"tool\", \"args\"}, or what OpenAI, Anthropic, MCP or an agent's hook sends", len(fits))}
	}
	s := fits[0]
	for name := range members {
		if s.only != nil && !slices.Contains(s.only, name) {
			return call{}, &verdict.Denial{Code: verdict.BadKeys, Detail: "unknown member " + verdict.Show(name) + "; want " + strings.Join(s.only, " and ")}
		}
	}
	if s.inside != "" {
		if members, denial = object(r, members[s.inside], maxBytes); denial != nil {
			return call{}, denial
		}
	}
	var c call
	if json.Unmarshal(members[s.name], &c.tool) != nil || text(members[s.name]) == "" {
		return call{}, &verdict.Denial{Code: verdict.BadType, Detail: "the member " + s.name + " is no name of a tool; want a string"}
	}
	if c.args, denial = arguments(s, members[s.args]); denial != nil {
		denial.Tool = c.tool
	}
	return c, denial
}

// arguments is the argument document of a call; nothing means {}.
func arguments(s shape, value json.RawMessage) ([]byte, *verdict.Denial) {
	if !s.text || value == nil || value[0] == '{' {
		return value, nil
	}
	var inner string
	if value[0] != '"' || json.Unmarshal(value, &inner) != nil {
		return nil, &verdict.Denial{Code: verdict.BadType, Detail: "the member " + s.args + " is no JSON text; want a string that holds an object"}
	}
	return []byte(inner), nil
}

// text is the string that a JSON value holds, "" where it is none.
func text(value json.RawMessage) string {
	var s string
	if json.Unmarshal(value, &s) != nil {
		return ""
	}
	return s
}

// object splits a JSON object into its members, strictly: duplicates at any depth and everything else that the gate calls
// no JSON is refused here.
func object(r *decode.Reader, doc []byte, maxBytes int) (map[string]json.RawMessage, *verdict.Denial) {
	if len(doc) == 0 {
		return nil, &verdict.Denial{Code: verdict.BadJSON, Detail: "got nothing, want a JSON object"}
	}
	members := map[string]json.RawMessage{}
	r.Reset(nil, doc, maxBytes)
	r.OpenObject("", 0)
	for r.Field() >= 0 {
		r.Extra(&members)
	}
	r.End()
	if code := r.Code(); code != verdict.OK {
		f := r.Faults()[0]
		return nil, &verdict.Denial{Code: code, Detail: f.Path + ": " + f.Want}
	}
	return members, nil
}
