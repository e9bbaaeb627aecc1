package tools_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	"github.com/toolfreeze/toolfreeze/example/tools"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// newRequest is a live request over a database of the test's own.
func newRequest(t *testing.T) (*tools.Request, *sql.DB) {
	t.Helper()
	t.Setenv("INDIE_TOOL_LIVE", "1")
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(filepath.Join(t.TempDir(), "notes.db"))+"?_pragma=journal_mode(WAL)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if err := tools.CreateNotes(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	service, err := tools.NewService(db)
	if err != nil {
		t.Fatal(err)
	}
	gate, err := tools.New(service)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { gate.Close() })
	request, err := gate.Request()
	if err != nil {
		t.Fatal(err)
	}
	return request, db
}

func call(t *testing.T, request *tools.Request, tool, args string, want verdict.Code) string {
	t.Helper()
	answer := request.Call(t.Context(), tool, []byte(args))
	if answer.Code != want || !json.Valid(answer.Body) {
		t.Errorf("%s %s: got %s %s, want %s", tool, args, answer.Code, answer.Body, want)
	}
	return string(answer.Body)
}

// Reading plans.json is local and allowed.
func TestReadPlans(t *testing.T) {
	request, _ := newRequest(t)
	if body := call(t, request, "lookup_plan", `{"plan_id":"pro"}`, verdict.OK); body != `{"plan":{"id":"pro","title":"Pro","cents":1900},"missing":false}` {
		t.Error(body)
	}
	if body := call(t, request, "lookup_plan", `{"plan_id":"nope"}`, verdict.OK); body != `{"missing":true}` {
		t.Error(body)
	}
}

// Writing a row to the service's own SQLite file is local and allowed.
func TestWriteSQLiteRow(t *testing.T) {
	request, db := newRequest(t)
	if body := call(t, request, "record_note", `{"customer":"c","text":"hello"}`, verdict.OK); body != `{"id":1}` {
		t.Error(body)
	}
	var text string
	if err := db.QueryRow(`SELECT text FROM notes WHERE id = 1`).Scan(&text); err != nil || text != "hello" {
		t.Errorf("got %q, %v", text, err)
	}
}

// A URL from the model is refused at the arguments: the one URL is the freeze's.
func TestURLFromTheModel(t *testing.T) {
	request, _ := newRequest(t)
	body := call(t, request, "fetch_public_status", `{"url":"http://169.254.169.254/latest"}`, verdict.BadKeys)
	if !strings.Contains(body, `"path":"$.url"`) || strings.Contains(body, "169.254") {
		t.Error(body)
	}
}

// A queue publish is no frozen tool: it is refused at the name.
func TestQueuePublish(t *testing.T) {
	request, _ := newRequest(t)
	call(t, request, "publish_queue", `{"queue":"invoices"}`, verdict.UnknownTool)
}

// An embedding vendor is no frozen tool either.
func TestEmbeddingVendor(t *testing.T) {
	request, _ := newRequest(t)
	call(t, request, "openai_embeddings", `{"input":"text"}`, verdict.UnknownTool)
}

// The confirmed health URL is free_net, and allowed once a request.
func TestConfirmedHealthURL(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:47813")
	if err != nil {
		t.Skipf("the loopback port of the freeze is taken: %v", err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.Write([]byte("fine at " + r.RequestURI)) })}
	go server.Serve(l)
	defer server.Shutdown(context.WithoutCancel(t.Context()))
	request, _ := newRequest(t)
	if body := call(t, request, "fetch_public_status", ``, verdict.OK); body != `{"healthy":true,"summary":"fine at /health"}` {
		t.Error(body)
	}
	call(t, request, "fetch_public_status", ``, verdict.BudgetTool)
}

// Thirty retries of one tool: two run, then the tool's budget refuses, then the request's.
func TestThirtyRetries(t *testing.T) {
	request, _ := newRequest(t)
	for i := range 30 {
		want := verdict.BudgetRequest
		switch {
		case i < 2:
			want = verdict.OK
		case i < 8:
			want = verdict.BudgetTool
		}
		call(t, request, "lookup_plan", `{"plan_id":"pro"}`, want)
	}
	if n := len(request.Ledger().Entries()); n != 9 {
		t.Errorf("the ledger has %d entries, want 8 and one that counts the rest", n)
	}
}

// What a handler says with verdict.Say reaches the model; other errors do not.
func TestHandlersOwnWords(t *testing.T) {
	request, db := newRequest(t)
	if body := call(t, request, "quote_upgrade", `{"from":"pro","to":"pro","coupons":[]}`, verdict.HandlerError); !strings.Contains(body, "both plans are the same") {
		t.Error(body)
	}
	db.Close()
	if body := call(t, request, "record_note", `{"customer":"c","text":"t"}`, verdict.HandlerError); strings.Contains(body, "sql") {
		t.Error(body)
	}
}
