package breaker

import (
	"errors"
	"fmt"
	"strconv"
)

// maxBytes is the most that a state file may hold, white space included.
const maxBytes = 4096

// state is what the file says. The zero state is that of a file which is not there.
type state struct {
	denies int
	open   bool
}

// text is the state as it is written, byte for byte.
func (s state) text() []byte {
	b := strconv.AppendInt([]byte(`{"denies": `), int64(s.denies), 10)
	b = strconv.AppendBool(append(b, `, "open": `...), s.open)
	return append(b, "}\n"...)
}

// parse reads a state. It is strict: whatever it does not know well is an error, and an error is an open breaker.
func parse(text []byte, threshold int) (state, error) {
	if len(text) > maxBytes {
		return state{}, fmt.Errorf("got more than %d bytes", maxBytes)
	}
	p := parser{text: text}
	s, err := p.object()
	if err != nil {
		return state{}, err
	}
	if s.denies > threshold {
		return state{}, fmt.Errorf("got the count %d, want 0 to the threshold %d", s.denies, threshold)
	}
	if s.denies == threshold && !s.open {
		return state{}, fmt.Errorf("got the count %d, which is the threshold, and yet open is false", s.denies)
	}
	return s, nil
}

// parser reads one small object. It is no JSON reader: it knows the two keys and the three kinds of token that a state
// can be made of, so that no leniency of a general one gets in (folded or escaped keys, repeated keys, 5.0, 5e0).
type parser struct {
	text []byte
	at   int
}

func (p *parser) object() (state, error) {
	var s state
	var denies, open bool
	switch p.space(); {
	case p.at == len(p.text):
		return s, errors.New("got an empty file")
	case !p.skip("{"):
		return s, p.unwanted(`"{"`)
	}
	for {
		key, err := p.key()
		switch {
		case err != nil:
			return s, err
		case key == "denies" && !denies:
			denies = true
			s.denies, err = p.count()
		case key == "open" && !open:
			open = true
			s.open, err = p.bool()
		case key == "denies" || key == "open":
			return s, fmt.Errorf("got the key %q twice", key)
		default:
			return s, fmt.Errorf("got the unknown key %.64q", key)
		}
		if err != nil {
			return s, err
		}
		if p.space(); !p.skip(",") {
			break
		}
	}
	if !p.skip("}") {
		return s, p.unwanted(`"," or "}"`)
	}
	if p.space(); p.at < len(p.text) {
		return s, fmt.Errorf("got text after the object, at byte %d", p.at)
	}
	if !denies {
		return s, errors.New(`got no key "denies"`)
	}
	if !open {
		return s, errors.New(`got no key "open"`)
	}
	return s, nil
}

// key reads a key and the colon after it, with the white space around both.
func (p *parser) key() (string, error) {
	if p.space(); !p.skip(`"`) {
		return "", p.unwanted("a key")
	}
	start := p.at
	for p.at < len(p.text) && p.text[p.at] != '"' {
		p.at++
	}
	key := string(p.text[start:p.at])
	if !p.skip(`"`) {
		return "", p.unwanted("the end of a key")
	}
	if p.space(); !p.skip(":") {
		return "", p.unwanted(`":"`)
	}
	p.space()
	return key, nil
}

// count reads a whole number of at most 18 digits, which fits an int64 for sure.
func (p *parser) count() (int, error) {
	start := p.at
	for p.at < len(p.text) && '0' <= p.text[p.at] && p.text[p.at] <= '9' {
		p.at++
	}
	digits := p.text[start:p.at]
	n, err := strconv.Atoi(string(digits))
	if err != nil || len(digits) > 18 || len(digits) > 1 && digits[0] == '0' {
		p.at = start
		return 0, p.unwanted("the count, a whole number from 0")
	}
	return n, nil
}

func (p *parser) bool() (bool, error) {
	if p.skip("true") {
		return true, nil
	}
	if p.skip("false") {
		return false, nil
	}
	return false, p.unwanted("true or false")
}

// space skips JSON's four kinds of white space.
func (p *parser) space() {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		default:
			return
		}
	}
}

// skip goes past token where it stands next, and says so.
func (p *parser) skip(token string) bool {
	if end := p.at + len(token); end <= len(p.text) && string(p.text[p.at:end]) == token {
		p.at = end
		return true
	}
	return false
}

// unwanted says what stands where something else is wanted.
func (p *parser) unwanted(want string) error {
	if p.at == len(p.text) {
		return fmt.Errorf("got the end of the file, want %s", want)
	}
	return fmt.Errorf("got %.8q at byte %d, want %s", p.text[p.at:], p.at, want)
}
