package breaker

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// lockWait is how long an operation waits for its turn at the lock before the breaker counts as open.
const lockWait = 5 * time.Second

// Breaker looks after one state file. It is safe for concurrent use, and any number of them, in any number of processes,
// may look after the same file. Open makes one.
type Breaker struct {
	path, folder string
	threshold    int
	wait         time.Duration
	sys          system

	turn chan struct{} // holds one token while an operation of this Breaker has the lock or waits for it

	mu    sync.Mutex // taken after the lock; held from a reading of the file to the storing of what was read
	known atomic.Pointer[snapshot]
	owed  atomic.Int64 // refusals that could not be counted; changed under mu
	why   error        // why the last of them could not; under mu
}

// snapshot is the file as it was read.
type snapshot struct {
	info  fs.FileInfo // nil for a file that was not there
	state state
}

// Open returns the breaker that the file at path holds. A relative path starts at the working directory of now. threshold
// is how many consecutive refusals open it, 1 or more. Nothing is read or made here: that the folder is missing or the file
// cannot be read makes an open breaker, not an error. It is an error if path does not end in the name of a file or
// threshold is less than 1.
func Open(path string, threshold int) (*Breaker, error) {
	if threshold < 1 {
		return nil, fmt.Errorf("breaker threshold: got %d, want 1 or more", threshold)
	}
	last := path[len(filepath.VolumeName(path)):]
	if base := filepath.Base(path); last == "" || os.IsPathSeparator(last[len(last)-1]) || base == "." || base == ".." || strings.ContainsRune(path, 0) {
		return nil, fmt.Errorf("breaker file: got %q, want the path of a file, such as \"breaker.json\"", path)
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("breaker file %q: %w", path, err)
	}
	b := &Breaker{path: abs, folder: filepath.Dir(abs), threshold: threshold, wait: lockWait, turn: make(chan struct{}, 1)}
	b.sys = newSystem()
	return b, nil
}

// Files lists every file that the breaker at path reads or writes: the state itself, then its lock, its temporary file and
// its log. None of them may lie where a tool can write.
func Files(path string) []string {
	return []string{path, path + ".lock", path + ".tmp", path + ".log"}
}

// Check looks whether the breaker is closed. The error says why it is open, with the file's path and what to do: it is for
// the operator, not for a model. Check first tries to count what is owed.
func (b *Breaker) Check() error {
	if b.owed.Load() > 0 {
		_, err := b.change(0, false)
		return err
	}
	if k := b.known.Load(); k != nil && k.info != nil {
		// The one lstat. A file that differs in any of these is read again; do not compare less.
		if info, err := os.Lstat(b.path); err == nil && same(info, k.info) {
			return b.verdict(k.state)
		}
	}
	s, err := b.look()
	if err != nil {
		return err
	}
	return b.verdict(s)
}

// Refuse counts one refusal; the count is on the disk when it returns. opened says that this refusal opened the breaker. An
// error says that the breaker was found open or that the refusal could not be counted, which is an open breaker too; opened
// is false then.
func (b *Breaker) Refuse() (opened bool, err error) { return b.change(1, false) }

// Pass ends a run of refusals, since a call has passed the gate. It must come after a Check for the same call: where the
// count was 0 then, it does nothing, and what another process did since is not looked for. Otherwise it sets the count to
// 0, on the disk. An error says that the breaker was found open at this moment, or that the count could not be reset: the
// call must not run.
func (b *Breaker) Pass() error {
	if k := b.known.Load(); k != nil && b.owed.Load() == 0 && (k.state.open || k.state.denies == 0) {
		return b.verdict(k.state)
	}
	_, err := b.change(0, true)
	return err
}

// Status is what a breaker is at one moment.
type Status struct {
	// Open says that every call is refused.
	Open bool
	// Denies is how many refusals in a row are counted, 0 to Threshold; 0 where the file cannot be trusted.
	Denies int
	// Threshold is how many open the breaker.
	Threshold int
	// Why says for the operator why the breaker is open and what to do; nil where it is closed.
	Why error
}

