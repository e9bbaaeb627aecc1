package workspace_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/toolfreeze/toolfreeze/runtime/verdict"
	"github.com/toolfreeze/toolfreeze/runtime/workspace"
)

func limits() workspace.Limits { return workspace.Limits{MaxReadBytes: 1000, MaxWriteBytes: 500} }

// open opens a workspace for the time of the test.
func open(t testing.TB, root, base string) *workspace.Workspace {
	t.Helper()
	w, err := workspace.Open(root, base, limits())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

// call opens dir as a workspace and one call of it.
func call(t testing.TB, dir string) *workspace.Call {
	t.Helper()
	return open(t, dir, "").Call(t.Context())
}

// at, in and to are paths as a decoder binds them.
func at(c *workspace.Call, name, under string) (p workspace.ReadPath) {
	*p.Bind(c, under) = name
	return p
}

func in(c *workspace.Call, name, under string) (p workspace.ListPath) {
	*p.Bind(c, under) = name
	return p
}

func to(c *workspace.Call, name, under string) (p workspace.WritePath) {
	*p.Bind(c, under) = name
	return p
}

// tree makes files below dir: "a/b=text" is a file, "a/" a folder, "a=>b" a link.
func tree(t testing.TB, dir string, items ...string) {
	t.Helper()
	for _, item := range items {
		var err error
		if name, target, ok := strings.Cut(item, "=>"); ok {
			err = errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755), os.Symlink(target, filepath.Join(dir, name)))
			if err != nil && runtime.GOOS == "windows" {
				t.Skipf("links cannot be made: %v", err)
			}
		} else if name, text, ok := strings.Cut(item, "="); ok {
			err = errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755), os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
		} else {
			err = os.MkdirAll(filepath.Join(dir, item), 0o755)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func text(t testing.TB, dir, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// is reports whether err is want, nil for none.
func is(err, want error) bool {
	if want == nil || err == nil {
		return want == err
	}
	return errors.Is(err, want)
}

func TestOpenMakesTheRoot(t *testing.T) {
	base := t.TempDir()
	open(t, "./var/agent/workspace", base)
	for _, dir := range []string{"var", "var/agent", "var/agent/workspace"} {
		info, err := os.Stat(filepath.Join(base, dir))
		if err != nil || !info.IsDir() || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
			t.Errorf("%s: got %v %v, want a folder of mode 0700", dir, info, err)
		}
	}
	open(t, filepath.Join(base, "absolute"), "elsewhere that does not exist")
	t.Chdir(base)
	open(t, "here", "")
	if _, err := os.Stat(filepath.Join(base, "here")); err != nil {
		t.Error(err)
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, "file=", "dangling=>nowhere", "tofile=>file")
	for _, tt := range []struct {
		root, base string
		limits     workspace.Limits
	}{
		{"", dir, limits()},
		{"file", dir, limits()},
		{"file/below", dir, limits()},
		{"dangling", dir, limits()},
		{"tofile", dir, limits()},
		{"ws", filepath.Join(dir, "missing"), limits()},
		{"ws", dir, workspace.Limits{MaxReadBytes: 1}},
		{"ws", dir, workspace.Limits{MaxWriteBytes: 1}},
		{"ws", dir, workspace.Limits{MaxReadBytes: -1, MaxWriteBytes: 1}},
	} {
		if w, err := workspace.Open(tt.root, tt.base, tt.limits); err == nil {
			w.Close()
			t.Errorf("%q in %q with %v: got no error", tt.root, tt.base, tt.limits)
		}
	}
	if _, err := os.Lstat(filepath.Join(dir, "ws")); err == nil {
		t.Error("a refused workspace was made")
	}
}

// A root that is a link is the folder that the link named when it was opened, whatever becomes of the names.
func TestRootStaysPinned(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, "one/f=one", "two/f=two", "ws=>one")
	c := call(t, filepath.Join(dir, "ws"))
	want := func(step string) {
		t.Helper()
		if got, err := at(c, "f", "").ReadFile(); string(got) != "one" {
			t.Errorf("%s: got %q %v, want %q", step, got, err, "one")
		}
		if err := to(c, "new", "").WriteFile([]byte(step)); err != nil {
			t.Errorf("%s: %v", step, err)
		}
		if entries, err := in(c, ".", "").List(); len(entries) != 2 {
			t.Errorf("%s: got %v %v, want 2 entries", step, entries, err)
		}
	}
	want("opened")
	if runtime.GOOS == "windows" {
		return // a folder that is open is not renamed there
	}
	if err := errors.Join(os.Remove(filepath.Join(dir, "ws")), os.Symlink("two", filepath.Join(dir, "ws"))); err != nil {
		t.Fatal(err)
	}
	want("link turned")
	if err := os.Rename(filepath.Join(dir, "one"), filepath.Join(dir, "three")); err != nil {
		t.Fatal(err)
	}
	tree(t, dir, "one/f=false")
	want("renamed")
	if got := text(t, dir, "three/new"); got != "renamed" {
		t.Errorf("got %q in the renamed folder, want %q", got, "renamed")
	}
}

