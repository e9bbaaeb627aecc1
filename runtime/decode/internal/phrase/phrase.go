// Package phrase makes the words of faults: what is wanted of a value, and how to repair what was sent. They are written
// for a model that will send the call again, and none of them holds the rejected value.
package phrase

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/toolfreeze/toolfreeze/runtime/decode/internal/lex"
)

// Thing is what a value is read as.
type Thing uint8

// The things.
const (
	String Thing = iota
	Int
	Float
	Bool
	Time
	Bytes
	Path
	Content
	Object
	List
)

// String is t in words, with its article.
func (t Thing) String() string {
	switch t {
	case Int:
		return "an integer"
	case Float:
		return "a number"
	case Bool:
		return "true or false"
	case Time:
		return "a time as a string"
	case Bytes:
		return "bytes as a base64 string"
	case Path:
		return "a path as a string"
	case Content:
		return "text as a string"
	case Object:
		return "an object"
	case List:
		return "a list"
	}
	return "a string"
}

// The JSON types, as a fault names what was sent.
const (
	GotObject = "an object"
	GotList   = "a list"
	GotString = "a string"
	GotNumber = "a number"
	GotBool   = "a boolean"
	GotNull   = "null"
)

// Hint says how to repair a value of the JSON type got where t is wanted: "; send the list itself, not its JSON text".
// It is empty where there is nothing to say. raw is the value where it is a string or a number.
func (t Thing) Hint(got string, raw []byte) string {
	switch {
	case got == GotNull || t == Object && got == GotList:
		return ""
	case got == GotString:
		return t.unquoted(raw)
	case t == List:
		return "; send a list, even of one item"
	case (t == String || t == Content) && (got == GotNumber || got == GotBool):
		return "; send it in quotes"
	}
	return ""
}

// unquoted is the hint for a string that may hold the JSON of what is wanted.
func (t Thing) unquoted(raw []byte) string {
	text, _, _, _ := lex.Quoted(nil, raw, 0)
	text = bytes.TrimSpace(text)
	var first, last byte
	if len(text) > 0 {
		first, last = text[0], text[len(text)-1]
	}
	switch {
	case t == List && first == '[' && last == ']':
		return "; send the list itself, not its JSON text"
	case t == List:
		return "; send a list, even of one item"
	case t == Object && first == '{' && last == '}':
		return "; send the object itself, not its JSON text"
	case (t == Int || t == Float) && (first == '-' || first-'0' <= 9):
		if end, bad := lex.Number(text, 0); bad == "" && end == len(text) {
			return "; send the number itself, without quotes"
		}
	case t == Bool && (strings.EqualFold(string(text), "true") || strings.EqualFold(string(text), "false")):
		return "; send it without quotes"
	}
	return ""
}

// OneOf lists what is allowed, at most 10 of it: `one of "a", "b"`.
func OneOf(all []string, quote bool) string {
	var b strings.Builder
	if len(all) > 1 {
		b.WriteString("one of ")
	}
	writeList(&b, ", ", all, quote)
	return b.String()
}

// Alternatives lists the alternatives of a one_of, at most 10 of them.
func Alternatives(all []string) string {
	var b strings.Builder
	b.WriteString("a value that fits exactly one of: ")
	writeList(&b, "; ", all, false)
	return b.String()
}

func writeList(b *strings.Builder, between string, all []string, quote bool) {
	const most = 10
	for i, s := range all[:min(most, len(all))] {
		if i > 0 {
			b.WriteString(between)
		}
		if quote {
			s = strconv.Quote(s)
		}
		b.WriteString(s)
	}
	if more := len(all) - most; more > 0 {
		fmt.Fprintf(b, " or %d more", more)
	}
}

// Count says how many of noun are wanted, -1 for no bound: "1 to 64 characters", "at most 1 item".
func Count(min, max int, noun string) string {
	text, last := "", max
	switch {
	case min == max:
		text = "exactly " + strconv.Itoa(max)
	case max < 0:
		text, last = "at least "+strconv.Itoa(min), min
	case min <= 0:
		text = "at most " + strconv.Itoa(max)
	default:
		text = strconv.Itoa(min) + " to " + strconv.Itoa(max)
	}
	if last != 1 {
		noun += "s"
	}
	return text + " " + noun
}

// Between says which numbers are wanted, "" for no bound: "a number from 1 to 100", "a number that is above 0 and at most 1".
func Between(min, max, xmin, xmax string) string {
	if min != "" && max != "" && xmin == "" && xmax == "" {
		return "a number from " + min + " to " + max
	}
	var parts []string
	for _, p := range [...]struct{ word, bound string }{
		{"at least ", min}, {"above ", xmin}, {"at most ", max}, {"below ", xmax},
	} {
		if p.bound != "" {
			parts = append(parts, p.word+p.bound)
		}
	}
	return "a number that is " + strings.Join(parts, " and ")
}

// Pattern is a pattern as a fault gives it: as it is, since quoting would double its backslashes, unless it holds what
// does not print.
func Pattern(pattern string) string {
	for _, c := range pattern {
		if !strconv.IsPrint(c) {
			return "text that matches the pattern " + strconv.QuoteToASCII(pattern)
		}
	}
	return "text that matches the pattern " + pattern
}
