package workspace_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// layout is a workspace with everything around it that a path could lead to.
func layout(t *testing.T) string {
	dir := t.TempDir()
	tree(t, dir,
		"secret=CANARY", "out/f=CANARY", "ws-evil/f=CANARY",
		"ws/f=root", "ws/notes/f=note", "ws/notes/deep/f=deep", "ws/notes-evil/f=evil", "ws/other/f=other",
		// inside
		"ws/tof=>f", "ws/tonotes=>notes", "ws/chain=>tonotes/deep/../f", "ws/slash=>notes/", "ws/dot=>notes/.", "ws/fslash=>f/", "ws/none=>missing",
		"ws/nonedeep=>missing/x", "ws/self=>.", "ws/upin=>other/../notes/f",
		"ws/notes/in=>deep/f", "ws/notes/back=>../f", "ws/notes/round=>../notes/f", "ws/notes/dirback=>../other", "ws/notes/up=>..", "ws/notes/self=>.",
		// outside
		"ws/out=>../out", "ws/outf=>../out/f", "ws/gone=>../nothing", "ws/abs=>"+filepath.ToSlash(filepath.Join(dir, "ws", "f")), "ws/absgone=>/nonexistent/x",
		"ws/sibling=>../ws-evil", "ws/again=>../ws/f", "ws/parent=>..", "ws/parentslash=>../", "ws/climb=>notes/../../secret", "ws/hop=>out/f", "ws/notes/far=>../../secret",
		// without an end
		"ws/loop=>loop", "ws/ping=>pong", "ws/pong=>ping",
		"ws/l0=>f", "ws/l1=>l0", "ws/l2=>l1", "ws/l3=>l2", "ws/l4=>l3", "ws/l5=>l4", "ws/l6=>l5", "ws/l7=>l6", "ws/l8=>l7",
		// fences that are links
		"ws/fencein=>notes", "ws/fenceout=>../out", "ws/a/fence=>../notes",
	)
	return filepath.Join(dir, "ws")
}

func TestCheckPath(t *testing.T) {
	c := call(t, layout(t))
	ok, bad, out := verdict.OK, verdict.BadPath, verdict.PathEscape
	for _, tt := range []struct {
		name, under string
		want        verdict.Code
	}{
		{"f", "", ok}, {"./f", "", ok}, {"f/", "", ok}, {"notes/deep/f", "", ok}, {"missing", "", ok}, {"missing/too", "", ok}, {"f/below", "", ok},
		{"tof", "", ok}, {"tof/", "", ok}, {"tonotes/f", "", ok}, {"chain", "", ok}, {"slash/f", "", ok}, {"dot/f", "", ok}, {"fslash", "", ok}, {"none", "", ok}, {"nonedeep", "", ok},
		{"self/self/f", "", ok}, {"upin", "", ok}, {"l7", "", ok}, {"tof/x", "", ok}, {"none/x", "", ok},
		{"", "", bad}, {"/f", "", bad}, {"a//b", "", bad}, {`notes\f`, "", bad}, {"c:/f", "", bad}, {"CON", "", bad}, {"f.", "", bad}, {"a\u202eb", "", bad}, {"a\x00", "", bad},
		{"notes/../f", "", bad}, {".toolfreeze-x", "", bad}, {"notes/.TOOLFREEZE-x/y", "", bad}, {".toolfreeze", "", ok},
		{"..", "", out}, {"../", "", out}, {"../ws/f", "", out}, {"../ws-evil/f", "", out}, {"notes/../../secret", "", out}, {".", "", out},
		{"out", "", out}, {"out/", "", out}, {"out/f", "", out}, {"out/missing", "", out}, {"outf", "", out}, {"gone", "", out}, {"gone/x", "", out}, {"abs", "", out}, {"absgone", "", out},
		{"sibling/f", "", out}, {"again", "", out}, {"parent", "", out}, {"parent/ws/f", "", out}, {"parentslash", "", out}, {"climb", "", out}, {"hop", "", out},
		{"loop", "", out}, {"loop/x", "", out}, {"ping", "", out}, {"l8", "", out},

		{"notes/f", "notes", ok}, {"notes/deep/f", "notes", ok}, {"notes/deep/f", "notes/deep", ok}, {"notes/in", "notes", ok}, {"notes/missing/x", "notes", ok}, {"notes/self/f", "notes", ok},
		{"missing/f", "missing", ok}, {"f/f", "f", ok}, {"notes/f", ".", ok},
		{"f", "notes", out}, {"notes", "notes", out}, {"notes/", "notes", out}, {"notes-evil/f", "notes", out}, {"Notes/f", "notes", out}, {"tonotes/f", "notes", out},
		{"notes/back", "notes", out}, {"notes/dirback/f", "notes", out}, {"notes/dirback/missing", "notes", out}, {"notes/up", "notes", out}, {"notes/up/notes/f", "notes", out}, {"notes/far", "notes", out},
		{"notes/round", "notes", out}, // it comes back, but by a way that the fence does not see
		{"notes/back", "", ok}, {"notes/round", "", ok},
		{"fencein/f", "fencein", out}, {"fenceout/f", "fenceout", out}, {"a/fence/f", "a/fence", out}, {"tonotes/deep/f", "tonotes/deep", out},
		{"../out/f", "../out", out}, {"/out/f", "/out", bad}, {"out/f", "../out", out}, {"f", `..\out`, out}, {"f", "notes/..", out},
	} {
		for _, access := range []string{"read", "write"} {
			if code, want := c.CheckPath(tt.name, tt.under, access); code != tt.want || (want == "") != (code == ok) {
				t.Errorf("%q under %q, %s: got %s %q, want %s", tt.name, tt.under, access, code, want, tt.want)
			}
		}
	}
	for _, tt := range []struct {
		name, under, access string
		want                verdict.Code
	}{
		{".", "", "list", ok}, {"./", "", "list", ok}, {"notes", "notes", "list", ok}, {"notes/", "notes", "list", ok}, {".", "notes", "list", out}, {"out", "", "list", out},
		{"f", "", "list", ok}, {"f", "", "", out}, {"f", "", "Read", out}, {"f", "", "append", out},
	} {
		if code, want := c.CheckPath(tt.name, tt.under, tt.access); code != tt.want || (want == "") != (code == ok) {
			t.Errorf("%q under %q, %q: got %s %q, want %s", tt.name, tt.under, tt.access, code, want, tt.want)
		}
	}
}

