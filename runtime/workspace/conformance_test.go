package workspace_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/toolfreeze/toolfreeze/runtime/verdict"
	"github.com/toolfreeze/toolfreeze/runtime/workspace"
)

// data opens a file of the collected path cases.
func data(t *testing.T, name string) *os.File {
	t.Helper()
	dir := os.Getenv("TOOLFREEZE_DATA")
	if dir == "" {
		t.Skip("TOOLFREEZE_DATA is not set: the collected path cases are not read")
	}
	f, err := os.Open(filepath.Join(dir, "conformance", "paths", name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// snapshot describes everything below dir but what is in the folder except.
func snapshot(t testing.TB, dir, except string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if path == except {
			return filepath.SkipDir
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintf(&all, "%s %v %d", path, info.Mode(), info.ModTime().UnixNano())
		if info.Mode().IsRegular() {
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			fmt.Fprintf(&all, " %q", b)
		}
		all.WriteString("\n")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// canary is a workspace in a tree that has at each level what traversals ask for. What is inside begins with INSIDE.
func canary(t testing.TB) (top, ws string) {
	t.Helper()
	top = t.TempDir()
	for _, level := range []string{"", "a/", "a/b/", "a/b/c/"} {
		for _, name := range []string{"etc/passwd", "etc/shadow", "WINDOWS/win.ini", "windows/win.ini", "winnt/win.ini", "boot.ini", "proc/self/environ", "f"} {
			tree(t, top, level+name+"=CANARY")
		}
	}
	tree(t, top, "a/b/c/ws/etc/passwd=INSIDE", "a/b/c/ws/f=INSIDE", "a/b/c/ws/fence/f=INSIDE", "a/b/c/ws/out=>../f", "a/b/c/ws/fence/out=>../f", "a/b/c/ws/fence/etc=>../../etc")
	return top, filepath.Join(top, "a", "b", "c", "ws")
}

// attack tries one name with every access and returns how many of the operations did something.
func attack(t testing.TB, c *workspace.Call, name, under string) (done int) {
	t.Helper()
	note := func(err error) {
		if err == nil {
			done++
		}
	}
	content, err := at(c, name, under).ReadFile()
	if note(err); err == nil && !strings.HasPrefix(string(content), "INSIDE") {
		t.Errorf("%q under %q: read %q", name, under, content)
	}
	code, _ := c.CheckPath(name, under, "read")
	if err == nil && code != verdict.OK {
		t.Errorf("%q under %q: read after %s", name, under, code)
	}
	entries, err := in(c, name, under).List()
	if note(err); err == nil && strings.Contains(fmt.Sprint(entries), "WINDOWS") {
		t.Errorf("%q under %q: listed %v", name, under, entries)
	}
	for i := range len(name) {
		if name[i] == '/' && i > 0 {
			to(c, name[:i], under).Mkdir() // so that the rest of the name can be made
		}
	}
	note(to(c, name, under).WriteFile([]byte("INSIDE, written")))
	note(to(c, name, under).Remove())
	note(to(c, name, under).Mkdir())
	note(to(c, name, under).Remove())
	return done
}

// TestTraversals tries the strings that have worked on somebody, with every access, with and without a fence. Eight trees
// are attacked side by side, since each write waits for the disk.
func TestTraversals(t *testing.T) {
	var lines []string
	for scan := bufio.NewScanner(data(t, "payloads.txt")); scan.Scan(); {
		lines = append(lines, scan.Text())
	}
	if len(lines) < 4600 {
		t.Fatalf("got %d strings, want over 4600", len(lines))
	}
	for _, fence := range []string{"", "fence"} {
		var all sync.WaitGroup
		var done atomic.Int64
		type site struct{ top, inside, before string }
		sites := make(chan site, 8)
		for shard := range 8 {
			top, ws := canary(t)
			c, inside := call(t, ws), filepath.Join(ws, fence)
			sites <- site{top, inside, snapshot(t, top, inside)}
			all.Go(func() {
				for i := shard; i < len(lines); i += 8 {
					done.Add(int64(attack(t, c, lines[i], fence)))
					if fence != "" {
						done.Add(int64(attack(t, c, fence+"/"+lines[i], fence)))
					}
				}
			})
		}
		all.Wait()
		close(sites)
		for s := range sites {
			if after := snapshot(t, s.top, s.inside); after != s.before {
				t.Errorf("under %q: got\n%s\nwant\n%s", fence, after, s.before)
			}
			noTemporary(t, s.top)
		}
		t.Logf("under %q: %d strings, %d operations inside", fence, len(lines), done.Load())
		if done.Load() == 0 {
			t.Errorf("under %q: no operation did anything", fence)
		}
	}
}

// TestRootCases runs the table of os.Root's own tests. Where we refuse what os.Root allows, the reason stands here.
func TestRootCases(t *testing.T) {
	differ := map[string]string{
		"path with dotdot":      "a path is written straight: BAD_PATH",
		"dotdot no symlink":     "a path is written straight: BAD_PATH",
		"dotdot after symlink":  "what a/.. means depends on the reader: BAD_PATH",
		"dotdot before symlink": "a path is written straight: BAD_PATH",
	}
	var file struct {
		Cases []struct {
			Name, Open, Target     string
			FS                     []string
			WantError, AlwaysFails bool
		} `json:"rootTestCases"`
	}
	if err := json.NewDecoder(data(t, "os-root-cases.json")).Decode(&file); err != nil {
		t.Fatal(err)
	}
	for _, tt := range file.Cases {
		t.Run(tt.Name, func(t *testing.T) {
			top := t.TempDir()
			root := filepath.Join(top, "ROOT")
			for _, item := range tt.FS {
				item = strings.ReplaceAll(item, "$ABS", filepath.ToSlash(root))
				tree(t, root, strings.ReplaceAll(item, " => ", "=>"))
			}
			tree(t, root, ".made/") // the root, where nothing else is in it
			if tt.Target != "" && !strings.HasPrefix(tt.Target, "expr:") {
				tree(t, root, tt.Target+"=INSIDE")
			}
			c := call(t, root)
			before := snapshot(t, top, "")
			got, err := at(c, tt.Open, "").ReadFile()
			code, _ := c.CheckPath(tt.Open, "", "read")
			if _, refused := differ[tt.Name]; refused || tt.WantError {
				write := to(c, tt.Open, "").WriteFile([]byte("x"))
				if err == nil || write == nil || refused && code != verdict.BadPath || code == verdict.OK && !tt.AlwaysFails {
					t.Errorf("got %q %v, %v, %s; want a refusal", got, err, write, code)
				}
				if after := snapshot(t, top, ""); after != before {
					t.Errorf("got\n%s\nwant\n%s", after, before)
				}
				return
			}
			if string(got) != "INSIDE" || err != nil || code != verdict.OK {
				t.Errorf("got %q %v %s, want the file", got, err, code)
			}
			if err := to(c, tt.Open, "").WriteFile([]byte("written")); err != nil || text(t, root, tt.Target) != "written" {
				t.Errorf("write: got %v", err)
			}
		})
	}
	if len(file.Cases) < 25 {
		t.Errorf("got %d cases, want 25", len(file.Cases))
	}
}

// TestSecureJoinCases runs a table of scoped joins. A scoped join makes something inside out of every path; we refuse
// what it has to bend. Each case stands here with our code and the reason where that is not OK; where it is, a write must
// land where the join leads.
func TestSecureJoinCases(t *testing.T) {
	ok, bad, out := verdict.OK, verdict.BadPath, verdict.PathEscape
	type want struct {
		code   verdict.Code
		reason string
	}
	wants := map[string]want{
		"passwd": {out, "an absolute link, which they take for relative to the root"}, "etclink": {out, "a link that climbs out, which they stop at the root"},
		"etc": {ok, ""}, "etc/test": {ok, ""}, "etc/test/..": {bad, "written straight"},
		"somepath": {ok, ""}, "even/more/path": {ok, ""}, "/this/is/a/path": {bad, "absolute"},
		"also/a/../path/././/with/some/./.././junk":                                                   {bad, "two slashes, and written straight"},
		"yetanother/../path/././/with/some/./.././junk../../../../../../../../../../../../etc/passwd": {bad, "two slashes"},
		"/../../../../../../../../../../../../../../../../etc/passwd":                                 {bad, "absolute"},
		"../../../../../../../../../../../../../../../../somedir":                                     {out, "leads out"},
		"../../../../../../../../../../../../../../../../":                                            {out, "leads out"},
		"./../../.././././../../../../../../../../../../../../../../../../etc passwd":                 {out, "leads out"},
		"subdir": {ok, ""}, "subdir/link/test": {ok, ""},
		"subdir/link2/test": {out, "an absolute link"}, "subdir/link3/test": {out, "an absolute link"},
		"subdir/../test": {bad, "written straight"}, "subdir/link/../test": {bad, "written straight"}, "subdir/link2/../test": {bad, "written straight"}, "subdir/link3/../test": {bad, "written straight"},
	}
	var file struct {
		Groups []struct {
			Links map[string]string
			Dirs  []string
			Cases [][2]string
		}
	}
	if err := json.NewDecoder(data(t, "securejoin-cases.json")).Decode(&file); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, group := range file.Groups {
		for _, tt := range group.Cases {
			n++
			root := t.TempDir()
			for _, dir := range group.Dirs {
				tree(t, root, dir+"/")
			}
			for link, target := range group.Links {
				tree(t, root, link+"=>"+target)
			}
			c := call(t, root)
			code, _ := c.CheckPath(tt[0], "", "list")
			want, known := wants[tt[0]]
			if !known || code != want.code || (want.reason == "") != (code == ok) {
				t.Errorf("%q: got %s, want %s (%s)", tt[0], code, want.code, want.reason)
			}
			if code != ok || tt[0] == "subdir" {
				continue
			}
			tree(t, root, path.Dir(tt[1])+"/")
			if err := to(c, tt[0], "").WriteFile([]byte("x")); err != nil || text(t, root, tt[1]) != "x" {
				t.Errorf("%q: got %v, want a file %q", tt[0], err, tt[1])
			}
		}
	}
	if n != len(wants) {
		t.Errorf("got %d cases, want %d", n, len(wants))
	}
}

func FuzzPath(f *testing.F) {
	for _, name := range []string{"f", "fence/f", "fence/out", "out", "../f", "etc/passwd", "fence/etc/passwd", "/etc/passwd", "a/b/c", `..\f`, "c:/f", "con", ".toolfreeze-x", "fence/.", "./f/", "a/../f", "\u202e", "\xff"} {
		f.Add(name, "")
		f.Add(name, "fence")
	}
	top, ws := canary(f)
	w := open(f, ws, "")
	before := snapshot(f, top, ws)
	beside := snapshot(f, ws, filepath.Join(ws, "fence"))
	f.Fuzz(func(t *testing.T, name, under string) {
		attack(t, w.Call(t.Context()), name, under)
		if after := snapshot(t, top, ws); after != before {
			t.Fatalf("outside: got\n%s\nwant\n%s", after, before)
		}
		if after := snapshot(t, ws, filepath.Join(ws, "fence")); strings.HasPrefix(under, "fence") && after != beside {
			t.Fatalf("outside of %q: got\n%s\nwant\n%s", under, after, beside)
		}
		if after := snapshot(t, ws, filepath.Join(ws, "fence")); after != beside {
			beside = after
		}
	})
}
