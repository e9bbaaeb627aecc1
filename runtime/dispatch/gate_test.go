package dispatch

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

func TestNewRefuses(t *testing.T) {
	good := frozen(freeze())
	var none *tools
	edited := good
	edited.Source += "# one more line\n"
	text := good
	text.Catalog = strings.Replace(text.Catalog, `"max_calls":4`, `"max_calls":400`, 1)
	other := text
	other.Catalog = strings.Replace(other.Catalog, `"api"`, `"Api"`, 1)
	other.Digest = catalog.Digest(other.Catalog)
	for _, tt := range []struct {
		name     string
		f        Frozen
		handlers any
		opts     []Option
		want     string
	}{
		{"nil handlers", good, nil, nil, "handlers: got nil"},
		{"nil pointer", good, none, nil, "handlers: got nil"},
		{"nil function", good, (func())(nil), nil, "handlers: got nil"},
		{"nil map", good, map[string]int(nil), nil, "handlers: got nil"},
		{"edited freeze", edited, &tools{}, nil, "run go generate in its folder"},
		{"edited catalog", text, &tools{}, nil, "the catalog in the code generated from"},
		{"catalog that does not parse", other, &tools{}, nil, "catalog: "},
		{"nothing", Frozen{}, &tools{}, nil, "run go generate"},
		{"zero option", good, &tools{}, []Option{WithDry(), {}}, "option 2: got the zero Option"},
		{"nil logger", good, &tools{}, []Option{WithLogger(nil)}, "logger: got nil"},
		{"no folder", good, &tools{}, []Option{WithDir("")}, `dir: got ""`},
	} {
		if _, err := New(tt.f, tt.handlers, tt.opts...); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", tt.name, err, tt.want)
		}
		if tt.handlers != any(none) && strings.HasPrefix(tt.want, "handlers") {
			continue
		}
		if _, err := NewDry(tt.f, tt.opts...); !strings.HasPrefix(tt.want, "handlers") && err == nil {
			t.Errorf("%s: NewDry takes it", tt.name)
		}
	}
}

// TestHandlersOfAnyKind: what is not nil is taken.
func TestHandlersOfAnyKind(t *testing.T) {
	for _, h := range []any{tools{}, &tools{}, func() {}, map[string]int{}, 1} {
		if _, err := New(frozen(freeze()), h); err != nil {
			t.Errorf("%T: %v", h, err)
		}
	}
}

// TestSourceSpelling: a checkout with other newlines is the same freeze.
func TestSourceSpelling(t *testing.T) {
	f := frozen(freeze())
	f.Source = "\ufeff" + strings.ReplaceAll(f.Source, "\n", "\r\n")
	if _, err := New(f, &tools{}); err != nil {
		t.Error(err)
	}
}

// TestLiveNeedsExactlyOne is the rule of step 6.
func TestLiveNeedsExactlyOne(t *testing.T) {
	f := frozen(freeze())
	for value, want := range map[string]bool{
		"1": true, "": false, "0": false, "true": false, "TRUE": false, "yes": false, "on": false, " 1": false, "1 ": false, "1\n": false,
		"01": false, "+1": false, "1.0": false, "11": false, "\uff11": false, "live": false,
	} {
		t.Setenv(liveEnv, value)
		g, err := New(f, &tools{})
		if err != nil {
			t.Fatal(err)
		}
		t.Setenv(liveEnv, "1") // read once: too late
		if g.Live() != want || request(t, g).dry == want {
			t.Errorf("%q: live is %v, want %v", value, g.Live(), want)
		}
	}
	dry, err := NewDry(f)
	if err != nil || dry.Live() {
		t.Errorf("NewDry: live is %v, %v", dry.Live(), err)
	}
	turned, err := New(f, &tools{}, WithDry())
	if err != nil || turned.Live() {
		t.Errorf("WithDry: live is %v, %v", turned.Live(), err)
	}
	if (*Gate)(nil).Live() {
		t.Error("a nil gate is live")
	}
}

