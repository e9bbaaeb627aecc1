package verdict

import (
	"errors"
	"slices"
	"strings"
)

// Fault is one thing that is wrong with an argument document or a result.
type Fault struct {
	// Code is one of the argument codes, ArgsTooLarge to TooLarge.
	Code Code `json:"code"`
	// Path is the place as a JSON path: "$" is the whole document, "$.tags[2]" the third item of the member "tags". A
	// member whose name is not made of letters, digits, "_" and "-" stands in brackets: $["a b"].
	Path string `json:"path"`
	// Want says what is wanted there and what to do, for the model: "want a list, not a string". It never holds the
	// rejected value.
	Want string `json:"want"`
}

// Denial is the error of every call that did not end in OK. errors.Is(err, verdict.BudgetTool) matches on Code. Its JSON
// is fit for a model: it leaves the cause out.
type Denial struct {
	// Code is never zero and never OK.
	Code Code `json:"code"`
	// Tool is the name that was called: of the freeze, or as Show prints a name that is not frozen.
	Tool string `json:"tool,omitempty"`
	// Detail is one line that a model may read: what was wrong and what to do about it.
	Detail string `json:"detail,omitempty"`
	// Faults holds the faults of the arguments, at most 20, in document order; nil for other codes.
	Faults []Fault `json:"faults,omitempty"`
	// Halt says that the agent run is over, since no further call will pass: the breaker is open, or the gate is closed.
	Halt bool `json:"halt,omitempty"`
	// Cause is what went wrong underneath, for the operator only; nil where Detail says all. It never reaches a model.
	Cause error `json:"-"`
}

// Error returns "tool: CODE: detail" in one line, without the cause.
func (d *Denial) Error() string {
	var b strings.Builder
	if d.Tool != "" {
		b.WriteString(d.Tool)
		b.WriteString(": ")
	}
	b.WriteString(d.Code.String())
	if d.Detail != "" {
		b.WriteString(": ")
		b.WriteString(d.Detail)
	}
	return b.String()
}

// Is reports whether target is the Code of d.
func (d *Denial) Is(target error) bool {
	c, ok := target.(Code)
	return ok && c == d.Code
}

// Unwrap returns Cause behind a screen, nil where there is none. errors.Is and errors.As see through the screen, but for
// codes and denials: an error that a handler made out of the denial of another call must not pass for the verdict of this
// one. The field Cause holds the error itself.
func (d *Denial) Unwrap() error {
	if d.Cause == nil {
		return nil
	}
	return &screen{d.Cause}
}

// screen hides the verdicts in a cause.
type screen struct{ cause error }

func (s *screen) Error() string { return s.cause.Error() }

// Is answers for the whole tree of the cause, since a screen has no Unwrap.
func (s *screen) Is(target error) bool {
	switch target.(type) {
	case Code, *Denial:
		return false
	}
	return errors.Is(s.cause, target)
}

// As answers for the whole tree of the cause, as Is does.
func (s *screen) As(target any) bool {
	switch target.(type) {
	case *Code, **Denial:
		return false
	}
	return errors.As(s.cause, target)
}

// said is an error whose text was made for the model.
type said struct{ text string }

func (s *said) Error() string { return s.text }

// Say returns an error whose text the model may read. A handler returns it, wrapped or not, when its own words should
// reach the model; the text of every other error goes to the operator only. Text is cut at 500 code points when it is
// shown.
func Say(text string) error { return &said{text} }

// Said returns the text of the first error in the tree of err that Say made, those behind the Cause of a Denial included. ok
// is false where there is none. It looks at no more than 1,000 errors, since a tree can hold itself.
func Said(err error) (text string, ok bool) {
	left := []error{err}
	for range 1000 {
		if len(left) == 0 {
			return "", false
		}
		err, left = left[len(left)-1], left[:len(left)-1]
		switch e := err.(type) {
		case *said:
			return e.text, true
		case *screen:
			left = append(left, e.cause)
		case interface{ Unwrap() error }:
			left = append(left, e.Unwrap())
		case interface{ Unwrap() []error }:
			inner := slices.Clone(e.Unwrap())
			slices.Reverse(inner)
			left = append(left, inner...)
		}
	}
	return "", false
}
