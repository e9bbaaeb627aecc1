package differential_test

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolfreeze/toolfreeze/gen/emit"
	"github.com/toolfreeze/toolfreeze/runtime/catalog"
	_ "github.com/toolfreeze/toolfreeze/runtime/dispatch" // what the driver links: a change there runs this test again
	_ "github.com/toolfreeze/toolfreeze/runtime/opt"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// exposed stands beside each generated file and hands out what the driver needs of it.
const exposed = `package tools

import "github.com/toolfreeze/toolfreeze/runtime/dispatch"

func Catalog() string { return freezeCatalog }

func Find(name string) (int, dispatch.Job) { return new(Request).find(name) }
`

// driver is a process that reads documents with the generated decoders of all catalogs.
type driver struct {
	in  io.Writer
	out *bufio.Reader
}

// answer is what a generated decoder made of a document.
type answer struct {
	Code    string
	Faults  []verdict.Fault
	Written []byte
}

// question is a document for a tool of a catalog.
type question struct {
	catalog, tool int
	doc           []byte
}

// newDriver renders the catalogs, builds one program of them and starts it.
func newDriver(t *testing.T, all []*catalog.Catalog) *driver {
	t.Helper()
	dir := t.TempDir()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "go.mod"), "module example.test/driver\n\ngo 1.26.0\n\nrequire github.com/toolfreeze/toolfreeze v0.0.0\n\nreplace github.com/toolfreeze/toolfreeze => "+filepath.ToSlash(root)+"\n")
	program, err := os.ReadFile(filepath.Join("testdata", "driver", "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "main.go"), string(program))
	imports, items := "", ""
	for i, c := range all {
		name := fmt.Sprintf("tools%d", i)
		src, _, err := emit.File(c, "tools", "tools.freeze.toml", catalog.SourceDigest(""))
		if err != nil {
			t.Fatalf("catalog %d: %v\n%s", i, err, c.JSON())
		}
		write(t, filepath.Join(dir, name, "freeze_gen.go"), string(src))
		write(t, filepath.Join(dir, name, "tools.freeze.toml"), "")
		write(t, filepath.Join(dir, name, "exposed.go"), exposed)
		imports += fmt.Sprintf("\t%s %q\n", name, "example.test/driver/"+name)
		items += fmt.Sprintf("\t\t{%s.Catalog(), %s.Find},\n", name, name)
	}
	write(t, filepath.Join(dir, "packages.go"), "package main\n\nimport (\n"+imports+")\n\nfunc packages() []generated {\n\treturn []generated{\n"+items+"\t}\n}\n")
	return start(t, dir)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// start builds the module in dir and runs it until the test ends. The paths are trimmed so that the build cache knows the
// packages again in another temporary folder.
func start(t *testing.T, dir string) *driver {
	t.Helper()
	build := exec.Command("go", "build", "-trimpath", "-o", "driver.exe", ".")
	build.Dir = dir
	build.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, text)
	}
	cmd := exec.Command(filepath.Join(dir, "driver.exe"))
	var failure strings.Builder
	cmd.Stderr = &failure
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("driver: %v\n%s", err, &failure)
		}
	})
	return &driver{in, bufio.NewReaderSize(out, 1<<16)}
}

// ask returns one answer a question. Questions are written while answers are read: neither pipe holds them all.
func (d *driver) ask(all []question) ([]answer, error) {
	var frames []byte
	for _, q := range all {
		frames = binary.BigEndian.AppendUint16(frames, uint16(q.catalog))
		frames = binary.BigEndian.AppendUint16(frames, uint16(q.tool))
		frames = binary.BigEndian.AppendUint32(frames, uint32(len(q.doc)))
		frames = append(frames, q.doc...)
	}
	written := make(chan error, 1)
	go func() {
		_, err := d.in.Write(frames)
		written <- err
	}()
	answers := make([]answer, len(all))
	for i := range answers {
		var size [4]byte
		if _, err := io.ReadFull(d.out, size[:]); err != nil {
			return nil, err
		}
		text := make([]byte, binary.BigEndian.Uint32(size[:]))
		if _, err := io.ReadFull(d.out, text); err != nil {
			return nil, err
		}
		if err := json.Unmarshal(text, &answers[i]); err != nil {
			return nil, err
		}
	}
	return answers, <-written
}
