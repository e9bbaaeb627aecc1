// Package meant knows what the words, keys and numbers of other notations are called in a freeze. It words hints only:
// whether a freeze is refused is decided elsewhere. Every function returns "" where it has no guess, and each result can
// stand as a hint as it is.
package meant

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"unicode"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

// Type says which type a word stands for. known are the words that are types in this freeze.
func Type(word string, known []string) string {
	same := [][]string{
		{"string", "str", "text", "varchar", "char"},
		{"int", "integer", "int64", "int32", "long", "uint", "number (whole)"},
		{"float", "number", "double", "float64", "float32", "decimal"},
		{"bool", "boolean"},
		{"time", "datetime", "date-time", "timestamp"},
		{"bytes", "base64", "binary", "blob"},
		{"path", "file", "filename", "filepath"},
		{"json", "any", "raw", "interface{}", "unknown"},
	}
	lower := strings.ToLower(word)
	switch lower {
	case "array", "list", "slice", "tuple":
		return `did you mean "[]string", or "[]" and another type?`
	case "map", "dict", "hashmap":
		return `did you mean "map[string]string", or "map[string]" and another type?`
	case "object":
		return `write { type = "object", fields = { ... } }, or give the object a name in [types]`
	}
	for _, group := range same {
		if slices.Contains(group, lower) {
			return didYouMean(group[0])
		}
	}
	if slices.Contains(catalog.Formats(), lower) {
		return fmt.Sprintf(`did you mean { type = "string", format = %q }?`, lower)
	}
	if elem, ok := strings.CutSuffix(word, "[]"); ok {
		return didYouMean("[]" + strings.TrimSuffix(elem, "?"))
	}
	if near := catalog.Nearest(word, known); near != "" {
		return didYouMean(near)
	}
	return ""
}

// didYouMean asks for words that may have been meant.
func didYouMean(words ...string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = fmt.Sprintf("%q", w)
	}
	return "did you mean " + strings.Join(quoted, " or ") + "?"
}

// flat is a key without case and without what joins words.
func flat(key string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", ".", "", " ", "").Replace(key))
}

// TypeKey says which of the known keys of a type another key stands for.
func TypeKey(key string, known []string) string {
	lows, highs := []string{"minimum", "min_length", "min_items"}, []string{"maximum", "max_length", "max_items", "max_bytes"}
	f := flat(key)
	rest, high := strings.CutPrefix(f, "max")
	rest, low := strings.CutPrefix(rest, "min")
	sizes := []string{"", "imum", "value", "val", "len", "length", "chars", "characters", "size", "items", "count", "elements", "bytes"}
	switch {
	case slices.Contains(known, key):
		return ""
	case (low || high) && slices.Contains(sizes, rest):
		if exact := slices.IndexFunc(known, func(k string) bool { return flat(k) == f }); exact >= 0 {
			return didYouMean(known[exact])
		}
		if high {
			return among(known, highs...)
		}
		return among(known, lows...)
	}
	switch f {
	case "ge", "gte", "from", "atleast", "least":
		return among(known, lows...)
	case "le", "lte", "upto", "atmost", "most", "limit", "cap":
		return among(known, highs...)
	case "gt", "morethan", "above":
		return among(known, "exclusive_minimum")
	case "lt", "lessthan", "below":
		return among(known, "exclusive_maximum")
	case "length", "len", "size", "count":
		return among(known, "min_length", "max_length", "min_items", "max_items", "max_bytes")
	case "regex", "regexp", "re", "match", "matches":
		return among(known, "pattern")
	case "values", "value", "options", "choices", "allowed", "allowedvalues", "oneof", "anyof", "const", "in":
		return among(known, "enum")
	case "unique", "distinct":
		return among(known, "unique_items")
	case "kind", "typ", "datatype", "typename":
		return among(known, "type")
	case "item", "element", "elements", "elem", "of":
		return among(known, "items")
	case "desc", "doc", "docs", "title", "comment", "help", "summary", "about":
		return among(known, "description")
	case "defaultvalue", "preset", "initial":
		return among(known, "default")
	case "dir", "folder", "root", "inside":
		return among(known, "under")
	case "mode", "permission", "permissions", "rights":
		return among(known, "access")
	case "name", "goname", "identifier":
		return among(known, "go_name")
	}
	return ""
}

// among asks for those of some keys that are known.
func among(known []string, keys ...string) string {
	keys = slices.DeleteFunc(slices.Clone(keys), func(k string) bool { return !slices.Contains(known, k) })
	if len(keys) == 0 {
		return ""
	}
	return didYouMean(keys...)
}

