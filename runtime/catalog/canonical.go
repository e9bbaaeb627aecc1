package catalog

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// JSON returns the canonical JSON of the catalog: one line, no trailing newline. nil lists print as empty ones. It is
// nil where a default or an enum value is not JSON, which Check names.
func (c *Catalog) JSON() []byte {
	lines := c.Lines()
	if lines == nil {
		return nil
	}
	return []byte(strings.Join(lines, ""))
}

// Lines returns the canonical JSON cut into pieces whose concatenation is JSON: what stands before the types, then one
// piece for each type and each tool. It is nil where JSON is.
func (c *Catalog) Lines() []string {
	head := *c
	head.Types, head.Tools = nil, []Tool{}
	if head.Providers == nil {
		head.Providers = []string{}
	}
	text, ok := printed(&head)
	text = strings.TrimSuffix(text, `"tools":[]}`)
	var lines []string
	if len(c.Types) > 0 {
		lines, text = append(lines, text+`"types":[`), "],"
		for i := range c.Types {
			n := c.Types[i]
			n.Fields = slices.Clone(n.Fields)
			if n.Fields == nil {
				n.Fields = []Field{}
			}
			item, good := printed(&n)
			ok = ok && good
			lines = append(lines, item+comma(i, len(c.Types)))
		}
	}
	lines, text = append(lines, text+`"tools":[`), "]}"
	for i := range c.Tools {
		item, good := printed(&c.Tools[i])
		ok = ok && good
		lines = append(lines, item+comma(i, len(c.Tools)))
	}
	if !ok {
		return nil
	}
	return append(lines, text)
}

// comma is what follows item i of n.
func comma(i, n int) string {
	if i == n-1 {
		return ""
	}
	return ","
}

// printed is the JSON of one part; ok is false where it holds a raw value that is not JSON.
func printed(part any) (text string, ok bool) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(part); err != nil {
		return "", false
	}
	return strings.TrimSuffix(buf.String(), "\n"), true
}

// Parse reads canonical JSON and nothing else: unknown members, members that stand there twice, other orders, white
// space and trailing text are errors, since what it returns prints as text again, byte for byte. It also refuses a
// list or a map without an element and a kind that is none, so that a walk over the types never meets a nil. It does
// not run Check: what the generator wrote has passed it, and the digest holds the two together.
func Parse(text string) (*Catalog, error) {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.DisallowUnknownFields()
	c := new(Catalog)
	if err := dec.Decode(c); err != nil {
		return nil, fmt.Errorf("catalog: %w", err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, fmt.Errorf("catalog: got text after the end at byte %d, want one JSON object", dec.InputOffset())
	}
	again := string(c.JSON())
	if again != text {
		return nil, fmt.Errorf("catalog: got other bytes than the canonical ones at byte %d; it was edited by hand, so generate it again", differ(text, again))
	}
	var bad error
	c.Walk(func(at []string, _ *Field, t *Type) {
		if bad == nil && !t.whole() {
			bad = fmt.Errorf("catalog: %s: got kind %q with the wrong parts, want one of the kinds and an element for a list or a map only", strings.Join(at, "."), t.Kind)
		}
	})
	if bad != nil {
		return nil, bad
	}
	return c, nil
}

// differ is the offset of the first byte at which a and b are not the same.
func differ(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// whole reports whether t has a known kind, and an element exactly where its kind has one.
func (t *Type) whole() bool {
	container := t.Kind == List || t.Kind == Map
	return slices.Contains(kinds(), t.Kind) && container == (t.Elem != nil)
}

// kinds are all the kinds, in the order of the constants.
func kinds() []Kind {
	return []Kind{String, Int, Float, Bool, Time, Bytes, Path, Content, JSON, List, Map, Ref, Object}
}

// Digest returns "sha256:" and the 64 hexadecimal digits of text's hash, the form of every digest of this module.
func Digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// TypeNamed returns the type that [types] has under name, nil where it has none. Of two with one name, which Check
// refuses, it returns the first.
func (c *Catalog) TypeNamed(name string) *Named {
	for i := range c.Types {
		if c.Types[i].Name == name {
			return &c.Types[i]
		}
	}
	return nil
}

// Walk visits every type once, in the one order that everything counts in: the members of the named types, then of each
// tool the arguments and the result; a type before what it is made of (its element, its members, its alternatives).
// References are not followed, so recursion ends. at is the path of TOML keys, such as
// ["tools", "lookup_plan", "args", "plan_id"]: a nested member adds "fields" and its name, the element of a list
// "items", the value of a map "values", an alternative "one_of" and its index. f is the member that the type belongs
// to; nil for an element, a value or an alternative. at is only valid during the visit.
func (c *Catalog) Walk(visit func(at []string, f *Field, t *Type)) {
	at := make([]string, 0, 32)
	for i := range c.Types {
		walkFields(append(at, "types", c.Types[i].Name, "fields"), c.Types[i].Fields, visit)
	}
	for i := range c.Tools {
		t := &c.Tools[i]
		walkFields(append(at, "tools", t.Name, "args"), t.Args, visit)
		walkFields(append(at, "tools", t.Name, "result"), t.Result, visit)
	}
}

func walkFields(at []string, fields []Field, visit func([]string, *Field, *Type)) {
	for i := range fields {
		walkType(append(at, fields[i].Name), &fields[i], &fields[i].Type, visit)
	}
}

func walkType(at []string, f *Field, t *Type, visit func([]string, *Field, *Type)) {
	visit(at, f, t)
	if t.Elem != nil {
		walkType(append(at, elemKey(t)), nil, t.Elem, visit)
	}
	walkFields(append(at, "fields"), t.Fields, visit)
	for i := range t.OneOf {
		walkType(append(at, "one_of", strconv.Itoa(i)), nil, &t.OneOf[i], visit)
	}
}

// elemKey is the TOML key below which the element of a list or the value of a map is described.
func elemKey(t *Type) string {
	if t.Kind == Map {
		return "values"
	}
	return "items"
}

// Patterns returns every pattern of the catalog once, in the order in which Walk first meets it. The index in this list
// is what generated code calls the pattern by.
func Patterns(c *Catalog) []string {
	var all []string
	seen := map[string]bool{"": true}
	c.Walk(func(_ []string, _ *Field, t *Type) {
		if !seen[t.Pattern] {
			seen[t.Pattern] = true
			all = append(all, t.Pattern)
		}
	})
	return all
}

// OneOfs returns every type that has alternatives, in the order of Walk, each occurrence by itself. The index in this
// list is what generated code calls the alternatives by.
func OneOfs(c *Catalog) []*Type {
	var all []*Type
	c.Walk(func(_ []string, _ *Field, t *Type) {
		if len(t.OneOf) > 0 {
			all = append(all, t)
		}
	})
	return all
}

// SourceDigest is the digest of a freeze file's bytes: "sha256:<hex>" over the text without a leading byte order mark and
// with CRLF and lone CR read as LF, so that a checkout with other line ends is the same freeze.
func SourceDigest(source string) string {
	return Digest(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.TrimPrefix(source, "\ufeff")))
}
