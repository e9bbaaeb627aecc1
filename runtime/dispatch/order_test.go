package dispatch

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/toolfreeze/toolfreeze/runtime/decode"
	"github.com/toolfreeze/toolfreeze/runtime/encode"
	"github.com/toolfreeze/toolfreeze/runtime/opt"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

func TestBodies(t *testing.T) {
	h := &tools{}
	g, _ := live(t, h)
	long := strings.Repeat("x", 70)
	for _, tt := range []struct {
		name, tool, args string
		limits           []Limit
		want             string
	}{
		{"result", "echo", `{"text":"a"}`, nil, `{"text":"a","score":1}`},
		{"no result", "ping", ``, nil, `{}`},
		{"no result, empty object", "ping", ` {} `, nil, `{}`},
		{"result with line breaks", "keep", "{\"value\":[1,\r\n2, \"a\\nb\"]}", nil, `{"value":[1,2, "a\nb"]}`},
		{"dry", "echo", `{"text":"a"}`, []Limit{Dry()}, `{"dry_run":true,"tool":"echo","args":{"text":"a"}}`},
		{"dry, as sent", "echo", "{ \"text\" :\t\"\\u0061<\"}", []Limit{Dry()}, "{\"dry_run\":true,\"tool\":\"echo\",\"args\":{ \"text\" :\t\"\\u0061<\"}}"},
		{"dry, with line breaks", "echo", "{\n  \"text\": \"a\"\r\n}\n", []Limit{Dry()}, `{"dry_run":true,"tool":"echo","args":{  "text": "a"}}`},
		{"dry, nothing sent", "ping", "", []Limit{Dry()}, `{"dry_run":true,"tool":"ping","args":{}}`},
		{"request budget", "ping", ``, []Limit{MaxCalls(0)}, `{"code":"BUDGET_REQUEST","detail":"the budget of 0 calls for this request is used up; call no more tools, answer with what you have"}`},
		{"tool budget", "ping", ``, []Limit{ToolMaxCalls("ping", 0)}, `{"code":"BUDGET_TOOL","detail":"the budget of 0 calls for ping in this request is used up; do not call it again, go on without it"}`},
		{"unknown, near", "pimg", ``, nil, `{"code":"UNKNOWN_TOOL","detail":"there is no tool pimg; did you mean ping?"}`},
		{"unknown, case", "Ping", ``, nil, `{"code":"UNKNOWN_TOOL","detail":"there is no tool Ping; did you mean ping?"}`},
		{"unknown, far", "rm -rf\n", ``, nil, `{"code":"UNKNOWN_TOOL","detail":"there is no tool \"rm -rf\\n\"; want one of echo, ping, keep"}`},
		{"unknown, empty", "", ``, nil, `{"code":"UNKNOWN_TOOL","detail":"there is no tool \"\"; want one of echo, ping, keep"}`},
		{"unknown, long", long, ``, nil, `{"code":"UNKNOWN_TOOL","detail":"there is no tool \"` + long[:64] + `\"...; want one of echo, ping, keep"}`},
	} {
		q := request(t, g, tt.limits...)
		a := q.Call(t.Context(), tt.tool, []byte(tt.args), h.find)
		if string(a.Body) != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, a.Body, tt.want)
		}
		check(t, a, a.Code)
		if a.Denial != nil && a.Denial.Tool != verdict.Show(tt.tool) || q.Ledger().Entries()[0].Tool != verdict.Show(tt.tool) {
			t.Errorf("%s: the denial and the ledger name the tools %s and %s", tt.name, a.Denial.Tool, q.Ledger().Entries()[0].Tool)
		}
	}
}

