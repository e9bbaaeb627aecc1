package breaker

import (
	"os"
	"path/filepath"
	"strings"
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
