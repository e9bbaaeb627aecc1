// Package ledger is the record of one request: one entry for each call, allowed or refused.
//
// The gate writes through a [Recorder]; the application reads through the [Ledger] that the recorder hands out, which
// has no method that changes anything. Entries stand in the order in which calls were decided or ended.
//
// # Size
//
// A ledger is made once, with room for as many entries as the request may make calls; of that room at most 64 entries
// are taken ahead. It cannot be made to grow by calls that are refused: a refusal that reserved nothing of a budget is
// folded into the entry before it where both are equal, and once the room is full, or 8 of them stand in the ledger, all
// such refusals with one code share one entry. [Entry.Count] says how many calls an entry stands for. A call that
// reserved something always has an entry of its own.
//
// # Log
//
// With a logger, each entry is logged when it is made, at level INFO where its code is OK or DRY_RUN and at WARN
// otherwise, with the message "tool call" and these attributes:
//
//	tool     string    the tool's name
//	code     string    the text form of the code
//	dry_run  bool
//	elapsed  duration
//	detail   string    left out where it is empty
//
// Calls that are folded into an entry are not logged. A late result is logged at WARN with the message "late tool
// result" and the attributes tool, code (that of the entry) and late.
package ledger
