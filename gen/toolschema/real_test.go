package toolschema

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/toolfreeze/toolfreeze/gen/freezefile"
	"github.com/toolfreeze/toolfreeze/gen/toolschema/importer"
)

// TestRealProfiles emits real catalogs in every dialect and holds each emission against its table.
func TestRealProfiles(t *testing.T) {
	dir := os.Getenv("TOOLFREEZE_DATA")
	if dir == "" {
		t.Skip("TOOLFREEZE_DATA is not set: no real catalogs to read")
	}
	for _, format := range []string{"mcp-tools", "openai", "openai-responses", "anthropic", "gemini"} {
		files, err := filepath.Glob(filepath.Join(dir, format, "*.json"))
		if err != nil || len(files) == 0 {
			t.Fatalf("got no files of %s (%v)", format, err)
		}
		for _, file := range files {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got, err := importer.Import(file, src, importer.Options{CostClass: "local"})
			if err != nil {
				continue // the importer's own tests say which
			}
			f, err := freezefile.Load("tools.freeze.toml", got.Freeze)
			if err != nil {
				t.Fatal(err)
			}
			checkDialects(t, f.Catalog)
			_, warnings, _ := Definitions(f.Catalog, OpenAI)
			strict := map[string]bool{}
			for _, w := range warnings {
				strict[w.Tool] = true
			}
			if len(f.Catalog.Tools) > 20 {
				t.Logf("%s: %d tools, %d with a warning for openai", filepath.Base(file), len(f.Catalog.Tools), len(strict))
			}
		}
	}
}
