package gen

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

// cellWidth is how wide the cells of arguments and results are before they go on in the next line.
const cellWidth = 48

// List prints the catalog as one table: a line of the budgets of a request, a row a tool in the order of the freeze.
// Arguments that are passed on unchecked (type json, open objects) end in "!"; a free_net tool shows the one URL that it
// reaches.
func List(w io.Writer, c *catalog.Catalog) error {
	fmt.Fprintf(w, "%s: %d of %d tools, %d calls a request, live when %s=1\n\n", c.API, len(c.Tools), c.MaxTools, c.MaxCallsPerRequest, c.LiveEnv)
	var table bytes.Buffer
	tw := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "TOOL\tCLASS\tCALLS\tMS\tARGUMENTS\tRESULT")
	for i := range c.Tools {
		t := &c.Tools[i]
		args, result := members(c, t.Args), members(c, t.Result)
		if t.AllowURL != "" {
			args = append(args, "GET "+t.AllowURL)
		}
		fmt.Fprintf(tw, "%s\t%s\t%d\t%d\t%s\t%s\n", t.Name, t.CostClass, t.MaxCalls, t.MaxMS, cell(args, 0), cell(result, 0))
		for n := 1; n < max(len(args), len(result)); n++ {
			fmt.Fprintf(tw, "\t\t\t\t%s\t%s\n", strings.TrimPrefix(cell(args, n), "-"), strings.TrimPrefix(cell(result, n), "-"))
		}
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	if strings.Contains(table.String(), "!") {
		table.WriteString("\n! = passed on unchecked\n")
	}
	for line := range strings.Lines(table.String()) {
		if _, err := fmt.Fprintln(w, strings.TrimRight(line, " \n")); err != nil {
			return err
		}
	}
	return nil
}

// cell is the nth line of a cell, "-" where there is none.
func cell(lines []string, n int) string {
	if n < len(lines) {
		return lines[n]
	}
	return "-"
}

// members prints the members of an object in the words of the freeze, as lines of a cell.
func members(c *catalog.Catalog, fields []catalog.Field) []string {
	var lines []string
	for i := range fields {
		f := &fields[i]
		word := f.Name + " " + typeWord(&f.Type)
		if unchecked(c, &f.Type, nil) {
			word += "!"
		}
		if f.Optional {
			word += "?"
		}
		if i < len(fields)-1 {
			word += ","
		}
		if last := len(lines) - 1; last >= 0 && len(lines[last])+1+len(word) <= cellWidth {
			lines[last] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}

// typeWord is the shorthand of a type.
func typeWord(t *catalog.Type) string {
	switch t.Kind {
	case catalog.List:
		return "[]" + typeWord(t.Elem)
	case catalog.Map:
		return "map[string]" + typeWord(t.Elem)
	case catalog.Ref:
		return t.Ref
	}
	return string(t.Kind)
}

// unchecked reports whether the gate passes on something of a value without looking inside: raw JSON or the members of an
// open object, at any depth.
func unchecked(c *catalog.Catalog, t *catalog.Type, seen []string) bool {
	fields, open := t.Fields, t.Open
	switch t.Kind {
	case catalog.List, catalog.Map:
		return unchecked(c, t.Elem, seen)
	case catalog.JSON:
		return len(t.OneOf) == 0 || slices.ContainsFunc(t.OneOf, func(o catalog.Type) bool { return unchecked(c, &o, seen) })
	case catalog.Ref:
		if slices.Contains(seen, t.Ref) {
			return false
		}
		n := c.TypeNamed(t.Ref)
		seen, fields, open = append(seen, t.Ref), n.Fields, n.Open
	}
	return open || slices.ContainsFunc(fields, func(f catalog.Field) bool { return unchecked(c, &f.Type, seen) })
}
