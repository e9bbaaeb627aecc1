// Package capability holds the error that the runtime's own capabilities (an endpoint, a workspace path) return to a
// handler. Only this type's codes are taken from a handler's error: it is internal to runtime, so no handler can make one.
package capability

import "github.com/toolfreeze/toolfreeze/runtime/verdict"

// Error is a refusal of a capability. Code is one of PathEscape, TooLarge, NotRegular, URLDenied, RedirectDenied,
// AddrDenied; Detail is fit for a model; Cause is for the operator and may be nil.
type Error struct {
	Code   verdict.Code
	Detail string
	Cause  error
}

// Error returns "CODE: detail".
func (e *Error) Error() string { return e.Code.String() + ": " + e.Detail }

// Is reports whether target is the Code of e.
func (e *Error) Is(target error) bool {
	c, ok := target.(verdict.Code)
	return ok && c == e.Code
}

// Unwrap returns Cause.
func (e *Error) Unwrap() error { return e.Cause }
