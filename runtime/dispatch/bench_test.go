package dispatch

import (
	"context"
	"testing"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

// benchGate is a gate whose requests never run out of budget.
func benchGate(b *testing.B, opts ...Option) *Gate {
	c := freeze()
	c.MaxCallsPerRequest = 1 << 30
	for i := range c.Tools {
		c.Tools[i].MaxCalls, c.Tools[i].MaxMS = 1<<30, 60000
	}
	c.Tools[echoTool].CostClass = catalog.Local
	b.Setenv(liveEnv, "1")
	g, err := New(frozen(c), &tools{}, opts...)
	if err != nil {
		b.Fatal(err)
	}
	return g
}

// calls runs n calls on fresh requests of 64 calls each, which is what a ledger makes ahead.
func calls(b *testing.B, g *Gate, one func(q *Request)) {
	b.ReportAllocs()
	var q *Request
	for i := 0; b.Loop(); i++ {
		if i%64 == 0 {
			q = request(b, g)
		}
		one(q)
	}
}

func BenchmarkDryCall(b *testing.B) {
	h, args, ctx := &tools{}, []byte(`{"text":"pro"}`), context.Background()
	calls(b, benchGate(b, WithDry()), func(q *Request) { q.Call(ctx, "echo", args, h.find) })
}

func BenchmarkDryCallNoArgs(b *testing.B) {
	h, ctx := &tools{}, context.Background()
	calls(b, benchGate(b, WithDry()), func(q *Request) { q.Call(ctx, "ping", nil, h.find) })
}

func BenchmarkLiveCall(b *testing.B) {
	h, args, ctx := &tools{}, []byte(`{"text":"pro"}`), context.Background()
	calls(b, benchGate(b), func(q *Request) { q.Call(ctx, "echo", args, h.find) })
}

func BenchmarkLiveTyped(b *testing.B) {
	h, ctx := &tools{}, context.Background()
	calls(b, benchGate(b), func(q *Request) { q.Do(ctx, echoTool, &echoJob{tools: h, in: echoArgs{Text: "pro"}}) })
}

func BenchmarkRefusedName(b *testing.B) {
	h, ctx := &tools{}, context.Background()
	calls(b, benchGate(b), func(q *Request) { q.Call(ctx, "pong", nil, h.find) })
}

func BenchmarkRequest(b *testing.B) {
	g, err := NewDry(frozen(freeze()))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := g.Request(); err != nil {
			b.Fatal(err)
		}
	}
}
