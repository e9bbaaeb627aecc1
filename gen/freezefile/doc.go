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
