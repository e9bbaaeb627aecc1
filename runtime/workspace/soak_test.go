package workspace_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/toolfreeze/toolfreeze/runtime/verdict"
	"github.com/toolfreeze/toolfreeze/runtime/workspace"
)

// soak is how long the attacker runs: TOOLFREEZE_SOAK, 2 s where it is unset.
func soak(t *testing.T) time.Duration {
	t.Helper()
	text := os.Getenv("TOOLFREEZE_SOAK")
	if text == "" {
		return 2 * time.Second
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatalf("TOOLFREEZE_SOAK: %v", err)
	}
	return d
}

// swap puts decoy in the place of name and takes it away again, so that name is always one of the two or missing.
func swap(dir *os.Root, name, decoy string) {
	dir.Rename(name, name+".real")
	dir.Rename(decoy, name)
	runtime.Gosched()
	dir.Rename(name, decoy)
	dir.Rename(name+".real", name)
}

// flip renames what decoy makes over the file name, and then a new file over that.
func flip(dir *os.Root, name, next string, decoy func(next string) error) {
	if decoy(next) == nil {
		dir.Rename(next, name)
	}
	runtime.Gosched()
	dir.Remove(next)
	if dir.WriteFile(next, []byte("INSIDE"), 0o644) == nil {
		dir.Rename(next, name)
	}
}

// attackers change the tree below ws in ways that are meant to lead somebody astray. Each takes turns with a few, and works in a folder that it holds
// open, so that none is led astray itself.
func attackers(t *testing.T, top, ws string) [][]func() {
	hold := func(dir string) *os.Root {
		r, err := os.OpenRoot(filepath.Join(ws, dir))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { r.Close() })
		return r
	}
	root, fence, a, b := hold("."), hold("fence"), hold("fence/a"), hold("fence/b")
	link := func(dir *os.Root, target string) func(string) error {
		return func(next string) error { return dir.Symlink(target, next) }
	}
	return [][]func(){
		{
			func() { swap(fence, "a", "decoy-out") },
			func() { swap(root, "fence", "decoy-fence") },
			func() { swap(fence, "p", "decoy-fifo") },
		}, {
			func() { swap(fence, "b", "decoy-beside") },
			func() { swap(b, "deep", "decoy-up") },
		}, {
			func() { flip(a, "f", "next1", link(a, "../../../out/f")) },
			func() { flip(b, "f", "next2", link(b, "../../beside/f")) },
			func() { flip(b, "h", "next3", func(next string) error { return b.Link("hard", next) }) },
		}, {
			func() { flip(a, "f", "next4", link(a, filepath.Join(top, "out", "f"))) },
			func() { flip(b, "f", "next5", link(b, "../../../../../../../../../../etc/passwd")) },
		},
	}
}

// users do what handlers do, and count how it ends.
func users(t *testing.T, w *workspace.Workspace, count func(op string, err error)) []func() {
	read := func(name string) func() {
		return func() {
			content, err := at(w.Call(t.Context()), name, "fence").ReadFile()
			count("read", err)
			if err == nil && !strings.HasPrefix(string(content), "INSIDE") {
				t.Errorf("%s: read %q", name, content)
			}
		}
	}
	write := func(name string) func() {
		return func() {
			c := w.Call(t.Context())
			if code, _ := c.CheckPath(name, "fence", "write"); code == verdict.OK {
				count("write", to(c, name, "fence").WriteFile([]byte("INSIDE, written")))
			}
		}
	}
	return []func(){
		read("fence/a/f"), read("fence/b/f"), read("fence/b/deep/f"), read("fence/p"),
		write("fence/a/f"), write("fence/b/f"), write("fence/b/deep/f"), write("fence/b/h"), write("fence/a/new"), write("fence/p"),
		func() {
			for _, name := range []string{"fence/a", "fence/b", "fence/b/deep"} {
				entries, err := in(w.Call(t.Context()), name, "fence").List()
				count("list", err)
				if strings.Contains(fmt.Sprint(entries), "CANARY") {
					t.Errorf("%s: listed %v", name, entries)
				}
			}
		},
		func() {
			for _, name := range []string{"fence/a/sub", "fence/b/sub", "fence/b/deep/sub", "fence/a/new"} {
				p := to(w.Call(t.Context()), name, "fence")
				count("mkdir", p.Mkdir())
				count("remove", p.Remove())
			}
		},
	}
}

