// Package lex holds the parts of the strict JSON reader that need nothing but bytes: strings and their escapes, numbers,
// the form in which equal values have equal bytes, and sets of names.
//
// A function that finds a lexical fault returns what it wanted there, such as "a closing quote", and the offset in the
// document; "" means that all is well.
package lex
