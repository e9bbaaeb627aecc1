// Package reading turns JSON Schemas of tool definitions into the members and types of a freeze.
//
// What a schema means stays, wherever a freeze has a word for it: references are put in their place or become named
// types, null beside something else becomes "optional", and unions become one_of where they mean the same. The rest is
// kept as json, or its constraint is dropped, and a [Note] says so. Objects that are silent about other members become
// closed, which is the rule of a freeze; an object without any member described stays free.
//
// The files go from the outside to the inside: types.go (the named types, and the way in), schema.go (references and
// allOf), null.go, merge.go (two schemas in one), union.go (anyOf and oneOf), kinds.go (scalars), objects.go (lists, maps,
// objects, defaults).
package reading
