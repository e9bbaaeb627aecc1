package verdict

import "fmt"

// Code is the outcome of one call. The zero Code is no outcome: it is not OK, prints "NO_VERDICT" and does not marshal.
// A Code is an error, so that errors.Is(err, verdict.Timeout) reads well.
type Code uint8

// The codes, in the order in which the gate can arrive at them. The order of the argument codes (ArgsTooLarge to
// TooLarge) is also the order of precedence when one document has several faults.
const (
	_              Code = iota
	OK                  // the handler ran and its result passed
	BreakerOpen         // the breaker is open, or its state cannot be trusted
	BudgetRequest       // the request has used its max_calls_per_request
	UnknownTool         // no tool of that name is frozen
	BudgetTool          // the tool has used its max_calls in this request
	ArgsTooLarge        // the argument document is over max_args_bytes
	TooDeep             // the argument document nests deeper than 32
	BadJSON             // not one JSON value: syntax, UTF-8, surrogates, NUL, trailing text
	BadKeys             // a member is unknown, missing or there twice
	BadPath             // a path argument is not a relative slash path
	PathEscape          // a path leads outside the workspace or its fence
	BadType             // a value is of another JSON type
	BadValue            // a value is outside its enum, bounds, pattern, format or Go range
	BadContent          // a content argument is not a string
	TooLarge            // content over its cap, or a read, a write or a response over it
	DryRun              // everything passed, and nothing ran
	Timeout             // the handler outlived max_ms; its effect may have happened
	Cancelled           // the caller's context ended first, or the gate was closed; Detail says whether the handler had begun
	HandlerError        // the handler returned an error
	HandlerPanic        // the handler panicked or ended its goroutine
	BadResult           // the result breaks its frozen type, bounds or cap
	NotRegular          // a path names a FIFO, a device, a socket, or a hard link on write
	URLDenied           // the endpoint was used twice or after its call
	RedirectDenied      // the frozen URL answered with a redirect
	AddrDenied          // the frozen host resolved to an address that is not allowed
	Busy                // 16 handlers that outlived their deadline still run
	codeEnd
)

// name is the one text form of a code, "" for a number that is no code.
func (c Code) name() string {
	switch c {
	case OK:
		return "OK"
	case BreakerOpen:
		return "BREAKER_OPEN"
	case BudgetRequest:
		return "BUDGET_REQUEST"
	case UnknownTool:
		return "UNKNOWN_TOOL"
	case BudgetTool:
		return "BUDGET_TOOL"
	case ArgsTooLarge:
		return "ARGS_TOO_LARGE"
	case TooDeep:
		return "TOO_DEEP"
	case BadJSON:
		return "BAD_JSON"
	case BadKeys:
		return "BAD_KEYS"
	case BadPath:
		return "BAD_PATH"
	case PathEscape:
		return "PATH_ESCAPE"
	case BadType:
		return "BAD_TYPE"
	case BadValue:
		return "BAD_VALUE"
	case BadContent:
		return "BAD_CONTENT"
	case TooLarge:
		return "TOO_LARGE"
	case DryRun:
		return "DRY_RUN"
	case Timeout:
		return "TIMEOUT"
	case Cancelled:
		return "CANCELLED"
	case HandlerError:
		return "HANDLER_ERROR"
	case HandlerPanic:
		return "HANDLER_PANIC"
	case BadResult:
		return "BAD_RESULT"
	case NotRegular:
		return "NOT_REGULAR"
	case URLDenied:
		return "URL_DENIED"
	case RedirectDenied:
		return "REDIRECT_DENIED"
	case AddrDenied:
		return "ADDR_DENIED"
	case Busy:
		return "BUSY"
	}
	return ""
}

// All returns every code once, in the order of the gate.
func All() []Code {
	all := make([]Code, 0, codeEnd-1)
	for c := OK; c < codeEnd; c++ {
		all = append(all, c)
	}
	return all
}

// String returns the text form, such as "BUDGET_TOOL"; "NO_VERDICT" for the zero Code and for a number that is no code.
func (c Code) String() string {
	if s := c.name(); s != "" {
		return s
	}
	return "NO_VERDICT"
}

// Error returns the same text as String, so that a Code can be a target of errors.Is.
func (c Code) Error() string { return c.String() }

// MarshalText returns the text form. A Code that is none of the set is an error.
func (c Code) MarshalText() ([]byte, error) {
	if s := c.name(); s != "" {
		return []byte(s), nil
	}
	return nil, fmt.Errorf("code %d: got no verdict, want one of the closed set", uint8(c))
}

// UnmarshalText accepts the text form exactly, in upper case, and refuses everything else.
func (c *Code) UnmarshalText(text []byte) error {
	for k := OK; k < codeEnd; k++ {
		if k.name() == string(text) {
			*c = k
			return nil
		}
	}
	return fmt.Errorf("code %.64q: want one of the closed set, such as %q", text, OK)
}
