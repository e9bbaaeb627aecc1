package endpoint_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/toolfreeze/toolfreeze/runtime/endpoint"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// A handler gets a Client that is open for its call, and asks the frozen URL once.
func Example() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "all systems up")
	}))
	defer server.Close()
	frozen, err := endpoint.New(server.URL+"/health", 65536)
	if err != nil {
		fmt.Println(err)
		return
	}

	ctx := context.Background()
	status := frozen.Open(ctx) // generated code does this
	defer status.Close()
	resp, err := status.Get(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(resp.Status, string(resp.Body))
	_, err = status.Get(ctx)
	fmt.Println(errors.Is(err, verdict.URLDenied))
	// Output:
	// 200 all systems up
	// true
}
