package freezefile

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write what Load gives into the fixtures")

// fixture is a case in txtar form: a comment, then sections that begin with "-- name --".
type fixture struct {
	comment string
	files   map[string]string
}

// unpack reads a fixture.
func unpack(text string) fixture {
	f := fixture{files: map[string]string{}}
	name := ""
	for line := range strings.Lines(text) {
		if after, ok := strings.CutPrefix(strings.TrimSpace(line), "-- "); ok && strings.HasSuffix(after, " --") {
			name = strings.TrimSuffix(after, " --")
			f.files[name] = ""
			continue
		}
		if name == "" {
			f.comment += line
		} else {
			f.files[name] += line
		}
	}
	return f
}

// input is the freeze of a fixture; its comment may ask for other ends of lines, or for a byte order mark.
func (f fixture) input() []byte {
	src := f.files[Name]
	if strings.Contains(f.comment, "\nwith CRLF\n") {
		src = strings.ReplaceAll(src, "\n", "\r\n")
	}
	if strings.Contains(f.comment, "\nwith BOM\n") {
		src = "\ufeff" + src
	}
	return []byte(src)
}

// outcome is what Load gives: the errors as they are printed, or the canonical catalog, indented.
func outcome(src []byte) (section, text string) {
	f, err := Load(Name, src)
	var errs Errors
	var b bytes.Buffer
	switch {
	case errors.As(err, &errs):
		errs.WriteTo(&b)
		return "error", b.String()
	case json.Indent(&b, f.Catalog.JSON(), "", "  ") != nil:
		return "catalog.json", "not JSON\n"
	}
	return "catalog.json", b.String() + "\n"
}

// TestFixtures holds every case of testdata/freeze: a good_ one gives a catalog, a bad_ one errors.
func TestFixtures(t *testing.T) {
	for _, path := range fixtures(t) {
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		t.Run(name, func(t *testing.T) {
			raw, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			f := unpack(string(raw))
			section, text := outcome(f.input())
			if good := strings.HasPrefix(name, "good_"); good != (section == "catalog.json") {
				t.Fatalf("got %s:\n%s", section, text)
			}
			if *update {
				out := f.comment + "-- " + Name + " --\n" + f.files[Name] + "-- " + section + " --\n" + text
				if err := os.WriteFile(path, []byte(out), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if want := f.files[section]; text != want {
				t.Errorf("got\n%s\nwant\n%s", text, want)
			}
		})
	}
}

func fixtures(t testing.TB) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("..", "..", "testdata", "freeze", "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	return paths
}
