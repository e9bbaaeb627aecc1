package ledger

import (
	"slices"
	"sync"
	"time"

	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// Entry is what one call, or several equal refusals, ended in.
type Entry struct {
	// Tool is the frozen name, or a name that is not frozen as verdict.Show prints it, at most 64 code points of it. It is
	// "" where refusals of several tools share the entry.
	Tool string
	// Code is the outcome; never zero.
	Code verdict.Code
	// DryRun says that the request was dry: no handler would have run, whatever the code.
	DryRun bool
	// Elapsed is the time from the call's arrival to the decision or the end of its handler; that of the first call where
	// several share the entry.
	Elapsed time.Duration
	// Detail is the one line that the caller got; "" for OK and DRY_RUN. It is fit for a model.
	Detail string
	// Count is how many calls the entry stands for, 1 or more. It is over 1 for refusals that reserved nothing only.
	Count int
	// Late is what a handler ended in after its call had been given up (TIMEOUT or CANCELLED); the caller never got it.
	// Zero: the handler has not ended yet, or was not late.
	Late verdict.Code
}

// Ledger is the record of one request. It is safe for concurrent use, also while calls are running. A nil Ledger is
// empty.
type Ledger struct {
	mu      sync.Mutex
	tools   []string
	room    int
	loose   int // entries of refusals that reserved nothing
	records []record
}

// maxLoose is how many entries refusals that reserved nothing may take of the room.
const maxLoose = 8

// maxAhead is how many records are made before the first call.
const maxAhead = 64

// record is an entry in 32 bytes; most calls need no words.
type record struct {
	elapsed time.Duration
	count   int
	words   *words
	tool    int32 // index of a frozen tool; -1: the name is in words
	code    verdict.Code
	late    verdict.Code
	flags   uint8
}

// words is the text of a record.
type words struct{ tool, detail string }

// The flags of a record.
const (
	dry    = 1 << iota // the request was dry
	loose              // it reserved nothing
	shared             // it was made when the room was full, for all refusals with its code
)

// Entries returns a copy of all entries, the oldest first.
func (l *Ledger) Entries() []Entry {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	entries := make([]Entry, len(l.records))
	for i := range l.records {
		entries[i] = l.expand(&l.records[i])
	}
	return entries
}

// expand returns the entry of a record. The lock is held.
func (l *Ledger) expand(r *record) Entry {
	e := Entry{Code: r.code, DryRun: r.flags&dry != 0, Elapsed: r.elapsed, Count: r.count, Late: r.late}
	if r.words != nil {
		e.Tool, e.Detail = r.words.tool, r.words.detail
	}
	if r.tool >= 0 {
		e.Tool = l.tools[r.tool]
	}
	return e
}

// add makes a record of e or folds it into one that is there. index is where it is; made is false where it was folded.
func (l *Ledger) add(tool int, e Entry, reserved bool) (index int, made bool) {
	r := record{elapsed: e.Elapsed, count: 1, tool: -1, code: e.Code}
	if e.DryRun {
		r.flags = dry
	}
	if 0 <= tool && tool < len(l.tools) {
		r.tool, e.Tool = int32(tool), ""
	}
	if e.Tool != "" || e.Detail != "" {
		r.words = &words{e.Tool, e.Detail}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !reserved {
		r.flags |= loose
		if i := l.fold(&r); i >= 0 {
			return i, false
		}
		l.loose++
	}
	l.records = append(l.records, r)
	return len(l.records) - 1, true
}

// fold adds the call of r to a record that is there and returns its index, -1 where r needs a record of its own. This is
// what keeps a flood of refused calls from growing the ledger: do not let a loose record past it.
func (l *Ledger) fold(r *record) int {
	last := len(l.records) - 1
	if last >= 0 && same(&l.records[last], r) {
		l.records[last].count++
		return last
	}
	if len(l.records) < l.room && l.loose < maxLoose {
		return -1
	}
	r.flags |= shared
	i := slices.IndexFunc(l.records, func(old record) bool { return old.flags&shared != 0 && old.code == r.code })
	if i < 0 {
		return -1
	}
	old := &l.records[i]
	old.count++
	if !alike(old, r) && !alike(old, &record{tool: -1, words: &words{detail: detail(r)}}) {
		old.tool, old.words = -1, &words{detail: detail(r)}
	}
	return i
}

// same reports whether two records differ in nothing but time and count.
func same(a, b *record) bool {
	return a.flags&^shared == b.flags&^shared && a.code == b.code && alike(a, b)
}

// alike reports whether two records have the same tool and text.
func alike(a, b *record) bool {
	if a.tool != b.tool || (a.words == nil) != (b.words == nil) {
		return false
	}
	return a.words == nil || *a.words == *b.words
}

// detail is the text of a record that is not its tool's name.
func detail(r *record) string {
	if r.words == nil {
		return ""
	}
	return r.words.detail
}
