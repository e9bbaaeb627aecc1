package decode_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/toolfreeze/toolfreeze/runtime/decode"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// document is a hostile argument document and what is to be said of it.
type document struct {
	name string
	tool int
	doc  string
	code verdict.Code
	// faults are "CODE path want", in order; nil for none.
	faults []string
}

// hostile are the documents that a model or somebody behind it may send.
func hostile() []document {
	ok := verdict.OK
	return append(hostileText(), []document{
		{"plain", lookupPlan, `{"plan_id":"pro"}`, ok, nil},
		{"white space", lookupPlan, " \t\r\n{ \"plan_id\" : \"pro\" }\n", ok, nil},
		{"escaped name is the name", lookupPlan, `{"pl\u0061n_id":"pro"}`, ok, nil},
		{"nothing means {}", nothing, ``, ok, nil},
		{"nothing where a member is required", lookupPlan, ``, verdict.BadKeys,
			[]string{`BAD_KEYS $.plan_id required member is missing; add it`}},
		{"no members allowed", nothing, `{"a":1}`, verdict.BadKeys,
			[]string{`BAD_KEYS $.a unknown key; want no members here`}},
		{"null for an object", nothing, `null`, verdict.BadType, []string{`BAD_TYPE $ want an object, not null`}},
		{"list for an object", lookupPlan, `[{"plan_id":"pro"}]`, verdict.BadType, []string{`BAD_TYPE $ want an object, not a list`}},
		{"string for an object", lookupPlan, `"{\"plan_id\":\"pro\"}"`, verdict.BadType,
			[]string{`BAD_TYPE $ want an object, not a string; send the object itself, not its JSON text`}},
		{"number for an object", lookupPlan, `0`, verdict.BadType, []string{`BAD_TYPE $ want an object, not a number`}},
		{"the same name twice", lookupPlan, `{"plan_id":"pro","plan_id":"free"}`, verdict.BadKeys,
			[]string{`BAD_KEYS $.plan_id key is there twice; send it once`}},
		{"the same name twice by an escape", lookupPlan, `{"plan_id":"pro","plan\u005fid":"free"}`, verdict.BadKeys,
			[]string{`BAD_KEYS $.plan_id key is there twice; send it once`}},
		{"three times", lookupPlan, `{"plan_id":"pro","plan_id":1,"plan_id":{"a":[]}}`, verdict.BadKeys,
			[]string{`BAD_KEYS $.plan_id key is there twice; send it once`, `BAD_KEYS $.plan_id key is there twice; send it once`}},
		{"case-folded name", lookupPlan, `{"Plan_ID":"pro"}`, verdict.BadKeys, []string{
			`BAD_KEYS $.Plan_ID unknown key; did you mean "plan_id"?`, `BAD_KEYS $.plan_id required member is missing; add it`}},
		{"case-folded name beside the right one", lookupPlan, `{"plan_id":"pro","PLAN_ID":"all"}`, verdict.BadKeys,
			[]string{`BAD_KEYS $.PLAN_ID unknown key; did you mean "plan_id"?`}},
		{"long s folds to s", everything, `{"name":"a","on":true,"tag` + "\u017F" + `":["x"]}`, verdict.BadKeys, nil},
		{"Kelvin sign folds to k", everything, `{"name":"a","on":true,"` + "\u212A" + `elvin":1}`, verdict.BadKeys, nil},
		{"unknown name, nothing near", createIssue, `{"owner":"a","repo":"b","title":"t","body":"","milestone":1,"draft":true,"state":"open","labels":[],"cursor":"x"}`,
			verdict.BadKeys, []string{`BAD_KEYS $.cursor unknown key; want one of "owner", "repo", "title", "body", "milestone", "draft", "state", "labels"`}},
		{"name that cannot stand bare", nothing, `{"a b\n":1}`, verdict.BadKeys, []string{`BAD_KEYS $["a b\n"] unknown key; want no members here`}},
		{"long name is cut", nothing, `{"` + strings.Repeat("é", 100) + `":1}`, verdict.BadKeys,
			[]string{`BAD_KEYS $["` + strings.Repeat(`\u00e9`, 64) + `"...] unknown key; want no members here`}},
		{"empty name", nothing, `{"":1}`, verdict.BadKeys, []string{`BAD_KEYS $[""] unknown key; want no members here`}},
		{"null for a required member", lookupPlan, `{"plan_id":null}`, verdict.BadType, []string{`BAD_TYPE $.plan_id want a string, not null`}},
		{"null for an optional member", everything, `{"name":"a","on":true,"count":null,"tags":null,"plan":null,"any":null}`, ok, nil},
		{"null as an item", everything, `{"name":"a","on":true,"tags":["a",null]}`, verdict.BadType, []string{`BAD_TYPE $.tags[1] want a string, not null`}},
		{"everything right", everything, everythingCall, ok, nil},
		{"everything wrong", everything, everythingWrong, verdict.BadKeys, []string{
			`BAD_VALUE $.name want 1 to 8 characters`,
			`BAD_VALUE $.name want text that matches the pattern ^[a-z]+$`,
			`BAD_VALUE $.count want a number from 1 to 100`,
			`BAD_VALUE $.ratio want a number that is at least 0 and below 1`,
			`BAD_VALUE $.unit want one of "celsius", "kelvin"; did you mean "celsius"?`,
			`BAD_VALUE $.level want one of 1, 2, 30`,
			`BAD_VALUE $.at want a time, such as 2026-01-31T15:04:05Z`,
			`BAD_VALUE $.blob want bytes in base64: standard alphabet, padded, no line breaks`,
			`PATH_ESCAPE $.file want a path inside the workspace; ".." leads out of it`,
			`TOO_LARGE $.text want at most 16 bytes`,
			`BAD_KEYS $.any.a[1].b key is there twice; send it once`,
			`BAD_VALUE $.shape want a value that fits exactly one of: a string; an object with "type" "circle", "radius"; an object with "type" "square", "side"; a list; this fits none of them`,
			`BAD_VALUE $.tags[2] want items that differ; an equal one stands before this`,
			`BAD_VALUE $.tags want 1 to 3 items`,
			`BAD_KEYS $.labels.a key is there twice; send it once`,
			`BAD_TYPE $.plan.parts[0].cents want an integer, not a number with a fraction`,
			`BAD_KEYS $.plan.parts[0].id required member is missing; add it`,
			`BAD_TYPE $.filter.limit want an integer, not a number with a fraction`,
			`BAD_VALUE $.id want a UUID, such as 123e4567-e89b-12d3-a456-426614174000`,
			`BAD_KEYS $.on required member is missing; add it`,
		}},
		{"JSON text instead of a list", everything, `{"name":"a","on":true,"tags":" [\"a\"] "}`, verdict.BadType,
			[]string{`BAD_TYPE $.tags want a list, not a string; send the list itself, not its JSON text`}},
		{"one item instead of a list", everything, `{"name":"a","on":true,"tags":"a"}`, verdict.BadType,
			[]string{`BAD_TYPE $.tags want a list, not a string; send a list, even of one item`}},
		{"JSON text instead of a number and a boolean", everything, `{"name":7,"on":"True","count":"5","ratio":"0.5x"}`, verdict.BadType, []string{
			`BAD_TYPE $.name want a string, not a number; send it in quotes`,
			`BAD_TYPE $.on want true or false, not a string; send it without quotes`,
			`BAD_TYPE $.count want an integer, not a string; send the number itself, without quotes`,
			`BAD_TYPE $.ratio want a number, not a string`}},
		{"path and content of another type", everything, `{"name":"a","on":true,"file":["a"],"text":5,"at":1,"blob":{}}`, verdict.BadPath, []string{
			`BAD_PATH $.file want a path as a string, not a list`,
			`BAD_CONTENT $.text want text as a string, not a number; send it in quotes`,
			`BAD_TYPE $.at want a time as a string, not a number`,
			`BAD_TYPE $.blob want bytes as a base64 string, not an object`}},
		{"duplicates in what is skipped", lookupPlan, `{"plan_id":{"a":1,"\u0061":2},"x":[{"b":1,"b":2}]}`, verdict.BadKeys, []string{
			`BAD_TYPE $.plan_id want a string, not an object`,
			`BAD_KEYS $.plan_id.a key is there twice; send it once`,
			`BAD_KEYS $.x unknown key; want "plan_id"`,
			`BAD_KEYS $.x[0].b key is there twice; send it once`}},
		{"twice in an open object and in a map", everything, `{"name":"a","on":true,"filter":{"x":1,"\u0078":2,"X":3},"labels":{"a\nb":1,"a\u000ab":2}}`, verdict.BadKeys, []string{
			`BAD_KEYS $.filter.x key is there twice; send it once`, `BAD_KEYS $.labels["a\nb"] key is there twice; send it once`}},
		{"equal items", everything, `{"name":"a","on":true,"grid":[[1,2],[1,20],[1.0,2e1],[1,2.0]]}`, verdict.BadValue, []string{
			`BAD_VALUE $.grid[2] want items that differ; an equal one stands before this`,
			`BAD_VALUE $.grid[3] want items that differ; an equal one stands before this`}},
		{"alternatives", everything, `{"name":"a","on":true,"shape":[1,2.0,3e0]}`, ok, nil},
		{"an alternative with a fault inside", everything, `{"name":"a","on":true,"shape":{"type":"square","side":1,"side":2}}`, verdict.BadKeys,
			[]string{`BAD_KEYS $.shape.side key is there twice; send it once`}},
		{"path", everything, `{"name":"a","on":true,"file":"a\\b"}`, verdict.BadPath,
			[]string{`BAD_PATH $.file want a path with slashes, without backslashes`}},
		{"32 levels", anything, `{"v":` + deep(31) + `}`, ok, nil},
		{"33 levels", anything, `{"v":` + deep(32) + `}`, verdict.TooDeep,
			[]string{`TOO_DEEP $.v` + strings.Repeat("[0]", 31) + ` byte 36: want at most 32 levels of objects and lists`}},
		{"9,000 levels", lookupPlan, `{"plan_id":` + deep(9000) + `}`, verdict.TooDeep, nil},
		{"9,000 levels of a type that holds itself", everything, `{"plan":` + strings.Repeat(`{"id":"","cents":0,"parts":[`, 9000), verdict.TooDeep, nil},
		{"4 MiB of nothing", lookupPlan, `{"plan_id":"` + strings.Repeat("a", 4<<20) + `"}`, verdict.BadValue,
			[]string{`BAD_VALUE $.plan_id want at most 64 characters`}},
		{"code points, not bytes", lookupPlan, `{"plan_id":"` + strings.Repeat("😀", 64) + `"}`, ok, nil},
		{"one code point too many", lookupPlan, `{"plan_id":"` + strings.Repeat("😀", 65) + `"}`, verdict.BadValue,
			[]string{`BAD_VALUE $.plan_id want at most 64 characters`}},
	}...)
}

