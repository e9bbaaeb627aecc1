// Package freezefile reads a freeze, tools.freeze.toml, into a catalog, and words every error of it that a person sees.
//
// [Load] reads bytes, [Read] a file. Both return every problem that there is, sorted by position, as one [Errors]. Only a
// file that is not TOML ends in one error alone.
//
// # Text
//
// A freeze is TOML 1.1 in UTF-8 of at most 16 MiB. A byte order mark at the start is dropped, and CRLF is read as LF, so
// that both give the same catalog; a CR alone is refused. U+0000 is refused in every spelling. Columns count code points.
//
// # Keys
//
// Every key is known or refused, in its exact case: Max_Calls is unknown, and the error says that max_calls was probably
// meant. A string that says nothing ("") is refused wherever a key can be left out instead, but for descriptions.
//
// # A whole freeze
//
// Every key of every table, each once. Only [meta] with its first three keys and one tool with cost_class, max_calls and
// max_ms are required.
//
//	[meta]
//	api = "indie-agent-api"            # required: the name of the service
//	max_tools = 12                     # required: more tools than this are refused
//	max_calls_per_request = 8          # required: the budget of one request
//	package = "tools"                  # the Go package; left out, that of the folder
//	live_env = "INDIE_TOOL_LIVE"       # live only where this variable is exactly 1
//	providers = ["openai", "anthropic", "mcp"]   # or "gemini": names satisfy the rules of each
//	max_args_bytes = 1048576           # cap of a whole argument document
//	max_result_bytes = 1048576         # cap of a whole result
//
//	[workspace]                        # required where an argument is a path
//	root = "./workspace"               # required: the folder that paths are confined to
//	max_write_bytes = 65536            # cap of a write, and of a content argument without one
//	max_read_bytes = 1048576           # cap of a read
//
//	[breaker]                          # left out, there is none
//	threshold = 5                      # required: so many refusals in a row open it
//	file = "breaker.json"              # required: its state, outside the workspace
//
//	[forbid]                           # for the vet tool
//	imports = ["example.com/paid/sdk"] # added to its list of what costs money
//
//	[[exception]]                      # for the vet tool, as often as needed
//	rule = "forbiddenimport"           # required: or "localonly", "unfrozentool"
//	match = "github.com/redis/go-redis/v9"   # required: an import path, a full function name or a tool name
//	reason = "local cache on the laptop, no invoice"   # required: at least 10 characters
//
//	[types.Plan]                       # an object that tools share
//	description = "One billing plan."
//	go_name = "BillingPlan"            # left out, made from the name
//	open = true                        # keeps unknown members, raw
//	[types.Plan.fields]                # required, unless open
//	id = "string"
//
//	[tools.lookup_plan]
//	description = "Look up billing plans."   # what the model reads
//	cost_class = "free_net"            # required: or "local", without the next two keys
//	allow_url = "https://status.example.com/plans"   # required for free_net: the one URL, byte for byte
//	max_response_bytes = 65536         # cap of what it answers
//	max_calls = 2                      # required: how often in one request
//	max_ms = 200                       # required: the deadline of one call
//	read_only = true                   # these three are hints for the model's host
//	destructive = false
//	idempotent = true
//	go_name = "LookupPlan"             # left out, made from the name
//
//	[tools.lookup_plan.args]           # left out, the tool takes none
//	id = "string"                      # also int, float, bool, time, bytes, json
//	limit = "int?"                     # "?" at the end: may be left out
//	plans = "[]Plan"                   # a list of a named type
//	totals = "map[string]float"        # any names
//	name = { type = "string", description = "The name.", go_name = "PlanName", min_length = 1, max_length = 64, pattern = "^[a-z]+$" }
//	since = { type = "string?", format = "date" }   # also date-time, uri, uuid, email, ipv4, ipv6
//	unit = { type = "string", enum = ["eur", { value = "usd", go_name = "Dollar" }], default = "eur" }
//	seats = { type = "int", minimum = 1, maximum = 500 }
//	ratio = { type = "float", exclusive_minimum = 0, exclusive_maximum = 1.5 }
//	tags = { type = "list", min_items = 1, max_items = 5, unique_items = true, items = "string" }
//	notes = { type = "map", values = { type = "string", max_length = 200 } }
//	to = { type = "path", under = "notes", access = "write" }   # access is "read", "list" or "write"
//	text = { type = "content", max_bytes = 4096 }   # a string with a cap in bytes
//	where = { type = "object", open = true, fields = { city = "string" } }
//	either = { type = "json", one_of = ["string", { type = "int", minimum = 0 }] }
//
//	[tools.lookup_plan.result]         # left out, the tool returns nothing but success
//	plan = "Plan?"                     # types as above, but for path and content
//
// # The keys of [meta]
//
//   - api: the service that the freeze belongs to; one line of text.
//   - max_tools, max_calls_per_request: 1 to 1,000,000,000.
//   - package: a Go package name; by default that of the folder's Go files, else the folder's own.
//   - live_env: [A-Z][A-Z0-9_]*, at most 128 bytes.
//   - providers: one or more of openai, anthropic, mcp and gemini. The names of tools have to satisfy the rules of each, and
//     for anthropic those of arguments at any depth too.
//   - max_args_bytes, max_result_bytes: 1 to 1,000,000,000.
//
// # The keys of a tool
//
//   - description: at most 16 KiB of text that can be seen.
//   - cost_class: "local" is a tool that reaches no network, "free_net" one that reaches its one allow_url, free of charge.
//     What costs money is not in a freeze.
//   - allow_url: https, or http to a literal loopback address; at most 2048 bytes, without user information, fragment,
//     parameters to be filled in, and query parameters that are named like a secret. For free_net only.
//   - max_response_bytes: 1 to 1,000,000,000. For free_net only.
//   - max_calls: 1 to 1,000,000,000 calls in one request. What is refused counts too, so 2 leaves room for a second try.
//   - max_ms: 1 to 86,400,000, a day.
//   - read_only, destructive, idempotent: true or false; read_only and destructive are not both true.
//   - go_name: an exported Go identifier of at most 128 bytes.
//   - args, result: at most 64 members each, with names of at most 128 bytes. TOML counts every key that follows the header
//     [tools.NAME.args] to the arguments, so the keys of the tool stand above it.
//
// # What is enforced
//
// freezegen refuses a freeze that breaks a rule of this page, and the generated code and the runtime keep what [meta],
// [workspace], [breaker], the budgets, the types and allow_url say. They hand read_only, destructive and idempotent to the
// model's host as hints, and take a person's word for cost_class: what else a handler reaches is for the vet tool to find.
// [forbid] and [[exception]] are read for the vet tool only. Their form is checked here; neither freezegen nor the runtime
// acts on them.
//
// # One place
//
// A table stands in one place: nothing may be added to it once the file has gone on to something else, even where TOML
// allows that. Refused, with both positions, are
//
//   - [tools.a.result] after [tools.b], where [tools.a] stands before it;
//   - [tools.a.args.x] after [tools.a.result], where [tools.a.args] stands before it;
//   - [tools.a] after [tools.a.args]: a table comes before those that lie in it;
//   - args.x = 1 after max_ms = 5, where args.y stands before it, and a header that continues what dotted keys began;
//   - [[tools.a.args.x.one_of]] a second time with other things in between.
//
// [tools], [types] and [[exception]] are no places of their own: tools and types may be mixed, and exceptions may stand
// beside the tool that they are about.
//
// # Types
//
// A member of args, result or fields is a word or a table. The word is string, int, float, bool, time, bytes, path,
// content, json, the name of a [types] table, []T or map[string]T with such a T, and "?" at its end makes the member
// optional. The table has type, which is such a word too or "object" (with fields and open), "list" (with items) or
// "map" (with values), and beside it
//
//   - for the member: description, go_name, default;
//   - for string, int and float: enum, whose entries are values or tables { value = "+1", go_name = "Plus1" };
//   - for int and float: minimum, maximum, exclusive_minimum, exclusive_maximum;
//   - for string: min_length, max_length, pattern, format;
//   - for lists: min_items, max_items, unique_items;
//   - for content: max_bytes; for path: under, access; for json: one_of, a list of types in either form.
//
// Beside a word such as "[]string" or "map[string][]int", what belongs to lists is about the outermost list, and what
// belongs to an element is about the innermost one. What this cannot say is written with items and values:
//
//	tags = { type = "list", max_items = 5, items = { type = "list", max_items = 2, items = "string" } }
//
// Items, values and alternatives are neither optional nor have they a description or a default.
//
// # Numbers and dates
//
// Numbers keep the digits that the file has: 9007199254740993 and 0.1 are exact, underscores and a leading plus are
// dropped, other bases become decimal. inf and nan are refused. A date-time with an offset may be the default of a time or
// of a string with format date-time, and a date of one with format date; elsewhere dates stand in quotes.
//
// # Defaults
//
// Left out, live_env is "INDIE_TOOL_LIVE", providers are openai, anthropic and mcp, max_args_bytes, max_result_bytes and
// max_read_bytes are 1048576, max_write_bytes and max_response_bytes 65536, access is "read", and the max_bytes of a
// content argument is the workspace's max_write_bytes, or 65536 where there is no workspace. The default of a member is
// held against its type here, with the reader that checks the model's arguments, and makes the member optional.
package freezefile
