package gen_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolfreeze/toolfreeze/gen"
)

// program is a small application over the freeze of the article; the tests below break it in one place each.
const program = `package main

import (
	"context"
	"fmt"
	"os"

	"github.com/toolfreeze/toolfreeze/runtime/endpoint"
)

type service struct{}

func (service) LookupPlan(context.Context) error                          { return nil }
func (service) RenderInvoice(context.Context) error                       { return nil }
func (service) FetchPublicStatus(context.Context, *endpoint.Client) error { return nil }

func main() {
	gate, err := New(service{})
	if err != nil {
		fmt.Println(err)
		os.Exit(3)
	}
	request, err := gate.Request()
	if err != nil {
		fmt.Println(err)
		os.Exit(4)
	}
	fmt.Println(request.LookupPlan(context.Background()))
}
`

// newProgram unpacks the article's freeze, generates, and writes program beside it.
func newProgram(t *testing.T) string {
	t.Helper()
	dir := newModule(t)
	write(t, filepath.Join(dir, "main.go"), program)
	generate(t, dir, fixtures(t)["article"])
	if err := os.Remove(filepath.Join(dir, "article_test.go")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// rewrite replaces old, which must be there, in a file.
func rewrite(t *testing.T, path, old, new string) {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(src, []byte(old)) {
		t.Fatalf("%s does not hold %q", path, old)
	}
	write(t, path, strings.Replace(string(src), old, new, 1))
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// run builds and runs the program of dir, and returns what both printed.
func run(t *testing.T, dir string) (out string, err error) {
	t.Helper()
	cmd := exec.Command("go", "run", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off", "INDIE_TOOL_LIVE=")
	text, err := cmd.CombinedOutput()
	return string(text), err
}

// A program that goes around the freeze does not build, and one whose freeze was edited does not start.
func TestTheBuildSaysNo(t *testing.T) {
	dir := newProgram(t)
	if out, err := run(t, dir); err != nil || !strings.Contains(out, "lookup_plan: DRY_RUN") {
		t.Fatalf("the correct program: %v\n%s", err, out)
	}
	main := filepath.Join(dir, "main.go")
	for _, tt := range []struct{ name, file, old, new, want string }{
		{"a handler method is missing", main, "func (service) RenderInvoice", "func (service) renderInvoice", "missing method RenderInvoice"},
		{"a typed method that is not frozen", main, "request.LookupPlan(", "request.LookupPlans(", "request.LookupPlans undefined"},
		{"a handler with other arguments", main, "LookupPlan(context.Context)", "LookupPlan(context.Context, string)", "wrong type for method LookupPlan"},
		{"an older runtime's handshake", filepath.Join(dir, gen.FileName), "dispatch.GeneratedV1", "dispatch.GeneratedV0", "undefined: dispatch.GeneratedV0"},
		{"a freeze edited without regeneration", filepath.Join(dir, "tools.freeze.toml"), "max_calls = 2", "max_calls = 2000", "go generate"},
		{"a catalog edited by hand", filepath.Join(dir, gen.FileName), `\"max_calls\":2,`, `\"max_calls\":2000,`, "run go generate"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			good, err := os.ReadFile(tt.file)
			if err != nil {
				t.Fatal(err)
			}
			defer write(t, tt.file, string(good))
			rewrite(t, tt.file, tt.old, tt.new)
			out, err := run(t, dir)
			if err == nil || !strings.Contains(out, tt.want) {
				t.Errorf("got %v, want a failure with %q\n%s", err, tt.want, out)
			}
		})
	}
	// Other line ends are the same freeze.
	freeze := filepath.Join(dir, "tools.freeze.toml")
	src, err := os.ReadFile(freeze)
	if err != nil {
		t.Fatal(err)
	}
	write(t, freeze, strings.ReplaceAll(string(src), "\n", "\r\n"))
	if out, err := run(t, dir); err != nil {
		t.Errorf("with CRLF: %v\n%s", err, out)
	}
}

// The same freeze gives the same bytes in every folder, and a second run writes nothing.
func TestSameBytes(t *testing.T) {
	var first []byte
	for i, flags := range []string{"", "-mod=mod", "-mod=readonly"} {
		t.Setenv("GOFLAGS", flags)
		dir := filepath.Join(t.TempDir(), strings.Repeat("deeper/", i), "article")
		generate(t, dir, fixtures(t)["article"])
		src, err := os.ReadFile(filepath.Join(dir, gen.FileName))
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = src
		}
		if !bytes.Equal(src, first) {
			t.Errorf("GOFLAGS=%q, another folder: other bytes", flags)
		}
		out, err := gen.Run(filepath.Join(dir, "tools.freeze.toml"))
		if err != nil || out.Changed {
			t.Errorf("second run: changed %v, %v", out, err)
		}
	}
}

// A failure leaves the old file, and names the path.
func TestFailureLeavesTheOldFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "article")
	generate(t, dir, fixtures(t)["article"])
	freeze, out := filepath.Join(dir, "tools.freeze.toml"), filepath.Join(dir, gen.FileName)
	good, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	write(t, freeze, "[meta]\n")
	if _, err := gen.Run(freeze); err == nil {
		t.Error("a refused freeze: got no error")
	}
	if now, err := os.ReadFile(out); err != nil || !bytes.Equal(now, good) {
		t.Errorf("the old file has changed: %v", err)
	}
	if err := os.Remove(out); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(out, 0o755); err != nil {
		t.Fatal(err)
	}
	generateErr := func() error {
		write(t, freeze, string(fixtures(t)["article"].Files[0].Data))
		_, err := gen.Run(freeze)
		return err
	}()
	if generateErr == nil || !strings.Contains(generateErr.Error(), out) {
		t.Errorf("a folder of that name: got %v, want an error that names %s", generateErr, out)
	}
	left, err := filepath.Glob(filepath.Join(dir, ".*.tmp"))
	if err != nil || len(left) > 0 {
		t.Errorf("temporary files were left: %v, %v", left, err)
	}
}
