//go:build unix

package workspace_test

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/toolfreeze/toolfreeze/runtime/verdict"
	"github.com/toolfreeze/toolfreeze/runtime/workspace"
)

// within ends the test where do waits for somebody.
func within(t *testing.T, what string, do func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		do()
	}()
	select {
	case <-done:
	case <-time.After(5 * time.Second):
		t.Fatalf("%s waits", what)
	}
}

// Nobody reads from or writes to the FIFO, so that whoever opens it in the usual way waits for ever.
func TestFIFO(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, "ws/", "ws/link=>fifo")
	for _, name := range []string{"fifo", "ws/fifo"} {
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o644); err != nil {
			t.Skip(err)
		}
	}
	within(t, "open", func() {
		if _, err := workspace.Open("fifo", dir, limits()); err == nil {
			t.Error("a FIFO as root: got no error")
		}
	})
	c := call(t, filepath.Join(dir, "ws"))
	special(t, c, "fifo", "link")
	within(t, "fifo as a folder", func() {
		if code, want := c.CheckPath("fifo/f", "fifo", "read"); code != verdict.OK {
			t.Errorf("under: got %s %q", code, want)
		}
		for _, under := range []string{"", "fifo"} {
			_, read := at(c, "fifo/f", under).ReadFile()
			_, list := in(c, "fifo", under).List()
			for op, err := range map[string]error{"read": read, "list": list, "write": to(c, "fifo/f", under).WriteFile(nil), "mkdir": to(c, "fifo/f", under).Mkdir()} {
				if !is(err, syscall.ENOTDIR) {
					t.Errorf("%s under %q: got %v, want ENOTDIR", op, under, err)
				}
			}
		}
	})
}

// special holds what is true of everything that is neither file nor folder.
func special(t *testing.T, c *workspace.Call, name string, links ...string) {
	t.Helper()
	within(t, name, func() {
		if e, err := at(c, name, "").Stat(); err != nil || e != (workspace.Entry{Name: name, Kind: workspace.Other}) {
			t.Errorf("got %v %v", e, err)
		}
		if err := to(c, name, "").Remove(); !is(err, verdict.NotRegular) {
			t.Errorf("remove: got %v", err)
		}
		if err := to(c, name, "").Mkdir(); !is(err, fs.ErrExist) {
			t.Errorf("mkdir: got %v", err)
		}
		for _, name := range append(links, name) {
			if _, err := at(c, name, "").ReadFile(); !is(err, verdict.NotRegular) {
				t.Errorf("read %s: got %v", name, err)
			}
			if err := to(c, name, "").WriteFile([]byte("x")); !is(err, verdict.NotRegular) {
				t.Errorf("write %s: got %v", name, err)
			}
			if code, want := c.CheckPath(name, "", "read"); code != verdict.OK {
				t.Errorf("check %s: got %s %q; what it is matters to the operation only", name, code, want)
			}
		}
	})
}

func TestSocket(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir) // the whole path may be too long for a socket
	l, err := net.Listen("unix", "s")
	if err != nil {
		t.Skip(err)
	}
	defer l.Close()
	special(t, call(t, dir), "s")
}

func TestHardLink(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, "outside=CANARY", "ws/link=>hard")
	if err := os.Link(filepath.Join(dir, "outside"), filepath.Join(dir, "ws", "hard")); err != nil {
		t.Skip(err)
	}
	c := call(t, filepath.Join(dir, "ws"))
	for _, name := range []string{"hard", "link"} {
		if err := to(c, name, "").WriteFile([]byte("x")); !is(err, verdict.NotRegular) {
			t.Errorf("write %s: got %v, want NOT_REGULAR", name, err)
		}
		if got, err := at(c, name, "").ReadFile(); string(got) != "CANARY" {
			t.Errorf("read %s: got %q %v, want the content", name, got, err)
		}
	}
	if err := to(c, "hard", "").Remove(); err != nil {
		t.Errorf("remove: got %v; a name may go", err)
	}
	if got := text(t, dir, "outside"); got != "CANARY" {
		t.Errorf("got %q outside", got)
	}
	if err := to(c, "hard", "").WriteFile([]byte("x")); err != nil {
		t.Errorf("write a new file: got %v", err)
	}
}

func TestModes(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, "private=", "shared=", "script=", "fixed=old", "setuid=")
	modes := map[string]fs.FileMode{"private": 0o600, "shared": 0o666, "script": 0o755, "fixed": 0o444, "setuid": 0o755 | fs.ModeSetuid}
	for name, mode := range modes {
		if err := os.Chmod(filepath.Join(dir, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	modes["setuid"] = 0o755 // another content has not earned it
	c := call(t, dir)
	umask := syscall.Umask(0o027)
	defer syscall.Umask(umask)
	for name := range modes {
		if err := to(c, name, "").WriteFile([]byte("new")); !is(err, map[string]error{"fixed": fs.ErrPermission}[name]) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if err := errors.Join(to(c, "new", "").WriteFile(nil), to(c, "dir", "").Mkdir()); err != nil {
		t.Fatal(err)
	}
	modes["new"], modes["dir"] = 0o640, 0o750|fs.ModeDir
	for name, want := range modes {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode() != want {
			t.Errorf("%s: got %v %v, want %v", name, info.Mode(), err, want)
		}
	}
	if text(t, dir, "fixed") != "old" {
		t.Error("a file without a write bit was replaced")
	}
	noTemporary(t, dir)
}

// A folder that cannot be entered is no way that can be followed to its end; the operation says why.
func TestNoPermission(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may enter every folder")
	}
	dir := t.TempDir()
	tree(t, dir, "d/f=x")
	if err := os.Chmod(filepath.Join(dir, "d"), 0); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(filepath.Join(dir, "d"), 0o755)
	c := call(t, dir)
	if code, want := c.CheckPath("d/f", "", "read"); code != verdict.PathEscape {
		t.Errorf("got %s %q", code, want)
	}
	if _, err := at(c, "d/f", "").ReadFile(); !is(err, fs.ErrPermission) {
		t.Errorf("got %v", err)
	}
}

// fifo makes a FIFO.
func fifo(path string) error { return syscall.Mkfifo(path, 0o644) }
