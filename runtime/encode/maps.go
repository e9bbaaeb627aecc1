package encode

import (
	"encoding/json"
	"maps"
	"slices"
)

// Keys returns the keys of a map in byte order, so that a document has the same bytes each time.
func Keys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// Extra writes the members that an object's type does not name, in byte order of their names, into the open object.
func (w *Writer) Extra(m map[string]json.RawMessage) {
	for _, k := range Keys(m) {
		w.Key(k)
		w.JSON(m[k])
	}
}
