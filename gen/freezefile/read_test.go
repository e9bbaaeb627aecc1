package freezefile

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

const small = `[meta]
api = "shop"
max_tools = 4
max_calls_per_request = 8

[tools.a]
cost_class = "local"
max_calls = 1
max_ms = 40
`

func TestRead(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := write(Name, small)
	link := filepath.Join(dir, "link")
	if err := os.Symlink(good, link); err != nil {
		t.Skip("no symbolic links here")
	}
	tests := []struct{ path, text, hint string }{
		{filepath.Join(dir, "none"), "got no such file, want a freeze", "README.md shows one"},
		{dir, "got a folder, want a file", Name},
		{link, "got a symbolic link, want the file itself", "go:embed"},
		{filepath.Join(good, "below"), `got "not a directory" from the system, want a file that can be read`, ""},
		{os.DevNull, "got a device, pipe or socket, want a regular file", ""},
		{write("large", strings.Repeat("#", MaxBytes+1)), "got 16777217 bytes, want at most 16777216", ""},
	}
	for _, tt := range tests {
		f, err := Read(tt.path)
		var e *Error
		if f != nil || !errors.As(err, &e) {
			t.Errorf("%s: got %v, %v", tt.path, f, err)
			continue
		}
		if want := tt.path + ": " + tt.text; e.Error() != want || !strings.Contains(e.Hint, tt.hint) {
			t.Errorf("got %q, hint %q; want %q, %q", e, e.Hint, want, tt.hint)
		}
	}
	f, err := Read(good)
	if err != nil || f.Name != good || string(f.Source) != small || f.Catalog.Tools[0].Name != "a" {
		t.Errorf("got %+v, %v", f, err)
	}
}

// TestNotText holds what a fixture cannot: bytes that are no text.
func TestNotText(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"empty", "", "f:1:1: got an empty file, want a freeze"},
		{"BOM alone", "\ufeff", "f:1:1: got an empty file, want a freeze"},
		{"UTF-16", "\xff\xfe[\x00", "f:1:1: got the byte 0xff, want UTF-8 text"},
		{"NUL", "[meta]\napi = \"a\x00b\"", "f:2:9: got a NUL byte, want text"},
		{"control", "# \x1b[2J\n", "f:1:3: got the control character U+001B, want text without it"},
		{"CR", "[meta]\rapi = 1", "f:1:7: got a carriage return without a newline after it, want text"},
		{"cut", "api = \"\xc3", "f:1:8: got the byte 0xc3, want UTF-8 text"},
		{"second BOM", "\ufeff\ufeff", "f:1:1: got \"\\ufeff\", want a key"},
		{"deep", "a = " + strings.Repeat("[", 1<<20), "f:1:69: a." + strings.Repeat("0.", 63) + "0: got values nested more than 64 deep, want at most 64"},
		{"deep key", strings.Repeat("a.", 1<<20) + "a = 1", "f:1:1: got a key of more than 64 parts, want at most 64"},
		{"deep type", strings.Replace(small, "max_ms", `args.x = "`+strings.Repeat("[]", 1<<19)+"int\"\nmax_ms", 1),
			"f:9:75: tools.a.args.x: got more than 32 lists and maps in one type, want at most 32"},
	}
	for _, tt := range tests {
		_, err := Load("f", []byte(tt.src))
		var errs Errors
		if !errors.As(err, &errs) || len(errs) != 1 || errs[0].Error() != tt.want {
			t.Errorf("%s: got %v, want %s", tt.name, err, tt.want)
			continue
		}
		var b bytes.Buffer
		if _, err := errs.WriteTo(&b); err != nil || strings.ContainsAny(b.String(), "\x00\x1b\r") || b.Len() > 2000 {
			t.Errorf("%s: prints %q, %v", tt.name, b.String(), err)
		}
	}
}

func TestPosition(t *testing.T) {
	f, err := Load("f", []byte(small+`args.l = "[]string?"
args.m = { type = "list", items = { type = "string", enum = ["x", { value = "y" }] } }
args.args = { type = "[]int", minimum = 0 }
args.o = { type = "json", one_of = ["int", { type = "object", fields = { p = "int" } }] }
`))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ path, want string }{
		{"", "f:1:1"},
		{"meta", "f:1:1"},
		{"meta api", "f:2:7"},
		{"meta package", "f:1:1"},
		{"tools a", "f:6:8"},
		{"tools a max_ms", "f:9:10"},
		{"tools a result", "f:6:1"},
		{"tools a args l", "f:10:6"},
		{"tools a args l type", "f:10:10"},
		{"tools a args l items pattern", "f:10:10"},
		{"tools a args m enum 1", "f:11:67"},
		{"tools a args m items enum 1 value", "f:11:77"},
		{"tools a args args", "f:12:6"},
		{"tools a args args items minimum", "f:12:41"},
		{"tools a args o one_of 1 fields p", "f:13:74"},
		{"tools a args o one_of 9", "f:13:36"},
		{"tools b args", "f:6:2"},
	}
	for _, tt := range tests {
		if got := f.Position(strings.Fields(tt.path)...).String(); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.path, got, tt.want)
		}
	}
}

