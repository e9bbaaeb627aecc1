package breaker

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// open returns the breaker of path.
func open(t testing.TB, path string, threshold int) *Breaker {
	t.Helper()
	b, err := Open(path, threshold)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// fresh returns a breaker whose file is not there yet.
func fresh(t testing.TB, threshold int) *Breaker {
	t.Helper()
	return open(t, filepath.Join(t.TempDir(), "breaker.json"), threshold)
}

func put(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func wantFile(t testing.TB, b *Breaker, want string) {
	t.Helper()
	got, err := os.ReadFile(b.path)
	if err != nil || string(got) != want {
		t.Errorf("the file holds %q, %v; want %q", got, err, want)
	}
}

// content is what a plain file holds, "" for anything else.
func content(path string) string {
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	text, _ := os.ReadFile(path)
	return string(text)
}

// wantClosed checks that b lets calls pass, and its count.
func wantClosed(t testing.TB, b *Breaker, denies int) {
	t.Helper()
	if err := b.Check(); err != nil {
		t.Errorf("open: %v", err)
	}
	if s := b.Status(); s != (Status{Denies: denies, Threshold: b.threshold}) {
		t.Errorf("got status %+v, want closed with the count %d", s, denies)
	}
}

// wantOpen checks that b refuses everything for a reason that holds why, in one line that names a file and says what to do,
// and that asking changes nothing.
func wantOpen(t testing.TB, b *Breaker, why string) {
	t.Helper()
	before := content(b.path)
	check := func(what string, err error) {
		t.Helper()
		if err == nil {
			t.Errorf("%s: closed, want open: %s", what, why)
			return
		}
		if s := err.Error(); !strings.Contains(s, why) || !strings.Contains(s, b.folder) || strings.ContainsAny(s, "\n\x00") {
			t.Errorf("%s: got %q, want %q and the path, in one line", what, s, why)
		}
	}
	check("check", b.Check())
	check("check again", b.Check())
	opened, err := b.Refuse()
	check("refuse", err)
	check("pass", b.Pass())
	s := b.Status()
	check("status", s.Why)
	if opened || !s.Open || s.Threshold != b.threshold {
		t.Errorf("got opened %t and status %+v, want nothing opened and an open status", opened, s)
	}
	if after := content(b.path); after != before {
		t.Errorf("the open file was changed from %q to %q", before, after)
	}
}

func TestOpenRefuses(t *testing.T) {
	for _, c := range []struct {
		path      string
		threshold int
		want      string
	}{
		{"breaker.json", 0, "got 0, want 1 or more"},
		{"breaker.json", -1, "got -1"},
		{"", 1, `got ""`},
		{".", 1, `got "."`},
		{"state/", 1, `got "state/"`},
		{"state/..", 1, `got "state/.."`},
		{"/", 1, `got "/"`},
		{"a\x00b", 1, `got "a\x00b"`},
	} {
		if _, err := Open(c.path, c.threshold); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q, %d: got %v, want %q", c.path, c.threshold, err, c.want)
		}
	}
}

func TestCounting(t *testing.T) {
	b := fresh(t, 3)
	wantClosed(t, b, 0)
	if err := b.Pass(); err != nil {
		t.Error(err)
	}
	if names, _ := filepath.Glob(filepath.Join(b.folder, "*")); len(names) != 0 && !readsUnderLock {
		t.Errorf("calls that pass made %q, want nothing", names)
	}
	refuse := func(wantOpened bool, want string) {
		t.Helper()
		if opened, err := b.Refuse(); opened != wantOpened || err != nil {
			t.Fatalf("got %t, %v, want %t", opened, err, wantOpened)
		}
		wantFile(t, b, want+"\n")
	}
	refuse(false, `{"denies": 1, "open": false}`)
	wantClosed(t, b, 1)
	refuse(false, `{"denies": 2, "open": false}`)
	if err := b.Pass(); err != nil {
		t.Error(err)
	}
	wantFile(t, b, `{"denies": 0, "open": false}`+"\n")
	refuse(false, `{"denies": 1, "open": false}`)
	refuse(false, `{"denies": 2, "open": false}`)
	refuse(true, `{"denies": 3, "open": true}`)
	wantOpen(t, b, "open, with 3 refusals in a row counted")

	// Across a restart, and for another name of the same folder.
	wantOpen(t, open(t, b.path, 3), "open, with 3 refusals")
	if s := b.Status(); s.Denies != 3 {
		t.Errorf("got %+v, want the count 3", s)
	}
	if err := os.Remove(b.path); err != nil {
		t.Fatal(err)
	}
	wantClosed(t, b, 0)

	if names, _ := filepath.Glob(filepath.Join(b.folder, "*")); len(names) != 1 || names[0] != b.path+".lock" {
		t.Errorf("got %q beside the file, want the lock alone", names)
	}
}

func TestThresholdOfOne(t *testing.T) {
	b := fresh(t, 1)
	if opened, err := b.Refuse(); !opened || err != nil {
		t.Errorf("got %t, %v, want opened", opened, err)
	}
	wantOpen(t, b, "open, with 1 refusals")
}

// Another process's changes are seen by one that has read the file before.
func TestTwoOnOneFile(t *testing.T) {
	a := fresh(t, 2)
	b := open(t, a.path, 2)
	wantClosed(t, a, 0)
	wantClosed(t, b, 0)
	if _, err := a.Refuse(); err != nil {
		t.Fatal(err)
	}
	wantClosed(t, b, 1)
	if err := b.Pass(); err != nil {
		t.Fatal(err)
	}
	wantClosed(t, a, 0)
	for range 2 {
		if _, err := a.Refuse(); err != nil {
			t.Fatal(err)
		}
	}
	wantOpen(t, b, "open, with 2")
	if err := open(t, a.path, 2).Reset("looked at it", time.Now()); err != nil {
		t.Fatal(err)
	}
	wantClosed(t, a, 0)
	wantClosed(t, b, 0)

	// A call that was checked before the other one opened the breaker, and has something to reset, runs nothing.
	if _, err := b.Refuse(); err != nil {
		t.Fatal(err)
	}
	wantClosed(t, b, 1)
	if opened, err := a.Refuse(); !opened || err != nil {
		t.Fatal(opened, err)
	}
	if err := b.Pass(); err == nil {
		t.Error("a call passed a breaker that had just opened")
	}
}

// Whatever the file holds that is no state is an open breaker, also for one that has known a good file, and a reset heals it.
func TestBrokenText(t *testing.T) {
	for _, c := range states() {
		b := fresh(t, 3)
		put(t, b.path, `{"denies": 0, "open": false}`)
		wantClosed(t, b, 0)
		put(t, b.path, c.text)
		switch {
		case c.err != "":
			why := "; it counts as open: "
			if len(c.text) <= maxBytes {
				why = c.err
			}
			wantOpen(t, b, why)
			wantOpen(t, open(t, b.path, 3), why)
		case c.want.open:
			wantOpen(t, b, "open, with")
		default:
			wantClosed(t, b, c.want.denies)
			continue
		}
		if err := b.Reset("looked at it", time.Now()); err != nil {
			t.Errorf("%q: %v", c.text, err)
		}
		wantClosed(t, b, 0)
		wantFile(t, b, `{"denies": 0, "open": false}`+"\n")
	}
}

// Whatever stands there that is no plain file with a plain folder around it is an open breaker.
func TestBrokenPlace(t *testing.T) {
	good := `{"denies": 0, "open": false}`
	for _, c := range []struct {
		name string
		make func(t *testing.T, path string) error
		want string
		back func(path string) error // makes it closed again; nil for a reset
	}{
		{"folder", func(_ *testing.T, path string) error { return os.Mkdir(path, 0o700) }, "got a folder", os.Remove},
		{"missing folder", func(_ *testing.T, path string) error { return os.RemoveAll(filepath.Dir(path)) }, "its folder is missing",
			func(path string) error { return os.Mkdir(filepath.Dir(path), 0o700) }},
		{"link to a good file", func(t *testing.T, path string) error {
			put(t, path+".real", good)
			return os.Symlink(path+".real", path)
		}, "got a symbolic link", os.Remove},
		{"link to nothing", func(_ *testing.T, path string) error { return os.Symlink(path+".none", path) }, "got a symbolic link", os.Remove},
		{"read-only", func(t *testing.T, path string) error {
			put(t, path, good)
			return os.Chmod(path, 0o444)
		}, "got mode 0444, which keeps its owner from it", nil},
		{"huge", func(t *testing.T, path string) error {
			put(t, path, good)
			return os.Truncate(path, 1<<20)
		}, "got 1048576 bytes", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := fresh(t, 2)
			if err := c.make(t, b.path); err != nil {
				t.Skip(err)
			}
			wantOpen(t, b, c.want)
			err := b.Reset("looked at it", time.Now())
			if c.back == nil {
				if err != nil {
					t.Fatal(err)
				}
				wantClosed(t, b, 0)
				return
			}
			if err == nil {
				t.Error("a reset went through, want it refused")
			}
			if err := c.back(b.path); err != nil {
				t.Fatal(err)
			}
			// The one refusal of wantOpen may have found no lock to be counted under; then it is counted now.
			if err := b.Check(); err != nil {
				t.Error(err)
			}
			if s := open(t, b.path, 2).Status(); s.Open || s.Denies > 1 {
				t.Errorf("got %+v, want a closed breaker", s)
			}
		})
	}
}

