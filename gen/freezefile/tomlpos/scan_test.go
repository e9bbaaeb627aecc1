package tomlpos

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/BurntSushi/toml"
)

// suite lists the documents of one folder of the TOML conformance suite that belong to TOML 1.0.0 or 1.1.0.
func suite(t *testing.T, folder, version string) map[string][]byte {
	t.Helper()
	data := os.Getenv("TOOLFREEZE_DATA")
	if data == "" {
		t.Skip("TOOLFREEZE_DATA is unset: it names the folder of the conformance suites")
	}
	root := filepath.Join(data, "conformance", "toml-test")
	list, err := os.ReadFile(filepath.Join(root, "files-toml-"+version))
	if err != nil {
		t.Fatal(err)
	}
	docs := map[string][]byte{}
	for _, name := range strings.Fields(string(list)) {
		if strings.HasPrefix(name, folder+"/") && strings.HasSuffix(name, ".toml") {
			if docs[name], err = os.ReadFile(filepath.Join(root, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return docs
}

// explicit lists the key paths that the text names, in its order, as toml.MetaData.Keys does: without indices.
func explicit(d *Document) [][]string {
	type key struct {
		at   int
		path []string
	}
	var keys []key
	var walk func(n *Node, path []string)
	walk = func(n *Node, path []string) {
		if n.Key.End > 0 && n.made != implied && n.made != byDots && n.made != byArray {
			keys = append(keys, key{n.Key.Start, slices.Clone(path)})
		}
		for _, item := range n.Items {
			walk(item, path)
		}
		for _, name := range n.Names {
			walk(n.Member(name), append(path, name))
		}
	}
	walk(d.Root, nil)
	slices.SortFunc(keys, func(a, b key) int { return a.at - b.at })
	paths := make([][]string, len(keys))
	for i, k := range keys {
		paths[i] = k.path
	}
	return paths
}

// same compares a node with what the library decoded.
func same(n *Node, v any) error {
	switch v := v.(type) {
	case map[string]any:
		if n.Kind != Table || len(n.Names) != len(v) {
			return fmt.Errorf("%s with %q, want a table with %q", n.Kind, n.Names, slices.Sorted(maps.Keys(v)))
		}
		for name, member := range v {
			if n.Member(name) == nil {
				return fmt.Errorf("no member %q", name)
			}
			if err := same(n.Member(name), member); err != nil {
				return fmt.Errorf("%q: %w", name, err)
			}
		}
		return nil
	case []any:
		return sameItems(n, v)
	case []map[string]any:
		items := make([]any, len(v))
		for i := range v {
			items[i] = v[i]
		}
		return sameItems(n, items)
	case string:
		if n.Kind == String && n.Text == v {
			return nil
		}
	case int64:
		if n.Kind == Integer && n.Text == strconv.FormatInt(v, 10) {
			return nil
		}
	case float64:
		if math.IsNaN(v) && strings.HasSuffix(n.Text, "nan") {
			return nil
		}
		if f, err := strconv.ParseFloat(n.Text, 64); n.Kind == Float && err == nil && f == v {
			return nil
		}
	case bool:
		if n.Kind == Bool && n.Text == strconv.FormatBool(v) {
			return nil
		}
	case time.Time:
		layouts := map[Kind]string{OffsetDateTime: time.RFC3339, LocalDateTime: "2006-01-02T15:04:05", LocalDate: time.DateOnly, LocalTime: time.TimeOnly}
		got, err := time.ParseInLocation(layouts[n.Kind], n.Text, v.Location())
		if err == nil && got.Equal(v) {
			return nil
		}
	}
	return fmt.Errorf("%s %q, want %T %v", n.Kind, n.Text, v, v)
}

func sameItems(n *Node, v []any) error {
	if n.Kind != Array || len(n.Items) != len(v) {
		return fmt.Errorf("%s of %d, want an array of %d", n.Kind, len(n.Items), len(v))
	}
	for i := range v {
		if err := same(n.Items[i], v[i]); err != nil {
			return fmt.Errorf("%d: %w", i, err)
		}
	}
	return nil
}

// spans checks that every place lies in its parent's document and shows what it says.
func spans(d *Document) error {
	var walk func(n *Node) error
	walk = func(n *Node) error {
		if n != d.Root && !(0 <= n.Span.Start && n.Span.Start < n.Span.End && n.Span.End <= len(d.Source)) {
			return fmt.Errorf("%s at %v", n.Kind, n.Span)
		}
		raw := d.Source[n.Span.Start:n.Span.End]
		ok := true
		switch {
		case n.Kind == String:
			ok = raw[0] == '"' && strings.HasSuffix(raw, `"`) || raw[0] == '\'' && strings.HasSuffix(raw, "'")
		case n.Inline():
			ok = raw[0] == '{' && strings.HasSuffix(raw, "}")
		case n.Kind == Array:
			ok = raw[0] == '[' && strings.HasSuffix(raw, "]")
		case n.Kind == Bool:
			ok = raw == n.Text
		}
		if !ok {
			return fmt.Errorf("%s is %q", n.Kind, raw)
		}
		for _, item := range n.Items {
			if err := walk(item); err != nil {
				return err
			}
		}
		for _, name := range n.Names {
			m := n.Member(name)
			if key := d.Source[m.Key.Start:m.Key.End]; key != name && key[0] != '"' && key[0] != '\'' {
				return fmt.Errorf("key %q is %q", name, key)
			}
			if err := walk(m); err != nil {
				return err
			}
		}
		return nil
	}
	return walk(d.Root)
}

// agree compares the scanner with the library on a document that both accept. Where a key is empty the values are not
// compared: the library then loses track of arrays (a = [[{"" = 2}]] comes out as [{"" = 2}]).
func agree(d *Document, md toml.MetaData, v map[string]any) error {
	var want [][]string
	empty := false
	for _, key := range md.Keys() {
		want = append(want, key)
		empty = empty || slices.Contains(key, "")
	}
	if err := same(d.Root, v); err != nil && !empty {
		return err
	}
	if got := explicit(d); !slices.EqualFunc(got, want, slices.Equal) {
		return fmt.Errorf("keys %q, want %q", got, want)
	}
	return spans(d)
}

// TestSuiteValid reads every valid document and compares keys and values with the library.
func TestSuiteValid(t *testing.T) {
	for _, version := range []string{"1.0.0", "1.1.0"} {
		for name, src := range suite(t, "valid", version) {
			d, err := Scan(src)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			var v map[string]any
			md, err := toml.Decode(d.Source, &v)
			if err != nil {
				t.Errorf("%s: the library: %v", name, err)
				continue
			}
			if err := agree(d, md, v); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// TestSuiteInvalid demands that every document that TOML 1.1.0 refuses is refused, with a place in it.
func TestSuiteInvalid(t *testing.T) {
	for name, src := range suite(t, "invalid", "1.1.0") {
		d, err := Scan(src)
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%s: accepted", name)
			continue
		}
		if !inside(d, e) {
			t.Errorf("%s: the place %v is outside", name, e.Span)
		}
	}
}

// inside reports whether the place of an error lies in the text.
func inside(d *Document, e *Error) bool {
	ok := 0 <= e.Span.Start && e.Span.Start <= e.Span.End && e.Span.End <= len(d.Source)
	return ok && (e.Also == nil || 0 <= e.Also.Start && e.Also.Start < e.Also.End && e.Also.End <= len(d.Source))
}

// FuzzScan compares the scanner with the library: whatever the scanner accepts the library accepts too, with the same
// keys in the same order and the same values.
func FuzzScan(f *testing.F) {
	for _, seed := range []string{
		"", "a = 1", "[a.b]\nc.d = 1\n[a]\n", "[[a]]\nb = {c = [1, {d = 'x'}], }\n[[a]]", "a = 2020-01-01 00:00Z",
		"a = \"\"\"x\\\n  y\"\"\"\"\"", "a = '''\nx'''''", `"\u00e9" = "\U0001F600\x41"`, "\ufeffa = 0x_1", "a.b = 1\r\na.c = 1e1_0",
		"a = [[1],[{b=1},{b=2}]]", "a = -inf\nb = +nan\nc = 1.5e+3", "x = {\n# c\na.b = 1,\n}", "'' = 1\n[\"\"]", "a = 1979-05-27T07:32:00.5-07:00",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		d, err := Scan(src)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || !inside(d, e) {
				t.Fatalf("%q: %v at %v", src, err, e)
			}
			return
		}
		var v map[string]any
		md, err := toml.Decode(d.Source, &v)
		if err != nil {
			t.Fatalf("%q: the library: %v", src, err)
		}
		if err := agree(d, md, v); err != nil {
			t.Fatalf("%q: %v", src, err)
		}
	})
}
