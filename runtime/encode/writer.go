package encode

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"
)

// maxDepth is how deep values may nest. The strict reader allows 32; the rest is room for a clear refusal there, and the
// cap is for values that hold themselves.
const maxDepth = 64

// maxKept is how many bytes of buffer a Writer keeps from one document to the next.
const maxKept = 1 << 20

// Writer writes one JSON document at a time into a buffer that it keeps. The zero Writer is ready to use. It is not safe
// for concurrent use.
type Writer struct {
	buf   []byte
	depth int
	comma bool // the next name or list item needs a comma before it
	max   int  // bytes; 0 for no cap
	err   error
}

// TooLong is the error of a document that is longer than its cap.
type TooLong struct {
	// Max is the cap in bytes.
	Max int
}

// Error says what the cap is.
func (e TooLong) Error() string {
	return fmt.Sprintf("got more than %d bytes, want at most that", e.Max)
}

// Reset forgets the document and the error, and keeps the buffer, unless that has grown over 1 MiB.
func (w *Writer) Reset() {
	if cap(w.buf) > maxKept {
		w.buf = nil
	}
	*w = Writer{buf: w.buf[:0]}
}

// Limit caps the document, until the next Reset, at maxBytes bytes; 0 is no cap. Past it the error is a TooLong, and nothing
// more is kept: a value that shares its parts can be small in memory and without end on paper.
func (w *Writer) Limit(maxBytes int) { w.max = maxBytes }

// Document returns the bytes written since the last Reset. They are the Writer's own: a call of any other method may
// change them. Where Err is not nil they are not the document that was meant.
func (w *Writer) Document() []byte { return w.buf }

// Err returns the first thing that JSON could not hold, nil if there was none.
func (w *Writer) Err() error { return w.err }

// Object opens an object and returns true. Each member is a Key followed by one value; EndObject closes it. Below 64
// levels, and after any error, it returns false: then it has written null, and neither members nor EndObject may follow.
// Code that writes a type that can hold itself must heed this, or it would not end on a value that does.
func (w *Writer) Object() bool { return w.open('{') }

// EndObject closes the object that Object opened last.
func (w *Writer) EndObject() { w.close('}') }

// List opens a list and returns true. Each item is one value; EndList closes it. It returns false where Object does.
func (w *Writer) List() bool { return w.open('[') }

// EndList closes the list that List opened last.
func (w *Writer) EndList() { w.close(']') }

// Key writes the name of a member and its colon. The next call writes the member's value.
func (w *Writer) Key(k string) {
	w.next()
	w.buf = append(appendText(w.buf, k), ':')
	w.comma = false
}

// String writes s as a JSON string. Quotes, backslashes and control characters are escaped; everything else is passed
// on as it is, without HTML escapes, and invalid UTF-8 stays invalid.
func (w *Writer) String(s string) {
	w.next()
	w.buf = appendText(w.buf, s)
}

// Int writes n in decimal.
func (w *Writer) Int(n int64) {
	w.next()
	w.buf = strconv.AppendInt(w.buf, n, 10)
}

// Float writes f in the shortest form that reads back as f, with an exponent below 1e-6 and from 1e21 up. NaN and the
// infinities are an error.
func (w *Writer) Float(f float64) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		w.fail(errors.New("got NaN or an infinity, want a finite number"))
		return
	}
	w.next()
	if abs := math.Abs(f); abs == 0 || 1e-6 <= abs && abs < 1e21 {
		w.buf = strconv.AppendFloat(w.buf, f, 'f', -1, 64)
		return
	}
	w.buf = strconv.AppendFloat(w.buf, f, 'e', -1, 64)
	// strconv pads an exponent to two digits: 1e-07.
	if n := len(w.buf); w.buf[n-2] == '0' && (w.buf[n-3] == '-' || w.buf[n-3] == '+') {
		w.buf[n-2] = w.buf[n-1]
		w.buf = w.buf[:n-1]
	}
}

// Bool writes true or false.
func (w *Writer) Bool(b bool) {
	w.next()
	w.buf = strconv.AppendBool(w.buf, b)
}

// Null writes null.
func (w *Writer) Null() {
	w.next()
	w.buf = append(w.buf, "null"...)
}

// Time writes t in RFC 3339 with as many fraction digits as it needs, at most 9, in t's own offset. A year outside 0 to
// 9999 and an offset that is no whole number of minutes or 24 hours or more are errors: RFC 3339 cannot say them.
func (w *Writer) Time(t time.Time) {
	if y := t.Year(); y < 0 || y > 9999 {
		w.fail(fmt.Errorf("got a time in the year %d, want 0 to 9999", y))
		return
	}
	if _, offset := t.Zone(); offset%60 != 0 || offset <= -24*3600 || offset >= 24*3600 {
		w.fail(fmt.Errorf("got a time with an offset of %d seconds, want whole minutes, less than a day", offset))
		return
	}
	w.next()
	w.buf = append(w.buf, '"')
	w.buf = t.AppendFormat(w.buf, time.RFC3339Nano)
	w.buf = append(w.buf, '"')
}

// Bytes writes b in base64, standard alphabet, padded. A nil b is "".
func (w *Writer) Bytes(b []byte) {
	w.next()
	w.buf = append(w.buf, '"')
	w.buf = base64.StdEncoding.AppendEncode(w.buf, b)
	w.buf = append(w.buf, '"')
}

// JSON writes raw as it is. A nil or empty raw is null. What is not one JSON value is an error: text such as 1,"b":2 would
// write members that nobody set, and the reader that checks the document afterwards could not tell.
func (w *Writer) JSON(raw json.RawMessage) {
	if len(raw) == 0 {
		w.Null()
		return
	}
	if !json.Valid(raw) {
		w.fail(errors.New("got raw JSON that is not one JSON value"))
		return
	}
	w.next()
	w.buf = append(w.buf, raw...)
}

// next writes the comma that the value or name to come needs.
func (w *Writer) next() {
	w.weigh()
	if w.comma {
		w.buf = append(w.buf, ',')
	}
	w.comma = true
}

// open stops at the first error: a value that holds itself twice would otherwise be walked 2^64 times.
func (w *Writer) open(c byte) bool {
	w.weigh()
	if w.err == nil && w.depth == maxDepth {
		w.err = fmt.Errorf("got values nested deeper than %d, want fewer levels", maxDepth)
	}
	if w.err != nil {
		w.Null()
		return false
	}
	w.next()
	w.buf = append(w.buf, c)
	w.comma = false
	w.depth++
	return true
}

func (w *Writer) close(c byte) {
	w.buf = append(w.buf, c)
	w.comma = true
	w.depth--
}

// weigh holds the document to its cap. Past it there is no document any more, so that memory is held to the cap too.
func (w *Writer) weigh() {
	if w.max == 0 || len(w.buf) <= w.max {
		return
	}
	if w.err == nil {
		w.err = TooLong{w.max}
	}
	w.buf = w.buf[:0]
}

// fail notes the error and keeps the document well-formed.
func (w *Writer) fail(err error) {
	if w.err == nil {
		w.err = err
	}
	w.Null()
}
