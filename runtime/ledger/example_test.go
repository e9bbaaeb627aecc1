package ledger_test

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/toolfreeze/toolfreeze/runtime/ledger"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// The gate records; whoever holds the request reads.
func Example() {
	var recorder ledger.Recorder
	recorder.Start([]string{"lookup_plan"}, 1, nil)
	ctx := context.Background()
	recorder.Add(ctx, 0, ledger.Entry{Code: verdict.OK, Elapsed: 120 * time.Microsecond}, true)
	for range 3 {
		recorder.Add(ctx, 0, ledger.Entry{Code: verdict.BudgetRequest, Detail: "the budget of 1 call is used up"}, false)
	}

	read := recorder.Ledger()
	for _, e := range read.Entries() {
		fmt.Println(e.Tool, e.Code, e.Count)
	}
	if err := read.WriteTable(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// lookup_plan OK 1
	// lookup_plan BUDGET_REQUEST 3
	// TOOL         CODE            RUN   ELAPSED  COUNT  LATE  DETAIL
	// lookup_plan  OK              live  120µs    1      -     -
	// lookup_plan  BUDGET_REQUEST  live  0s       3      -     the budget of 1 call is used up
}

// One line of JSON an entry, for jq and for log stores.
func ExampleLedger_WriteJSONLines() {
	var recorder ledger.Recorder
	recorder.Start([]string{"lookup_plan"}, 8, nil)
	recorder.Add(context.Background(), 0, ledger.Entry{Code: verdict.DryRun, DryRun: true}, true)
	if err := recorder.Ledger().WriteJSONLines(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output: {"tool":"lookup_plan","code":"DRY_RUN","dry_run":true,"elapsed_us":0,"count":1}
}