const everythingCall = `{"name":"abc","count":5.0,"ratio":0,"unit":"kelvin","level":3e1,"on":false,"at":"2026-01-31T15:04:05.5+01:00",
	"blob":"AAE=","file":"./notes/a.md","text":"sixteen bytes, 1","any":{"a":[1,{"b":1e999}]},"shape":{"radius":1,"type":"circle"},
	"tags":["a","b"],"labels":{"a":1,"A":2},"plan":{"id":"x","cents":0,"parts":[{"id":"y","cents":1,"parts":null}]},
	"filter":{"limit":10,"x":[],"y":null},"id":"123e4567-e89b-12d3-a456-426614174000","grid":[[1,2],[2,1]]}`

const everythingWrong = `{"name":"ABCDEFGHI","count":101,"ratio":1.0,"unit":"Celsius","level":3,"at":"2026-01-31t15:04:05Z",
	"blob":"AB==","file":"a/../../b","text":"seventeen bytes, ","any":{"a":[1,{"b":1,"b":2}]},"shape":{"type":"circle","side":1},
	"tags":["a","b","\u0061","c"],"labels":{"a":1,"a":2},"plan":{"id":"x","cents":0,"parts":[{"cents":0.5}]},
	"filter":{"limit":10.5e0},"id":"x"}`