func TestUnbound(t *testing.T) {
	w := open(t, t.TempDir(), "")
	c := w.Call(t.Context())
	live := to(c, "a", "")
	*live.Bind(nil, "") = "b" // must not leave it alive under another name
	var none *workspace.Call
	for name, p := range map[string]workspace.WritePath{
		"zero": {}, "typed": workspace.To("a"), "bound to nothing": to(nil, "a", ""), "bound to a nil call": to(none, "a", ""), "bound again": live,
	} {
		if err := p.WriteFile(nil); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("%s: got %v, want an error", name, err)
		}
	}
	if _, err := workspace.At("a").ReadFile(); err == nil || err.Error() != `read "a": the path belongs to no call` {
		t.Errorf("got %v", err)
	}
	if _, err := workspace.In("a").List(); err == nil {
		t.Error("list: got no error")
	}
	if workspace.At("a").Name()+workspace.In("b").Name()+workspace.To("c").Name() != "abc" {
		t.Error("got other names than were given")
	}
	if code, want := none.CheckPath("a", "", "read"); code != verdict.PathEscape || want == "" {
		t.Errorf("nil call: got %s %q", code, want)
	}
	if entries, err := in(c, ".", "").List(); err != nil || len(entries) != 0 {
		t.Errorf("got %v %v, want an empty folder", entries, err)
	}
}

func TestDeadAfterTheCall(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	w := open(t, t.TempDir(), "")
	tree(t, t.TempDir(), "f=")
	for name, end := range map[string]func(c *workspace.Call){
		"closed":    func(c *workspace.Call) { c.Close(); c.Close() },
		"cancelled": func(*workspace.Call) { cancel(verdict.Timeout) },
	} {
		c := w.Call(t.Context())
		if name == "cancelled" {
			c = w.Call(ctx)
		}
		if err := to(c, "f", "").WriteFile([]byte("x")); err != nil {
			t.Fatal(err)
		}
		end(c)
		want := map[string]error{"closed": fs.ErrClosed, "cancelled": verdict.Timeout}[name]
		_, read := at(c, "f", "").ReadFile()
		_, stat := at(c, "f", "").Stat()
		_, list := in(c, ".", "").List()
		for op, err := range map[string]error{
			"read": read, "stat": stat, "list": list, "write": to(c, "f", "").WriteFile(nil),
			"mkdir": to(c, "d", "").Mkdir(), "remove": to(c, "f", "").Remove(),
		} {
			if !errors.Is(err, want) {
				t.Errorf("%s, %s: got %v, want %v", name, op, err, want)
			}
		}
		if code, _ := c.CheckPath("f", "", "read"); name == "closed" && code != verdict.PathEscape {
			t.Errorf("check after the call: got %s", code)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := at(w.Call(t.Context()), "f", "").ReadFile(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("closed workspace: got %v", err)
	}
	if code, _ := w.Call(t.Context()).CheckPath("f", "", "read"); code != verdict.PathEscape {
		t.Errorf("closed workspace: got %s", code)
	}
}

// No text that a handler may pass on to the model names a place outside.
func TestErrorsHoldNoAbsolutePath(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, "out/f=", "ws/d/", "ws/out=>../out", "ws/loop=>loop", "ws/f=")
	c := call(t, filepath.Join(dir, "ws"))
	var all []error
	for _, name := range []string{"out", "out/f", "loop", "d", "f", "f/x", "none", "none/x", "../out/f", filepath.Join(dir, "out", "f"), ".", "a\nb", strings.Repeat("n/", 300)} {
		for _, under := range []string{"", "d", "none", "out", "../out"} {
			_, read := at(c, name, under).ReadFile()
			_, list := in(c, name, under).List()
			_, stat := at(c, name, under).Stat()
			all = append(all, read, list, stat, to(c, name, under).Mkdir(), to(c, name, under).WriteFile(make([]byte, 501)), to(c, name+"/x", under).WriteFile(nil))
			code, want := c.CheckPath(name, under, "read")
			all = append(all, errors.New(code.String()+want))
		}
	}
	for _, err := range all {
		if err == nil {
			continue
		}
		if said, _ := verdict.Said(workspace.Explain(err)); strings.Contains(err.Error()+said, filepath.Dir(dir)) {
			t.Errorf("got %q", err)
		}
	}
}

// State that a tool could write is refused, by whatever way it lies inside.
func TestOpenKeepsStateOutside(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, "ws/d/", "ws/back=>../real", "real/", "file=", "tofile=>file", "tows=>ws", "tod=>ws/d", "gone=>ws/state", "deep=>ws/none/state", "chain=>gone", "abs=>"+filepath.Join(dir, "ws", "x"), "loop=>loop")
	for state, fine := range map[string]bool{
		"file": true, "tofile": true, "missing": true, "missing/too": true, "real/state": true, "ws": true, "ws-evil/state": true,
		"ws/state": false, "ws/d/state": false, "ws/none/state": false, "tows/state": false, "tod/state": false, "tod/none/state": false,
		"ws/back/state": false, "gone": false, "deep": false, "chain": false, "abs": false, "loop": false, "loop/state": false, "file/state": false,
	} {
		w, err := workspace.Open("ws", dir, limits(), filepath.Join(dir, "file"), filepath.Join(dir, state))
		if (err == nil) != fine {
			t.Errorf("%s: got %v, want fine: %v", state, err, fine)
		}
		if err == nil {
			w.Close()
		}
	}
}
