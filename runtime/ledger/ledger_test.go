package ledger

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

func start(room int, log *slog.Logger) *Recorder {
	r := new(Recorder)
	r.Start([]string{"lookup_plan", "write_note"}, room, log)
	return r
}

// brief prints entries as "tool CODE xcount late" lines.
func brief(l *Ledger) string {
	var lines []string
	for _, e := range l.Entries() {
		line := fmt.Sprintf("%s %s x%d", e.Tool, e.Code, e.Count)
		if e.Late != 0 {
			line += " late " + e.Late.String()
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func TestRecordIsSmall(t *testing.T) {
	if n := unsafe.Sizeof(record{}); n > 32 {
		t.Errorf("a record takes %d bytes, want at most 32", n)
	}
}

func TestEntryComesBack(t *testing.T) {
	r := start(8, nil)
	want := []Entry{
		{Tool: "lookup_plan", Code: verdict.OK, Elapsed: 1500 * time.Nanosecond, Count: 1},
		{Tool: "write_note", Code: verdict.DryRun, DryRun: true, Count: 1},
		{Tool: `"no such\n"`, Code: verdict.UnknownTool, Detail: "no tool of that name", Elapsed: time.Hour * 1000, Count: 1},
		{Tool: "lookup_plan", Code: verdict.Timeout, Detail: "late", Count: 1, Late: verdict.HandlerPanic},
	}
	ctx := context.Background()
	r.Add(ctx, 0, want[0], true)
	r.Add(ctx, 1, Entry{Tool: "not read", Code: verdict.DryRun, DryRun: true, Count: 99, Late: verdict.OK}, true)
	r.Add(ctx, -1, want[2], true)
	i := r.Add(ctx, 0, want[3], true)
	r.Late(ctx, i, verdict.HandlerPanic)
	r.Late(ctx, -1, verdict.OK)
	r.Late(ctx, 4, verdict.OK)
	got := r.Ledger().Entries()
	if !slices.Equal(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
	got[0].Code = verdict.Busy
	if r.Ledger().Entries()[0].Code != verdict.OK {
		t.Error("Entries is not a copy")
	}
}

func TestNilLedgerIsEmpty(t *testing.T) {
	var l *Ledger
	var b bytes.Buffer
	if l.Entries() != nil || l.WriteJSONLines(&b) != nil || b.Len() != 0 || l.WriteTable(&b) != nil {
		t.Errorf("got %q", b.String())
	}
}

func TestFolding(t *testing.T) {
	type add struct {
		tool     int
		code     verdict.Code
		detail   string
		reserved bool
	}
	ok := add{0, verdict.OK, "", true}
	over := func(tool int) add { return add{tool, verdict.BudgetRequest, "used up", false} }
	open := func(tool int) add { return add{tool, verdict.BreakerOpen, "open", false} }
	for _, tt := range []struct {
		name string
		room int
		adds []add
		want string
	}{
		{"equal calls that reserve have their own", 4, []add{ok, ok}, "lookup_plan OK x1\nlookup_plan OK x1"},
		{"equal refusals in a row", 4, []add{open(0), open(0), open(0)}, "lookup_plan BREAKER_OPEN x3"},
		{"another tool between", 4, []add{open(0), open(1), open(0)}, "lookup_plan BREAKER_OPEN x1\nwrite_note BREAKER_OPEN x1\nlookup_plan BREAKER_OPEN x1"},
		{"another detail", 4, []add{open(0), {0, verdict.BreakerOpen, "locked", false}}, "lookup_plan BREAKER_OPEN x1\nlookup_plan BREAKER_OPEN x1"},
		{"never into one that reserved", 4, []add{{0, verdict.BudgetRequest, "used up", true}, over(0)}, "lookup_plan BUDGET_REQUEST x1\nlookup_plan BUDGET_REQUEST x1"},
		{"full, one tool", 1, []add{ok, over(0), over(0)}, "lookup_plan OK x1\nlookup_plan BUDGET_REQUEST x2"},
		{"full, several tools", 1, []add{ok, over(0), over(1), over(-1), over(0)}, "lookup_plan OK x1\n BUDGET_REQUEST x4"},
		{"full, two codes", 1, []add{ok, over(0), open(0), over(0), open(0)}, "lookup_plan OK x1\nlookup_plan BUDGET_REQUEST x2\nlookup_plan BREAKER_OPEN x2"},
		{"no room at all", 0, []add{over(0), over(1)}, " BUDGET_REQUEST x2"},
		{"loose ones do not take the room of reserved ones", 2, []add{open(0), open(1), open(0), ok, ok}, "lookup_plan BREAKER_OPEN x1\nwrite_note BREAKER_OPEN x1\nlookup_plan BREAKER_OPEN x1\nlookup_plan OK x1\nlookup_plan OK x1"},
	} {
		r := start(tt.room, nil)
		for _, a := range tt.adds {
			r.Add(context.Background(), a.tool, Entry{Code: a.code, Detail: a.detail}, a.reserved)
		}
		if got := brief(r.Ledger()); got != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

// TestFloodIsBounded: whatever order refusals come in, the ledger stays small, and no call is lost from the counts.
func TestFloodIsBounded(t *testing.T) {
	const room, flood = 20, 5000
	r := start(room, nil)
	codes := []verdict.Code{verdict.BreakerOpen, verdict.BudgetRequest, verdict.Cancelled}
	for i := range flood {
		e := Entry{Tool: fmt.Sprintf("made_up_%d", i), Code: codes[i%3], Detail: fmt.Sprint(i)}
		r.Add(context.Background(), -1, e, false)
		if i%(flood/room) == 0 {
			r.Add(context.Background(), 0, Entry{Code: verdict.OK}, true)
		}
	}
	entries := r.Ledger().Entries()
	if len(entries) > room+maxLoose+len(codes) {
		t.Errorf("got %d entries", len(entries))
	}
	ok, refused := 0, 0
	for _, e := range entries {
		if e.Code == verdict.OK {
			ok += e.Count
		} else {
			refused += e.Count
		}
	}
	if ok != room || refused != flood {
		t.Errorf("got %d and %d, want %d and %d", ok, refused, room, flood)
	}
}

func TestRoomIsCapped(t *testing.T) {
	for room, want := range map[int]int{-1: 1, 0: 1, 8: 8, 64: 64, 1 << 40: 64} {
		if got := cap(start(room, nil).ledger.records); got != want {
			t.Errorf("room %d: %d records made ahead, want %d", room, got, want)
		}
	}
}

func TestConcurrent(t *testing.T) {
	r := start(400, slog.New(slog.DiscardHandler))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 100 {
				i := r.Add(context.Background(), 0, Entry{Code: verdict.Timeout}, true)
				r.Add(context.Background(), 1, Entry{Code: verdict.BreakerOpen}, false)
				r.Late(context.Background(), i, verdict.OK)
				r.Ledger().Entries()
			}
		})
	}
	wg.Wait()
	late, open := 0, 0
	for _, e := range r.Ledger().Entries() {
		if e.Code == verdict.Timeout && e.Late == verdict.OK {
			late++
		} else {
			open += e.Count
		}
	}
	if late != 400 || open != 400 {
		t.Errorf("got %d late and %d open, want 400 each", late, open)
	}
}

func TestJSONLines(t *testing.T) {
	r := start(8, nil)
	ctx := context.Background()
	r.Add(ctx, 0, Entry{Code: verdict.OK, Elapsed: 1999 * time.Nanosecond}, true)
	i := r.Add(ctx, 1, Entry{Code: verdict.Timeout, Elapsed: 40 * time.Millisecond, Detail: "<a> & \u2028\nb"}, true)
	r.Late(ctx, i, verdict.HandlerError)
	r.Add(ctx, -1, Entry{Tool: "x", Code: verdict.BudgetRequest, DryRun: true}, false)
	var b bytes.Buffer
	if err := r.Ledger().WriteJSONLines(&b); err != nil {
		t.Fatal(err)
	}
	want := `{"tool":"lookup_plan","code":"OK","dry_run":false,"elapsed_us":1,"count":1}
{"tool":"write_note","code":"TIMEOUT","dry_run":false,"elapsed_us":40000,"detail":"<a> & \u2028\nb","count":1,"late":"HANDLER_ERROR"}
{"tool":"x","code":"BUDGET_REQUEST","dry_run":true,"elapsed_us":0,"count":1}
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
	if text, err := json.Marshal(Entry{}); err == nil {
		t.Errorf("an entry without a code marshals as %s", text)
	}
}

func TestTable(t *testing.T) {
	r := start(1, nil)
	ctx := context.Background()
	r.Add(ctx, 0, Entry{Code: verdict.OK, Elapsed: 1234567 * time.Nanosecond}, true)
	r.Add(ctx, 0, Entry{Code: verdict.BudgetRequest, DryRun: true, Detail: "used up"}, false)
	r.Add(ctx, 1, Entry{Code: verdict.BudgetRequest, DryRun: true, Detail: "used up"}, false)
	var b bytes.Buffer
	if err := r.Ledger().WriteTable(&b); err != nil {
		t.Fatal(err)
	}
	want := `TOOL         CODE            RUN   ELAPSED  COUNT  LATE  DETAIL
lookup_plan  OK              live  1.235ms  1      -     -
(several)    BUDGET_REQUEST  dry   0s       2      -     used up
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

type fullDisk struct{}

var errFull = errors.New("disk full")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestWriteErrors(t *testing.T) {
	r := start(1, nil)
	r.Add(context.Background(), 0, Entry{Code: verdict.OK}, true)
	if err := r.Ledger().WriteTable(fullDisk{}); !errors.Is(err, errFull) {
		t.Errorf("table: got %v", err)
	}
	if err := r.Ledger().WriteJSONLines(fullDisk{}); !errors.Is(err, errFull) {
		t.Errorf("lines: got %v", err)
	}
}

func TestLog(t *testing.T) {
	var b bytes.Buffer
	drop := func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}
	r := start(2, slog.New(slog.NewTextHandler(&b, &slog.HandlerOptions{ReplaceAttr: drop})))
	ctx := context.Background()
	r.Add(ctx, 0, Entry{Code: verdict.OK, Elapsed: time.Millisecond}, true)
	i := r.Add(ctx, 1, Entry{Code: verdict.Timeout, Detail: "too late"}, true)
	r.Add(ctx, -1, Entry{Tool: "x", Code: verdict.BudgetRequest}, false)
	r.Add(ctx, -1, Entry{Tool: "x", Code: verdict.BudgetRequest}, false) // folded: no line
	r.Late(ctx, i, verdict.OK)
	want := `level=INFO msg="tool call" tool=lookup_plan code=OK dry_run=false elapsed=1ms
level=WARN msg="tool call" tool=write_note code=TIMEOUT dry_run=false elapsed=0s detail="too late"
level=WARN msg="tool call" tool=x code=BUDGET_REQUEST dry_run=false elapsed=0s
level=WARN msg="late tool result" tool=write_note code=TIMEOUT late=OK
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}
