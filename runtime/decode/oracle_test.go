package decode_test

import (
	"bytes"
	"encoding/json"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/toolfreeze/toolfreeze/runtime/decode"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// TestConformance reads every file of JSONTestSuite as a json value.
func TestConformance(t *testing.T) {
	data := os.Getenv("TOOLFREEZE_DATA")
	if data == "" {
		t.Skip("TOOLFREEZE_DATA is not set: the files of JSONTestSuite are not read")
	}
	files, err := filepath.Glob(filepath.Join(data, "conformance", "json-test-suite", "*.json"))
	if err != nil || len(files) < 300 {
		t.Fatalf("got %d files (%v), want over 300", len(files), err)
	}
	// What the suite calls valid and this reader refuses.
	stricter := map[string]verdict.Code{
		"y_object_duplicated_key.json":           verdict.BadKeys,
		"y_object_duplicated_key_and_value.json": verdict.BadKeys,
		"y_object_escaped_null_in_key.json":      verdict.BadJSON,
		"y_string_null_escape.json":              verdict.BadJSON,
		"n_structure_no_data.json":               verdict.OK, // zero bytes are {}
	}
	var r decode.Reader
	for _, f := range files {
		doc, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(f)
		var v json.RawMessage
		r.Reset(nil, doc, 1<<20)
		r.JSON(&v)
		r.End()
		want, known := stricter[name]
		switch {
		case known:
			if r.Code() != want {
				t.Errorf("%s: got %s %q, want %s", name, r.Code(), r.Faults(), want)
			}
		case name[0] == 'y' && r.Code() != verdict.OK:
			t.Errorf("%s: got %s %q, want OK", name, r.Code(), r.Faults())
		case name[0] == 'n' && r.Code() == verdict.OK:
			t.Errorf("%s: got OK, want a refusal", name)
		}
	}
}

// oracle says what the reader must answer for doc as a json value, by another library: the codes that are right.
func oracle(doc []byte) []verdict.Code {
	if len(doc) == 0 {
		return []verdict.Code{verdict.OK}
	}
	// Duplicates are judged last, since a lexical fault behind them comes first.
	lax := jsontext.AllowDuplicateNames(true)
	dec := jsontext.NewDecoder(bytes.NewReader(doc), lax)
	tooDeep, nul := false, false
	for {
		token, err := dec.ReadToken()
		if err == io.EOF {
			break
		}
		if err != nil {
			return lexical(tooDeep, true)
		}
		tooDeep = tooDeep || dec.StackDepth() > 32
		nul = nul || token.Kind() == '"' && strings.Contains(token.String(), "\x00")
	}
	switch {
	case !jsontext.Value(doc).IsValid(lax): // none or two values
		return lexical(tooDeep, true)
	case tooDeep || nul:
		return lexical(tooDeep, nul)
	case !jsontext.Value(doc).IsValid():
		return []verdict.Code{verdict.BadKeys}
	}
	return []verdict.Code{verdict.OK}
}

// lexical are the codes of a document that is too deep, or no good text, or both in an order that is not known here.
func lexical(tooDeep, bad bool) []verdict.Code {
	switch {
	case tooDeep && bad:
		return []verdict.Code{verdict.TooDeep, verdict.BadJSON}
	case tooDeep:
		return []verdict.Code{verdict.TooDeep}
	}
	return []verdict.Code{verdict.BadJSON}
}

// FuzzOracle compares the reading of any value with another strict library.
func FuzzOracle(f *testing.F) {
	for _, d := range hostile() {
		if len(d.doc) < 1<<16 {
			f.Add([]byte(d.doc))
		}
	}
	f.Add([]byte(`"\ud83d\ude00é\\\/"`))
	f.Add([]byte(`[1e5,-0.0,1E+400,0.1e-7]`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		var r decode.Reader
		var raw json.RawMessage
		r.Reset(nil, doc, len(doc))
		r.JSON(&raw)
		r.End()
		want := oracle(doc)
		if got := r.Code(); got != want[0] && got != want[len(want)-1] {
			t.Fatalf("got %s %q, want %s", got, r.Faults(), want)
		}
		if r.Code() != verdict.OK || len(doc) == 0 {
			return
		}
		if got := bytes.Trim(doc, " \t\r\n"); !bytes.Equal(raw, got) {
			t.Fatalf("got %q, want %q", raw, got)
		}
		checkScalar(t, raw)
	})
}

// checkScalar compares the values of a string or a number with those of other libraries.
func checkScalar(t *testing.T, raw []byte) {
	var r decode.Reader
	switch c := raw[0]; {
	case c == '"':
		var got, want string
		r.Reset(nil, raw, len(raw))
		r.String(&got)
		r.End()
		if err := json.Unmarshal(raw, &want); err != nil || got != want || r.Code() != verdict.OK {
			t.Fatalf("got %q %s, want %q (%v)", got, r.Code(), want, err)
		}
	case c == '-' || c-'0' <= 9:
		checkNumber(t, raw)
	}
}

// checkNumber compares the int and the float that raw is with exact arithmetic.
func checkNumber(t *testing.T, raw []byte) {
	var r decode.Reader
	var f, wantFloat float64
	r.Reset(nil, raw, len(raw))
	r.Float(&f)
	if err := json.Unmarshal(raw, &wantFloat); (err == nil) != (r.Code() == verdict.OK) || f != wantFloat {
		t.Fatalf("got %v %s, want %v (%v)", f, r.Code(), wantFloat, err)
	}
	if i := bytes.IndexAny(raw, "eE"); i >= 0 && len(raw)-i > 5 {
		return // exact arithmetic would take all memory
	}
	exact, ok := new(big.Rat).SetString(string(raw))
	if !ok {
		t.Fatalf("%q is no number", raw)
	}
	want := verdict.OK
	switch {
	case !exact.IsInt():
		want = verdict.BadType
	case !exact.Num().IsInt64():
		want = verdict.BadValue
	}
	n := int64(-1)
	r.Reset(nil, raw, len(raw))
	decode.Int(&r, &n)
	if r.Code() != want || want == verdict.OK && n != exact.Num().Int64() {
		t.Fatalf("%q: got %d %s, want %s %s", raw, n, r.Code(), exact, want)
	}
}
