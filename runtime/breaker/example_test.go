package breaker_test

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/toolfreeze/toolfreeze/runtime/breaker"
)

// What a gate does with a breaker of two refusals: ask first, then tell how the call ended.
func Example() {
	dir, err := os.MkdirTemp("", "breaker")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	b, err := breaker.Open(filepath.Join(dir, "breaker.json"), 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, legal := range []bool{false, true, false, false, true} {
		switch err := b.Check(); {
		case err != nil:
			fmt.Println("BREAKER_OPEN")
		case legal && b.Pass() == nil:
			fmt.Println("OK")
		default:
			opened, err := b.Refuse()
			fmt.Println("BAD_KEYS, opened:", opened, err)
		}
	}
	if err := b.Reset("the prompt named a tool that is gone", time.Now()); err != nil {
		fmt.Println(err)
	}
	fmt.Println("after a reset:", b.Check())
	// Output:
	// BAD_KEYS, opened: false <nil>
	// OK
	// BAD_KEYS, opened: false <nil>
	// BAD_KEYS, opened: true <nil>
	// BREAKER_OPEN
	// after a reset: <nil>
}
