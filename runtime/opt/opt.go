// Package opt holds a value that may be absent. Optional scalars of arguments and results have the type [Value]; an
// optional object is a pointer, and an optional list or map is nil when it is absent.
package opt

import (
	"bytes"
	"encoding/json"
)

// Value is a T that may be absent. The zero Value is absent.
type Value[T any] struct {
	v  T
	ok bool
}

// Of returns a Value that holds v.
func Of[T any](v T) Value[T] { return Value[T]{v, true} }

// Get returns the value and whether it is there; the zero T where it is absent.
func (o Value[T]) Get() (T, bool) { return o.v, o.ok }

// Or returns the value, or d where it is absent.
func (o Value[T]) Or(d T) T {
	if o.ok {
		return o.v
	}
	return d
}

// IsSet reports whether a value is there.
func (o Value[T]) IsSet() bool { return o.ok }

// Put marks the value as there and returns a pointer to it, for decoders that fill it in.
func (o *Value[T]) Put() *T {
	o.ok = true
	return &o.v
}

// IsZero reports whether the value is absent; it makes the omitzero option of encoding/json leave it out.
func (o Value[T]) IsZero() bool { return !o.ok }

// MarshalJSON returns the JSON of the value, or null where it is absent.
func (o Value[T]) MarshalJSON() ([]byte, error) {
	if !o.ok {
		return []byte("null"), nil
	}
	return json.Marshal(o.v)
}

// UnmarshalJSON reads what MarshalJSON writes: null makes the value absent, anything else is read as a T. The gate does
// not use it, its own decoders are stricter; it is for tests and logs that read a printed struct again.
func (o *Value[T]) UnmarshalJSON(text []byte) error {
	if bytes.Equal(text, []byte("null")) {
		*o = Value[T]{}
		return nil
	}
	var v T
	if err := json.Unmarshal(text, &v); err != nil {
		return err
	}
	*o = Of(v)
	return nil
}
