//go:build unix

package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// What is put in a file's place after the first look is refused by the second one, and a FIFO does not make it wait.
func TestSwappedBeforeOpening(t *testing.T) {
	dir := t.TempDir()
	w, err := Open("ws", dir, Limits{MaxReadBytes: 10, MaxWriteBytes: 10})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	f := filepath.Join(dir, "ws", "f")
	if err := os.WriteFile(filepath.Join(dir, "secret"), []byte("CANARY"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		what  string
		decoy func() error
		want  verdict.Code
	}{
		{"FIFO", func() error { return syscall.Mkfifo(f, 0o644) }, verdict.NotRegular},
		{"folder", func() error { return os.Mkdir(f, 0o755) }, verdict.NotRegular},
		{"link out", func() error { return os.Symlink("../secret", f) }, verdict.PathEscape},
		{"link to a FIFO", func() error {
			return errors.Join(syscall.Mkfifo(filepath.Join(dir, "ws", "fifo"), 0o644), os.Symlink("fifo", f))
		}, verdict.NotRegular},
	} {
		if err := errors.Join(os.RemoveAll(f), os.WriteFile(f, []byte("x"), 0o644)); err != nil {
			t.Fatal(err)
		}
		p := place{call: w.Call(t.Context()), name: "f"}
		done := make(chan error, 1)
		go func() {
			done <- p.use("read", accessRead, func(v *visit) error {
				at, err := v.locate(true)
				if err != nil {
					return err
				}
				defer at.dir.Close()
				if err := errors.Join(os.Remove(f), tt.decoy()); err != nil {
					t.Error(err)
				}
				_, _, err = v.open(at)
				return err
			})
		}()
		select {
		case err := <-done:
			if err == nil || !errors.Is(err, tt.want) {
				t.Errorf("%s: got %v, want %s", tt.what, err, tt.want)
			}
		case <-time.After(5 * time.Second):
			t.Fatalf("%s: opening it waits", tt.what)
		}
	}
}

// A folder that is moved while it is a fence is no fence, and neither is what stands in its place.
func TestSwappedFence(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", "b"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	w, err := Open(dir, "", Limits{MaxReadBytes: 10, MaxWriteBytes: 10})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	info, err := w.root.Lstat("a")
	if err != nil {
		t.Fatal(err)
	}
	if same, err := w.same(w.root, "a", info); err != nil {
		t.Error(err)
	} else {
		same.Close()
	}
	if err := errors.Join(os.Rename(filepath.Join(dir, "a"), filepath.Join(dir, "c")), os.Symlink("b", filepath.Join(dir, "a"))); err != nil {
		t.Fatal(err)
	}
	if _, err := w.same(w.root, "a", info); w.refused(err) == nil {
		t.Errorf("got %v, want a refusal", err)
	}
}
