// Package emit renders one catalog as one Go file. It is the only package that knows jennifer.
//
// emit.go writes the frame (header, handshake, embedded freeze, constants, Handlers, Gate, New), request.go the Request
// with the dispatch switch and the definitions, tool.go what one tool needs (structs, typed method, job), types.go the Go
// types of arguments and results, read.go their decoders, write.go their encoders, fill.go their defaults, text.go whatever
// turns text of a freeze into Go.
//
// # Text
//
// Text of a freeze reaches Go source in two ways only: as a string literal that jennifer quotes, or as a doc comment that
// text.go splits into lines, each behind "// ", so that no line of it can be a directive, a build line or code. Names
// reach it only after catalog.GoName made identifiers of them.
//
// # Names
//
// The struct of a member is named after its owner and the member (CreateIssueArgsFilter), the element of a list adds
// Item, the value of a map adds Value; catalog.Check has refused every clash before a name is used here.
//
// # Size
//
// Users pay the compiler more than the generator, so what every tool has in common stands in the runtime: a decoder is a
// table of keys and a switch, a tool is a job of four short methods.
package emit
