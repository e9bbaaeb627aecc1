// Package differential holds no code, only the test that the three readers of arguments give one answer: the generated
// decoder, really compiled; the interpreter over the catalog; and, by the emitted JSON Schema, a validator that knows
// nothing of this module.
//
// Freezes are drawn at random over the whole type system, rendered, and built into one driver program. Documents are
// drawn for them, most of them near a border of their type. Of each document the test holds
//
//   - generated and interpreted code find the same code and the same faults
//   - the document is accepted where the validator accepts it, once nulls of optional members are taken out, and nothing
//     else is refused than what the specification lists beyond the schema
//   - the code is the one that the validator's errors and that list lead to
//   - what was accepted and is written back by the generated encoder holds the same values, and is accepted again
//
// TOOLFREEZE_DIFF=1000000 makes that many documents instead of the few of a usual run.
package differential
