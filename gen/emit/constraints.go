package emit

import (
	"fmt"
	"strings"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
)

// constraintText says in one line what a member must satisfy, for its doc comment; "" where it is free.
func constraintText(f *catalog.Field) string {
	words := typeConstraints(&f.Type)
	if f.Default != nil {
		words = append(words, "default "+string(f.Default))
	}
	if len(words) == 0 {
		return ""
	}
	text := strings.Join(words, ", ") + "."
	return strings.ToUpper(text[:1]) + text[1:]
}

// typeConstraints lists the constraints of a type, those of its elements behind "each".
func typeConstraints(t *catalog.Type) []string {
	var words []string
	add := func(w string) {
		if w != "" {
			words = append(words, w)
		}
	}
	add(between(t.MinLength, t.MaxLength, "code points"))
	add(between(t.MinItems, t.MaxItems, "items"))
	if t.UniqueItems {
		add("no two equal")
	}
	for _, b := range []struct{ word, bound string }{
		{"at least", t.Minimum}, {"more than", t.ExclusiveMinimum}, {"at most", t.Maximum}, {"less than", t.ExclusiveMaximum},
	} {
		if b.bound != "" {
			add(b.word + " " + b.bound)
		}
	}
	if t.Pattern != "" {
		add(fmt.Sprintf("matching %q", t.Pattern))
	}
	if t.Format != "" {
		add("in the format " + t.Format)
	}
	if t.Kind == catalog.Content {
		add(fmt.Sprintf("at most %d bytes", t.MaxBytes))
	}
	if t.Elem != nil {
		if each := typeConstraints(t.Elem); len(each) > 0 {
			add("each " + strings.Join(each, ", "))
		}
	}
	return words
}

// between words a pair of limits on a count.
func between(lo, hi *int, unit string) string {
	switch {
	case lo != nil && hi != nil:
		return fmt.Sprintf("%d to %d %s", *lo, *hi, unit)
	case lo != nil:
		return fmt.Sprintf("at least %d %s", *lo, unit)
	case hi != nil:
		return fmt.Sprintf("at most %d %s", *hi, unit)
	}
	return ""
}
