package freezefile

import (
	"errors"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// documented is the freeze of the package comment: the one block of it that begins with [meta].
func documented(t *testing.T) string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "doc.go", nil, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil {
		t.Fatal(err)
	}
	_, block, ok := strings.Cut(file.Doc.Text(), "\n\t[meta]\n")
	if !ok {
		t.Fatal("the package comment shows no freeze")
	}
	text := "[meta]\n"
	for line := range strings.Lines(block) {
		if line != "\n" && line[0] != '\t' {
			break
		}
		text += strings.TrimPrefix(line, "\t")
	}
	return text
}

// TestDocumented loads the freeze of the package comment, and finds every key of every table in it.
func TestDocumented(t *testing.T) {
	text := documented(t)
	f, err := Load("doc.go", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for _, table := range []string{"meta", "workspace", "breaker", "forbid", "exception 0", "types Plan", "tools lookup_plan"} {
		n := f.doc.Root
		for _, name := range strings.Fields(table) {
			n = child(n, name)
		}
		if n == nil {
			t.Errorf("[%s] is not shown", table)
			continue
		}
		for _, key := range keysOf(t, table) {
			if n.Member(key) == nil {
				t.Errorf("[%s] shows no %s", table, key)
			}
		}
	}
	if n := len(f.Catalog.Tools) + len(f.Catalog.Types); n != 2 {
		t.Errorf("got %d tools and types, want one of each, so that each key is explained in one place", n)
	}
	args := f.doc.Root.Member("tools").Member("lookup_plan").Member("args")
	keys := []string{"type", "description", "go_name", "default"}
	for _, k := range constraintKeys() {
		keys = append(keys, k.key)
	}
	for _, key := range keys {
		if !slices.ContainsFunc(args.Names, func(name string) bool { return args.Member(name).Member(key) != nil }) {
			t.Errorf("no argument shows %s", key)
		}
	}
	for _, word := range append(words(), "list", "map", "object") {
		if !strings.Contains(text, word) {
			t.Errorf("the type %s is not shown", word)
		}
	}
}

// keysOf are the keys that a table takes, as the error about an unknown one lists them.
func keysOf(t *testing.T, table string) []string {
	t.Helper()
	header := "[" + strings.ReplaceAll(table, " ", ".") + "]"
	if array, ok := strings.CutSuffix(table, " 0"); ok {
		header = "[[" + array + "]]"
	}
	_, err := Load("f", []byte(header+"\nqqqqqqqqqq = 1\n"))
	var errs Errors
	if !errors.As(err, &errs) {
		t.Fatalf("%s: got %v", table, err)
	}
	for _, e := range errs {
		if list, ok := strings.CutPrefix(e.Text, "got an unknown key, want one of "); ok {
			return strings.Split(list, ", ")
		}
	}
	t.Fatalf("%s: got %v, want the keys of the table", table, err)
	return nil
}
