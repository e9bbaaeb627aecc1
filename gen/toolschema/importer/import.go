package importer

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/toolfreeze/toolfreeze/gen/toolschema/internal/freezetext"
	"github.com/toolfreeze/toolfreeze/gen/toolschema/internal/reading"
	"github.com/toolfreeze/toolfreeze/gen/toolschema/internal/tree"
	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

// Options are what an import decides that the definitions do not say. The zero Options are fine.
type Options struct {
	// From is the shape of the definitions, one of Formats; "" is "auto", which finds it.
	From string
	// CostClass is what every tool is classified as: "local", or "" for no class at all, so that generation refuses each
	// tool until a person has decided. "free_net" is an error: each tool needs a URL of its own.
	CostClass string
	// API is the name of the service for [meta]; "" takes the file's base name without its ending.
	API string
	// Package is the Go package for [meta]; "" writes none.
	Package string
	// MaxCalls is each tool's budget in one request; 0 is 4.
	MaxCalls int
	// MaxMS is the deadline of each call in milliseconds; 0 is 5000.
	MaxMS int
	// MaxCallsPerRequest is the budget of a whole request; 0 is 8.
	MaxCallsPerRequest int
}

// Imported is a freeze made of the definitions of others.
type Imported struct {
	// Freeze is the TOML text of the freeze.
	Freeze []byte
	// From is the shape that was found.
	From string
	// Tools is how many tools it holds.
	Tools int
	// Notes are what the freeze cannot say, and what was changed, in the order of the tools.
	Notes []Note
}

// Note is one place where the freeze says something else than the source.
type Note struct {
	// Tool is the tool's name; "" where no single one is meant.
	Tool string
	// Path is the place as a JSON path of the arguments, such as $.filter.tags[]; one of the result begins with
	// "result $", one of a named type with "types."; "" is the tool as a whole.
	Path string
	// Text says what was done and why, on one line.
	Text string
	// Inexact is true where the freeze accepts other documents than the source does. The other notes are about texts,
	// defaults and the like.
	Inexact bool
	// Dropped is true where a whole definition is not in the freeze, since another of the same name stands before it.
	Dropped bool
}

// String returns "tool: path: text" without the parts that are empty.
func (n Note) String() string {
	s := n.Text
	if n.Path != "" {
		s = n.Path + ": " + s
	}
	if n.Tool != "" {
		s = n.Tool + ": " + s
	}
	return s
}

