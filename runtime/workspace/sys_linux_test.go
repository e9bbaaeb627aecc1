package workspace_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/toolfreeze/toolfreeze/runtime/verdict"
	"github.com/toolfreeze/toolfreeze/runtime/workspace"
)

// mount mounts a file system of 64 KiB for the time of the test.
func mount(t *testing.T, dir string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size=64k"); err != nil {
		t.Skipf("a mount needs root: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
}

// device makes the node of /dev/zero.
func device(t *testing.T, path string) {
	t.Helper()
	if err := syscall.Mknod(path, syscall.S_IFCHR|0o666, 1<<8|5); err != nil {
		t.Skipf("a device needs root: %v", err)
	}
}

func TestDevice(t *testing.T) {
	dir := t.TempDir()
	device(t, filepath.Join(dir, "zero"))
	special(t, call(t, dir), "zero")
}

func TestOtherDevice(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, "mnt/", "tomnt=>mnt/f", "tonew=>mnt/new", "tomntdir=>mnt", "back=>mnt/home", "f=inside")
	mount(t, filepath.Join(dir, "mnt"))
	tree(t, dir, "mnt/f=CANARY", "mnt/d/f=CANARY", "mnt/home=>../f")
	c := call(t, dir)
	for _, name := range []string{"mnt", "mnt/f", "mnt/new", "mnt/d", "mnt/d/f", "mnt/d/none/x", "tomnt", "tonew", "tomntdir", "tomntdir/f", "mnt/home", "back"} {
		for _, under := range []string{"", "mnt"} {
			if under != "" && !strings.HasPrefix(name, "mnt/") {
				continue
			}
			if code, want := c.CheckPath(name, under, "list"); code != verdict.PathEscape || want == "" {
				t.Errorf("check %s under %q: got %s %q", name, under, code, want)
			}
			_, read := at(c, name, under).ReadFile()
			_, list := in(c, name, under).List()
			_, stat := in(c, name, under).Stat()
			for op, err := range map[string]error{
				"read": read, "list": list, "stat": stat, "write": to(c, name, under).WriteFile([]byte("x")),
				"mkdir": to(c, name, under).Mkdir(), "remove": to(c, name, under).Remove(),
			} {
				if !is(err, verdict.PathEscape) {
					t.Errorf("%s %s under %q: got %v, want PATH_ESCAPE", op, name, under, err)
				}
			}
		}
	}
	if text(t, dir, "mnt/f") != "CANARY" || text(t, dir, "f") != "inside" {
		t.Error("a file on the other device was written")
	}
	if got, err := in(c, ".", "").List(); err != nil || len(got) != 6 {
		t.Errorf("got %v %v, want the mount to be listed with the rest", got, err)
	}
}

// A single file can be a mount, too.
func TestOtherDeviceFile(t *testing.T) {
	dir := t.TempDir()
	mount(t, filepath.Join(dir, "mnt"))
	tree(t, dir, "mnt/f=CANARY", "ws/f=covered", "ws/link=>f")
	f := filepath.Join(dir, "ws", "f")
	if err := syscall.Mount(filepath.Join(dir, "mnt", "f"), f, "", syscall.MS_BIND, ""); err != nil {
		t.Skip(err)
	}
	defer syscall.Unmount(f, syscall.MNT_DETACH)
	c := call(t, filepath.Join(dir, "ws"))
	for _, name := range []string{"f", "link"} {
		_, read := at(c, name, "").ReadFile()
		if code, _ := c.CheckPath(name, "", "read"); code != verdict.PathEscape || !is(read, verdict.PathEscape) || !is(to(c, name, "").WriteFile(nil), verdict.PathEscape) {
			t.Errorf("%s: got %s %v", name, code, read)
		}
	}
}

// A workspace may be a mount of its own.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	mount(t, dir)
	w, err := workspace.Open(dir, "", workspace.Limits{MaxReadBytes: 1 << 20, MaxWriteBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	c := w.Call(t.Context())
	for _, name := range []string{"old", "new"} {
		if err := to(c, "old", "").WriteFile([]byte("old")); err != nil {
			t.Fatal(err)
		}
		err := workspace.WriteText(to(c, name, ""), strings.Repeat("x", 100<<10))
		if said, _ := verdict.Said(err); !errors.Is(err, syscall.ENOSPC) || said != "write "+name+": the disk is full" {
			t.Errorf("%s: got %v", name, err)
		}
		if got := text(t, dir, "old"); got != "old" {
			t.Errorf("%s: got %d bytes in the old file", name, len(got))
		}
		if entries, err := os.ReadDir(dir); len(entries) != 1 {
			t.Errorf("%s: got %v %v, want the old file only", name, entries, err)
		}
	}
}
