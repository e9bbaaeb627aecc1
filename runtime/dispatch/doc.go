// Package dispatch is the gate: every call to a frozen tool passes it, in one order, and leaves one entry in a ledger.
//
// Generated code makes a [Gate] for a process, a [Request] for each agent run, and a [Job] for each call. The model's
// calls come in through [Request.Call] by name and bytes, the application's own through [Request.Do] with a job whose
// arguments are set; both pass the same steps.
//
// # The order
//
// A call stops at the first step that refuses it, and no later step is begun.
//
//  1. breaker: BREAKER_OPEN
//  2. budget of the request: BUDGET_REQUEST
//  3. name: UNKNOWN_TOOL
//  4. budget of the tool: BUDGET_TOOL
//  5. arguments: ARGS_TOO_LARGE, TOO_DEEP, BAD_JSON, BAD_KEYS, BAD_PATH, PATH_ESCAPE, BAD_TYPE, BAD_VALUE, BAD_CONTENT,
//     TOO_LARGE
//  6. dry run: DRY_RUN
//  7. handler: OK, TIMEOUT, CANCELLED, HANDLER_ERROR, HANDLER_PANIC, BAD_RESULT, BUSY, and the codes of a capability
//
// A gate that was closed refuses before step 1, with CANCELLED and Halt. What should never happen is a refusal too: a job
// that is nil or belongs to another tool is UNKNOWN_TOOL, a decoder that panics or ends in no verdict is BAD_JSON, a
// request that no gate made is CANCELLED. A typed argument that JSON cannot hold, such as NaN, is BAD_VALUE.
//
// # Budgets
//
// Steps 2 and 4 reserve one call each, under the request's lock and before anything runs; nothing is given back. So a
// refused attempt counts, parallel calls cannot overrun a budget, and a handler that fails has used its call.
//
// # Dry and live
//
// A gate is dry unless the variable of live_env is exactly "1" when New reads it, once. Nothing turns it live
// afterwards; [WithDry], [NewDry] and [Dry] turn it, or one request, dry. In a dry run no handler code is called at all.
//
// # Handlers
//
// A handler runs in a goroutine of its own under a context that ends after max_ms with the cause verdict.Timeout, or with
// the caller's context. Once that context has ended, or its deadline has passed, the call is fenced: the caller gets
// TIMEOUT (own deadline) or CANCELLED (everything else) at once, whatever the handler returns from then on. What it ended
// in is noted as [ledger.Entry.Late] and never delivered, and the job is not looked at again. Until it ends, such a
// handler is a stray of its gate; while 16 strays run, a call that would start a handler is BUSY.
//
// A panic or runtime.Goexit ends the handler's own goroutine only. A handler's error cannot choose its code: it is
// HANDLER_ERROR, unless a capability of this runtime made it. A result is written, read back by the strict reader against
// its frozen type and held to max_result_bytes: otherwise BAD_RESULT.
//
// # What the model sees
//
// [Answer.Body] is one JSON document on one line: the result, the echo of a dry run, or the code with a detail and the
// faults. Its text is fixed, or made by the reader, or made by a handler with verdict.Say. The text of other errors,
// panic values and stacks go to the logger of [WithLogger] only, at level ERROR, with the messages "handler error" (tool,
// error), "handler panic" (tool, panic, stack), "bad result" (tool, error, faults) and "decoder panic" (tool, panic,
// stack). That logger gets the entries of the ledgers too.
package dispatch