// hostileText are documents that are wrong as text, and numbers.
func hostileText() []document {
	bad := func(path, want string) []string { return []string{"BAD_JSON " + path + " " + want} }
	lexical := func(name, value, want string) document {
		return document{name, anything, `{"v":` + value + `}`, verdict.BadJSON, bad("$.v", want)}
	}
	number := func(name, value string, code verdict.Code, faults ...string) document {
		return document{name, everything, `{"name":"a","on":true,"plan":{"id":"","cents":` + value + `}}`, code, faults}
	}
	const whole = "want an integer from -9223372036854775808 to 9223372036854775807"
	const fraction = "BAD_TYPE $.plan.cents want an integer, not a number with a fraction"
	return []document{
		{"trailing text", lookupPlan, `{"plan_id":"pro"} x`, verdict.BadJSON, bad("$", "byte 18: want nothing after the value")},
		{"second value", lookupPlan, `{"plan_id":"pro"}{}`, verdict.BadJSON, bad("$", "byte 17: want nothing after the value")},
		{"trailing NUL", lookupPlan, "{\"plan_id\":\"pro\"}\x00", verdict.BadJSON, bad("$", "byte 17: want nothing after the value")},
		{"white space alone", nothing, ` `, verdict.BadJSON, bad("$", "byte 1: want a JSON value, not the end of the text")},
		{"cut in a string", lookupPlan, `{"plan_id":"pr`, verdict.BadJSON, bad("$.plan_id", "byte 14: want a closing quote, not the end of the text")},
		{"cut after a name", lookupPlan, `{"plan_id"`, verdict.BadJSON, bad("$", `byte 10: want ":" after the member name, not the end of the text`)},
		{"cut after a value", lookupPlan, `{"plan_id":"a"`, verdict.BadJSON, bad("$", `byte 14: want "," or "}" after the member, not the end of the text`)},
		{"trailing comma", lookupPlan, `{"plan_id":"a",}`, verdict.BadJSON, bad("$", `byte 15: want a member name in quotes after the comma`)},
		{"single quotes", lookupPlan, `{'plan_id':'a'}`, verdict.BadJSON, bad("$", `byte 1: want a member name in quotes or "}"`)},
		{"comment", nothing, `{} // fine`, verdict.BadJSON, bad("$", "byte 3: want nothing after the value")},
		{"byte order mark", nothing, "\uFEFF{}", verdict.BadJSON, bad("$", "byte 0: want a JSON value without a byte order mark")},
		{"vertical tab", nothing, "\v{}", verdict.BadJSON, bad("$", "byte 0: want a JSON value")},
		lexical("invalid UTF-8", "\"a\xff\"", "byte 7: want valid UTF-8"),
		lexical("overlong slash", "\"\xc0\xaf\"", "byte 6: want valid UTF-8"),
		lexical("surrogate bytes", "\"abcdefgh\xed\xa0\x80\"", "byte 14: want valid UTF-8"),
		lexical("above U+10FFFF", "\"\xf4\x90\x80\x80\"", "byte 6: want valid UTF-8"),
		lexical("cut UTF-8 before the quote", "\"\xe2\x82\"", "byte 6: want valid UTF-8"),
		lexical("lone high surrogate", `"\ud83d"`, "byte 6: want a low surrogate after the high one"),
		lexical("two high surrogates", `"\ud83d\ud83d"`, "byte 6: want a low surrogate after the high one"),
		lexical("lone low surrogate", `"\ude00x"`, "byte 6: want a high surrogate before the low one"),
		lexical("escaped NUL", `"\u0000"`, "byte 6: want text without NUL"),
		lexical("raw NUL", "\"a\x00\"", "byte 7: want control characters as escapes"),
		lexical("raw newline", "\"a\n\"", "byte 7: want control characters as escapes"),
		lexical("unknown escape", `"\x41"`, `byte 6: want one of the escapes \" \\ \/ \b \f \n \r \t \u`),
		lexical("short escape", `"\u00g0"`, `byte 6: want four hexadecimal digits after \u`),
		lexical("leading zero", `01`, "byte 5: want a number without leading zeros"),
		lexical("plus sign", `+1`, "byte 5: want a JSON value"),
		lexical("dot alone", `1.`, "byte 7: want a digit after the dot"),
		lexical("exponent alone", `1e+`, "byte 8: want a digit in the exponent"),
		lexical("NaN", `NaN`, "byte 5: want a JSON value"),
		lexical("True", `True`, "byte 5: want a JSON value"),
		lexical("minus Infinity", `-Infinity`, "byte 6: want a digit after the minus sign"),
		lexical("nul", `nul`, "byte 5: want null"),
		{"NUL in a name", nothing, `{"\u0000":1}`, verdict.BadJSON, bad("$", "byte 2: want text without NUL")},
		{"valid pair", lookupPlan, `{"plan_id":"\ud83d\uDE00"}`, verdict.OK, nil},
		{"faults before a lexical one stay", lookupPlan, `{"x":1,"plan_id":"a"]`, verdict.BadJSON, []string{
			`BAD_KEYS $.x unknown key; want "plan_id"`, `BAD_JSON $ byte 20: want "," or "}" after the member`}},
		number("largest integer", "9223372036854775807", verdict.OK),
		number("2^53+1", "9007199254740993", verdict.OK),
		number("2^63", "9223372036854775808", verdict.BadValue, "BAD_VALUE $.plan.cents "+whole),
		number("2^64+8", "18446744073709551624", verdict.BadValue, "BAD_VALUE $.plan.cents "+whole),
		number("1e20", "1e20", verdict.BadValue, "BAD_VALUE $.plan.cents "+whole),
		number("1e400", "1e400", verdict.BadValue, "BAD_VALUE $.plan.cents "+whole),
		number("smallest integer", "-9223372036854775808", verdict.BadValue, "BAD_VALUE $.plan.cents want a number that is at least 0"),
		number("0.5", "0.5", verdict.BadType, fraction),
		number("1e-1", "1e-1", verdict.BadType, fraction),
		number("5.0000000000000000000000000001", "5.0000000000000000000000000001", verdict.BadType, fraction),
		number("quoted", `"5"`, verdict.BadType, "BAD_TYPE $.plan.cents want an integer, not a string; send the number itself, without quotes"),
		number("5.0", "5.0", verdict.OK), number("5e0", "5e0", verdict.OK), number("50E-1", "50E-1", verdict.OK),
		number("1e2", "1e2", verdict.OK), number("-0", "-0", verdict.OK), number("-0.0e999999999999999999999", "-0.0e999999999999999999999", verdict.OK),
		{"float beyond float64", everything, `{"name":"a","on":true,"ratio":1e400}`, verdict.BadValue,
			[]string{`BAD_VALUE $.ratio want a number inside the range of 64-bit floating point`}},
		{"float below a bound only as a decimal", everything, `{"name":"a","on":true,"ratio":-1e-999999999}`, verdict.BadValue,
			[]string{`BAD_VALUE $.ratio want a number that is at least 0 and below 1`}},
		{"float that rounds to a bound", everything, `{"name":"a","on":true,"ratio":0.99999999999999999999}`, verdict.OK, nil},
	}
}

// printed are faults as lines.
func printed(faults []verdict.Fault) []string {
	var all []string
	for _, f := range faults {
		all = append(all, fmt.Sprintf("%s %s %s", f.Code, f.Path, f.Want))
	}
	return all
}

func TestHostile(t *testing.T) {
	p := compiled(t)
	var r decode.Reader
	for _, d := range hostile() {
		t.Run(d.name, func(t *testing.T) {
			run(&r, p, d.tool, d.doc)
			if r.Code() != d.code {
				t.Errorf("got %s, want %s", r.Code(), d.code)
			}
			got := printed(r.Faults())
			if d.faults == nil && d.code != verdict.OK {
				if len(got) == 0 {
					t.Error("got no fault, want some")
				}
				return
			}
			if strings.Join(got, "\n") != strings.Join(d.faults, "\n") {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(d.faults, "\n"))
			}
		})
	}
}
