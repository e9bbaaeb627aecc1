// Package tomlpos reads TOML into a tree in which every key and every value knows where it stands in the text, which the
// TOML library does not tell. It reads TOML 1.1 as strictly as its specification is written, numbers are kept as exact
// text, and it also notes where a table is continued after other tables came between, which TOML allows and a freeze
// does not.
//
// # Text
//
// [Scan] drops a byte order mark at the start and reads CRLF as LF, so that a file means the same on every system; a CR
// that stands alone is refused, as TOML says. Offsets in spans are byte offsets in the text after both, which
// [Document.Source] holds. Since both only touch the ends of lines, line and column are those of the original file.
//
// # Limits
//
// Tables, arrays and dotted keys nest at most [MaxDepth] deep. Integers are those of int64 and floats those of float64,
// inf and nan included. Dates have at most four digits in the year and no leap second.
package tomlpos
