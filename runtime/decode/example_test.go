package decode_test

import (
	"encoding/json"
	"fmt"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
	"github.com/toolfreeze/toolfreeze/runtime/decode"
	"github.com/toolfreeze/toolfreeze/runtime/opt"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// searchArgs is what the generator makes of a tool with three arguments.
type searchArgs struct {
	Query string
	Limit opt.Value[int64]
	Tags  []string
}

func (v *searchArgs) decode(r *decode.Reader) {
	r.Object("query\x00limit\x00tags\x00", 0b001)
	for i := r.Field(); i >= 0; i = r.Field() {
		switch i {
		case 0:
			r.String(&v.Query)
			r.Length(1, 64)
		case 1:
			if !r.Null() {
				decode.Int(r, v.Limit.Put())
				r.Range(1, 100)
			}
		case 2:
			if !r.Null() {
				v.Tags = make([]string, 0, r.List(-1, 5, false))
				for r.Item() {
					r.String(decode.Grow(&v.Tags))
				}
			}
		}
	}
}

func ExampleReader() {
	var r decode.Reader
	for _, doc := range []string{
		`{"query": "open invoices", "limit": 5e1, "tags": null}`,
		`{"Query": "open invoices", "limit": 500, "tags": "[\"paid\"]"}`,
	} {
		var args searchArgs
		r.Reset(nil, []byte(doc), 1<<20)
		args.decode(&r)
		r.End()
		fmt.Println(r.Code())
		if r.Code() == verdict.OK {
			fmt.Printf("%q up to %d\n", args.Query, args.Limit.Or(10))
		}
		for _, f := range r.Faults() {
			fmt.Println(f.Code, f.Path, f.Want)
		}
	}
	// Output:
	// OK
	// "open invoices" up to 50
	// BAD_KEYS
	// BAD_KEYS $.Query unknown key; did you mean "query"?
	// BAD_VALUE $.limit want a number from 1 to 100
	// BAD_TYPE $.tags want a list, not a string; send the list itself, not its JSON text
	// BAD_KEYS $.query required member is missing; add it
}

func ExampleProgram_Args() {
	c := &catalog.Catalog{Tools: []catalog.Tool{{Name: "lookup_plan", Args: []catalog.Field{{
		Name: "plan_id", Type: catalog.Type{Kind: catalog.String, Enum: []catalog.Enum{
			{Value: json.RawMessage(`"free"`)}, {Value: json.RawMessage(`"pro"`)},
		}},
	}}}}}
	p, err := decode.Compile(c)
	if err != nil {
		fmt.Println(err)
		return
	}
	var r decode.Reader
	r.Reset(p, []byte(`{"plan_id": "Pro"}`), 1<<20)
	p.Args(&r, 0)
	r.End()
	for _, f := range r.Faults() {
		fmt.Println(f.Code, f.Path, f.Want)
	}
	// Output:
	// BAD_VALUE $.plan_id want one of "free", "pro"; did you mean "pro"?
}
