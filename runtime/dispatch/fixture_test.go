package dispatch

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
	"github.com/toolfreeze/toolfreeze/runtime/decode"
	"github.com/toolfreeze/toolfreeze/runtime/encode"
	"github.com/toolfreeze/toolfreeze/runtime/opt"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// liveEnv is the variable of the freeze below.
const liveEnv = "DISPATCH_TEST_LIVE"

// The tools of the freeze below, by index.
const (
	echoTool = iota
	pingTool
	keepTool
)

func num(n int) *int { return &n }

// freeze is a small freeze: echo takes and returns text, ping takes and returns nothing, keep takes and returns any JSON.
func freeze() *catalog.Catalog {
	return &catalog.Catalog{
		API: "dispatch-test", MaxTools: 3, MaxCallsPerRequest: 6, LiveEnv: liveEnv, Providers: []string{"mcp"},
		MaxArgsBytes: 200, MaxResultBytes: 100,
		Tools: []catalog.Tool{
			{
				Name: "echo", CostClass: catalog.Local, MaxCalls: 4, MaxMS: 40,
				Args: []catalog.Field{
					{Name: "text", Type: catalog.Type{Kind: catalog.String, MaxLength: num(8)}},
					{Name: "factor", Optional: true, Default: json.RawMessage("1"), Type: catalog.Type{Kind: catalog.Float, Minimum: "0"}},
				},
				Result: []catalog.Field{
					{Name: "text", Type: catalog.Type{Kind: catalog.String, MaxLength: num(200)}},
					{Name: "score", Type: catalog.Type{Kind: catalog.Float, Maximum: "10"}},
				},
			},
			{Name: "ping", CostClass: catalog.Local, MaxCalls: 6, MaxMS: 40},
			{
				Name: "keep", CostClass: catalog.Local, MaxCalls: 2, MaxMS: 40,
				Args:   []catalog.Field{{Name: "value", Type: catalog.Type{Kind: catalog.JSON}}},
				Result: []catalog.Field{{Name: "value", Type: catalog.Type{Kind: catalog.JSON}}},
			},
		},
	}
}

// frozen is what a generated file would hold of c.
func frozen(c *catalog.Catalog) Frozen {
	text, source := string(c.JSON()), "[meta]\napi = \"dispatch-test\"\n"
	return Frozen{Catalog: text, Digest: catalog.Digest(text), Source: source, SourceDigest: catalog.SourceDigest(source)}
}

// tools are the handlers, as an application would write them; a nil one answers at once.
type tools struct {
	echo func(ctx context.Context, in echoArgs) (echoResult, error)
	ping func(ctx context.Context) error
	keep func(ctx context.Context, value json.RawMessage) (json.RawMessage, error)
}

type echoArgs struct {
	Text   string
	Factor opt.Value[float64]
}

type echoResult struct {
	Text  string
	Score float64
}

// echoJob, pingJob and keepJob are what generated code looks like.
type echoJob struct {
	tools *tools
	in    echoArgs
	out   echoResult
}

func (j *echoJob) Decode(r *decode.Reader) {
	j.in = echoArgs{}
	r.Object("text\x00factor\x00", 0b01)
	for i := r.Field(); i >= 0; i = r.Field() {
		switch i {
		case 0:
			r.String(&j.in.Text)
			r.Length(-1, 8)
		case 1:
			if !r.Null() {
				r.Float(j.in.Factor.Put())
				r.Bounds("0", "", "", "")
			}
		}
	}
	if !j.in.Factor.IsSet() {
		j.in.Factor = opt.Of(1.0)
	}
}

func (j *echoJob) Args(w *encode.Writer) {
	w.Object()
	w.Key("text")
	w.String(j.in.Text)
	if f, ok := j.in.Factor.Get(); ok {
		w.Key("factor")
		w.Float(f)
	}
	w.EndObject()
}

func (j *echoJob) Run(ctx context.Context) (err error) {
	if j.tools.echo == nil {
		j.out = echoResult{Text: j.in.Text, Score: 1}
		return nil
	}
	j.out, err = j.tools.echo(ctx, j.in)
	return err
}

func (j *echoJob) Result(w *encode.Writer) {
	w.Object()
	w.Key("text")
	w.String(j.out.Text)
	w.Key("score")
	w.Float(j.out.Score)
	w.EndObject()
}