// A file that stays as it was read is not read again: only lstat can tell, and it is told the same.
func TestUntouchedFileIsNotRead(t *testing.T) {
	b := fresh(t, 2)
	put(t, b.path, `{"denies": 0, "open": false}`)
	wantClosed(t, b, 0)
	info, err := os.Lstat(b.path)
	if err != nil {
		t.Fatal(err)
	}
	put(t, b.path, `{"denies": 0, "open": true }`)
	if err := os.Chtimes(b.path, time.Time{}, info.ModTime()); err != nil {
		t.Fatal(err)
	}
	if err := b.Check(); err != nil {
		t.Errorf("the file was read: %v", err)
	}
	if err := os.Chtimes(b.path, time.Time{}, info.ModTime().Add(time.Second)); err != nil {
		t.Fatal(err)
	}
	if err := b.Check(); err == nil {
		t.Error("the file was not read after its time had changed")
	}
	if n := testing.AllocsPerRun(100, func() { _, _ = os.Lstat(b.path) }); runtime.GOOS != "windows" {
		put(t, b.path, `{"denies": 0, "open": false}`)
		_ = b.Check()
		if got := testing.AllocsPerRun(100, func() { _, _ = b.Check(), b.Pass() }); got > n {
			t.Errorf("a check allocates %v times, want the %v of one lstat", got, n)
		}
	}
}

