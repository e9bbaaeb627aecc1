package accept

import (
	"encoding/base64"
	"math"
	"net/mail"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/toolfreeze/toolfreeze/gen/toolschema/internal/tree"
	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

// Unfit says why a value is none of the type, "" where it is one. Where that cannot be told, it says so.
func (ts *Types) Unfit(t *catalog.Type, v *tree.Value) string { return ts.unfit(t, v, 0) }

func (ts *Types) unfit(t *catalog.Type, v *tree.Value, depth int) string {
	if depth > 16 {
		return "it nests too deep"
	}
	if why := plainText(v); why != "" {
		return why
	}
	if t.Kind == catalog.JSON {
		return ts.unfitOneOf(t, v, depth)
	}
	if want := jsonType(t.Kind); v.Kind != want {
		return "it is " + v.Kind.String() + ", not " + want.String()
	}
	if t.Enum != nil && !slices.ContainsFunc(t.Enum, func(e catalog.Enum) bool { return SameValue(e.Value, v.JSON(nil), t.Kind) }) {
		return "it is not among the allowed values"
	}
	switch t.Kind {
	case catalog.String:
		return UnfitText(t, v.Text)
	case catalog.Bytes:
		if _, err := base64.StdEncoding.Strict().DecodeString(v.Text); err != nil || strings.ContainsAny(v.Text, "\r\n") {
			return "it is not base64"
		}
	case catalog.Int, catalog.Float:
		return UnfitNumber(t, v.Text)
	case catalog.List:
		return ts.unfitList(t, v, depth)
	case catalog.Map:
		for i, item := range v.Items {
			if why := ts.unfit(t.Elem, item, depth+1); why != "" {
				return "its " + tree.Shown(v.Keys[i]) + ": " + why
			}
		}
	case catalog.Object, catalog.Ref:
		return ts.unfitObject(t, v, depth)
	}
	return ""
}

// plainText says why TOML or the gate cannot carry a value.
func plainText(v *tree.Value) string {
	if v.Is(tree.Null) {
		return "a freeze has no null"
	}
	if strings.ContainsRune(v.Text+strings.Join(v.Keys, ""), 0) {
		return "it holds the character NUL"
	}
	if v.Is(tree.Number) && (tree.Integral(v.Text) && UnfitNumber(&catalog.Type{Kind: catalog.Int}, v.Text) != "" || UnfitNumber(&catalog.Type{Kind: catalog.Float}, v.Text) != "") {
		return "it holds a number outside int64 or float64"
	}
	for _, item := range v.Items {
		if why := plainText(item); why != "" {
			return why
		}
	}
	return ""
}

// UnfitText says why a text is none of a String, its enum aside.
func UnfitText(t *catalog.Type, s string) string {
	n := utf8.RuneCountInString(s)
	switch {
	case strings.ContainsRune(s, 0):
		return "it holds the character NUL"
	case t.MinLength != nil && n < *t.MinLength:
		return "it is shorter than min_length"
	case t.MaxLength != nil && n > *t.MaxLength:
		return "it is longer than max_length"
	case t.Format != "" && !formatted(t.Format, s):
		return "it is not of the format"
	}
	if t.Pattern != "" {
		if re, err := catalog.CompilePattern(t.Pattern); err != nil || !re.MatchString(s) {
			return "the pattern does not match it"
		}
	}
	return ""
}

// formatted reports whether s is surely of the format.
func formatted(format, s string) bool {
	switch format {
	case "date":
		_, err := time.Parse(time.DateOnly, s)
		return err == nil
	case "date-time":
		_, err := time.Parse(time.RFC3339, s)
		return err == nil && !strings.Contains(s, ",")
	case "uuid":
		return len(s) == 36 && strings.Count(s, "-") == 4 && s[8] == '-' && s[13] == '-' && s[18] == '-' && s[23] == '-' &&
			strings.Trim(s, "0123456789abcdefABCDEF-") == ""
	case "email":
		a, err := mail.ParseAddress(s)
		return err == nil && a.Address == s && a.Name == "" && !strings.ContainsAny(s, `"[`)
	case "ipv4":
		a, err := netip.ParseAddr(s)
		return err == nil && a.Is4()
	case "ipv6":
		a, err := netip.ParseAddr(s)
		return err == nil && a.Is6() && a.Zone() == ""
	case "uri":
		u, err := url.Parse(s)
		return err == nil && u.Scheme != "" && u.Host != "" && u.String() == s
	}
	return false
}

// UnfitNumber says why a number is none of an Int or a Float, its enum aside.
func UnfitNumber(t *catalog.Type, s string) string {
	if f, err := strconv.ParseFloat(s, 64); err != nil || math.IsInf(f, 0) {
		return "it is outside float64"
	}
	if t.Kind == catalog.Int {
		if _, err := strconv.ParseInt(s, 10, 64); err != nil {
			return "it is not a whole number inside int64"
		}
	}
	below := func(a, b string, most int) bool { return a == "" || b == "" || catalog.CompareDecimal(a, b) <= most }
	if !below(t.Minimum, s, 0) || !below(t.ExclusiveMinimum, s, -1) || !below(s, t.Maximum, 0) || !below(s, t.ExclusiveMaximum, -1) {
		return "it is outside the bounds"
	}
	return ""
}

func (ts *Types) unfitList(t *catalog.Type, v *tree.Value, depth int) string {
	switch n := len(v.Items); {
	case t.MinItems != nil && n < *t.MinItems:
		return "it has fewer items than min_items"
	case t.MaxItems != nil && n > *t.MaxItems:
		return "it has more items than max_items"
	case t.UniqueItems && !differ(v.Items):
		return "its items may not all differ"
	}
	for _, item := range v.Items {
		if why := ts.unfit(t.Elem, item, depth+1); why != "" {
			return "an item: " + why
		}
	}
	return ""
}

// differ reports whether items are surely all different: strings that are.
func differ(items []*tree.Value) bool {
	seen := map[string]bool{}
	for _, item := range items {
		if !item.Is(tree.Text) || seen[item.Text] {
			return len(items) < 2
		}
		seen[item.Text] = true
	}
	return true
}

func (ts *Types) unfitObject(t *catalog.Type, v *tree.Value, depth int) string {
	fields, open, _ := ts.members(t)
	for i, key := range v.Keys {
		f := find(fields, key)
		if f == nil {
			if open {
				continue
			}
			return "its " + tree.Shown(key) + " is not a member"
		}
		if why := ts.unfit(&f.Type, v.Items[i], depth+1); why != "" {
			return "its " + tree.Shown(key) + ": " + why
		}
	}
	for i := range fields {
		if !fields[i].Optional && v.Get(fields[i].Name) == nil {
			return "it lacks " + tree.Shown(fields[i].Name)
		}
	}
	return ""
}

func (ts *Types) unfitOneOf(t *catalog.Type, v *tree.Value, depth int) string {
	held := 0
	for i := range t.OneOf {
		if ts.unfit(&t.OneOf[i], v, depth+1) == "" {
			held++
		}
	}
	if t.OneOf != nil && held != 1 {
		return "it is none of the alternatives, or more than one"
	}
	return ""
}
