// Package tree reads JSON into a tree that keeps what encoding/json gives away: the order of members and the text of
// numbers.
package tree

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxNesting is how deep a document may nest before it is refused.
const maxNesting = 200

// Kind is the JSON type of a value.
type Kind byte

// The kinds. The zero Kind is null.
const (
	Null Kind = iota
	Boolean
	Number
	Text
	List
	Object
)

// String returns the kind with its article, fit to stand after "got": "a string".
func (k Kind) String() string {
	return [...]string{"null", "a boolean", "a number", "a string", "a list", "an object"}[k]
}

// Value is a JSON value. It is not changed once it was read: With and Without return copies.
type Value struct {
	// Kind is the type.
	Kind Kind
	// Text is a string without its escapes, or a number or a boolean as written; else "".
	Text string
	// Keys are the names of an object's members, none twice; else nil.
	Keys []string
	// Items are those of a list; of an object the values, one for each key.
	Items []*Value
}

// Parse reads one JSON document, at most 200 levels deep, behind a byte order mark or not. Text that is not UTF-8, a member that stands there twice and trailing text are errors:
// what could be read in two ways is not imported.
func Parse(src []byte) (*Value, error) {
	src = bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))
	if !utf8.Valid(src) {
		return nil, fmt.Errorf("got bytes that are not UTF-8, want JSON")
	}
	dec := json.NewDecoder(bytes.NewReader(src))
	dec.UseNumber()
	v, err := read(dec, 0)
	if err == nil && replaced(v) && !bytes.ContainsRune(src, utf8.RuneError) && !bytes.Contains(bytes.ToLower(src), []byte(`\ufffd`)) {
		return nil, fmt.Errorf("got half of a surrogate pair in an escape, want text that UTF-8 can hold")
	}
	if err == nil {
		if _, more := dec.Token(); more != io.EOF {
			err = fmt.Errorf("got text after the end of the document, want one JSON value")
		}
	}
	if err != nil {
		at := min(int(dec.InputOffset()), len(src))
		line := 1 + bytes.Count(src[:at], []byte("\n"))
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			err = fmt.Errorf("got the end of the file, want a whole JSON document")
		}
		return nil, fmt.Errorf("line %d: %w", line, err)
	}
	return v, nil
}

// replaced reports whether a text holds what the decoder writes where it could not read one.
func replaced(v *Value) bool {
	has := func(s string) bool { return strings.ContainsRune(s, utf8.RuneError) }
	return has(v.Text) || slices.ContainsFunc(v.Keys, has) || slices.ContainsFunc(v.Items, replaced)
}

func read(dec *json.Decoder, depth int) (*Value, error) {
	if depth > maxNesting {
		return nil, fmt.Errorf("got more than %d levels of nesting", maxNesting)
	}
	tok, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch t := tok.(type) {
	case json.Delim:
		return readInside(dec, t == '{', depth)
	case string:
		return &Value{Kind: Text, Text: t}, nil
	case json.Number:
		return &Value{Kind: Number, Text: string(t)}, nil
	case bool:
		return &Value{Kind: Boolean, Text: strconv.FormatBool(t)}, nil
	}
	return &Value{Kind: Null}, nil
}

// readInside reads the members or items after the opening bracket.
func readInside(dec *json.Decoder, members bool, depth int) (*Value, error) {
	v := &Value{Kind: List}
	var seen map[string]bool
	if members {
		v.Kind, seen = Object, map[string]bool{}
	}
	for dec.More() {
		if members {
			tok, err := dec.Token()
			if err != nil {
				return nil, err
			}
			key, _ := tok.(string)
			if seen[key] {
				return nil, fmt.Errorf("got the member %q twice in one object, want it once", key)
			}
			seen[key] = true
			v.Keys = append(v.Keys, key)
		}
		item, err := read(dec, depth+1)
		if err != nil {
			return nil, err
		}
		v.Items = append(v.Items, item)
	}
	_, err := dec.Token()
	return v, err
}

// Get returns a member, nil where it is absent or v is no object.
func (v *Value) Get(key string) *Value {
	if v == nil || v.Kind != Object {
		return nil
	}
	if i := slices.Index(v.Keys, key); i >= 0 {
		return v.Items[i]
	}
	return nil
}

// Has reports whether the member is there and is not null.
func (v *Value) Has(key string) bool { m := v.Get(key); return m != nil && m.Kind != Null }

// Str returns a member that is a string, else "".
func (v *Value) Str(key string) string {
	if m := v.Get(key); m != nil && m.Kind == Text {
		return m.Text
	}
	return ""
}

// Flag returns a member that is a boolean; ok is false where it is none.
func (v *Value) Flag(key string) (on, ok bool) {
	m := v.Get(key)
	if m == nil || m.Kind != Boolean {
		return false, false
	}
	return m.Text == "true", true
}

// Is reports whether v is that kind.
func (v *Value) Is(k Kind) bool { return v != nil && v.Kind == k }

// Without returns a copy of an object that lacks some members.
func (v *Value) Without(keys ...string) *Value {
	out := &Value{Kind: Object}
	for i, k := range v.Keys {
		if !slices.Contains(keys, k) {
			out.Keys, out.Items = append(out.Keys, k), append(out.Items, v.Items[i])
		}
	}
	return out
}

// With returns a copy of an object in which one member is set.
func (v *Value) With(key string, item *Value) *Value {
	out := &Value{Kind: Object, Keys: slices.Clone(v.Keys), Items: slices.Clone(v.Items)}
	if i := slices.Index(out.Keys, key); i >= 0 {
		out.Items[i] = item
		return out
	}
	out.Keys, out.Items = append(out.Keys, key), append(out.Items, item)
	return out
}

// JSON appends the compact JSON of v.
func (v *Value) JSON(b []byte) []byte {
	switch v.Kind {
	case Text:
		return append(b, Quote(v.Text)...)
	case Number, Boolean:
		return append(b, v.Text...)
	case List:
		b = append(b, '[')
		for i, item := range v.Items {
			if i > 0 {
				b = append(b, ',')
			}
			b = item.JSON(b)
		}
		return append(b, ']')
	case Object:
		b = append(b, '{')
		for i, item := range v.Items {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(append(b, Quote(v.Keys[i])...), ':')
			b = item.JSON(b)
		}
		return append(b, '}')
	}
	return append(b, "null"...)
}

// Quote is the JSON string of s without the escapes that only HTML needs.
func Quote(s string) string {
	var buf strings.Builder
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if enc.Encode(s) != nil {
		return `""`
	}
	return strings.TrimSuffix(buf.String(), "\n")
}

// Shown quotes user text for a message, cut at 64 characters.
func Shown(s string) string {
	if runes := []rune(s); len(runes) > 64 {
		return strconv.Quote(string(runes[:64])) + "..."
	}
	return strconv.Quote(s)
}

// Integral reports whether a number is written without a fraction, or with one of zeros.
func Integral(number string) bool {
	if strings.ContainsAny(number, "eE") {
		return false
	}
	_, fraction, _ := strings.Cut(number, ".")
	return strings.Trim(fraction, "0") == ""
}
