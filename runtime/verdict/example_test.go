package verdict_test

import (
	"errors"
	"fmt"

	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// A typed call returns a *Denial for every outcome but OK.
func ExampleDenial() {
	var err error = &verdict.Denial{Code: verdict.BudgetTool, Tool: "lookup_plan", Detail: "the budget of 2 calls is used up"}
	fmt.Println(err)
	fmt.Println(errors.Is(err, verdict.BudgetTool), errors.Is(err, verdict.DryRun))
	// Output:
	// lookup_plan: BUDGET_TOOL: the budget of 2 calls is used up
	// true false
}

// A handler says what the model may read, and wraps what only the operator may.
func ExampleSay() {
	err := fmt.Errorf("plans.db row 7: %w", verdict.Say("this plan is retired; ask for \"pro\""))
	text, ok := verdict.Said(err)
	fmt.Println(text, ok)
	// Output: this plan is retired; ask for "pro" true
}

// Names that a model made up are printed so that they cannot break a line, a log or a terminal.
func ExampleShow() {
	fmt.Println(verdict.Show("lookup_plan"))
	fmt.Println(verdict.Show("rm -rf /\n"))
	// Output:
	// lookup_plan
	// "rm -rf /\n"
}
