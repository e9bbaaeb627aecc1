package catalog

import (
	"fmt"
	"go/token"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Problem is one thing that is wrong with a freeze.
type Problem struct {
	// At is the path of TOML keys to the deepest key that shows the fault, as [Catalog.Walk] spells it; an index into a
	// list is decimal text: ["tools", "lookup_plan", "args", "plan_id", "max_length"]. A key that is missing from the
	// file, because it was left out or because the short form of a type has no keys, is meant to be read as its parent.
	At []string
	// Also is the second place where two items clash, in the same form; nil where there is one place only.
	Also []string
	// Text says what was got and what is wanted: "got 0, want 1 to 1000000000".
	Text string
	// Hint says what to do about it, "" where Text says all.
	Hint string
}

// The ends of what a number of the freeze may be.
const (
	maxBudget = 1_000_000_000
	maxMS     = 24 * 60 * 60 * 1000
)

// checker gathers the problems of one catalog.
type checker struct {
	c        *Catalog
	problems []Problem
	rules    []nameRule          // of the declared providers, for tools
	args     []nameRule          // the same for arguments
	count    map[string]int      // how many tools have a name that folds to this one
	folded   map[string]int      // the folded name of every tool, and which one has it first
	types    map[string][]string // the Go name of every type and constant of the generated package, and where it is from
}

// Check returns everything that is wrong with the catalog, nil where nothing is. It checks values, not TOML shapes, and
// never the defaults, which need a decoder. The order is fixed: the head of the freeze, its types and tools, then names.
// A catalog without a problem satisfies all that generated code and the gate rely on.
func (c *Catalog) Check() []Problem {
	k := &checker{c: c, rules: nameRules(c.Providers, toolRule), args: nameRules(c.Providers, argumentRule),
		count: map[string]int{}, folded: map[string]int{}, types: map[string][]string{}}
	k.meta()
	k.tables()
	k.vetRules()
	for i := range c.Types {
		k.named(i)
	}
	for i := range c.Tools {
		k.count[fold(c.Tools[i].Name)]++
	}
	for i := range c.Tools {
		k.tool(i)
	}
	used := k.argumentTypes()
	c.Walk(func(at []string, f *Field, t *Type) {
		if f != nil {
			k.member(at, f)
			if also := used[at[1]]; at[0] == "types" && also != nil {
				k.argument(at, also, f)
			} else if at[0] == "tools" && at[2] == "args" {
				k.argument(at, nil, f)
			}
		}
		k.constraints(at, t)
	})
	k.places()
	k.names()
	return k.problems
}

// add records a problem. at is copied, since a walk goes on to change it.
func (k *checker) add(at []string, hint, format string, args ...any) {
	k.problems = append(k.problems, Problem{At: slices.Clone(at), Text: fmt.Sprintf(format, args...), Hint: hint})
}

// clash records that the item at at and an earlier one can't both be there.
func (k *checker) clash(at, also []string, hint, format string, args ...any) {
	k.add(at, hint, format, args...)
	k.problems[len(k.problems)-1].Also = slices.Clone(also)
}

// in returns a path below at, in memory of its own.
func in(at []string, keys ...string) []string { return slices.Concat(at, keys) }

// keys makes a path.
func keys(path ...string) []string { return path }

// number checks that n lies in 1 to most.
func (k *checker) number(at []string, n, most int) {
	hint := ""
	if n == 0 {
		hint = at[len(at)-1] + " has to be given"
	}
	if n < 1 || n > most {
		k.add(at, hint, "got %d, want 1 to %d", n, most)
	}
}

// line checks a text that stands on one line and may not be empty.
func (k *checker) line(at []string, s, what string) bool {
	if strings.TrimSpace(s) == "" {
		k.add(at, "", "got no text, want %s", what)
		return false
	}
	if f := flaw(s, false); f != "" {
		k.add(at, "", "%s", f)
		return false
	}
	return true
}

// prose checks a text that may be empty and may have lines.
func (k *checker) prose(at []string, s string) {
	if f := flaw(s, true); f != "" {
		k.add(at, "", "%s", f)
	}
}

// word checks that s is one of known.
func (k *checker) word(at []string, s string, known []string) bool {
	if slices.Contains(known, s) {
		return true
	}
	k.add(at, didYouMean(s, known), "got %s, want one of %s", shown(s), strings.Join(known, ", "))
	return false
}

// didYouMean is the hint that names the nearest known word, "" where none is near.
func didYouMean(s string, known []string) string {
	if near := Nearest(s, known); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return ""
}

func (k *checker) meta() {
	c := k.c
	k.line(keys("meta", "api"), c.API, "the name of the service, such as \"indie-agent-api\"")
	k.number(keys("meta", "max_tools"), c.MaxTools, maxBudget)
	k.number(keys("meta", "max_calls_per_request"), c.MaxCallsPerRequest, maxBudget)
	k.number(keys("meta", "max_args_bytes"), c.MaxArgsBytes, maxBudget)
	k.number(keys("meta", "max_result_bytes"), c.MaxResultBytes, maxBudget)
	if c.Package != "" && !PackageName(c.Package) {
		k.add(keys("meta", "package"), "", "got %s, want a Go package name: an identifier that is no keyword, not _ or documentation, and not for tests", shown(c.Package))
	}
	if !envName(c.LiveEnv) {
		k.add(keys("meta", "live_env"), "", "got %s, want the name of an environment variable: [A-Z][A-Z0-9_]*", shown(c.LiveEnv))
	}
	if len(c.Providers) == 0 {
		k.add(keys("meta", "providers"), "leave the key out for the default", "got an empty list, want at least one of %s", strings.Join(Providers(), ", "))
	}
	for i, p := range c.Providers {
		at := keys("meta", "providers", fmt.Sprint(i))
		if k.word(at, p, Providers()) && slices.Index(c.Providers, p) < i {
			k.clash(at, keys("meta", "providers", fmt.Sprint(slices.Index(c.Providers, p))), "", "got %q twice, want each provider once", p)
		}
	}
	if c.MaxTools > 0 && len(c.Tools) > c.MaxTools {
		k.clash(keys("tools", c.Tools[c.MaxTools].Name), keys("meta", "max_tools"), "take a tool out, or raise max_tools, where a reviewer sees it",
			"got %q as tool number %d, want at most %d", c.Tools[c.MaxTools].Name, c.MaxTools+1, c.MaxTools)
	}
}

// PackageName reports whether a generated file can be in the package name. The go command never builds a package that is
// called documentation, and takes one in _test for a test's.
func PackageName(name string) bool {
	return token.IsIdentifier(name) && name != "_" && name != "documentation" && !strings.HasSuffix(name, "_test") && len(name) <= maxName
}

// envName reports whether name is [A-Z][A-Z0-9_]*, at most 128 bytes.
func envName(name string) bool {
	for i := range len(name) {
		c := name[i]
		if !('A' <= c && c <= 'Z') && (i == 0 || c != '_' && (c < '0' || c > '9')) {
			return false
		}
	}
	return name != "" && len(name) <= maxName
}

// tables checks [workspace] and [breaker].
func (k *checker) tables() {
	if w := k.c.Workspace; w != nil {
		k.line(keys("workspace", "root"), w.Root, "a folder, such as \"./workspace\"")
		k.number(keys("workspace", "max_write_bytes"), w.MaxWriteBytes, maxBudget)
		k.number(keys("workspace", "max_read_bytes"), w.MaxReadBytes, maxBudget)
	}
	if b := k.c.Breaker; b != nil {
		k.number(keys("breaker", "threshold"), b.Threshold, maxBudget)
		k.line(keys("breaker", "file"), b.File, "a file, such as \"breaker.json\"")
	}
	if k.c.Workspace != nil {
		return
	}
	missing := false
	k.c.Walk(func(at []string, _ *Field, t *Type) {
		if t.Kind == Path && !missing {
			missing = true
			k.add(at, "add [workspace] with root and max_write_bytes", "got a path and no [workspace], want the folder that it is confined to")
		}
	})
}

// names checks the Go names: each by itself, and against all that share a scope with it.
func (k *checker) names() {
	methods := map[string][]string{}
	for i := range k.c.Types {
		n := &k.c.Types[i]
		at := keys("types", n.Name)
		if text, _ := k.typeNameFault(n); text != "" {
			continue
		}
		if k.goName(at, n.Name, n.GoName) && k.declare(k.types, n.Go(), at) {
			k.fieldNames(n.Go(), in(at, "fields"), n.Fields, n.Open)
		}
	}
	for i := range k.c.Tools {
		t := &k.c.Tools[i]
		at := keys("tools", t.Name)
		if first, known := k.folded[fold(t.Name)]; known && first != i {
			continue // a problem already
		}
		if !k.goName(at, t.Name, t.GoName) || !k.declare(methods, t.Go(), at) {
			continue
		}
		if len(t.Args) > 0 && k.declare(k.types, t.Go()+"Args", at) {
			k.fieldNames(t.Go()+"Args", in(at, "args"), t.Args, false)
		}
		if len(t.Result) > 0 && k.declare(k.types, t.Go()+"Result", at) {
			k.fieldNames(t.Go()+"Result", in(at, "result"), t.Result, false)
		}
	}
}

// goName checks the Go name of one item: an explicit one has to be an exported identifier, and without one the item's
// own name has to give something.
func (k *checker) goName(at []string, name, explicit string) bool {
	switch {
	case explicit != "" && (!token.IsIdentifier(explicit) || !token.IsExported(explicit) || flaw(explicit, false) != "" || len(explicit) > maxName):
		k.add(in(at, "go_name"), "", "got %s, want an exported Go identifier of at most %d bytes", shown(explicit), maxName)
	case explicit == "" && GoName(name) == "":
		k.add(at, "set go_name", "got %s, which gives no Go name, want one", shown(name))
	default:
		return true
	}
	return false
}

// declare enters a Go name into a scope, and says whether it was free.
func (k *checker) declare(scope map[string][]string, name string, at []string) bool {
	if Reserved(name) {
		k.add(at, "set go_name", "got the Go name %s, which belongs to the generated package itself, want another", name)
		return false
	}
	if first, taken := scope[name]; taken {
		k.clash(at, first, "set go_name on one of the two", "got the Go name %s, which %s has too, want one for each", name, strings.Join(first, "."))
		return false
	}
	scope[name] = slices.Clone(at)
	return true
}

// fieldNames checks the members of one Go struct, and the types that they bring.
func (k *checker) fieldNames(owner string, at []string, fields []Field, open bool) {
	scope, seen := map[string][]string{}, map[string]bool{}
	for i := range fields {
		f := &fields[i]
		here := in(at, f.Name)
		if seen[f.Name] || !k.goName(here, f.Name, f.GoName) {
			continue // a name that stands there twice is a problem already
		}
		seen[f.Name] = true
		if open && f.Go() == "Extra" {
			k.add(here, "set go_name", "got the Go name Extra, which holds the unknown members of an open object, want another")
			continue
		}
		if first, taken := scope[f.Go()]; taken {
			k.clash(here, first, "set go_name on one of the two", "got the Go name %s, which %s has too, want one for each", f.Go(), strings.Join(first, "."))
			continue
		}
		scope[f.Go()] = here
		k.typeNames(owner+f.Go(), here, &f.Type)
	}
}

// typeNames enters the types that one type brings: name is what its place is called.
func (k *checker) typeNames(name string, at []string, t *Type) {
	switch {
	case len(t.Enum) > 0:
		if k.declare(k.types, name, at) {
			k.valueNames(name, at, t)
		}
	case t.Kind == Object:
		if k.declare(k.types, name, at) {
			k.fieldNames(name, in(at, "fields"), t.Fields, t.Open)
		}
	case t.Elem != nil && t.Kind == List:
		k.typeNames(name+"Item", in(at, "items"), t.Elem)
	case t.Elem != nil && t.Kind == Map:
		k.typeNames(name+"Value", in(at, "values"), t.Elem)
	}
}

// valueNames enters the constants of an enum.
func (k *checker) valueNames(name string, at []string, t *Type) {
	seen := map[string]bool{}
	for i := range t.Enum {
		v := &t.Enum[i]
		here := in(at, "enum", fmt.Sprint(i))
		tail := v.Go()
		switch {
		case seen[v.plain()]: // a problem already
		case v.GoName != "" && !constantTail(v.GoName):
			k.add(in(here, "go_name"), "", "got %s, want an upper-case letter or a digit, then letters and digits: it stands behind %s", shown(v.GoName), name)
		case tail == "" || len(tail) > maxName:
			k.add(here, "set go_name", "got %s, which gives a Go name of %d bytes, want 1 to %d", valueText(string(v.Value)), len(tail), maxName)
		default:
			k.declare(k.types, name+tail, here)
		}
		seen[v.plain()] = true
	}
}

// constantTail reports whether an explicit name can end the name of a constant.
func constantTail(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	return token.IsIdentifier("X"+s) && (unicode.IsUpper(first) || unicode.IsDigit(first)) && flaw(s, false) == ""
}