// Import reads tool definitions and returns the freeze that says the same. name is what the file is called, for messages
// and for [meta]. Errors name the file and say what was seen and what is read.
func Import(name string, src []byte, o Options) (*Imported, error) {
	if err := o.settle(name); err != nil {
		return nil, err
	}
	c, from, notes, err := build(src, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	plural := "s"
	if len(c.Tools) == 1 {
		plural = ""
	}
	head := []string{fmt.Sprintf("Imported from %s (%s): %d tool%s.", shown(filepath.Base(name)), from, len(c.Tools), plural)}
	if o.CostClass == "" {
		head = append(head, `No tool has a cost class yet. A person gives one to each: "local" reaches no network, "free_net" reaches the`,
			"one URL of allow_url, free of charge. Delete the tools that are neither.")
	}
	text := freezetext.Write(c, freezetext.Comments{Head: head, Unclassified: `cost_class: a person decides, "local" or "free_net" with allow_url`})
	return &Imported{Freeze: []byte(text), From: from, Tools: len(c.Tools), Notes: notes}, nil
}

// shown quotes user text for one line, cut at 64 characters.
func shown(s string) string {
	if runes := []rune(s); len(runes) > 64 {
		return fmt.Sprintf("%q...", string(runes[:64]))
	}
	return fmt.Sprintf("%q", s)
}

// settle fills in what an option stands for, and refuses what it cannot be.
func (o *Options) settle(name string) error {
	if o.From == "" {
		o.From = auto
	}
	switch {
	case !slices.Contains(Formats(), o.From):
		return fmt.Errorf("from: got %q, want one of %s", o.From, strings.Join(Formats(), ", "))
	case o.CostClass == catalog.FreeNet:
		return fmt.Errorf("cost class: got %q, want %q or none: each tool of that class needs an allow_url of its own, which a person writes", o.CostClass, catalog.Local)
	case o.CostClass != "" && o.CostClass != catalog.Local:
		return fmt.Errorf("cost class: got %q, want %q or none", o.CostClass, catalog.Local)
	}
	for _, n := range []struct {
		name  string
		value *int
		zero  int
	}{{"max_calls", &o.MaxCalls, 4}, {"max_ms", &o.MaxMS, 5000}, {"max_calls_per_request", &o.MaxCallsPerRequest, 8}} {
		if *n.value < 0 {
			return fmt.Errorf("%s: got %d, want 1 or more", n.name, *n.value)
		}
		if *n.value == 0 {
			*n.value = n.zero
		}
	}
	if o.API == "" {
		base := filepath.Base(name)
		o.API = strings.TrimSuffix(base, filepath.Ext(base))
	}
	if o.API, _ = seen(o.API); strings.TrimSpace(o.API) == "" || strings.ContainsAny(o.API, "\n\t") {
		o.API = "imported"
	}
	return nil
}

// build makes the catalog.
func build(src []byte, o Options) (*catalog.Catalog, string, []Note, error) {
	doc, err := tree.Parse(src)
	if err != nil {
		return nil, "", nil, err
	}
	found, from, notes, err := sources(doc, o.From)
	if err != nil {
		return nil, "", nil, err
	}
	found, twice, err := distinct(found)
	if err != nil {
		return nil, "", nil, err
	}
	notes = append(notes, twice...)
	c := &catalog.Catalog{API: o.API, MaxTools: len(found), MaxCallsPerRequest: o.MaxCallsPerRequest, Package: o.Package,
		LiveEnv: "INDIE_TOOL_LIVE", MaxArgsBytes: 1 << 20, MaxResultBytes: 1 << 20}
	if c.Providers, err = providers(found); err != nil {
		return nil, "", nil, err
	}
	if dropped := missing(c.Providers); dropped != "" {
		notes = append(notes, Note{Text: "providers leaves out " + dropped + ", which refuse a tool's name"})
	}
	ts := reading.New(catalog.Reserved)
	for i := range found {
		t, more, err := toolFrom(&found[i], from, ts, o)
		if err != nil {
			return nil, "", nil, fmt.Errorf("tool %q: %w", found[i].name, err)
		}
		c.Tools, notes = append(c.Tools, t), append(notes, more...)
	}
	c.Types = used(c, ts)
	fix := &repairer{c: c, tries: map[string]int{}}
	fix.tidy()
	if problems := fix.repair(); problems != nil {
		p := problems[0]
		return nil, "", nil, fmt.Errorf("%s: %s", strings.Trim(shown(strings.Join(p.At, ".")), `"`), p.Text)
	}
	return c, from, inOrder(append(notes, fix.notes...), c), nil
}

// inOrder sorts notes by the tools that they are about; those about no tool, or about one that was left out, come first.
func inOrder(notes []Note, c *catalog.Catalog) []Note {
	place := map[string]int{}
	for i := range c.Tools {
		place[c.Tools[i].Name] = i + 1
	}
	slices.SortStableFunc(notes, func(a, b Note) int { return cmp.Compare(place[a.Tool], place[b.Tool]) })
	return notes
}

// toolFrom makes one tool of the freeze.
func toolFrom(s *source, from string, ts *reading.Types, o Options) (catalog.Tool, []Note, error) {
	t := catalog.Tool{Name: s.name, Description: s.description, CostClass: o.CostClass, MaxCalls: o.MaxCalls, MaxMS: o.MaxMS,
		ReadOnly: s.readOnly, Destructive: s.destructive, Idempotent: s.idempotent}
	var notes []Note
	for _, side := range []struct {
		schema *tree.Value
		fields *[]catalog.Field
		result bool
	}{{s.args, &t.Args, false}, {s.result, &t.Result, true}} {
		if side.schema == nil {
			continue
		}
		fields, more, err := ts.Members(reading.Schema{Tool: s.name, Root: side.schema, Result: side.result, Strict: s.strict, StringEnums: from == gemini})
		for _, n := range more {
			notes = append(notes, Note{Tool: s.name, Path: n.Path, Text: n.Text, Inexact: n.Inexact})
		}
		if err != nil {
			return t, nil, err
		}
		*side.fields = fields
	}
	return t, notes, nil
}

// used are the named types that a tool leads to, in the order in which they are met.
func used(c *catalog.Catalog, ts *reading.Types) []catalog.Named {
	var names []string
	var visit func(fields []catalog.Field)
	var typ func(t *catalog.Type)
	typ = func(t *catalog.Type) {
		if t.Kind == catalog.Ref && !slices.Contains(names, t.Ref) {
			names = append(names, t.Ref)
			if n := ts.Named(t.Ref); n != nil {
				visit(n.Fields)
			}
		}
		if t.Elem != nil {
			typ(t.Elem)
		}
		visit(t.Fields)
		for i := range t.OneOf {
			typ(&t.OneOf[i])
		}
	}
	visit = func(fields []catalog.Field) {
		for i := range fields {
			typ(&fields[i].Type)
		}
	}
	for i := range c.Tools {
		visit(c.Tools[i].Args)
		visit(c.Tools[i].Result)
	}
	var list []catalog.Named
	for _, name := range names {
		if n := ts.Named(name); n != nil {
			list = append(list, *n)
		}
	}
	return list
}

func defaultProviders() []string { return []string{"openai", "anthropic", "mcp"} }

// providers are those of the default ones that take every name. A name that none takes is an error.
func providers(found []source) ([]string, error) {
	short := regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	rules := map[string]*regexp.Regexp{"openai": short, "anthropic": short, "mcp": regexp.MustCompile(`^[A-Za-z0-9_.-]{1,128}$`)}
	list := defaultProviders()
	for i := range found {
		list = slices.DeleteFunc(list, func(p string) bool { return !rules[p].MatchString(found[i].name) })
		if len(list) == 0 {
			return nil, fmt.Errorf("tool %q: no provider takes that name, want letters, digits, \"_\" and \"-\", at most 64; rename the tool in the file", found[i].name)
		}
	}
	return list, nil
}

// missing names the default providers that a list lacks.
func missing(list []string) string {
	return strings.Join(slices.DeleteFunc(defaultProviders(), func(p string) bool { return slices.Contains(list, p) }), " and ")
}
