//go:build unix

package freezefile

import (
	"path/filepath"
	"syscall"
	"testing"
)

// TestReadPipe reads a FIFO that nobody writes to: to open it would wait for ever.
func TestReadPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), Name)
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	_, err := Read(path)
	if want := path + ": got a device, pipe or socket, want a regular file"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
