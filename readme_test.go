package toolfreeze_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/toolfreeze/toolfreeze/gen"
)

// blocks are the fenced blocks of the README in one language, in order.
func blocks(t *testing.T, language string) []string {
	t.Helper()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, m := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		all = append(all, m[1])
	}
	return all
}

// What the README shows generates and compiles, in a module of its own.
func TestReadmeCompiles(t *testing.T) {
	freeze, code := blocks(t, "toml"), blocks(t, "go")
	if len(freeze) != 2 || len(code) != 2 {
		t.Fatalf("found %d toml and %d go blocks, want 2 of each", len(freeze), len(code))
	}
	dir := t.TempDir()
	root, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	put := func(name, text string) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("go.mod", "module example.test/app\n\ngo 1.26.0\n\nrequire github.com/toolfreeze/toolfreeze v0.0.0\n\nreplace github.com/toolfreeze/toolfreeze => "+filepath.ToSlash(root)+"\n")
	put("internal/tools/tools.freeze.toml", freeze[0])
	put("files/tools.freeze.toml", strings.Join(strings.SplitAfter(freeze[0], "max_calls_per_request = 8\n")[:1], "")+strings.Replace(freeze[1], "[tools.write_file.args]", "[tools.write_file]\ncost_class = \"local\"\nmax_calls = 2\nmax_ms = 40\n[tools.write_file.args]", 1))
	put("main.go", `package main

import (
	"context"
	"log/slog"
	"os"

	"example.test/app/internal/tools"
	"github.com/toolfreeze/toolfreeze/runtime/dispatch"
)

type Service struct{ plans map[string]tools.Plan }

`+code[0]+`
func use(ctx context.Context, service *Service, call struct{ Name, Arguments string }) error {
`+code[1]+`
	_ = answer
	return err
}

func main() {}
`)
	for _, name := range []string{"internal/tools", "files"} {
		if _, err := gen.Run(filepath.Join(dir, filepath.FromSlash(name), "tools.freeze.toml")); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "vet", "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// The README stays short enough to be read.
func TestReadmeIsShort(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "\n"); n > 150 {
		t.Errorf("README.md has %d lines, want at most 150", n)
	}
}
