// Package decode is the strict JSON reader that generated argument decoders are made of, and its interpreter over a
// catalog.
//
// # Design
//
// A [Reader] is pulled: the code that knows the type says what it wants next (Object, Field, String, Range, ...), and
// the Reader checks that the document says so. Open objects, maps and lists stand on a fixed stack, so nesting is capped
// and nothing is allocated but the strings and slices that the caller keeps.
//
// Faults do not stop the reading: a refused value is skipped, and the next one is read, so that one answer names all
// that is wrong. Only what makes the rest unreadable ends it: syntax, encoding, nesting over 32, a document over its
// cap. The Reader then holds an empty document, on which every method comes to its end by itself, and loops over Field,
// Entry and Item end.
//
// A constraint (Length, Range, Pattern, ...) is about the value read just before it, and does nothing where that was
// refused.
//
// # What is refused
//
// Names match byte for byte after unescaping, never case-folded. A name that is there twice is refused at any depth,
// also in values that are kept raw or skipped. Refused as syntax: invalid UTF-8, lone surrogates, NUL in any spelling,
// raw control characters, a byte order mark, text after the value. Numbers are compared as exact decimals: 5.0 and 50e-1
// are the integer 5, and 0.5 is none.
//
// # Faults
//
// A [verdict.Fault] names its place as a JSON path and what is wanted there, in words that tell a model how to repair
// the call. It never holds the rejected value. Offsets count bytes from 0.
//
// # Interpreter
//
// [Compile] turns a catalog into a [Program], which makes the calls that generated code makes, in the same order, so
// that both find the same faults. A Program also holds what generated code refers to by number: patterns and
// alternatives.
package decode
