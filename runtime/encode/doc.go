// Package encode is the writer of results and typed arguments: it appends one JSON document in one pass.
//
// Generated code drives a [Writer]; commas and colons are its business. What was written is checked afterwards by the
// strict reader of package decode, so the writer passes text on as it is, invalid UTF-8 included: the reader must see it
// and refuse it. What JSON cannot hold at all (NaN, infinities, times outside the years 0 to 9999, values nested deeper
// than 64) is kept as the first error of the document, and null stands in its place.
package encode
