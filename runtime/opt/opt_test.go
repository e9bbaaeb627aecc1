package opt_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/toolfreeze/toolfreeze/runtime/opt"
)

func TestValue(t *testing.T) {
	var absent opt.Value[int]
	put := absent
	*put.Put() = 0
	for _, tt := range []struct {
		name string
		v    opt.Value[int]
		want int
		ok   bool
		json string
	}{
		{"zero value", absent, 0, false, "null"},
		{"of a value", opt.Of(7), 7, true, "7"},
		{"of zero is there", opt.Of(0), 0, true, "0"},
		{"put zero is there", put, 0, true, "0"},
	} {
		got, ok := tt.v.Get()
		if got != tt.want || ok != tt.ok || tt.v.IsSet() != tt.ok || tt.v.IsZero() == tt.ok {
			t.Errorf("%s: got %d, %v, set %v, zero %v", tt.name, got, ok, tt.v.IsSet(), tt.v.IsZero())
		}
		want := 9
		if tt.ok {
			want = tt.want
		}
		if got := tt.v.Or(9); got != want {
			t.Errorf("%s: Or(9) is %d, want %d", tt.name, got, want)
		}
		text, err := json.Marshal(tt.v)
		if err != nil || string(text) != tt.json {
			t.Errorf("%s: marshals as %s, %v", tt.name, text, err)
		}
		back := opt.Of(3)
		if err := json.Unmarshal(text, &back); err != nil || back != tt.v {
			t.Errorf("%s: reads back as %v, %v", tt.name, back, err)
		}
	}
}

func TestValueInStruct(t *testing.T) {
	type args struct {
		Draft opt.Value[bool]   `json:"draft,omitzero"`
		Unit  opt.Value[string] `json:"unit,omitzero"`
	}
	for _, tt := range []struct {
		in   args
		want string
	}{
		{args{}, `{}`},
		{args{Draft: opt.Of(false), Unit: opt.Of("")}, `{"draft":false,"unit":""}`},
	} {
		text, err := json.Marshal(tt.in)
		if err != nil || string(text) != tt.want {
			t.Errorf("got %s, %v, want %s", text, err, tt.want)
		}
		var back args
		if err := json.Unmarshal(text, &back); err != nil || back != tt.in {
			t.Errorf("%s reads back as %v, %v", text, back, err)
		}
	}
	kept := args{Draft: opt.Of(true)}
	if err := json.Unmarshal([]byte(`{"draft":"x"}`), &kept); err == nil || !kept.Draft.Or(false) {
		t.Errorf("a wrong type: got %v, %v, want an error and the value untouched", kept, err)
	}
}

// An optional argument tells "not given" from the zero value.
func ExampleValue() {
	type args struct{ Limit opt.Value[int64] }
	for _, a := range []args{{}, {Limit: opt.Of[int64](0)}} {
		n, given := a.Limit.Get()
		fmt.Println(n, given, a.Limit.Or(20))
	}
	// Output:
	// 0 false 20
	// 0 true 0
}
