// Package verdict holds the closed set of codes that every decision of the gate ends in, and the one error type that
// carries such a decision to a caller.
//
// A code has one text form (upper case, underscores) that is used in errors, in JSON and in the ledger alike. The zero
// [Code] is no verdict at all: it is never OK and does not marshal, so that a forgotten assignment cannot allow a call.
//
// [Denial] is the only error type that the runtime returns for a call. Its Detail and Faults are fit to be read by a
// model: they never hold a rejected value, a Go type name or a path outside the workspace. What caused it stays behind
// Unwrap, for the operator.
package verdict