// What is wanted never holds the path that was refused.
func TestWantHidesThePath(t *testing.T) {
	c := call(t, layout(t))
	for _, name := range []string{"out", "climb", "loop", "parent", "ping", "hop", "sibling"} {
		if code, want := c.CheckPath(name, "", "read"); code != verdict.PathEscape || strings.Contains(want, name) {
			t.Errorf("%q: got %s %q", name, code, want)
		}
	}
}

// Each operation decides again, and as the check did.
func TestOperationsAgreeWithTheCheck(t *testing.T) {
	dir := layout(t)
	c := call(t, dir)
	for _, tt := range []struct {
		name, under string
		content     string // "" where it must be refused
	}{
		{"f", "", "root"}, {"tof", "", "root"}, {"tonotes/f", "", "note"}, {"chain", "", "note"}, {"self/slash/f", "", "note"}, {"upin", "", "note"},
		{"notes/in", "notes", "deep"}, {"notes/back", "", "root"}, {"notes/round", "", "note"}, {"l7", "", "root"},
		{"outf", "", ""}, {"out/f", "", ""}, {"again", "", ""}, {"abs", "", ""}, {"climb", "", ""}, {"loop", "", ""}, {"l8", "", ""}, {"parent/secret", "", ""},
		{"notes/back", "notes", ""}, {"notes/dirback/f", "notes", ""}, {"notes/up/f", "notes", ""}, {"notes/round", "notes", ""}, {"fencein/f", "fencein", ""}, {"f", "notes", ""},
		{"../secret", "", ""}, {"/etc/passwd", "", ""}, {"notes/../f", "", ""}, {".toolfreeze-x", "", ""},
	} {
		got, err := at(c, tt.name, tt.under).ReadFile()
		_, stat := at(c, tt.name, tt.under).Stat()
		_, list := in(c, tt.name, tt.under).List()
		write := to(c, tt.name, tt.under).WriteFile([]byte(tt.content))
		if tt.content != "" {
			if string(got) != tt.content || err != nil || stat != nil || write != nil {
				t.Errorf("%q under %q: got %q %v %v %v, want %q", tt.name, tt.under, got, err, stat, write, tt.content)
			}
			continue
		}
		for op, err := range map[string]error{
			"read": err, "stat": stat, "list": list, "write": write,
			"mkdir": to(c, tt.name, tt.under).Mkdir(), "remove": to(c, tt.name, tt.under).Remove(),
		} {
			if !is(err, verdict.PathEscape) {
				t.Errorf("%s %q under %q: got %v, want PATH_ESCAPE", op, tt.name, tt.under, err)
			}
		}
	}
	if text(t, dir, "../secret")+text(t, dir, "../out/f") != "CANARYCANARY" {
		t.Error("a file outside was written")
	}
}
