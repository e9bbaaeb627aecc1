package workspace

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// list names what is in dir and what the files hold.
func list(t *testing.T, dir string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e.Name()+"="+string(b))
	}
	return all
}

// Whatever goes wrong before the rename, the old file stands, no new one does, and the temporary file is gone.
func TestFailedWriteLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "old"), []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	w, err := Open(dir, "", Limits{MaxReadBytes: 10, MaxWriteBytes: 10})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	full := errors.New("disk full")
	for _, tt := range []struct {
		what string
		fill func(c *Call, cancel func(), f *os.File) error
		want error
	}{
		{"writer fails at once", func(*Call, func(), *os.File) error { return full }, full},
		{"writer fails half-way", func(_ *Call, _ func(), f *os.File) error {
			_, err := f.WriteString("ha")
			return errors.Join(err, full)
		}, full},
		{"file is closed under it", func(_ *Call, _ func(), f *os.File) error { return f.Close() }, fs.ErrClosed},
		{"call is closed before the rename", func(c *Call, _ func(), f *os.File) error {
			c.Close()
			_, err := f.WriteString("late")
			return err
		}, fs.ErrClosed},
		{"context ends before the rename", func(_ *Call, cancel func(), f *os.File) error {
			cancel()
			_, err := f.WriteString("late")
			return err
		}, context.Canceled},
	} {
		for _, name := range []string{"old", "new"} {
			ctx, cancel := context.WithCancel(t.Context())
			c := w.Call(ctx)
			p := place{call: c, name: name}
			err := p.use("write", accessWrite, func(v *visit) error {
				at, err := v.locate(true)
				if err != nil {
					return err
				}
				defer at.dir.Close()
				return v.replace(at, func(f *os.File) error {
					if during := list(t, dir); len(during) != 2 || !strings.HasPrefix(during[0], tempPrefix) {
						t.Errorf("%s: got %q while writing, want one temporary file", tt.what, during)
					}
					return tt.fill(c, cancel, f)
				})
			})
			cancel()
			if !errors.Is(err, tt.want) {
				t.Errorf("%s, %s: got %v, want %v", tt.what, name, err, tt.want)
			}
			if after := list(t, dir); !slices.Equal(after, []string{"old=old"}) {
				t.Errorf("%s, %s: got %q, want the old file only", tt.what, name, after)
			}
		}
	}
}

// A folder that is moved away between the first byte and the rename does not get the file, nor does what stands in
// its place.
func TestFolderSwappedWhileWriting(t *testing.T) {
	dir := t.TempDir()
	outside := filepath.Join(dir, "outside")
	ws := filepath.Join(dir, "ws")
	if err := errors.Join(os.MkdirAll(filepath.Join(ws, "d"), 0o755), os.Mkdir(outside, 0o755)); err != nil {
		t.Fatal(err)
	}
	w, err := Open(ws, "", Limits{MaxReadBytes: 10, MaxWriteBytes: 10})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	p := place{call: w.Call(t.Context()), name: "d/f"}
	err = p.use("write", accessWrite, func(v *visit) error {
		at, err := v.locate(true)
		if err != nil {
			return err
		}
		defer at.dir.Close()
		return v.replace(at, func(*os.File) error {
			err := os.Rename(filepath.Join(ws, "d"), filepath.Join(outside, "moved"))
			if err != nil {
				t.Skipf("an open folder cannot be moved: %v", err)
			}
			return os.Symlink(filepath.Join("..", "outside", "moved"), filepath.Join(ws, "d"))
		})
	})
	if err == nil {
		t.Error("got no error")
	}
	if got := list(t, filepath.Join(outside, "moved")); len(got) != 0 {
		t.Errorf("got %q outside, want nothing", got)
	}
}

// zeros is a file that grows while it is read: it never ends.
type zeros struct{ read int }

func (z *zeros) Read(p []byte) (int, error) {
	z.read += len(p)
	return len(p), nil
}

// What a file said about its size does not matter: reading ends soon after the cap.
func TestGrowingFile(t *testing.T) {
	for _, limit := range []int{1, 10, 1 << 20} {
		w := &Workspace{limits: Limits{MaxReadBytes: limit}}
		v := &visit{Call: w.Call(t.Context())}
		z := &zeros{}
		if _, err := v.all(z, 0); err == nil || w.refused(err).code != verdict.TooLarge || z.read > 2*limit+chunk {
			t.Errorf("cap %d: got %v after %d bytes", limit, err, z.read)
		}
		full, err := v.all(io.LimitReader(z, int64(limit)), 0)
		if err != nil || len(full) != limit {
			t.Errorf("cap %d: got %d bytes, %v", limit, len(full), err)
		}
		v.Close()
		if _, err := v.all(z, 0); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("after the call: got %v", err)
		}
	}
}
