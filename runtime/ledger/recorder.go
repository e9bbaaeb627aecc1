package ledger

import (
	"context"
	"log/slog"

	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// Recorder writes one ledger. Start makes it ready; it is safe for concurrent use after that and must not be copied.
type Recorder struct {
	ledger Ledger
	log    *slog.Logger
}

// Start begins an empty ledger. tools are the frozen names by index, which are kept and must not change; room is how
// many calls the request may make, 0 or more; log may be nil.
func (r *Recorder) Start(tools []string, room int, log *slog.Logger) {
	r.ledger.tools, r.ledger.room, r.log = tools, room, log
	r.ledger.records = make([]record, 0, min(max(room, 1), maxAhead))
}

// Ledger returns the ledger that r writes, for reading.
func (r *Recorder) Ledger() *Ledger { return &r.ledger }

// Add notes one call and returns the number of its entry, which Late takes. tool is the index of a frozen tool, whose name
// then stands in for e.Tool; -1 for a name that is not frozen. reserved says that the call took something from a budget,
// which gives it an entry of its own; other calls may be folded. e.Count and e.Late are not read.
func (r *Recorder) Add(ctx context.Context, tool int, e Entry, reserved bool) (entry int) {
	entry, made := r.ledger.add(tool, e, reserved)
	if r.log == nil || !made {
		return entry
	}
	if 0 <= tool && tool < len(r.ledger.tools) {
		e.Tool = r.ledger.tools[tool]
	}
	level := slog.LevelWarn
	if e.Code == verdict.OK || e.Code == verdict.DryRun {
		level = slog.LevelInfo
	}
	attrs := []slog.Attr{
		slog.String("tool", e.Tool), slog.String("code", e.Code.String()),
		slog.Bool("dry_run", e.DryRun), slog.Duration("elapsed", e.Elapsed),
	}
	if e.Detail != "" {
		attrs = append(attrs, slog.String("detail", e.Detail))
	}
	r.log.LogAttrs(ctx, level, "tool call", attrs...)
	return entry
}

// Late notes in an entry what its handler ended in after the call had been given up. An entry that Add never returned
// is left alone.
func (r *Recorder) Late(ctx context.Context, entry int, late verdict.Code) {
	e, ok := r.ledger.late(entry, late)
	if r.log == nil || !ok {
		return
	}
	r.log.LogAttrs(ctx, slog.LevelWarn, "late tool result",
		slog.String("tool", e.Tool), slog.String("code", e.Code.String()), slog.String("late", late.String()))
}

// late sets the late code of one entry and returns it; ok is false where there is no such entry.
func (l *Ledger) late(entry int, late verdict.Code) (e Entry, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if entry < 0 || entry >= len(l.records) {
		return Entry{}, false
	}
	r := &l.records[entry]
	r.late = late
	return l.expand(r), true
}
