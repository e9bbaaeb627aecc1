package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/toolfreeze/toolfreeze/example/tools"
)

// The main job, dry: every recorded call has its verdict, and no handler runs.
func TestRunDry(t *testing.T) {
	t.Setenv("INDIE_TOOL_LIVE", "")
	var stdout, stderr bytes.Buffer
	if code := run(nil, &stdout, &stderr); code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr.String())
	}
	for _, want := range []string{"dry run", "DRY_RUN ", "UNKNOWN_TOOL ", "BAD_KEYS ", "BAD_TYPE ", "BUDGET_TOOL ", "BUDGET_REQUEST ", "ledger"} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("the output lacks %q:\n%s", want, stdout.String())
		}
	}
	if strings.Contains(stdout.String(), "OK ") {
		t.Errorf("a handler ran:\n%s", stdout.String())
	}
}

func TestRunTrouble(t *testing.T) {
	for _, args := range [][]string{{"-nope"}, {"serve"}, {"-calls", "missing.jsonl"}, {"-db", "/nowhere/notes.db"}, {"-serve", "-addr", "not an address"}} {
		var stdout, stderr bytes.Buffer
		if code := run(args, &stdout, &stderr); code != 2 || stderr.Len() == 0 {
			t.Errorf("%q: exit code %d, stderr %q", args, code, stderr.String())
		}
	}
}

func newTestSessions(t *testing.T) *sessions {
	t.Helper()
	gate, err := tools.NewDry()
	if err != nil {
		t.Fatal(err)
	}
	return newSessions(gate)
}

func do(h http.Handler, method, path, body string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(method, path, strings.NewReader(body)))
	return w
}

func TestServe(t *testing.T) {
	h := newTestSessions(t).handler()
	w := do(h, "POST", "/sessions", "")
	var made struct{ Session string }
	if err := json.Unmarshal(w.Body.Bytes(), &made); err != nil || w.Code != 201 || len(made.Session) < 20 {
		t.Fatalf("got %d %s", w.Code, w.Body)
	}
	path := "/sessions/" + made.Session
	if w := do(h, "POST", path+"/calls", `{"tool":"lookup_plan","args":{"plan_id":"pro"}}`); w.Code != 200 || w.Header().Get("Toolfreeze-Code") != "DRY_RUN" {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
	if w := do(h, "POST", path+"/calls", `{"tool":"lookup_plan"}`); w.Header().Get("Toolfreeze-Code") != "BAD_KEYS" {
		t.Errorf("got %d %s", w.Code, w.Body)
	}
	for _, body := range []string{"", "{", "[]", `"x"`, `{}`, `null`, `{"name":"lookup_plan","arguments":"{}"}`,
		`{"tool":"nope","TOOL":"lookup_plan"}`, `{"tool":"nope","tool":"lookup_plan"}`, `{"tool":"lookup_plan","arguments":{}}`} {
		if w := do(h, "POST", path+"/calls", body); w.Code != 400 {
			t.Errorf("%q: got %d, want 400", body, w.Code)
		}
	}
	if w := do(h, "POST", path+"/calls", `{"tool":"`+strings.Repeat("x", maxCall)+`"}`); w.Code != 413 {
		t.Errorf("a large body: got %d, want 413", w.Code)
	}
	if w := do(h, "GET", path+"/ledger", ""); strings.Count(w.Body.String(), "\n") != 2 {
		t.Errorf("got the ledger %s, want two lines", w.Body)
	}
	for _, id := range []string{"nope", made.Session + "x"} {
		if w := do(h, "POST", "/sessions/"+id+"/calls", `{"tool":"lookup_plan"}`); w.Code != 404 {
			t.Errorf("session %q: got %d, want 404", id, w.Code)
		}
	}
}

// Sessions are bounded in number, and expire when they are idle.
func TestSessionsAreBoundedAndExpire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newTestSessions(t)
		first, ok, err := s.start()
		if !ok || err != nil {
			t.Fatal(ok, err)
		}
		for range maxSessions - 1 {
			if _, ok, err := s.start(); !ok || err != nil {
				t.Fatal(ok, err)
			}
		}
		if _, ok, _ := s.start(); ok {
			t.Error("one session too many was started")
		}
		time.Sleep(sessionIdle - time.Second)
		if s.find(first) == nil {
			t.Error("a session expired too early")
		}
		time.Sleep(time.Second)
		if _, ok, _ := s.start(); !ok {
			t.Error("idle sessions did not make room")
		}
		if s.find(first) == nil {
			t.Error("a session that was used expired")
		}
		time.Sleep(sessionIdle)
		if s.find(first) != nil {
			t.Error("an idle session did not expire")
		}
	})
}
