package differential_test

import "github.com/toolfreeze/toolfreeze/runtime/verdict"

// The ways in which the decoder and the validator say different things. There are no others.
const (
	// What the specification refuses besides the schema.
	overCap        = "beyond the schema: document over its cap"
	tooDeep        = "beyond the schema: nesting over 32"
	notJSON        = "beyond the schema: no JSON, no UTF-8, a lone surrogate or NUL"
	nameTwice      = "beyond the schema: a name twice"
	outsideInt64   = "beyond the schema: integer outside int64"
	outsideFloat64 = "beyond the schema: number outside float64"
	notBase64      = "beyond the schema: no strict base64"
	contentOverCap = "beyond the schema: content over its cap"

	// What this one validator accepts though the standards of its formats do not.
	widerURI       = "the validator is wider: uri with characters that RFC 3986 does not have there"
	widerEmail     = "the validator is wider: email without a local part"
	widerEmailSign = "the validator is wider: sign in an address of an email"
	widerIPv4      = "the validator is wider: sign in an ipv4"
	widerTime      = "the validator is wider: sign in the digits of a time"

	// What a null for an optional member means to each alternative, and to the whole.
	notOne     = "not exactly one alternative, each with its nulls as absent"
	nullAbsent = "null taken as absent"
)

// wanted are the outcomes that a long run has to meet.
func wanted() []string {
	all := []string{
		overCap, tooDeep, notJSON, nameTwice, outsideInt64, outsideFloat64, notBase64, contentOverCap,
		widerURI, widerEmail, widerEmailSign, widerIPv4, widerTime, notOne, nullAbsent, "written back and accepted",
	}
	for _, code := range []verdict.Code{
		verdict.OK, verdict.ArgsTooLarge, verdict.TooDeep, verdict.BadJSON, verdict.BadKeys, verdict.BadType, verdict.BadValue, verdict.BadContent, verdict.TooLarge,
	} {
		all = append(all, "code "+code.String())
	}
	return all
}
