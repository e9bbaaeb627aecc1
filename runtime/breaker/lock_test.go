package breaker

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A refusal that cannot be counted makes the breaker count as open until it is counted, and is counted once.
func TestOwed(t *testing.T) {
	for _, c := range []struct {
		name        string
		block, free func(b *Breaker) error
		want        string
	}{
		{"temporary file in the way", func(b *Breaker) error { return os.MkdirAll(b.path+".tmp/x", 0o700) },
			func(b *Breaker) error { return os.RemoveAll(b.path + ".tmp") }, "the count cannot be written"},
		{"lock is a folder", func(b *Breaker) error { return os.Mkdir(b.path+".lock", 0o700) },
			func(b *Breaker) error { return os.Remove(b.path + ".lock") }, "got a folder, want a plain file"},
		{"lock is a link", func(b *Breaker) error { return os.Symlink(b.path+".real", b.path+".lock") },
			func(b *Breaker) error { return os.Remove(b.path + ".lock") }, "got a symbolic link, want a plain file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := fresh(t, 4)
			if err := c.block(b); err != nil {
				t.Skip(err)
			}
			if !readsUnderLock {
				wantClosed(t, b, 0) // nothing has happened that would have to be written
			}
			for range 2 {
				_, _ = b.Refuse()
			}
			for _, err := range []error{b.Check(), b.Pass()} {
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("got %v, want %q", err, c.want)
				}
			}
			if s := b.Status(); !s.Open || s.Why == nil {
				t.Errorf("got %+v, want open", s)
			}
			if err := b.Reset("looked at it", time.Now()); err == nil {
				t.Error("a reset went through")
			}
			if err := c.free(b); err != nil {
				t.Fatal(err)
			}
			wantClosed(t, b, 2)
			wantClosed(t, b, 2)
			if _, err := b.Refuse(); err != nil {
				t.Error(err)
			}

			// Counting what is owed can open the breaker, and a passed call does not wipe that out.
			if err := c.block(b); err == nil {
				_, _ = b.Refuse()
				if err := c.free(b); err != nil {
					t.Fatal(err)
				}
				if err := b.Pass(); err == nil {
					t.Error("a call passed, want it stopped by the refusals before it")
				}
				wantOpen(t, b, "open, with 4")
			}
		})
	}
}

func TestOwedThenPassed(t *testing.T) {
	b := fresh(t, 4)
	if err := os.MkdirAll(b.path+".tmp/x", 0o700); err != nil {
		t.Fatal(err)
	}
	_, _ = b.Refuse()
	if err := os.RemoveAll(b.path + ".tmp"); err != nil {
		t.Fatal(err)
	}
	if err := b.Pass(); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Refuse(); err != nil {
		t.Fatal(err)
	}
	wantClosed(t, b, 1)
}

// A lock that somebody keeps is an open breaker after the wait, and closed again when it is free.
func TestLockThatIsHeld(t *testing.T) {
	a := fresh(t, 3)
	b := open(t, a.path, 3)
	b.wait = 20 * time.Millisecond
	release, err := a.lock()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Refuse(); err == nil || !strings.Contains(err.Error(), "somebody else has held it for 20ms") {
		t.Errorf("got %v, want the wait to end", err)
	}
	if err := b.Check(); err == nil {
		t.Error("closed while a refusal is owed")
	}
	if err := b.Reset("looked at it", time.Now()); err == nil {
		t.Error("a reset went through without the lock")
	}
	// The turn within one Breaker is waited for as long, and not longer.
	if !t.Run("turn", func(t *testing.T) {
		a.wait = 20 * time.Millisecond
		if _, err := a.lock(); err == nil {
			t.Fatal("got the lock twice")
		}
	}) {
		return
	}
	release()
	wantClosed(t, b, 1)
}

// The lock file is made anew if somebody deletes it, and nobody works under a deleted one.
func TestLockThatIsDeleted(t *testing.T) {
	a := fresh(t, 1000)
	for range 20 {
		if runtime.GOOS != "windows" {
			_ = os.Remove(a.path + ".lock")
		}
		if _, err := a.Refuse(); err != nil {
			t.Fatal(err)
		}
	}
	wantClosed(t, a, 20)
}

// Of many refusals at once, threshold are counted, one opens, and the others find it open.
func TestParallelRefusals(t *testing.T) {
	const threshold, n = 3, 50
	for _, shared := range []bool{true, false} {
		t.Run(fmt.Sprintf("shared=%t", shared), func(t *testing.T) {
			first := fresh(t, threshold)
			var counted, opened, found atomic.Int32
			var wg sync.WaitGroup
			for range n {
				b := first
				if !shared {
					b = open(t, first.path, threshold)
				}
				wg.Go(func() {
					_ = b.Check()
					o, err := b.Refuse()
					if err != nil {
						found.Add(1)
						if err := b.Pass(); err == nil {
							t.Error("a call passed after the breaker was found open")
						}
						return
					}
					counted.Add(1)
					if o {
						opened.Add(1)
					}
				})
			}
			wg.Wait()
			if c, o, f := counted.Load(), opened.Load(), found.Load(); c != threshold || o != 1 || f != n-threshold {
				t.Errorf("got %d counted, %d opened, %d found open; want %d, 1, %d", c, o, f, threshold, n-threshold)
			}
			wantFile(t, first, `{"denies": 3, "open": true}`+"\n")
		})
	}
}

// Calls of all kinds at once never see anything but a closed breaker while the threshold is far, and end in a whole file.
func TestParallelMix(t *testing.T) {
	b := fresh(t, 1<<30)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 40 {
				if err := b.Check(); err != nil {
					t.Error(err)
				}
				var err error
				if (i+j)%3 == 0 {
					_, err = b.Refuse()
				} else {
					err = b.Pass()
				}
				if err != nil {
					t.Error(err)
				}
				if s := b.Status(); s.Open {
					t.Error(s.Why)
				}
			}
		})
	}
	wg.Wait()
	if err := b.Pass(); err != nil {
		t.Error(err)
	}
	wantClosed(t, b, 0)
}
