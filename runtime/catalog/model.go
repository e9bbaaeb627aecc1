// Package catalog is the one model of a freeze: pure data, its checks, its canonical JSON, its digest and the Go names
// that are made from it.
//
// A freeze file is read into a [Catalog] by package gen/freezefile; freezegen writes the catalog into the generated file
// as one constant in canonical JSON; the runtime's gate decodes that constant with [Parse], and the vet tool reads it
// through go/types. There is no second definition of a tool anywhere.
//
// # Canonical JSON
//
// [Catalog.JSON] writes the members in the order of the struct fields below, tools and members in the order of the
// freeze, without white space and without HTML escapes, and leaves out what has its zero value. Parse accepts nothing
// but these bytes: what it returns prints the same again. The digest is taken over them.
//
// # Checks
//
// [Catalog.Check] finds everything that can be said of a freeze without its source text, as a list of [Problem], each with
// the path of TOML keys that it is about. Defaults are checked by gen/freezefile, since that needs the decoder.
//
// # Go names
//
// A Go identifier depends on its own item only, never on its neighbours ([GoName]). Two items with one Go name are a
// problem that names both and suggests go_name; no number is ever appended.
package catalog

import "encoding/json"

// Catalog is a whole freeze. Every count and limit is as the freeze file says, defaults filled in.
type Catalog struct {
	// API is the name of the service that the freeze belongs to ([meta] api).
	API string `json:"api"`
	// MaxTools is how many tools the freeze may hold, 1 or more.
	MaxTools int `json:"max_tools"`
	// MaxCallsPerRequest is the budget of a whole request, 1 or more.
	MaxCallsPerRequest int `json:"max_calls_per_request"`
	// Package is the Go package of the generated file as [meta] package gives it; "" leaves it to the folder.
	Package string `json:"package,omitempty"`
	// LiveEnv is the name of the environment variable that has to be exactly "1" for a live run.
	LiveEnv string `json:"live_env"`
	// Providers are the model vendors whose rules every tool must satisfy, a subset of Providers().
	Providers []string `json:"providers"`
	// MaxArgsBytes caps a whole argument document, in bytes.
	MaxArgsBytes int `json:"max_args_bytes"`
	// MaxResultBytes caps a whole result document, in bytes.
	MaxResultBytes int `json:"max_result_bytes"`
	// Workspace is nil where no argument has type path.
	Workspace *Workspace `json:"workspace,omitempty"`
	// Breaker is nil where the freeze has none.
	Breaker *Breaker `json:"breaker,omitempty"`
	// Forbid are the import paths that the freeze adds to the built-in list of paid SDKs.
	Forbid []string `json:"forbid,omitempty"`
	// Exceptions silence a vet rule, in the order of the file.
	Exceptions []Exception `json:"exceptions,omitempty"`
	// Types are the named object types, in the order of the file.
	Types []Named `json:"types,omitempty"`
	// Tools are the tools, in the order of the file.
	Tools []Tool `json:"tools"`
}

// Workspace is the folder that path arguments are confined to.
type Workspace struct {
	// Root is the folder as written, relative to the working directory of the process unless it is absolute.
	Root string `json:"root"`
	// MaxWriteBytes is the default cap of a content argument and of a write, in bytes.
	MaxWriteBytes int `json:"max_write_bytes"`
	// MaxReadBytes caps a read, in bytes.
	MaxReadBytes int `json:"max_read_bytes"`
}

// Breaker is the rule that stops a model that keeps asking for what it may not have.
type Breaker struct {
	// Threshold is how many refusals in a row open it, 1 or more.
	Threshold int `json:"threshold"`
	// File is the state file as written.
	File string `json:"file"`
}

// Exception silences one vet rule for one match.
type Exception struct {
	// Rule is "forbiddenimport", "localonly" or "unfrozentool".
	Rule string `json:"rule"`
	// Match is an import path (a prefix on "/"), a full function name or a tool name.
	Match string `json:"match"`
	// Reason is why, in at least 10 characters.
	Reason string `json:"reason"`
}

// Named is an object type of [types] that tools share.
type Named struct {
	// Name is the key below [types].
	Name string `json:"name"`
	// Description becomes the doc comment and the schema's description; may be empty.
	Description string `json:"description,omitempty"`
	// GoName is the explicit Go name; "" takes GoName(Name).
	GoName string `json:"go_name,omitempty"`
	// Open keeps unknown members, raw.
	Open bool `json:"open,omitempty"`
	// Fields are the members in the order of the file; an object may have none.
	Fields []Field `json:"fields"`
}

// The cost classes.
const (
	// Local is a tool that runs on this machine only.
	Local = "local"
	// FreeNet is a tool that may reach one frozen URL, which costs nothing.
	FreeNet = "free_net"
	// Forbidden is a word that a freeze may not use: a forbidden tool is one that is not in the freeze.
	Forbidden = "forbidden"
)