// newer lists the documents that TOML 1.0.0 refuses and TOML 1.1.0, which is what is read here, allows. None can hurt: each
// means one thing only.
func newer() map[string]string {
	return map[string]string{
		"invalid/datetime/no-secs.toml":            "seconds may be left out and are 0",
		"invalid/local-datetime/no-secs.toml":      "seconds may be left out and are 0",
		"invalid/local-time/no-secs.toml":          "seconds may be left out and are 0",
		"invalid/inline-table/linebreak-01.toml":   "an inline table may go over several lines",
		"invalid/inline-table/linebreak-02.toml":   "an inline table may go over several lines",
		"invalid/inline-table/linebreak-03.toml":   "an inline table may go over several lines",
		"invalid/inline-table/linebreak-04.toml":   "an inline table may go over several lines",
		"invalid/inline-table/trailing-comma.toml": "an inline table may end in a comma",
		"invalid/string/basic-byte-escapes.toml":   `\xHH is a code point below U+0100`,
	}
}

// TestConformance demands that every document that is not TOML 1.0.0 is refused as no TOML, with a place in it, but for
// those that TOML 1.1.0 allows.
func TestConformance(t *testing.T) {
	data := os.Getenv("TOOLFREEZE_DATA")
	if data == "" {
		t.Skip("TOOLFREEZE_DATA is unset: it names the folder of the conformance suites")
	}
	root := filepath.Join(data, "conformance", "toml-test")
	list, err := os.ReadFile(filepath.Join(root, "files-toml-1.0.0"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, name := range strings.Fields(string(list)) {
		if !strings.HasPrefix(name, "invalid/") || !strings.HasSuffix(name, ".toml") {
			continue
		}
		src, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		n++
		_, err = Load(name, src)
		var errs Errors
		if !errors.As(err, &errs) {
			t.Errorf("%s: got %v", name, err)
			continue
		}
		if _, ok := newer()[name]; ok == errs[0].Syntax {
			t.Errorf("%s: got %v; is it in the table of what TOML 1.1.0 allows: %t", name, errs[0], ok)
		}
		if err := placed(errs, src); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n < 400 {
		t.Errorf("got %d documents, want the 499 of the suite", n)
	}
}

// placed checks that every error has a place inside the text and one line of text.
func placed(errs Errors, src []byte) error {
	lines := strings.Split(strings.ReplaceAll(strings.TrimPrefix(string(src), "\ufeff"), "\r\n", "\n"), "\n")
	for _, e := range errs {
		for _, p := range append([]Place{e.Place}, e.Also...) {
			if p.Line < 1 || p.Line > len(lines) || p.Source != lines[p.Line-1] || p.Column < 1 || p.Column > len([]rune(p.Source))+1 || p.Width < 1 {
				return fmt.Errorf("%+v is outside", p)
			}
		}
		if e.Text == "" || strings.ContainsAny(e.Error()+e.Hint, "\n\r") {
			return fmt.Errorf("%q is not one line", e)
		}
	}
	return nil
}

// FuzzLoad loads anything: no panic, errors lie inside the file, CRLF changes nothing, and a catalog that is made has no
// problem and survives its canonical form.
func FuzzLoad(f *testing.F) {
	for _, path := range fixtures(f) {
		raw, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(unpack(string(raw)).input())
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		file, err := Load("f", src)
		if err != nil {
			var errs Errors
			if !errors.As(err, &errs) || len(errs) == 0 {
				t.Fatalf("got %v", err)
			}
			if err := placed(errs, src); err != nil {
				t.Fatal(err)
			}
			errs.WriteTo(&bytes.Buffer{})
			return
		}
		canonical := file.Catalog.JSON()
		if _, err := catalog.Parse(string(canonical)); err != nil {
			t.Fatalf("%s: %v", canonical, err)
		}
		crlf := bytes.ReplaceAll(bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n")), []byte("\n"), []byte("\r\n"))
		again, err := Load("f", crlf)
		if err != nil || !bytes.Equal(again.Catalog.JSON(), canonical) {
			t.Fatalf("with CRLF: %v", err)
		}
	})
}