// ForeignKey helps with the keys that other schema languages have and a type of a freeze has not.
func ForeignKey(key string) string {
	switch key {
	case "required", "optional", "nullable":
		return `a member is required unless its type ends in "?"`
	case "properties", "members":
		return "the members of an object stand in fields"
	case "additionalProperties", "additional_properties":
		return `open = true keeps unknown members; values that all have one type are a map, "map[string]T"`
	case "const":
		return "write enum with one value"
	case "anyOf", "oneOf", "any_of", "allOf":
		return `write type = "json" with one_of`
	}
	return ""
}

// metaKeys are the keys of [meta].
func metaKeys() []string {
	return []string{"api", "max_tools", "max_calls_per_request", "package", "live_env", "providers", "max_args_bytes", "max_result_bytes"}
}

// ToolKeys are the keys of a tool that stand in no other table.
func ToolKeys() []string {
	return []string{"cost_class", "allow_url", "max_response_bytes", "max_calls", "max_ms", "read_only", "destructive", "idempotent", "args", "result"}
}

// Table says which table a key belongs to, where that is [meta] or a tool.
func Table(key string) string {
	switch {
	case slices.Contains(metaKeys(), key):
		return "it belongs under [meta]"
	case slices.Contains(ToolKeys(), key):
		return "it belongs under a tool, [tools.NAME]"
	}
	return ""
}

// ToolKey says which key of a tool another one stands for, or where it belongs.
func ToolKey(key string) string {
	switch flat(key) {
	case "timeout", "timeoutms", "deadline", "deadlinems", "maxtime", "ms", "milliseconds":
		return didYouMean("max_ms")
	case "calls", "limit", "budget", "ratelimit", "times":
		return didYouMean("max_calls")
	case "url", "endpoint", "uri", "href":
		return didYouMean("allow_url")
	case "class", "cost":
		return didYouMean("cost_class")
	case "parameters", "params", "arguments", "inputs", "input", "inputschema":
		return didYouMean("args")
	case "returns", "return", "output", "outputs", "outputschema", "response":
		return didYouMean("result")
	case "desc", "doc", "title", "summary", "help":
		return didYouMean("description")
	case "name":
		return "the name of a tool is that of its table, [tools.NAME]"
	}
	if slices.Contains(metaKeys(), key) {
		return Table(key)
	}
	return ""
}

// Number is the whole number that a text with a unit stands for under a key that ends in _ms or _bytes: "50 ms" is 50 and
// "1.5s" 1500, "64 KiB" is 65536. Other keys have no unit.
func Number(key, text string) string {
	units := map[string]string{}
	switch {
	case strings.HasSuffix(key, "_ms"):
		units = map[string]string{"ms": "1", "msec": "1", "msecs": "1", "millis": "1", "millisecond": "1", "milliseconds": "1", "s": "1000", "sec": "1000",
			"secs": "1000", "second": "1000", "seconds": "1000", "m": "60000", "min": "60000", "mins": "60000", "minute": "60000", "minutes": "60000",
			"h": "3600000", "hour": "3600000", "hours": "3600000", "us": "1/1000"}
	case strings.HasSuffix(key, "_bytes"):
		units = map[string]string{"b": "1", "byte": "1", "bytes": "1", "k": "1024", "kb": "1000", "kib": "1024", "m": "1048576", "mb": "1000000",
			"mib": "1048576", "g": "1073741824", "gb": "1000000000", "gib": "1073741824"}
	}
	text = strings.TrimSpace(text)
	end := strings.IndexFunc(text, unicode.IsLetter)
	if end < 1 || len(text) > 32 {
		return ""
	}
	digits := strings.ReplaceAll(strings.TrimSpace(text[:end]), "_", "")
	unit, ok := units[strings.ToLower(text[end:])]
	if !ok || strings.Trim(digits, "0123456789.") != "" {
		return ""
	}
	n, good := new(big.Rat).SetString(digits)
	by, _ := new(big.Rat).SetString(unit)
	if !good || !n.Mul(n, by).IsInt() || n.Sign() <= 0 {
		return ""
	}
	return n.Num().String()
}

// Foreign says that a file is no TOML where it begins as JSON or YAML does.
func Foreign(text string) string {
	const hint = "a freeze is TOML; README.md shows one"
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		key, rest, colon := strings.Cut(line, ":")
		switch {
		case line == "", strings.HasPrefix(line, "#"):
			continue
		case line[0] == '{', line[0] == '[' && strings.HasPrefix(strings.TrimSpace(line[1:]), "{"), line == "[":
			return hint + ", and freezegen import makes one of tool definitions in JSON"
		case line == "---", strings.HasPrefix(line, "- "):
			return hint
		case colon && key != "" && !strings.ContainsAny(key, "=[]{}#") && (rest == "" || rest[0] == ' ' || rest[0] == '\t'):
			return hint
		}
		return ""
	}
	return ""
}
