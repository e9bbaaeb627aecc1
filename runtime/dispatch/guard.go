package dispatch

import (
	"context"
	"log/slog"
)

// guard is the operator's log handler without its panics: a record may be lost, but a call is neither lost from the ledger
// nor ended by whoever writes about it.
type guard struct{ to slog.Handler }

// Enabled implements slog.Handler.
func (g guard) Enabled(ctx context.Context, level slog.Level) (on bool) {
	defer func() { _ = recover() }()
	return g.to.Enabled(ctx, level)
}

// Handle implements slog.Handler.
func (g guard) Handle(ctx context.Context, r slog.Record) (err error) {
	defer func() { _ = recover() }()
	return g.to.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (g guard) WithAttrs(attrs []slog.Attr) slog.Handler { return guard{g.to.WithAttrs(attrs)} }

// WithGroup implements slog.Handler.
func (g guard) WithGroup(name string) slog.Handler { return guard{g.to.WithGroup(name)} }