// FuzzCall: whatever is called, the answer is one line of JSON with a code of the set, and one entry.
func FuzzCall(f *testing.F) {
	for _, s := range [][2]string{
		{"echo", `{"text":"a","factor":0.5}`}, {"echo", `{"text":5}`}, {"ping", ""}, {"keep", "{\"value\":[1,\r\n{}]}"},
		{"pong", "{"}, {"", "\xff"}, {"\u212aeep", `{"value":"\u2028"}`},
	} {
		f.Add(s[0], []byte(s[1]), false)
		f.Add(s[0], []byte(s[1]), true)
	}
	h := &tools{}
	f.Setenv(liveEnv, "1")
	c := freeze()
	for i := range c.Tools {
		c.Tools[i].MaxMS = 60000
	}
	g, err := New(frozen(c), h)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, name string, args []byte, dry bool) {
		var limits []Limit
		if dry {
			limits = append(limits, Dry())
		}
		q, err := g.Request(limits...)
		if err != nil {
			t.Fatal(err)
		}
		a := q.Call(t.Context(), name, args, h.find)
		check(t, a, a.Code)
		if a.Code.String() == "NO_VERDICT" || a.Code == verdict.OK && dry {
			t.Errorf("got %s", a.Code)
		}
		if e := q.Ledger().Entries(); len(e) != 1 || e[0].Code != a.Code {
			t.Errorf("got %s and the entries %+v", a.Code, e)
		}
	})
}

// TestArguments: step 5 reports every fault, and the code is the first in the order of the codes.
func TestArguments(t *testing.T) {
	h := &tools{echo: nil}
	g, _ := live(t, h)
	for _, tt := range []struct {
		args   string
		code   verdict.Code
		faults int
	}{
		{``, verdict.BadKeys, 1},
		{`{"text":"a"`, verdict.BadJSON, 1},
		{`{"text":"a"} {}`, verdict.BadJSON, 1},
		{"{\"text\":\"\xff\"}", verdict.BadJSON, 1},
		{`null`, verdict.BadType, 1},
		{`{"text":5}`, verdict.BadType, 1},
		{`{"text":"123456789"}`, verdict.BadValue, 1},
		{`{"text":"123456789","factor":"x","Text":1}`, verdict.BadKeys, 3},
		{`{"text":"a","text":"b"}`, verdict.BadKeys, 1},
		{`{"text":"` + strings.Repeat("a", 300) + `"}`, verdict.ArgsTooLarge, 1},
		{`{"text":` + strings.Repeat("[", 40), verdict.TooDeep, 2},
	} {
		a := request(t, g).Call(t.Context(), "echo", []byte(tt.args), h.find)
		check(t, a, tt.code)
		if len(a.Denial.Faults) != tt.faults || !slices.ContainsFunc(a.Denial.Faults, func(f verdict.Fault) bool { return f.Code == tt.code }) {
			t.Errorf("%.40q: got %+v, want %d faults with %s", tt.args, a.Denial.Faults, tt.faults, tt.code)
		}
		if more := strings.Contains(a.Denial.Detail, "more fault"); more != (tt.faults > 1) {
			t.Errorf("%.40q: got the detail %q", tt.args, a.Denial.Detail)
		}
	}
}

// TestSettled: of all codes, these are what step 5 may end in.
func TestSettled(t *testing.T) {
	const step5 = "OK ARGS_TOO_LARGE TOO_DEEP BAD_JSON BAD_KEYS BAD_PATH PATH_ESCAPE BAD_TYPE BAD_VALUE BAD_CONTENT TOO_LARGE"
	for c := range verdict.Busy + 10 {
		want := verdict.BadJSON
		if slices.Contains(strings.Fields(step5), c.String()) {
			want = c
		}
		if got := settled(c); got != want {
			t.Errorf("%s: got %s, want %s", c, got, want)
		}
	}
}

