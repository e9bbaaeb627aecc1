package gen

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/toolfreeze/toolfreeze/gen/emit"
	"github.com/toolfreeze/toolfreeze/gen/freezefile"
	"github.com/toolfreeze/toolfreeze/gen/toolschema"
	"github.com/toolfreeze/toolfreeze/gen/typecheck"
	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

// FileName is the name of the one generated file, in the folder of the freeze.
const FileName = "freeze_gen.go"

// embeddable is what a freeze file may be called: go:embed takes a colon, a quote or a space for something else.
var embeddable = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]*$`)

// Generate renders the generated file of a freeze. pkg is the Go package of its folder, used where [meta] package is
// absent. The bytes depend on nothing but the arguments; the warnings are about what a provider may refuse. The result has been type-checked against the runtime's API.
func Generate(f *freezefile.File, pkg string) ([]byte, []toolschema.Warning, error) {
	name := filepath.Base(f.Name)
	if !embeddable.MatchString(name) {
		return nil, nil, fmt.Errorf("%s: freeze file name %q: go:embed cannot hold it; want letters, digits, %q, %q and %q, such as %q", f.Name, name, "_", "-", ".", "tools.freeze.toml")
	}
	if err := outOfReach(f); err != nil {
		return nil, nil, err
	}
	if p := f.Catalog.Package; p != "" {
		pkg = p
	}
	src, warnings, err := emit.File(f.Catalog, pkg, name, catalog.SourceDigest(string(f.Source)))
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", f.Name, err)
	}
	if err := typecheck.File(FileName, src); err != nil {
		return nil, nil, fmt.Errorf("%s: the generated code does not compile, which is a fault of freezegen; nothing was written: %w", f.Name, err)
	}
	return src, warnings, nil
}

// outOfReach refuses a workspace that would hold the freeze or the breaker's files, since a tool could write them. Relative
// paths are taken from the folder of the freeze, which is the best guess here; New looks again where the process runs.
func outOfReach(f *freezefile.File) error {
	w := f.Catalog.Workspace
	if w == nil {
		return nil
	}
	dir, err := filepath.Abs(filepath.Dir(f.Name))
	if err != nil {
		return err
	}
	root := from(dir, w.Root)
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	state := map[string]string{"the freeze": filepath.Join(dir, filepath.Base(f.Name))}
	if b := f.Catalog.Breaker; b != nil {
		state["the breaker's file"] = from(dir, b.File)
	}
	for _, what := range slices.Sorted(maps.Keys(state)) {
		path := state[what]
		if real, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
			path = filepath.Join(real, filepath.Base(path))
		}
		if rel, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(rel) {
			return fmt.Errorf("%s: workspace.root: got %q, in which %s lies, want a folder that holds neither; a tool could write it", f.Position("workspace", "root"), w.Root, what)
		}
	}
	return nil
}

// from is path, taken from dir where it is relative.
func from(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}