// outcome is a word for how an operation ended.
func outcome(err error) string {
	switch {
	case err == nil:
		return "done"
	case is(err, verdict.PathEscape):
		return "PATH_ESCAPE"
	case is(err, verdict.NotRegular):
		return "NOT_REGULAR"
	case is(err, fs.ErrNotExist):
		return "not there"
	}
	return "other error"
}

// over reports whether stop is closed.
func over(stop chan struct{}) bool {
	select {
	case <-stop:
		return true
	default:
		return false
	}
}

// battlefield makes the tree of TestSwaps and returns its top, its workspace and the folders that nobody may touch.
func battlefield(t *testing.T) (top, ws string, watched []string) {
	t.Helper()
	top = t.TempDir()
	ws = filepath.Join(top, "ws")
	for _, dir := range []string{"out/", "ws/beside/"} {
		tree(t, top, dir+"f=CANARY", dir+"CANARY=CANARY", dir+"deep/f=CANARY", dir+"sub/CANARY=CANARY", dir+"new=CANARY", dir+"h=CANARY")
	}
	tree(t, ws, "fence/a/f=INSIDE", "fence/b/f=INSIDE", "fence/b/h=INSIDE", "fence/b/deep/f=INSIDE", "fence/p=INSIDE",
		"fence/decoy-out=>../../out", "fence/decoy-beside=>../beside", "fence/b/decoy-up=>../../beside/deep", "decoy-fence=>beside")
	if err := os.Link(filepath.Join(ws, "beside", "f"), filepath.Join(ws, "fence", "b", "hard")); err != nil {
		t.Skip(err)
	}
	if err := fifo(filepath.Join(ws, "fence", "decoy-fifo")); err != nil {
		t.Log(err)
	}
	return top, ws, []string{filepath.Join(top, "out"), filepath.Join(ws, "beside")}
}

// TestSwaps lets another program swap folders, links, hard links and FIFOs while paths are read and written. What is
// outside the fence is neither read nor changed, nobody waits, and no temporary file is left.
func TestSwaps(t *testing.T) {
	top, ws, watched := battlefield(t)
	w := open(t, ws, "")
	before := ""
	for _, dir := range watched {
		before += snapshot(t, dir, "")
	}
	var mu sync.Mutex
	counts := map[string]int{}
	stop := make(chan struct{})
	moves := make(chan struct{}, 4) // one swap for some operations, so that many of them find the tree in order
	var all sync.WaitGroup
	for _, do := range users(t, w, func(op string, err error) {
		mu.Lock()
		counts[op+" "+outcome(err)]++
		mu.Unlock()
		select {
		case moves <- struct{}{}:
		default:
		}
	}) {
		all.Go(func() {
			for !t.Failed() && !over(stop) {
				do()
			}
		})
	}
	swaps := atomic.Int64{}
	for _, turns := range attackers(t, top, ws) {
		all.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-moves:
					turns[i%len(turns)]()
					swaps.Add(1)
				case <-stop:
					return
				}
			}
		})
	}
	end := time.AfterFunc(soak(t), func() { close(stop) })
	defer end.Stop()
	all.Wait()
	after := ""
	for _, dir := range watched {
		after += snapshot(t, dir, "")
	}
	if after != before {
		t.Errorf("got\n%s\nwant\n%s", after, before)
	}
	noTemporary(t, top)
	t.Logf("%d swaps; %v", swaps.Load(), counts)
}

// After Close has returned no write comes through any more, however far it had got.
func TestCloseWhileWriting(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, "f=")
	w := open(t, dir, "")
	for i := range 100 {
		c := w.Call(t.Context())
		var all sync.WaitGroup
		begun := make(chan struct{}, 4)
		for range 4 {
			all.Go(func() {
				for n := 0; ; n++ {
					if to(c, "f", "").WriteFile(fmt.Appendf(nil, "%d %d", i, n)) != nil {
						return
					}
					select {
					case begun <- struct{}{}:
					default:
					}
				}
			})
		}
		<-begun
		c.Close()
		closed := text(t, dir, "f")
		all.Wait()
		if got := text(t, dir, "f"); got != closed {
			t.Errorf("got %q after the call was closed with %q", got, closed)
		}
	}
	noTemporary(t, dir)
}