func TestSummary(t *testing.T) {
	f := func(c verdict.Code, path string) verdict.Fault {
		return verdict.Fault{Code: c, Path: path, Want: "want x"}
	}
	for _, tt := range []struct {
		faults []verdict.Fault
		want   string
	}{
		{nil, "the arguments are refused"},
		{[]verdict.Fault{f(verdict.BadKeys, "$.a")}, "$.a: want x"},
		{[]verdict.Fault{f(verdict.BadValue, "$.a"), f(verdict.BadKeys, "$.b")}, "$.b: want x (and 1 more fault)"},
		{[]verdict.Fault{f(verdict.BadValue, "$.a"), f(verdict.BadType, "$.b"), f(verdict.BadType, "$.c")}, "$.a: want x (and 2 more faults)"},
	} {
		if got := summary(verdict.BadKeys, tt.faults); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

// TestHandlerOwnsItsCopy: the caller may use the bytes of a call again once it has answered.
func TestHandlerOwnsItsCopy(t *testing.T) {
	got := make(chan echoArgs, 2)
	h := &tools{echo: func(_ context.Context, in echoArgs) (echoResult, error) { got <- in; return echoResult{}, nil }}
	g, _ := live(t, h)
	q := request(t, g)
	args := []byte(`{"text":"abc"}`)
	check(t, q.Call(t.Context(), "echo", args, h.find), verdict.OK)
	for i := range args {
		args[i] = 'x'
	}
	check(t, q.Call(t.Context(), "echo", []byte(`{"text":"zzz"}`), h.find), verdict.OK)
	if in := <-got; in.Text != "abc" || in.Factor.Or(0) != 1 {
		t.Errorf("got %+v", in)
	}
}

// TestTyped: the application's calls pass the same steps and return the same codes.
func TestTyped(t *testing.T) {
	h := &tools{}
	g, _ := live(t, h)
	q := request(t, g)
	job := &echoJob{tools: h, in: echoArgs{Text: "a"}}
	if err := q.Do(t.Context(), echoTool, job); err != nil || job.out.Text != "a" || job.in.Factor.Or(0) != 1 {
		t.Errorf("got %v and %+v, want the text and the default filled in", err, job)
	}
	for _, tt := range []struct {
		name string
		tool int
		job  Job
		want verdict.Code
		tell string
	}{
		{"too long", echoTool, &echoJob{tools: h, in: echoArgs{Text: "123456789"}}, verdict.BadValue, "echo: BAD_VALUE: $.text: "},
		{"not UTF-8", echoTool, &echoJob{tools: h, in: echoArgs{Text: "\xff"}}, verdict.BadJSON, "echo: BAD_JSON: "},
		{"NaN", echoTool, &echoJob{tools: h, in: echoArgs{Factor: opt.Of(math.NaN())}}, verdict.BadValue, "echo: BAD_VALUE: the arguments cannot be written as JSON: "},
		{"raw text that is no JSON", keepTool, &keepJob{tools: h, in: json.RawMessage(`{`)}, verdict.BadValue, "keep: BAD_VALUE: "},
		{"raw text that adds a member", keepTool, &keepJob{tools: h, in: json.RawMessage(`1,"x":2`)}, verdict.BadValue, "keep: BAD_VALUE: "},
		{"no such tool", 3, &pingJob{tools: h}, verdict.UnknownTool, `"tool 3": UNKNOWN_TOOL: `},
	} {
		err := request(t, g).Do(t.Context(), tt.tool, tt.job)
		if !errors.Is(err, tt.want) || !strings.HasPrefix(err.Error(), tt.tell) {
			t.Errorf("%s: got %v, want %s", tt.name, err, tt.tell)
		}
	}
	err := request(t, g, Dry()).Do(t.Context(), pingTool, &pingJob{tools: h})
	var d *verdict.Denial
	if !errors.As(err, &d) || d.Code != verdict.DryRun || d.Tool != "ping" || d.Detail == "" {
		t.Errorf("dry: got %v", err)
	}
	for range 3 {
		if err := q.Do(t.Context(), echoTool, &echoJob{tools: h}); err != nil {
			t.Error(err)
		}
	}
	if err := q.Do(t.Context(), echoTool, &echoJob{tools: h}); !errors.Is(err, verdict.BudgetTool) {
		t.Errorf("fifth call: got %v", err)
	}
	if got, want := rows(q), "echo OK x1, echo OK x1, echo OK x1, echo OK x1, echo BUDGET_TOOL x1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// badJob is generated code gone wrong.
type badJob struct {
	pingJob
	decode, args, result func()
	ran                  bool
}

func call0(f func()) {
	if f != nil {
		f()
	}
}

func (j *badJob) Decode(r *decode.Reader)   { call0(j.decode); j.pingJob.Decode(r) }
func (j *badJob) Args(w *encode.Writer)     { call0(j.args); j.pingJob.Args(w) }
func (j *badJob) Result(w *encode.Writer)   { call0(j.result); j.pingJob.Result(w) }
func (j *badJob) Run(context.Context) error { j.ran = true; return nil }

// TestFailClosed: what should never happen is a refusal, and nothing runs.
func TestFailClosed(t *testing.T) {
	h := &tools{}
	g, log := live(t, h)
	boom := func() { panic("secret at /etc/x") }
	for _, tt := range []struct {
		name string
		find func(*badJob) func(string) (int, Job)
		job  badJob
		want verdict.Code
		runs bool
	}{
		{"no switch", func(*badJob) func(string) (int, Job) { return nil }, badJob{}, verdict.UnknownTool, false},
		{"index beyond", func(j *badJob) func(string) (int, Job) { return func(string) (int, Job) { return 3, j } }, badJob{}, verdict.UnknownTool, false},
		{"index below", func(j *badJob) func(string) (int, Job) { return func(string) (int, Job) { return math.MinInt, j } }, badJob{}, verdict.UnknownTool, false},
		{"no job", func(j *badJob) func(string) (int, Job) { return func(string) (int, Job) { return pingTool, nil } }, badJob{}, verdict.UnknownTool, false},
		{"another tool's index", func(j *badJob) func(string) (int, Job) { return func(string) (int, Job) { return echoTool, j } }, badJob{}, verdict.UnknownTool, false},
		{"nil pointer", func(j *badJob) func(string) (int, Job) {
			return func(string) (int, Job) { return pingTool, (*badJob)(nil) }
		}, badJob{}, verdict.BadJSON, false},
		{"decoder panics", nil, badJob{decode: boom}, verdict.BadJSON, false},
		{"result panics", nil, badJob{result: boom}, verdict.BadResult, true},
	} {
		q, j := request(t, g), tt.job
		find := func(string) (int, Job) { return pingTool, &j }
		if tt.find != nil {
			find = tt.find(&j)
		}
		a := q.Call(t.Context(), "ping", nil, find)
		check(t, a, tt.want)
		if j.ran != tt.runs {
			t.Errorf("%s: ran is %v", tt.name, j.ran)
		}
		if strings.Contains(string(a.Body), "secret") || a.Denial.Cause != nil {
			t.Errorf("%s: the answer tells: %s, %v", tt.name, a.Body, a.Denial.Cause)
		}
		// A reader that was broken off must not spoil the next call.
		check(t, q.Call(t.Context(), "echo", []byte(`{"text":"a"}`), h.find), verdict.OK)
	}
	if n := strings.Count(log.String(), `msg="decoder panic"`); n != 3 || !strings.Contains(log.String(), "secret") {
		t.Errorf("%d panics are logged, want 3", n)
	}
	j := &badJob{args: boom}
	if err := request(t, g).Do(t.Context(), pingTool, j); !errors.Is(err, verdict.BadJSON) || j.ran {
		t.Errorf("writer of arguments panics: got %v", err)
	}
	if err := request(t, g).Do(t.Context(), pingTool, nil); !errors.Is(err, verdict.UnknownTool) {
		t.Errorf("no job: got %v", err)
	}
	for _, q := range []*Request{nil, {}} {
		a := q.Call(t.Context(), "ping", nil, h.find)
		check(t, a, verdict.Cancelled)
		if err := q.Do(t.Context(), pingTool, &pingJob{tools: h}); !errors.Is(err, verdict.Cancelled) {
			t.Errorf("got %v", err)
		}
		if len(q.Ledger().Entries()) != 0 {
			t.Error("a request that was not made has entries")
		}
	}
}

func TestSuggest(t *testing.T) {
	many := []string{"a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9", "a10", "a11", "a12"}
	for _, tt := range []struct {
		name  string
		known []string
		want  string
	}{
		{"zzzzzz", many, "there is no tool zzzzzz; want one of a1, a2, a3, a4, a5, a6, a7, a8, a9, a10 or 2 others"},
		{"zzzzzz", many[:2], "there is no tool zzzzzz; want one of a1, a2"},
		{"echoo", []string{"echo"}, "there is no tool echoo; did you mean echo?"},
		{"echo" + strings.Repeat("o", 300), []string{"echo"}, `there is no tool "echo` + strings.Repeat("o", 60) + `"...; want one of echo`},
	} {
		if got := suggest(tt.name, tt.known); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

func TestElapsed(t *testing.T) {
	h := &tools{}
	g, err := NewDry(frozen(freeze()))
	if err != nil {
		t.Fatal(err)
	}
	q := request(t, g)
	before := time.Now()
	q.Call(t.Context(), "ping", nil, h.find)
	if e := q.Ledger().Entries()[0]; e.Elapsed <= 0 || e.Elapsed > time.Since(before) {
		t.Errorf("got %s", e.Elapsed)
	}
}
