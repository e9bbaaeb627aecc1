package gen_test

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/toolfreeze/toolfreeze/gen"
	"github.com/toolfreeze/toolfreeze/gen/freezefile"
)

var update = flag.Bool("update", false, "record what is generated, once it builds and its tests pass")

const golden = "freeze_gen.go"

// fixtures reads testdata/gen: a freeze, a hand-written test of the generated package, and perhaps the wanted code.
func fixtures(t *testing.T) map[string]*txtar.Archive {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "testdata", "gen", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	all := map[string]*txtar.Archive{}
	for _, f := range files {
		a, err := txtar.ParseFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all[strings.TrimSuffix(filepath.Base(f), ".txtar")] = a
	}
	return all
}

// Every fixture generates, is gofmt-clean, vets, builds, and passes its own test, in a module of its own that knows the
// runtime only. With -update the wanted code is recorded after that.
func TestFixtures(t *testing.T) {
	dir := newModule(t)
	all := fixtures(t)
	for name, a := range all {
		generate(t, filepath.Join(dir, name), a)
	}
	command(t, dir, "go", "vet", "./...")
	command(t, dir, "go", "test", "./...")
	if out := command(t, dir, "gofmt", "-l", "."); out != "" {
		t.Errorf("not gofmt-clean: %s", out)
	}
	if t.Failed() {
		return
	}
	for name, a := range all {
		compare(t, name, a, filepath.Join(dir, name, gen.FileName))
	}
}

func compare(t *testing.T, name string, a *txtar.Archive, file string) {
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := range a.Files {
		if a.Files[i].Name != golden {
			continue
		}
		if !*update && !bytes.Equal(a.Files[i].Data, got) {
			t.Errorf("%s: the generated code differs from the fixture's; run go test ./gen -update and read the diff", name)
		}
		a.Files[i].Data = got
	}
	if *update {
		if err := os.WriteFile(filepath.Join("..", "testdata", "gen", name+".txtar"), txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// newModule is an empty module outside the repository that requires this one.
func newModule(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	mod := "module example.test/app\n\ngo 1.26.0\n\nrequire github.com/toolfreeze/toolfreeze v0.0.0\n\nreplace github.com/toolfreeze/toolfreeze => " + filepath.ToSlash(root) + "\n"
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// generate unpacks a fixture into dir and generates there.
func generate(t *testing.T, dir string, a *txtar.Archive) {
	t.Helper()
	for _, f := range a.Files {
		if f.Name == golden {
			continue
		}
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := gen.Run(filepath.Join(dir, "tools.freeze.toml")); err != nil {
		t.Fatalf("%s: %s", dir, errorText(err))
	}
}

func errorText(err error) string {
	if problems, ok := err.(freezefile.Errors); ok {
		var b strings.Builder
		problems.WriteTo(&b)
		return b.String()
	}
	return err.Error()
}

// command runs a program in dir without the network and returns what it printed.
func command(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}
