package dispatch

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// withBreaker is a live gate with a state file in dir.
func withBreaker(t *testing.T, dir string, h *tools, opts ...Option) *Gate {
	t.Helper()
	t.Setenv(liveEnv, "1")
	c := freeze()
	c.Breaker = &catalog.Breaker{Threshold: 3, File: "breaker.json"}
	g, err := New(frozen(c), h, append(opts, WithDir(dir))...)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// The breaker opens at the threshold, stays open for every gate on the same file, and closes when a person deletes it.
func TestBreakerFile(t *testing.T) {
	dir, h := t.TempDir(), &tools{}
	g := withBreaker(t, dir, h)
	for i := range 3 {
		a := request(t, g).Call(t.Context(), "nope", nil, h.find)
		check(t, a, verdict.UnknownTool)
		if a.Denial.Halt != (i == 2) {
			t.Errorf("refusal %d: halt %v", i+1, a.Denial.Halt)
		}
	}
	check(t, request(t, g).Call(t.Context(), "ping", nil, h.find), verdict.BreakerOpen)
	check(t, request(t, withBreaker(t, dir, h)).Call(t.Context(), "ping", nil, h.find), verdict.BreakerOpen)
	text, err := os.ReadFile(filepath.Join(dir, "breaker.json"))
	if err != nil || strings.TrimSpace(string(text)) != `{"denies": 3, "open": true}` {
		t.Errorf("got %q, %v", text, err)
	}
	if files := g.StateFiles(); len(files) < 3 || files[0] != filepath.Join(g.Dir(), "breaker.json") {
		t.Errorf("got the state files %q in %q", files, g.Dir())
	}
	if err := os.Remove(filepath.Join(dir, "breaker.json")); err != nil {
		t.Fatal(err)
	}
	check(t, request(t, g).Call(t.Context(), "ping", nil, h.find), verdict.OK)
}

// A call that passes resets the count of the file, but one request with as many refusals in a row as open the breaker is
// closed for good, whatever other requests do.
func TestRequestIsClosedForGood(t *testing.T) {
	h := &tools{}
	g := withBreaker(t, t.TempDir(), h)
	bad, good := request(t, g), request(t, g)
	for i := range 3 {
		a := bad.Call(t.Context(), "nope", nil, h.find)
		check(t, a, verdict.UnknownTool)
		if a.Denial.Halt != (i == 2) {
			t.Errorf("refusal %d: halt %v", i+1, a.Denial.Halt)
		}
		check(t, request(t, g).Call(t.Context(), "ping", nil, h.find), verdict.OK)
	}
	a := bad.Call(t.Context(), "ping", nil, h.find)
	check(t, a, verdict.BreakerOpen)
	if !a.Denial.Halt {
		t.Error("a closed request does not halt")
	}
	check(t, good.Call(t.Context(), "ping", nil, h.find), verdict.OK)
}

// Fifty concurrent refusals against a threshold of three: three are counted, the rest meet an open breaker.
func TestBreakerIsExact(t *testing.T) {
	h := &tools{}
	g := withBreaker(t, t.TempDir(), h)
	codes := make(chan verdict.Code, 50)
	var all sync.WaitGroup
	for range 50 {
		q := request(t, g)
		all.Go(func() { codes <- q.Call(t.Context(), "nope", nil, h.find).Code })
	}
	all.Wait()
	close(codes)
	count := map[verdict.Code]int{}
	for c := range codes {
		count[c]++
	}
	if count[verdict.UnknownTool] != 3 || count[verdict.BreakerOpen] != 47 {
		t.Errorf("got %v, want 3 UNKNOWN_TOOL and 47 BREAKER_OPEN", count)
	}
}

// A dry gate for tests keeps its breaker to itself.
func TestBreakerOfADryGate(t *testing.T) {
	dir, h := t.TempDir(), &tools{}
	c := freeze()
	c.Breaker = &catalog.Breaker{Threshold: 2, File: "breaker.json"}
	g, err := NewDry(frozen(c), WithDir(dir))
	if err != nil {
		t.Fatal(err)
	}
	check(t, request(t, g).Call(t.Context(), "nope", nil, h.find), verdict.UnknownTool)
	check(t, request(t, g).Call(t.Context(), "ping", nil, h.find), verdict.DryRun)
	for range 2 {
		check(t, request(t, g).Call(t.Context(), "nope", nil, h.find), verdict.UnknownTool)
	}
	check(t, request(t, g).Call(t.Context(), "ping", nil, h.find), verdict.BreakerOpen)
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Errorf("the folder holds %v, %v; want nothing", entries, err)
	}
}