func TestCatalogIsACopy(t *testing.T) {
	g, err := NewDry(frozen(freeze()))
	if err != nil {
		t.Fatal(err)
	}
	c := g.Catalog()
	c.Tools[0].MaxCalls = 1000
	c.LiveEnv = "PATH"
	if again := g.Catalog(); again.Tools[0].MaxCalls != 4 || again.LiveEnv != liveEnv {
		t.Errorf("got %+v", again)
	}
	if (*Gate)(nil).Catalog() != nil || new(Gate).Catalog() != nil {
		t.Error("a gate that was not made has a catalog")
	}
}

func TestDir(t *testing.T) {
	f := frozen(freeze())
	wd, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{"": wd, "x/../y": filepath.Join(wd, "y"), t.TempDir(): ""} {
		var opts []Option
		if dir != "" {
			opts = append(opts, WithDir(dir))
		}
		if want == "" {
			want = dir
		}
		if g, err := NewDry(f, opts...); err != nil || g.dir != want {
			t.Errorf("%q: got %q, %v, want %q", dir, g.dir, err, want)
		}
	}
}

func TestLimits(t *testing.T) {
	g, err := NewDry(frozen(freeze()))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name   string
		limits []Limit
		want   string
	}{
		{"raised", []Limit{MaxCalls(7)}, "limit of max_calls_per_request: got 7, want 0 to 6"},
		{"negative", []Limit{MaxCalls(-1)}, "got -1, want 0 to 6"},
		{"tool raised", []Limit{ToolMaxCalls("echo", 5)}, `limit of max_calls of tool "echo": got 5, want 0 to 4`},
		{"tool negative", []Limit{ToolMaxCalls("echo", -1)}, "got -1, want 0 to 4"},
		{"unknown tool", []Limit{ToolMaxCalls("ecko", 1)}, "there is no tool ecko; did you mean echo?"},
		{"odd tool", []Limit{ToolMaxCalls("x\n", 1)}, `there is no tool "x\n"`},
		{"zero limit", []Limit{Dry(), {}}, "limit 2: got the zero Limit"},
	} {
		if _, err := g.Request(tt.limits...); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", tt.name, err, tt.want)
		}
	}
	q := request(t, g, MaxCalls(3), MaxCalls(5), ToolMaxCalls("ping", 2), ToolMaxCalls("ping", 6), Dry())
	if q.maxCalls != 3 || q.toolMax(pingTool) != 2 || q.toolMax(echoTool) != 4 || !q.dry {
		t.Errorf("got %d, %d, %d, %v", q.maxCalls, q.toolMax(pingTool), q.toolMax(echoTool), q.dry)
	}
	if request(t, g).toolMax(pingTool) != 6 {
		t.Error("one request's limits are another's")
	}
	for _, none := range []*Gate{nil, {}} {
		if _, err := none.Request(); err == nil {
			t.Error("a gate that was not made makes requests")
		}
	}
}

// TestClose: a closed gate decides nothing, whatever was asked.
func TestClose(t *testing.T) {
	h := &tools{}
	g, _ := live(t, h)
	q := request(t, g)
	check(t, q.Call(t.Context(), "ping", nil, h.find), verdict.OK)
	for range 2 {
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	}
	for range 3 {
		a := q.Call(t.Context(), "ping", nil, h.find)
		check(t, a, verdict.Cancelled)
		if !a.Denial.Halt {
			t.Error("the agent is not told to stop")
		}
	}
	err := q.Do(t.Context(), echoTool, &echoJob{tools: h})
	if !errors.Is(err, verdict.Cancelled) {
		t.Errorf("got %v", err)
	}
	if got, want := rows(q), "ping OK x1, ping CANCELLED x3, echo CANCELLED x1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if q.calls != 1 {
		t.Errorf("%d calls are reserved, want 1", q.calls)
	}
	if _, err := g.Request(); err == nil {
		t.Error("a closed gate makes requests")
	}
}

// TestNoNetwork: a program without a free_net tool links no network stack because of the gate.
func TestNoNetwork(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Skipf("go list: %v", err)
	}
	for p := range strings.FieldsSeq(string(out)) {
		switch {
		case p == "net", p == "os/exec", p == "plugin", strings.HasPrefix(p, "net/http"), strings.HasPrefix(p, "crypto/tls"):
			t.Errorf("dispatch links %s", p)
		case strings.HasSuffix(p, "/runtime/endpoint"), strings.HasSuffix(p, "/runtime/workspace"):
			t.Errorf("dispatch imports %s; generated code wires it in", p)
		}
	}
}
