package differential_test

import (
	"encoding/json"
	"math/big"
	"reflect"
	"strconv"
	"time"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// same reports whether written, which the generated encoder made, holds the value v of type t: with the defaults filled
// in, floats rounded to the nearest float64, and each time as the moment that it is.
func (o *oracle) same(t *catalog.Type, v, written any) bool {
	switch t.Kind {
	case catalog.Object, catalog.Ref:
		return o.sameMembers(t, v.(map[string]any), written)
	case catalog.Map:
		w, ok := written.(map[string]any)
		for key, item := range v.(map[string]any) {
			other, there := w[key]
			ok = ok && there && o.same(t.Elem, item, other)
		}
		return ok && len(w) == len(v.(map[string]any))
	case catalog.List:
		w, ok := written.([]any)
		if !ok || len(w) != len(v.([]any)) {
			return false
		}
		for i, item := range v.([]any) {
			if !o.same(t.Elem, item, w[i]) {
				return false
			}
		}
		return true
	case catalog.Int, catalog.Float:
		a, good := exact(v)
		b, ok := exact(written)
		if t.Kind == catalog.Float {
			return good && ok && rounded(a) == rounded(b)
		}
		return good && ok && equal(a, b)
	case catalog.Time:
		a, err := time.Parse(time.RFC3339Nano, v.(string))
		b, err2 := time.Parse(time.RFC3339Nano, written.(string))
		return err == nil && err2 == nil && a.Equal(b)
	}
	return reflect.DeepEqual(v, written)
}

func (o *oracle) sameMembers(t *catalog.Type, v map[string]any, written any) bool {
	w, ok := written.(map[string]any)
	if !ok {
		return false
	}
	known := map[string]bool{}
	for _, f := range o.fields(t) {
		known[f.Name] = true
		item, given := v[f.Name]
		other, there := w[f.Name]
		if given && item == nil && f.Optional {
			given = false
		}
		if !given && f.Default != nil {
			item, given = parse(f.Default).value, true
		}
		if given != there || given && !o.same(&f.Type, item, other) {
			return false
		}
	}
	for name, item := range v {
		if other, there := w[name]; !known[name] && !(there && reflect.DeepEqual(item, other)) {
			return false
		}
	}
	for name := range w {
		if _, given := v[name]; !known[name] && !given {
			return false
		}
	}
	return true
}

// rounded is the float64 nearest to a number.
func rounded(text string) float64 {
	f, _ := strconv.ParseFloat(text, 64)
	return f
}

// equal compares two numbers as exact values.
func equal(a, b string) bool {
	x, ok := new(big.Rat).SetString(a)
	y, ok2 := new(big.Rat).SetString(b)
	return ok && ok2 && x.Cmp(y) == 0
}

// excuse says why a document that was accepted may be refused once it is written back; "" where it may not. Whatever a
// float64 or a time loses, and the defaults, can bring a value out of its exact bounds or make two items of a list equal.
func (o *oracle) excuse(t *catalog.Type, v any, code verdict.Code) string {
	switch code {
	case verdict.ArgsTooLarge:
		return "longer than its cap"
	case verdict.TooDeep:
		if o.holds(t, map[string]bool{}, func(f *catalog.Field, _ *catalog.Type) bool { return f != nil && f.Default != nil }) {
			return "deeper by a default"
		}
	case verdict.BadValue:
		if o.inexact(t, v) {
			return "a float is not the decimal that it was"
		}
		if o.unique(t) {
			return "items became equal by a default or as times"
		}
	}
	return ""
}

// inexact reports whether v, its defaults filled in, holds a float that is not written as it was.
func (o *oracle) inexact(t *catalog.Type, v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for _, f := range o.fields(t) {
			item := v[f.Name]
			if item == nil && f.Default != nil {
				item = parse(f.Default).value
			}
			if o.inexact(&f.Type, item) {
				return true
			}
		}
		for _, item := range v {
			if t.Elem != nil && o.inexact(t.Elem, item) {
				return true
			}
		}
	case []any:
		for _, item := range v {
			if t.Elem != nil && o.inexact(t.Elem, item) {
				return true
			}
		}
	case json.Number:
		return t.Kind == catalog.Float && !equal(string(v), strconv.FormatFloat(rounded(string(v)), 'g', -1, 64))
	}
	return false
}

// unique reports whether t holds a list of unique items that hold a time or a default.
func (o *oracle) unique(t *catalog.Type) bool {
	return o.holds(t, map[string]bool{}, func(_ *catalog.Field, list *catalog.Type) bool {
		return list.UniqueItems && o.holds(list.Elem, map[string]bool{}, func(f *catalog.Field, inner *catalog.Type) bool {
			return inner.Kind == catalog.Time || f != nil && f.Default != nil
		})
	})
}

// holds reports whether found is true of t or of a type inside it, its member given where it is one's.
func (o *oracle) holds(t *catalog.Type, seen map[string]bool, found func(*catalog.Field, *catalog.Type) bool) bool {
	if found(nil, t) {
		return true
	}
	if t.Kind == catalog.Ref {
		if seen[t.Ref] {
			return false
		}
		seen[t.Ref] = true
	}
	for _, f := range o.fields(t) {
		if found(&f, &f.Type) || o.holds(&f.Type, seen, found) {
			return true
		}
	}
	return t.Elem != nil && o.holds(t.Elem, seen, found)
}
