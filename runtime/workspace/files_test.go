package workspace_test

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/toolfreeze/toolfreeze/runtime/verdict"
	"github.com/toolfreeze/toolfreeze/runtime/workspace"
)

func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, "empty=", "cap="+strings.Repeat("x", 1000), "over="+strings.Repeat("x", 1001), "d/f=x", "link=>d", "dangling=>none")
	c := call(t, dir)
	for _, tt := range []struct {
		name string
		size int
		want error
	}{
		{"empty", 0, nil}, {"cap", 1000, nil}, {"d/f", 1, nil}, {"link/f", 1, nil}, {"d/f/", 1, nil},
		{"over", 0, verdict.TooLarge}, {"none", 0, fs.ErrNotExist}, {"none/x", 0, fs.ErrNotExist}, {"dangling", 0, fs.ErrNotExist},
		{"d", 0, verdict.NotRegular}, {"d/", 0, verdict.NotRegular}, {"link", 0, verdict.NotRegular}, {"empty/x", 0, syscall.ENOTDIR}, {".", 0, verdict.PathEscape},
	} {
		got, err := at(c, tt.name, "").ReadFile()
		if len(got) != tt.size || !is(err, tt.want) || err == nil && got == nil {
			t.Errorf("%q: got %d bytes, %v; want %d, %v", tt.name, len(got), err, tt.size, tt.want)
		}
	}
}

// Nothing of a file over the cap is read: 4 GiB of zeros, which take no room on the disk, cost no memory.
func TestReadHugeFile(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, "huge=")
	if err := os.Truncate(filepath.Join(dir, "huge"), 4<<30); err != nil {
		t.Skipf("a file with holes cannot be made: %v", err)
	}
	c := call(t, dir)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := at(c, "huge", "").ReadFile(); !errors.Is(err, verdict.TooLarge) || err.Error() != "TOO_LARGE: huge is over the cap of 1000 bytes" {
		t.Errorf("got %v", err)
	}
	if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 1<<20 {
		t.Errorf("got %d bytes of memory, want next to none", after.TotalAlloc-before.TotalAlloc)
	}
	if e, err := at(c, "huge", "").Stat(); err != nil || e != (workspace.Entry{Name: "huge", Kind: workspace.File, Size: 4 << 30}) {
		t.Errorf("got %v %v", e, err)
	}
	w, err := workspace.Open(dir, "", workspace.Limits{MaxReadBytes: math.MaxInt, MaxWriteBytes: math.MaxInt})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	c = w.Call(t.Context())
	if err := to(c, "f", "").WriteFile([]byte("x")); err != nil {
		t.Error(err)
	}
	if got, err := at(c, "f", "").ReadFile(); string(got) != "x" {
		t.Errorf("no cap: got %q %v", got, err)
	}
}

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, "old=old", "d/", "link=>old", "dangling=>d/new", "tod=>d", "nowhere=>none/x", "endsindot=>d/.")
	c := call(t, dir)
	for _, tt := range []struct {
		name, data string
		lands      string // where the data is found afterwards
		want       error
	}{
		{"new", "x", "new", nil}, {"new", "", "new", nil}, {"old", "new", "old", nil}, {"d/f", strings.Repeat("x", 500), "d/f", nil},
		{"link", "through", "old", nil}, {"dangling", "made", "d/new", nil}, {"tod/g", "g", "d/g", nil},
		{"old", strings.Repeat("x", 501), "", verdict.TooLarge}, {"none", strings.Repeat("x", 501), "", verdict.TooLarge},
		{"d", "x", "", verdict.NotRegular}, {"tod", "x", "", verdict.NotRegular}, {"endsindot", "x", "", verdict.NotRegular},
		{"none/x", "x", "", fs.ErrNotExist}, {"nowhere", "x", "", fs.ErrNotExist}, {"old/x", "x", "", syscall.ENOTDIR}, {".", "x", "", verdict.PathEscape},
	} {
		err := to(c, tt.name, "").WriteFile([]byte(tt.data))
		if !is(err, tt.want) {
			t.Errorf("%q: got %v, want %v", tt.name, err, tt.want)
		}
		if tt.lands != "" && text(t, dir, tt.lands) != tt.data {
			t.Errorf("%q: got %.20q in %s, want %.20q", tt.name, text(t, dir, tt.lands), tt.lands, tt.data)
		}
	}
	if info, err := os.Lstat(filepath.Join(dir, "link")); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("got %v %v, want the link to be one still", info, err)
	}
	if _, err := os.Lstat(filepath.Join(dir, "none")); err == nil {
		t.Error("a refused file was made")
	}
	noTemporary(t, dir)
}