// No two states of one file have the same time of change, so that none is taken for another, even where inodes come back.
func TestTimesNeverRepeat(t *testing.T) {
	b := fresh(t, 1000)
	ahead := time.Now().Add(time.Hour).Truncate(time.Second) // the clock may have been set back
	put(t, b.path, `{"denies": 0, "open": false}`)
	if err := os.Chtimes(b.path, ahead, ahead); err != nil {
		t.Fatal(err)
	}
	last := ahead
	for range 50 {
		if _, err := b.Refuse(); err != nil {
			t.Fatal(err)
		}
		info, err := os.Lstat(b.path)
		if err != nil || !info.ModTime().After(last) {
			t.Fatalf("got %v, %v, want a time after %v", info.ModTime(), err, last)
		}
		last = info.ModTime()
	}
	wantClosed(t, b, 50)
}

// The file keeps the bits that a person gave it, and a chmod is noticed.
func TestModeBits(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("mode bits say less here")
	}
	b := fresh(t, 3)
	mode := func(path string, want fs.FileMode) {
		t.Helper()
		if info, err := os.Lstat(path); err != nil || info.Mode() != want {
			t.Errorf("%s: got mode %v, %v, want %v", path, info.Mode(), err, want)
		}
	}
	if _, err := b.Refuse(); err != nil {
		t.Fatal(err)
	}
	mode(b.path, 0o600)
	mode(b.path+".lock", 0o600)
	if err := os.Chmod(b.path, 0o664); err != nil {
		t.Fatal(err)
	}
	if err := b.Pass(); err != nil {
		t.Fatal(err)
	}
	mode(b.path, 0o664)
	wantClosed(t, b, 0)
	for _, bits := range []fs.FileMode{0, 0o200, 0o400, 0o177, 0o066} {
		if err := os.Chmod(b.path, bits); err != nil {
			t.Fatal(err)
		}
		wantOpen(t, b, fmt.Sprintf("got mode %04o", bits))
		if err := os.Chmod(b.path, 0o600); err != nil {
			t.Fatal(err)
		}
		_ = b.Check()
		if err := b.Reset("looked at it", time.Now()); err != nil {
			t.Fatal(err)
		}
	}
}

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
				if opened, err := b.Refuse(); opened || err == nil {
					t.Fatalf("got %t, %v, want an error", opened, err)
				}
			}
			if err := b.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
			if err := b.Pass(); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
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

func TestRelativePathStaysPut(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	b := open(t, "breaker.json", 2)
	t.Chdir(t.TempDir())
	if _, err := b.Refuse(); err != nil {
		t.Fatal(err)
	}
	if s := open(t, filepath.Join(dir, "breaker.json"), 2).Status(); s.Denies != 1 {
		t.Errorf("got %+v, want the count in the folder of the start", s)
	}
}
