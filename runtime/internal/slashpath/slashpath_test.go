package slashpath_test

import (
	"bufio"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolfreeze/toolfreeze/runtime/internal/slashpath"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

type pathCase struct {
	path  string
	code  verdict.Code
	clean string
}

func pathCases() []pathCase {
	ok, bad, out := verdict.OK, verdict.BadPath, verdict.PathEscape
	cases := []pathCase{
		{".", ok, "."}, {"./", ok, "."}, {"a", ok, "a"}, {"notes/a.md", ok, "notes/a.md"}, {"./notes/./a.md", ok, "notes/a.md"},
		{"notes/", ok, "notes"}, {"a/.", ok, "a"}, {".git/config", ok, ".git/config"}, {"..a/b..c", ok, "..a/b..c"}, {" a", ok, " a"},
		{"~/a", ok, "~/a"}, {"%2e%2e/a", ok, "%2e%2e/a"}, {"日本語/é.txt", ok, "日本語/é.txt"}, {"com/con1/lpt10/nulls/auxx", ok, "com/con1/lpt10/nulls/auxx"},
		{"a\uFFFDb", ok, "a\uFFFDb"}, {"-rf", ok, "-rf"},
		{strings.Repeat("a", 255), ok, strings.Repeat("a", 255)}, {strings.Repeat("a", 256), bad, ""},
		{strings.Repeat("a/", 2048), ok, strings.Repeat("a/", 2047) + "a"}, {strings.Repeat("a/", 2048) + "a", bad, ""},
		{"", bad, ""}, {"/", bad, ""}, {"/etc/passwd", bad, ""}, {"//host/share", bad, ""}, {"a//b", bad, ""}, {"a//", bad, ""}, {"..//", bad, ""},
		{`a\b`, bad, ""}, {`\\host\share`, bad, ""}, {`..\a`, bad, ""}, {"C:", bad, ""}, {"c:/a", bad, ""}, {"C:a", bad, ""}, {"a:stream", bad, ""}, {"a::$DATA", bad, ""},
		{"..", out, ""}, {"../", out, ""}, {"../a", out, ""}, {"a/../..", out, ""}, {"a/../../ROOT/a", out, ""}, {"./../a", out, ""},
		{"a/..", bad, ""}, {"a/../b", bad, ""}, {"a/b/../../c", bad, ""}, {"../con", bad, ""},
		{"...", bad, ""}, {"a.", bad, ""}, {"a./b", bad, ""}, {"a /b", bad, ""}, {".. /a", bad, ""}, {". ", bad, ""},
		{"a\x00b", bad, ""}, {"a\nb", bad, ""}, {"a\x7fb", bad, ""}, {"a\u0085b", bad, ""}, {"a\u2028b", bad, ""}, {"a\xffb", bad, ""}, {"a\xed\xa0\x80b", bad, ""},
	}
	for _, c := range "\u061C\u200E\u200F\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069" {
		cases = append(cases, pathCase{"a" + string(c) + "b", bad, ""})
	}
	for _, name := range []string{"con", "CON", "Con.txt", "nul", "NUL.tar.gz", "aux", "prn .x", "COM1", "com9.log", "COM¹", "lpt²", "LPT³.a", "com0", "CONIN$", "conout$.b"} {
		cases = append(cases, pathCase{name, bad, ""}, pathCase{"a/" + name + "/b", bad, ""})
	}
	return cases
}

func TestClean(t *testing.T) {
	for _, test := range pathCases() {
		clean, code, want := slashpath.Clean(test.path)
		if code != test.code || clean != test.clean || (want == "") != (code == verdict.OK) {
			t.Errorf("%.60q: got %q %s %q, want %q %s", test.path, clean, code, want, test.clean, test.code)
		}
	}
}

// hold holds what is true of every path that is handed on.
func hold(t *testing.T, path string) {
	t.Helper()
	clean, code, want := slashpath.Clean(path)
	switch code {
	case verdict.OK:
		if !fs.ValidPath(clean) || !filepath.IsLocal(clean) || strings.ContainsAny(clean, "\\:\x00") {
			t.Errorf("%q: got %q, which is no clean local path", path, clean)
		}
		if again, code, _ := slashpath.Clean(clean); again != clean || code != verdict.OK {
			t.Errorf("%q: got %q, which cleans to %q %s", path, clean, again, code)
		}
	case verdict.BadPath, verdict.PathEscape:
		if clean != "" || want == "" {
			t.Errorf("%q: got %q %q with %s", path, clean, want, code)
		}
	default:
		t.Errorf("%q: got %s", path, code)
	}
}

// TestTraversals tries the strings that have worked on somebody.
func TestTraversals(t *testing.T) {
	data := os.Getenv("TOOLFREEZE_DATA")
	if data == "" {
		t.Skip("TOOLFREEZE_DATA is not set: the traversal strings are not read")
	}
	f, err := os.Open(filepath.Join(data, "conformance", "paths", "payloads.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for lines := bufio.NewScanner(f); lines.Scan(); n++ {
		hold(t, lines.Text())
	}
	if n < 4000 {
		t.Errorf("got %d strings, want over 4000", n)
	}
}

func FuzzClean(f *testing.F) {
	for _, c := range pathCases() {
		f.Add(c.path)
	}
	f.Fuzz(hold)
}

func TestUnder(t *testing.T) {
	for _, test := range []struct {
		path, fence string
		want        bool
	}{
		{"a", "", true}, {"a", ".", true}, {".", "", true}, {"notes", "notes", true}, {"notes/a", "notes", true},
		{"notes-evil/a", "notes", false}, {"note", "notes", false}, {".", "notes", false}, {"a/notes", "notes", false},
	} {
		if got := slashpath.Under(test.path, test.fence); got != test.want {
			t.Errorf("%q under %q: got %v, want %v", test.path, test.fence, got, test.want)
		}
	}
}

func ExampleClean() {
	for _, path := range []string{"./notes/", "../secret", "C:/secret"} {
		clean, code, want := slashpath.Clean(path)
		if code != verdict.OK {
			fmt.Println(code, "want", want)
			continue
		}
		fmt.Println(clean)
	}
	// Output:
	// notes
	// PATH_ESCAPE want a path inside the workspace; ".." leads out of it
	// BAD_PATH want a path without colons
}
