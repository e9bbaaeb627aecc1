package toolschema

import (
	"slices"
	"strings"
)

// rules is what one provider reads, as far as it narrows JSON Schema 2020-12 or counts something.
type rules struct {
	keywords   []string // the schema keywords that it reads, of those that this package writes; nil for all
	formats    []string // the values of format that it reads; nil for all
	strict     bool     // every member is required, an optional one is nullable; nothing is open
	bareRef    bool     // no keyword may stand beside $ref
	plainEnums bool     // enums are of strings that are not empty
	unroll     bool     // a recursive reference must lie in an optional member

	toolName    nameRule
	memberName  nameRule
	tools       int // how many tools a request may hold; 0 for no limit
	description int // how many characters a tool's description may have; 0 for no limit

	strictTools    int // how many tools of a request may be strict; 0 for no limit
	strictOptional int // how many optional members the strict tools of a request may have in all; 0 for no limit

	properties int // these six limit one strict schema; 0 for no limit
	depth      int
	enums      int
	text       int // characters of member names, type names and enum values in all
	longEnum   int // an enum of more values than this ...
	longText   int // ... may have this many characters in all
}

// nameRule is how a name must look.
type nameRule struct {
	max   int    // characters; 0 for no rule at all
	first string // characters that may stand first, besides letters
	rest  string // characters that may follow, besides letters
}

// allows reports whether the rule lets the name pass.
func (n nameRule) allows(name string) bool {
	if n.max == 0 {
		return true
	}
	for i := range len(name) {
		set := n.rest
		if i == 0 {
			set = n.first
		}
		letter := 'a' <= name[i]|0x20 && name[i]|0x20 <= 'z'
		if !letter && strings.IndexByte(set, name[i]) < 0 {
			return false
		}
	}
	return name != "" && len(name) <= n.max
}

// reads reports whether a keyword may be written.
func (r rules) reads(keyword string) bool {
	return r.keywords == nil || slices.Contains(r.keywords, keyword)
}

// rules returns the table of a dialect. Each entry names its source and the day on which it was looked up; a provider
// changes its rules without notice, so that day matters more than the entry.
func (d Dialect) rules() rules {
	const digits, word = "0123456789", "0123456789_-"
	switch d {
	case MCP:
		// modelcontextprotocol.io, specification 2025-11-25, server/tools, on 2026-11-30: names of 1 to 128 letters,
		// digits, "_", "-" and "."; schemas are JSON Schema 2020-12 with an object at the root.
		return rules{toolName: nameRule{128, word + ".", word + "."}}
	case OpenAI:
		// platform.openai.com, guides function-calling and structured-outputs (supported schemas), API reference of chat
		// completions, on 2026-11-30. minLength, maxLength, uniqueItems, default, oneOf, contentEncoding and formats that
		// are not listed are answered with an error in strict mode, as is a keyword beside $ref. The length of a
		// description is enforced by older models and by Azure.
		return rules{
			keywords: []string{"type", "description", "properties", "required", "additionalProperties", "items", "enum",
				"anyOf", "$ref", "$defs", "pattern", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
				"minItems", "maxItems"},
			formats:  []string{"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"},
			strict:   true,
			bareRef:  true,
			toolName: nameRule{64, word, word}, tools: 128, description: 1024,
			properties: 5000, depth: 10, enums: 1000, text: 120000, longEnum: 250, longText: 15000,
		}
	case Anthropic:
		// platform.claude.com, agents-and-tools/tool-use and build-with-claude/structured-outputs, on 2026-11-30; the rule
		// for member names is the text of the API's own error.
		return rules{
			toolName: nameRule{64, word, word}, memberName: nameRule{64, word + ".", word + "."},
			strictTools: 20, strictOptional: 24,
		}
	case Gemini:
		// ai.google.dev, api/caching (FunctionDeclaration, Schema) and api/generate-content (responseJsonSchema lists what
		// is read of a JSON Schema), on 2026-11-30. Enums of numbers are listed there and refused by several models.
		return rules{
			keywords: []string{"type", "description", "properties", "required", "additionalProperties", "items", "enum",
				"anyOf", "$ref", "$defs", "format", "minimum", "maximum", "minItems", "maxItems"},
			formats:    []string{"date-time", "date", "time"},
			bareRef:    true,
			plainEnums: true,
			unroll:     true,
			toolName:   nameRule{64, "_", word + ".:"}, memberName: nameRule{64, "_", digits + "_"}, tools: 512,
		}
	}
	return rules{}
}
