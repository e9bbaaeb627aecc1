package importer

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolfreeze/toolfreeze/gen/freezefile"
)

func dataDir(t testing.TB) string {
	dir := os.Getenv("TOOLFREEZE_DATA")
	if dir == "" {
		t.Skip("TOOLFREEZE_DATA is not set: no real catalogs to read")
	}
	return dir
}

func dataFiles(t testing.TB, formats ...string) []string {
	var files []string
	for _, f := range formats {
		list, err := filepath.Glob(filepath.Join(dataDir(t), f, "*.json"))
		if err != nil || len(list) == 0 {
			t.Fatalf("got no files of %s (%v)", f, err)
		}
		files = append(files, list...)
	}
	return files
}

// TestRealCatalogs imports every real catalog, loads what comes out, and prints a report.
func TestRealCatalogs(t *testing.T) {
	var files, tools, inexact, dropped int
	for _, file := range dataFiles(t, "mcp-tools", "openai", "openai-responses", "anthropic", "gemini") {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		files++
		got, err := Import(file, src, Options{CostClass: "local"})
		if err != nil {
			t.Error(err)
			continue
		}
		touched := map[string]bool{}
		for _, n := range got.Notes {
			if n.Dropped {
				dropped++
			}
			if n.Inexact {
				touched[n.Tool] = true
				t.Logf("%s: %s", filepath.Base(file), n)
			}
		}
		tools += got.Tools
		inexact += len(touched)
		if _, err := freezefile.Load("tools.freeze.toml", got.Freeze); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
	t.Logf("%d files, %d tools: %d exact, %d not; %d second definitions of a name left out", files, tools, tools-inexact, inexact, dropped)
}

// TestOtherShapes refuses what is kept in the data for that.
func TestOtherShapes(t *testing.T) {
	for dir, want := range map[string]string{"bedrock": "Bedrock toolSpec", "docker-arguments": "list of arguments that does not say"} {
		for _, file := range dataFiles(t, dir) {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Import(file, src, Options{}); err == nil || !strings.Contains(err.Error(), want) && !strings.Contains(err.Error(), "no schema of the arguments") {
				t.Errorf("%s: got %v, want a refusal", file, err)
			}
		}
	}
}
