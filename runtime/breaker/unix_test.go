//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package breaker

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A FIFO in the place of any of the files blocks nobody.
func TestFIFO(t *testing.T) {
	for i, name := range Files("") {
		b := fresh(t, 3)
		if err := syscall.Mkfifo(b.path+name, 0o600); err != nil {
			t.Skip(err)
		}
		_, err := b.Refuse()
		reset := b.Reset("looked at it", time.Now())
		switch i {
		case 0, 1:
			if err == nil || reset == nil {
				t.Errorf("%q: got %v and %v, want errors", name, err, reset)
			}
		case 2:
			if err != nil || reset != nil { // a left-over is taken away, whatever it is
				t.Errorf("%q: got %v and %v, want none", name, err, reset)
			}
		case 3:
			if err != nil || reset == nil {
				t.Errorf("%q: got %v and %v, want the reset refused", name, err, reset)
			}
		}
	}
	b := fresh(t, 3)
	if err := syscall.Mkfifo(b.path, 0o600); err != nil {
		t.Skip(err)
	}
	wantOpen(t, b, "got a FIFO")
}

func TestDevice(t *testing.T) {
	// Only looked at: a refusal would make a lock beside it.
	b := open(t, os.DevNull, 3)
	if err := b.Check(); err == nil || !strings.Contains(err.Error(), "got a device; it counts as open") {
		t.Errorf("got %v, want a device to be refused", err)
	}
}

// The temporary file is not written through a link or a hard link that was put there.
func TestTemporaryFileIsNew(t *testing.T) {
	b := fresh(t, 3)
	victim := filepath.Join(t.TempDir(), "victim")
	put(t, victim, "precious")
	for _, link := range []func(old, name string) error{os.Symlink, os.Link} {
		if err := link(victim, b.path+".tmp"); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Refuse(); err != nil {
			t.Error(err)
		}
		if got, err := os.ReadFile(victim); err != nil || string(got) != "precious" {
			t.Errorf("got %q, %v", got, err)
		}
	}
	wantClosed(t, b, 2)
}

// A folder that its owner may not write to is judged by its bits, for root too.
func TestReadOnlyFolder(t *testing.T) {
	b := fresh(t, 3)
	put(t, b.path, `{"denies": 1, "open": false}`)
	if err := os.Chmod(b.folder, 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(b.folder, 0o700) })
	wantClosed(t, b, 1)
	if _, err := b.Refuse(); err == nil {
		t.Error("counted in a read-only folder")
	}
	if err := b.Check(); err == nil {
		t.Error("closed while a refusal is owed")
	}
	if err := b.Pass(); err == nil {
		t.Error("passed while the count cannot be reset")
	}
	wantFile(t, b, `{"denies": 1, "open": false}`)
	if err := os.Chmod(b.folder, 0o700); err != nil {
		t.Fatal(err)
	}
	wantClosed(t, b, 2)
}

// What root makes belongs to the owner of the file or the folder.
func TestFilesOfRoot(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root gives files away")
	}
	const folder, file = 12345, 12346
	b := fresh(t, 3)
	if err := os.Chown(b.folder, folder, folder); err != nil {
		t.Fatal(err)
	}
	owner := func(path string, want uint32) {
		t.Helper()
		info, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		if st := info.Sys().(*syscall.Stat_t); st.Uid != want || st.Gid != want {
			t.Errorf("%s: got owner %d:%d, want %d", path, st.Uid, st.Gid, want)
		}
	}
	if err := b.Reset("first of all", time.Now()); err != nil {
		t.Fatal(err)
	}
	owner(b.path, folder)
	owner(b.path+".lock", folder)
	owner(b.path+".log", folder)
	if err := os.Chown(b.path, file, file); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Refuse(); err != nil {
		t.Fatal(err)
	}
	owner(b.path, file)
}

func TestFolderBehindLink(t *testing.T) {
	real := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	a, b := open(t, filepath.Join(link, "breaker.json"), 2), open(t, filepath.Join(real, "breaker.json"), 2)
	if _, err := a.Refuse(); err != nil {
		t.Fatal(err)
	}
	wantClosed(t, b, 1)
	if err := os.Remove(link); err != nil {
		t.Fatal(err)
	}
	wantOpen(t, a, "its folder is missing")
	if err := os.WriteFile(link, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := a.Check(); !errors.Is(err, syscall.ENOTDIR) {
		t.Errorf("got %v, want the folder to be none", err)
	}
}