// noTemporary holds that no temporary file was left below dir.
func noTemporary(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if strings.HasPrefix(filepath.Base(path), ".toolfreeze-") {
			t.Errorf("%s was left", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestMkdirAndRemove(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, "f=", "full/f=x", "empty/", "lf=>f", "ld=>full", "dangling=>none", "deep=>none/x", "fence/sub/")
	c := call(t, dir)
	mkdir := func(name string) error { return to(c, name, "").Mkdir() }
	remove := func(name string) error { return to(c, name, "").Remove() }
	for _, tt := range []struct {
		op   string
		do   func(string) error
		name string
		want error
	}{
		{"mkdir", mkdir, "new", nil}, {"mkdir", mkdir, "new/sub/", nil}, {"mkdir", mkdir, "ld/sub", nil},
		{"mkdir", mkdir, "new", fs.ErrExist}, {"mkdir", mkdir, "f", fs.ErrExist}, {"mkdir", mkdir, "lf", fs.ErrExist}, {"mkdir", mkdir, "dangling", fs.ErrExist},
		{"mkdir", mkdir, "no/parent", fs.ErrNotExist}, {"mkdir", mkdir, "deep", fs.ErrNotExist}, {"mkdir", mkdir, "f/x", syscall.ENOTDIR}, {"mkdir", mkdir, ".", verdict.PathEscape},
		{"remove", remove, "ld/sub", nil}, {"remove", remove, "empty", nil}, {"remove", remove, "empty", fs.ErrNotExist}, {"remove", remove, "lf", nil}, {"remove", remove, "f", nil},
		{"remove", remove, "ld", nil}, {"remove", remove, "dangling", nil}, {"remove", remove, "deep", nil}, {"remove", remove, "none/x", fs.ErrNotExist},
		{"remove", remove, "full", syscall.ENOTEMPTY}, {"remove", remove, ".", verdict.PathEscape},
	} {
		if runtime.GOOS == "windows" && tt.want == syscall.ENOTEMPTY {
			tt.want = fs.ErrExist
		}
		if err := tt.do(tt.name); !is(err, tt.want) {
			t.Errorf("%s %q: got %v, want %v", tt.op, tt.name, err, tt.want)
		}
	}
	if text(t, dir, "full/f") != "x" {
		t.Error("a link's target was changed")
	}
	if err := to(c, "fence", "fence").Remove(); !is(err, verdict.PathEscape) {
		t.Errorf("fence: got %v", err)
	}
	if err := to(c, "fence/sub", "fence").Remove(); err != nil {
		t.Error(err)
	}
}

func TestList(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, "d/b=12", "d/a/x=", "d/c=>b", "d/gone=>none", "d/.toolfreeze-x.tmp=half", "d/.hidden=", "d/é=1", "empty/", "link=>d", "f=", "out=>..")
	if runtime.GOOS != "windows" {
		tree(t, dir, "d/back\\slash=", "d/dot.=", "d/con=", "d/new\nline=", "d/bidi\u202e=", "d/colon:=")
	}
	if runtime.GOOS == "linux" {
		tree(t, dir, "d/\xff=")
	}
	c := call(t, dir)
	want := "[{.hidden file 0} {a folder 0} {b file 2} {c link 0} {gone link 0} {é file 1}]"
	for _, name := range []string{"d", "d/", "link"} {
		if got, err := in(c, name, "").List(); fmt.Sprint(got) != want || err != nil {
			t.Errorf("%s: got %v %v, want %s", name, got, err, want)
		}
	}
	if got, err := in(c, "d", "d").List(); fmt.Sprint(got) != want {
		t.Errorf("under: got %v %v", got, err)
	}
	if got, err := in(c, "empty", "").List(); got == nil || len(got) != 0 || err != nil {
		t.Errorf("empty: got %v %v", got, err)
	}
	if got, err := in(c, ".", "").List(); len(got) != 5 || err != nil {
		t.Errorf("root: got %v %v", got, err)
	}
	for name, want := range map[string]error{"f": syscall.ENOTDIR, "none": fs.ErrNotExist, "none/x": fs.ErrNotExist, "out": verdict.PathEscape} {
		if _, err := in(c, name, "").List(); !is(err, want) {
			t.Errorf("%s: got %v, want %v", name, err, want)
		}
	}
	if e, err := in(c, ".", "").Stat(); err != nil || e.Kind != workspace.Folder || e.Name != "." {
		t.Errorf("got %v %v", e, err)
	}
	if e, err := to(c, "d/c", "").Stat(); err != nil || e != (workspace.Entry{Name: "c", Kind: workspace.File, Size: 2}) {
		t.Errorf("got %v %v", e, err)
	}
}

func TestListCap(t *testing.T) {
	dir := t.TempDir()
	c := call(t, dir)
	for i := range workspace.MaxEntries {
		tree(t, dir, fmt.Sprintf("%05d=", i))
	}
	if got, err := in(c, ".", "").List(); len(got) != workspace.MaxEntries || got[7].Name != "00007" || err != nil {
		t.Errorf("got %d entries, %v", len(got), err)
	}
	tree(t, dir, "one more=")
	if got, err := in(c, ".", "").List(); got != nil || !is(err, verdict.TooLarge) {
		t.Errorf("got %d entries, %v", len(got), err)
	}
}

func TestBodies(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, "binary=\xff", "full/f=", "f=text")
	c := call(t, dir)
	if got, err := workspace.ReadText(at(c, "f", "")); got != "text" || err != nil {
		t.Errorf("got %q %v", got, err)
	}
	if got, err := workspace.ListEntries(in(c, "full", "")); len(got) != 1 || err != nil {
		t.Errorf("got %v %v", got, err)
	}
	if err := workspace.WriteText(to(c, "g", ""), "text"); err != nil || text(t, dir, "g") != "text" {
		t.Errorf("got %v", err)
	}
	_, none := workspace.ReadText(at(c, "none", ""))
	_, binary := workspace.ReadText(at(c, "binary", ""))
	_, file := workspace.ListEntries(in(c, "f", ""))
	for _, tt := range []struct {
		err  error
		want string
	}{
		{none, `read none: it, or the folder that it would be in, does not exist`},
		{binary, `read binary: it is not text in UTF-8`},
		{file, `list f: it, or what it would be in, is not a folder`},
		{workspace.WriteText(to(c, "no/f", ""), ""), `write "no/f": it, or the folder that it would be in, does not exist`},
		{workspace.Explain(to(c, "full", "").Mkdir()), `mkdir full: it exists already`},
		{workspace.Explain(to(c, "full", "").Remove()), `remove full: the folder is not empty`},
		{workspace.Explain(errors.New("other")), ""}, {workspace.Explain(nil), ""},
		{workspace.WriteText(to(c, "f", ""), strings.Repeat("x", 501)), ""}, {workspace.WriteText(workspace.To("f"), ""), ""},
	} {
		if got, _ := verdict.Said(tt.err); got != tt.want {
			t.Errorf("got %q of %v, want %q", got, tt.err, tt.want)
		}
	}
	if !errors.Is(none, fs.ErrNotExist) {
		t.Errorf("got %v", none)
	}
}

// Readers see one of the whole contents while writers replace them.
func TestWritesAreAtomic(t *testing.T) {
	dir := t.TempDir()
	tree(t, dir, "f=000")
	c := call(t, dir)
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			data := []byte(strings.Repeat(fmt.Sprint(i), 3+i*100))
			for range 50 {
				if err := to(c, "f", "").WriteFile(data); err != nil {
					t.Error(err)
				}
				got, err := at(c, "f", "").ReadFile()
				if err != nil || len(got) == 0 || len(got) != 3+int(got[0]-'0')*100 || strings.Trim(string(got), string(got[:1])) != "" {
					t.Errorf("got %q %v", got, err)
				}
			}
		})
	}
	all.Wait()
	noTemporary(t, dir)
}