// Status reads the file anew and changes nothing.
func (b *Breaker) Status() Status {
	s, err := b.look()
	if err == nil {
		err = b.verdict(s)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if err == nil && b.owed.Load() > 0 {
		err = b.why
	}
	return Status{Open: err != nil, Denies: s.denies, Threshold: b.threshold, Why: err}
}

// Reset closes the breaker: a person's act. It first appends one line to the log beside the file, a JSON object with the
// members "when" (now, in RFC 3339 and UTC) and "why", and then writes the state with the count 0, whatever the file held.
// Nothing is written if why is blank. It is an error if the lock, the log or the file cannot be had, or if something that
// is not a plain file stands in the way; the breaker is then what it was, though the log may have its line.
func (b *Breaker) Reset(why string, now time.Time) error {
	if strings.TrimSpace(why) == "" {
		return errors.New("reset of the breaker: got no reason, want why it is safe to go on")
	}
	release, err := b.lock()
	if err != nil {
		return err
	}
	defer release()
	b.mu.Lock()
	defer b.mu.Unlock()
	old, err := os.Lstat(b.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		old = nil
	case err != nil:
		return fmt.Errorf("breaker file %q: %w", b.path, bare(err))
	case !old.Mode().IsRegular():
		return fmt.Errorf("breaker file %q: got %s, want a plain file; take it away, which closes the breaker", b.path, kind(old.Mode()))
	}
	if err := b.record(why, now); err != nil {
		return fmt.Errorf("breaker log %q: %w; the breaker was left as it was", b.path+".log", bare(err))
	}
	if _, err := b.write(state{}, old); err != nil {
		return err
	}
	b.owed.Store(0)
	return nil
}

// change is the one locked read-modify-write: it counts refusals and what is owed, then resets the count if the call
// passed. opened says that it opened the breaker; an error, that the breaker is open for another reason. Do not write to a
// file that was found open or could not be read: only a person closes a breaker.
func (b *Breaker) change(refusals int, passed bool) (opened bool, err error) {
	release, err := b.lock()
	if err != nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		return false, b.owe(refusals, err)
	}
	defer release()
	b.mu.Lock()
	defer b.mu.Unlock()
	k, err := b.read()
	if err != nil {
		return false, b.owe(refusals, err)
	}
	if k.state.open {
		b.owed.Store(0) // a refusal of an open breaker does not count
		return false, b.verdict(k.state)
	}
	next := state{denies: min(k.state.denies+int(b.owed.Load())+refusals, b.threshold)}
	if next.denies == b.threshold {
		next.open = true
	} else if passed {
		next.denies = 0
	}
	// With something owed the state is written even where it does not change: the store must show that it answers again.
	if next != k.state || b.owed.Load() > 0 {
		landed, err := b.write(next, k.info)
		if err != nil && !landed {
			return false, b.owe(refusals, err)
		}
		if err != nil {
			b.owed.Store(0)
			return false, err
		}
	}
	b.owed.Store(0)
	if next.open && refusals == 0 {
		return false, b.verdict(next)
	}
	return next.open, nil
}

// owe notes refusals that could not be counted, and returns why. The caller holds mu.
func (b *Breaker) owe(refusals int, why error) error {
	if owed := min(b.owed.Load()+int64(refusals), int64(b.threshold)); owed > 0 {
		b.owed.Store(owed)
		b.why = why
	}
	return why
}

// verdict is nil for a closed state.
func (b *Breaker) verdict(s state) error {
	if !s.open {
		return nil
	}
	return fmt.Errorf("breaker file %q: open, with %d refusals in a row counted; find out why, then run freezegate reset -why TEXT or delete the file", b.path, s.denies)
}

// broken says why the file is no state, and that it therefore counts as open.
func (b *Breaker) broken(err error, hint string) error {
	return fmt.Errorf("breaker file %q: %w; it counts as open: %s", b.path, err, hint)
}