type pingJob struct {
	NoArgs
	NoResult
	tools *tools
}

func (j *pingJob) Run(ctx context.Context) error {
	if j.tools.ping == nil {
		return nil
	}
	return j.tools.ping(ctx)
}

type keepJob struct {
	tools *tools
	in    json.RawMessage
	out   json.RawMessage
}

func (j *keepJob) Decode(r *decode.Reader) {
	r.Object("value\x00", 0b1)
	for i := r.Field(); i >= 0; i = r.Field() {
		r.JSON(&j.in)
	}
}

func (j *keepJob) Args(w *encode.Writer) {
	w.Object()
	w.Key("value")
	w.JSON(j.in)
	w.EndObject()
}

func (j *keepJob) Run(ctx context.Context) (err error) {
	if j.tools.keep == nil {
		j.out = j.in
		return nil
	}
	j.out, err = j.tools.keep(ctx, j.in)
	return err
}

func (j *keepJob) Result(w *encode.Writer) {
	w.Object()
	w.Key("value")
	w.JSON(j.out)
	w.EndObject()
}

// find is the generated switch.
func (t *tools) find(name string) (int, Job) {
	switch name {
	case "echo":
		return echoTool, &echoJob{tools: t}
	case "ping":
		return pingTool, &pingJob{tools: t}
	case "keep":
		return keepTool, &keepJob{tools: t}
	}
	return -1, nil
}

// buffer is a bytes.Buffer for several goroutines.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// live returns a live gate in front of h and what it logs.
func live(t testing.TB, h *tools) (*Gate, *buffer) {
	t.Helper()
	t.Setenv(liveEnv, "1")
	log := new(buffer)
	g, err := New(frozen(freeze()), h, WithLogger(slog.New(slog.NewTextHandler(log, nil))))
	if err != nil {
		t.Fatal(err)
	}
	if !g.Live() {
		t.Fatal("the gate is not live")
	}
	return g, log
}

// request starts a request.
func request(t testing.TB, g *Gate, limits ...Limit) *Request {
	t.Helper()
	q, err := g.Request(limits...)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// rows prints a ledger as "tool CODE xcount" items, with what else is notable.
func rows(q *Request) string {
	var items []string
	for _, e := range q.Ledger().Entries() {
		item := fmt.Sprintf("%s %s x%d", e.Tool, e.Code, e.Count)
		if e.DryRun {
			item += " dry"
		}
		if e.Late != 0 {
			item += " late " + e.Late.String()
		}
		items = append(items, item)
	}
	return strings.Join(items, ", ")
}

// check fails the test unless the answer has this code, a body that is one line of JSON, and a denial that agrees.
func check(t *testing.T, got Answer, want verdict.Code) {
	t.Helper()
	if got.Code != want {
		t.Errorf("got %s, want %s; body %s", got.Code, want, got.Body)
	}
	if !json.Valid(got.Body) || bytes.ContainsAny(got.Body, "\r\n") {
		t.Errorf("%s: the body is not JSON on one line: %q", got.Code, got.Body)
	}
	if got.Code == verdict.OK || got.Code == verdict.DryRun {
		if got.Denial != nil {
			t.Errorf("%s: got the denial %v", got.Code, got.Denial)
		}
		return
	}
	if got.Denial == nil || got.Denial.Code != got.Code {
		t.Fatalf("%s: got the denial %v", got.Code, got.Denial)
	}
	var body struct {
		Code   verdict.Code    `json:"code"`
		Detail string          `json:"detail"`
		Faults []verdict.Fault `json:"faults"`
		Halt   bool            `json:"halt"`
	}
	if err := json.Unmarshal(got.Body, &body); err != nil {
		t.Fatalf("%s: %v", got.Body, err)
	}
	if body.Code != got.Code || body.Detail != got.Denial.Detail || body.Detail == "" || body.Halt != got.Denial.Halt {
		t.Errorf("the body %s and the denial %+v differ", got.Body, got.Denial)
	}
	if len(body.Faults) != len(got.Denial.Faults) && got.Code != verdict.BadResult {
		t.Errorf("the body %s and the denial %+v differ", got.Body, got.Denial)
	}
}
