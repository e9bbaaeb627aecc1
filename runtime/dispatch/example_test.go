package dispatch_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
	"github.com/toolfreeze/toolfreeze/runtime/decode"
	"github.com/toolfreeze/toolfreeze/runtime/dispatch"
	"github.com/toolfreeze/toolfreeze/runtime/encode"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// frozen is what freezegen writes for a freeze with one tool, greet, that may be called twice a request.
func frozen() dispatch.Frozen {
	c := catalog.Catalog{
		API: "greeter", MaxTools: 1, MaxCallsPerRequest: 4, LiveEnv: "GREETER_LIVE", MaxArgsBytes: 1024, MaxResultBytes: 1024,
		Tools: []catalog.Tool{{
			Name: "greet", CostClass: catalog.Local, MaxCalls: 2, MaxMS: 40,
			Args: []catalog.Field{{Name: "name", Type: catalog.Type{Kind: catalog.String}}},
		}},
	}
	text := string(c.JSON())
	return dispatch.Frozen{Catalog: text, Digest: catalog.Digest(text), SourceDigest: catalog.SourceDigest("")}
}

// greet is the job that freezegen writes for the tool.
type greet struct {
	dispatch.NoResult
	name string
}

func (j *greet) Decode(r *decode.Reader) {
	r.Object("name\x00", 0b1)
	for i := r.Field(); i >= 0; i = r.Field() {
		r.String(&j.name)
	}
}

func (j *greet) Args(w *encode.Writer) {
	w.Object()
	w.Key("name")
	w.String(j.name)
	w.EndObject()
}

func (j *greet) Run(context.Context) error {
	fmt.Println("hello,", j.name)
	return nil
}

// find is the dispatch switch that freezegen writes.
func find(name string) (int, dispatch.Job) {
	if name == "greet" {
		return 0, new(greet)
	}
	return -1, nil
}

// A dry gate decides every call and runs none.
func Example() {
	gate, err := dispatch.NewDry(frozen())
	if err != nil {
		fmt.Println(err)
		return
	}
	request, err := gate.Request(dispatch.MaxCalls(3)) // one for each agent run
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	for _, call := range [][2]string{
		{"greet", `{"name":"Ada"}`},
		{"greet", `{"nmae":"Ada"}`},
		{"great", `{"name":"Ada"}`},
		{"greet", `{"name":"Ada"}`},
	} {
		answer := request.Call(ctx, call[0], []byte(call[1]), find)
		fmt.Println(answer.Code)
	}
	for _, e := range request.Ledger().Entries() {
		fmt.Printf("%s %s %q\n", e.Tool, e.Code, e.Detail)
	}
	// Output:
	// DRY_RUN
	// BAD_KEYS
	// UNKNOWN_TOOL
	// BUDGET_REQUEST
	// greet DRY_RUN ""
	// greet BAD_KEYS "$.nmae: unknown key; did you mean \"name\"? (and 1 more fault)"
	// great UNKNOWN_TOOL "there is no tool great; did you mean greet?"
	// greet BUDGET_REQUEST "the budget of 3 calls for this request is used up; call no more tools, answer with what you have"
}

// The application's own calls pass the same gate. A dry run is an error, so that a zero result is never taken for data.
func ExampleRequest_Do() {
	gate, err := dispatch.NewDry(frozen())
	if err != nil {
		fmt.Println(err)
		return
	}
	request, err := gate.Request()
	if err != nil {
		fmt.Println(err)
		return
	}
	err = request.Do(context.Background(), 0, &greet{name: "Ada"})
	fmt.Println(err)
	fmt.Println(errors.Is(err, verdict.DryRun))
	// Output:
	// greet: DRY_RUN: dry run: everything passed, and nothing ran
	// true
}

// What the model is answered.
func ExampleRequest_Call() {
	gate, err := dispatch.NewDry(frozen())
	if err != nil {
		fmt.Println(err)
		return
	}
	request, err := gate.Request()
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	fmt.Println(string(request.Call(ctx, "greet", []byte(`{"name":"Ada"}`), find).Body))
	fmt.Println(string(request.Call(ctx, "greet", []byte(`{}`), find).Body))
	// Output:
	// {"dry_run":true,"tool":"greet","args":{"name":"Ada"}}
	// {"code":"BAD_KEYS","detail":"$.name: required member is missing; add it","faults":[{"code":"BAD_KEYS","path":"$.name","want":"required member is missing; add it"}]}
}
