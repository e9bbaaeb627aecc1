package differential_test

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// parsed is a document as another library reads it.
type parsed struct {
	// code is OK, BadJSON or TooDeep: what stands first in the text. value and twice are only good where it is OK.
	code  verdict.Code
	value any  // maps, slices, strings, json.Number, bool, nil
	twice bool // some object has a name twice
	nulls bool // there is a null somewhere
}

// parse reads a document. Nesting over 32 and NUL are not JSON's, so they are looked for here.
func parse(doc []byte) parsed {
	p := parsed{code: verdict.OK}
	dec := jsontext.NewDecoder(bytes.NewReader(doc), jsontext.AllowDuplicateNames(true))
	p.value = p.read(dec)
	if p.code != verdict.OK {
		return p
	}
	if _, err := dec.ReadToken(); err != io.EOF {
		p.code = verdict.BadJSON
	}
	return p
}

// token reads one token; false once the reading is over.
func (p *parsed) token(dec *jsontext.Decoder) (jsontext.Token, bool) {
	if p.code != verdict.OK {
		return jsontext.Token{}, false
	}
	token, err := dec.ReadToken()
	switch {
	case err != nil, token.Kind() == '"' && strings.Contains(token.String(), "\x00"):
		p.code = verdict.BadJSON
	case dec.StackDepth() > 32:
		p.code = verdict.TooDeep
	}
	return token, p.code == verdict.OK
}

func (p *parsed) read(dec *jsontext.Decoder) any {
	token, ok := p.token(dec)
	if !ok {
		return nil
	}
	switch token.Kind() {
	case '{':
		return p.object(dec)
	case '[':
		list := []any{}
		for dec.PeekKind() != ']' {
			item := p.read(dec)
			if p.code != verdict.OK {
				return nil
			}
			list = append(list, item)
		}
		p.token(dec)
		return list
	case '"':
		return token.String()
	case '0':
		return clipped(token.String())
	case 'n':
		p.nulls = true
		return nil
	}
	return token.Bool()
}

func (p *parsed) object(dec *jsontext.Decoder) any {
	members := map[string]any{}
	for dec.PeekKind() != '}' {
		name, ok := p.token(dec)
		if !ok {
			return nil
		}
		key := name.String()
		if _, held := members[key]; held {
			p.twice = true
		}
		members[key] = p.read(dec)
		if p.code != verdict.OK {
			return nil
		}
	}
	p.token(dec)
	return members
}

// clipped is a number with an exponent that exact arithmetic bears. One of more than five digits keeps its last four
// behind a 1: far outside of all bounds still, and different from others that are different.
func clipped(text string) json.Number {
	head, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	sign := exponent[:len(exponent)-len(strings.TrimLeft(exponent, "+-"))]
	exponent = strings.TrimLeft(exponent[len(sign):], "0")
	if len(exponent) <= 5 {
		return json.Number(text)
	}
	return json.Number(head + "e" + sign + "1" + exponent[len(exponent)-4:])
}
