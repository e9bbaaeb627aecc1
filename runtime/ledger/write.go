package ledger

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// MarshalJSON returns {"tool","code","dry_run","elapsed_us","detail","count","late"}: elapsed_us in whole microseconds,
// rounded down; detail and late left out where they are empty.
func (e Entry) MarshalJSON() ([]byte, error) {
	line := struct {
		Tool      string       `json:"tool"`
		Code      verdict.Code `json:"code"`
		DryRun    bool         `json:"dry_run"`
		ElapsedUS int64        `json:"elapsed_us"`
		Detail    string       `json:"detail,omitempty"`
		Count     int          `json:"count"`
		Late      verdict.Code `json:"late,omitempty"`
	}{e.Tool, e.Code, e.DryRun, e.Elapsed.Microseconds(), e.Detail, e.Count, e.Late}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(line); err != nil {
		return nil, err
	}
	return bytes.TrimRight(buf.Bytes(), "\n"), nil
}

// WriteJSONLines writes each entry as one line of JSON, with the members of Entry.MarshalJSON. The error is that of w.
func (l *Ledger) WriteJSONLines(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, e := range l.Entries() {
		if err := enc.Encode(e); err != nil {
			return fmt.Errorf("ledger: %w", err)
		}
	}
	return nil
}

// WriteTable writes the entries as aligned text, a head line and then a line each, for a person. The error is that of w.
func (l *Ledger) WriteTable(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "TOOL\tCODE\tRUN\tELAPSED\tCOUNT\tLATE\tDETAIL\n")
	for _, e := range l.Entries() {
		tool, run, late, detail := e.Tool, "live", "-", e.Detail
		if tool == "" {
			tool = "(several)"
		}
		if e.DryRun {
			run = "dry"
		}
		if e.Late != 0 {
			late = e.Late.String()
		}
		if detail == "" {
			detail = "-"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%d\t%s\t%s\n", tool, e.Code, run, e.Elapsed.Round(time.Microsecond), e.Count, late, detail)
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	return nil
}
