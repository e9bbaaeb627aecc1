package breaker

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A disk that is full, and then a file system that is read-only: what cannot be counted opens the breaker and is counted
// later; the file is never harmed.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=16k"); err != nil {
		t.Skip("mounting needs root: ", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, 0) })
	b := open(t, filepath.Join(dir, "breaker.json"), 4)
	if _, err := b.Refuse(); err != nil {
		t.Fatal(err)
	}
	filler := filepath.Join(dir, "filler")
	if err := os.WriteFile(filler, make([]byte, 1<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("got %v, want a full disk", err)
	}
	wantClosed(t, b, 1)
	if opened, err := b.Refuse(); opened || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("got %t, %v, want a full disk", opened, err)
	}
	wantFile(t, b, `{"denies": 1, "open": false}`+"\n")
	if err := b.Check(); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("got %v, want an open breaker", err)
	}
	if _, err := os.Lstat(b.path + ".tmp"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the temporary file was left: %v", err)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	wantClosed(t, b, 2)

	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Skip(err)
	}
	wantClosed(t, b, 2)
	if _, err := b.Refuse(); !errors.Is(err, syscall.EROFS) {
		t.Errorf("got %v, want a read-only file system", err)
	}
	if err := b.Pass(); !errors.Is(err, syscall.EROFS) {
		t.Errorf("got %v, want a read-only file system", err)
	}
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT, ""); err != nil {
		t.Fatal(err)
	}
	wantClosed(t, b, 3)
}
