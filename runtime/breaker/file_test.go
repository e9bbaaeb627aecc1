package breaker

import (
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"testing"
	"time"
)

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