// Tool is one callable tool.
type Tool struct {
	// Name is what the model calls.
	Name string `json:"name"`
	// GoName is the explicit Go name; "" takes GoName(Name).
	GoName string `json:"go_name,omitempty"`
	// Description is shown to the model; may be empty.
	Description string `json:"description,omitempty"`
	// CostClass is Local or FreeNet.
	CostClass string `json:"cost_class"`
	// AllowURL is the one URL of a free_net tool, byte for byte; "" for a local one.
	AllowURL string `json:"allow_url,omitempty"`
	// MaxCalls is the tool's budget in one request, 1 or more.
	MaxCalls int `json:"max_calls"`
	// MaxMS is the deadline of one call in milliseconds, 1 or more.
	MaxMS int `json:"max_ms"`
	// MaxResponseBytes caps the decompressed response of a free_net tool's endpoint; 0 for a local one.
	MaxResponseBytes int `json:"max_response_bytes,omitempty"`
	// ReadOnly is a hint for the model's host; nil where the freeze is silent.
	ReadOnly *bool `json:"read_only,omitempty"`
	// Destructive is a hint for the model's host; nil where the freeze is silent.
	Destructive *bool `json:"destructive,omitempty"`
	// Idempotent is a hint for the model's host; nil where the freeze is silent.
	Idempotent *bool `json:"idempotent,omitempty"`
	// Args are the arguments in the order of the file; empty for a tool that takes none.
	Args []Field `json:"args,omitempty"`
	// Result are the members of the result in the order of the file; empty for a tool that returns nothing but success.
	Result []Field `json:"result,omitempty"`
}

// Field is one member of an object: an argument, a member of a result, or a member of a nested object.
type Field struct {
	// Name is the JSON member name.
	Name string `json:"name"`
	// GoName is the explicit Go name; "" takes GoName(Name).
	GoName string `json:"go_name,omitempty"`
	// Description becomes the doc comment and the schema's description; may be empty.
	Description string `json:"description,omitempty"`
	// Optional says that the member may be absent or null; both mean "not given". A default makes a member optional.
	Optional bool `json:"optional,omitempty"`
	// Default is the JSON of the value that stands in for an absent member; nil where there is none.
	Default json.RawMessage `json:"default,omitempty"`
	// Type is the member's type.
	Type Type `json:"type"`
}

// Kind is the base of a type, in the word that the freeze uses.
type Kind string

// The kinds.
const (
	// String is a JSON string, a Go string.
	String Kind = "string"
	// Int is a JSON number with an integer value inside int64.
	Int Kind = "int"
	// Float is a JSON number inside float64.
	Float Kind = "float"
	// Bool is a JSON boolean.
	Bool Kind = "bool"
	// Time is an RFC 3339 date-time: upper-case T and Z, 1 to 9 fraction digits after a dot, no leap second.
	Time Kind = "time"
	// Bytes is base64 in the standard alphabet, padded and strict.
	Bytes Kind = "bytes"
	// Path is a relative slash path inside the workspace.
	Path Kind = "path"
	// Content is a string with a cap in bytes.
	Content Kind = "content"
	// JSON is any JSON value, kept raw.
	JSON Kind = "json"
	// List is a JSON array of Elem.
	List Kind = "list"
	// Map is a JSON object with any member names and values of Elem.
	Map Kind = "map"
	// Ref is an object type of [types].
	Ref Kind = "ref"
	// Object is an inline object.
	Object Kind = "object"
)

// Type is the type of a value together with its constraints. What a kind does not use is zero.
type Type struct {
	// Kind is the base.
	Kind Kind `json:"kind"`
	// Elem is the element of a List or a Map, else nil.
	Elem *Type `json:"elem,omitempty"`
	// Ref is the name of a [types] type where Kind is Ref.
	Ref string `json:"ref,omitempty"`
	// Fields are the members where Kind is Object.
	Fields []Field `json:"fields,omitempty"`
	// Open keeps unknown members, raw, where Kind is Object.
	Open bool `json:"open,omitempty"`
	// Enum are the allowed values, of String, Int or Float.
	Enum []Enum `json:"enum,omitempty"`
	// Minimum and Maximum are inclusive bounds of Int and Float, as exact decimal text; "" for none.
	Minimum string `json:"minimum,omitempty"`
	// Maximum: see Minimum.
	Maximum string `json:"maximum,omitempty"`
	// ExclusiveMinimum and ExclusiveMaximum are exclusive bounds, as Minimum.
	ExclusiveMinimum string `json:"exclusive_minimum,omitempty"`
	// ExclusiveMaximum: see ExclusiveMinimum.
	ExclusiveMaximum string `json:"exclusive_maximum,omitempty"`
	// MinLength and MaxLength bound a String in Unicode code points; nil for none.
	MinLength *int `json:"min_length,omitempty"`
	// MaxLength: see MinLength.
	MaxLength *int `json:"max_length,omitempty"`
	// Pattern is a regular expression that a String must match somewhere; "" for none.
	Pattern string `json:"pattern,omitempty"`
	// Format is date, date-time, uri, uuid, email, ipv4 or ipv6 for a String; "" for none.
	Format string `json:"format,omitempty"`
	// MinItems and MaxItems bound a List; nil for none.
	MinItems *int `json:"min_items,omitempty"`
	// MaxItems: see MinItems.
	MaxItems *int `json:"max_items,omitempty"`
	// UniqueItems says that no two items of a List may be equal JSON values.
	UniqueItems bool `json:"unique_items,omitempty"`
	// MaxBytes caps a Content in bytes; the workspace's max_write_bytes is filled in.
	MaxBytes int `json:"max_bytes,omitempty"`
	// Under is the fence of a Path below the workspace root, as a slash path; "" for none.
	Under string `json:"under,omitempty"`
	// Access is "read", "list" or "write" for a Path.
	Access string `json:"access,omitempty"`
	// OneOf are the alternatives of a JSON value, of which exactly one must hold; nil for any value.
	OneOf []Type `json:"one_of,omitempty"`
}

// Enum is one allowed value.
type Enum struct {
	// Value is the JSON of the value: a string or a number, exactly as the freeze writes it.
	Value json.RawMessage `json:"value"`
	// GoName is the explicit end of the Go constant's name; "" makes it from the value.
	GoName string `json:"go_name,omitempty"`
}
