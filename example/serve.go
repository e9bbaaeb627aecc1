package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/toolfreeze/toolfreeze/example/tools"
)

// The bounds of the server: what one client can hold is never more than this.
const (
	maxSessions = 64
	sessionIdle = 5 * time.Minute
)

// sessions hands out one Request for each agent run. An id is made by the server and cannot be guessed, so that a client
// cannot reset its budgets by choosing another name; it can only start a new run, of which there is a bounded number.
type sessions struct {
	gate *tools.Gate

	mu   sync.Mutex
	open map[string]*session
}

type session struct {
	request *tools.Request
	used    time.Time
}

func newSessions(gate *tools.Gate) *sessions {
	return &sessions{gate: gate, open: map[string]*session{}}
}

// start opens a session, after it dropped those that were idle for too long. ok is false where too many are open.
func (s *sessions) start() (id string, ok bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, old := range s.open {
		if time.Since(old.used) >= sessionIdle {
			delete(s.open, id)
		}
	}
	if len(s.open) >= maxSessions {
		return "", false, nil
	}
	request, err := s.gate.Request()
	if err != nil {
		return "", false, err
	}
	id = rand.Text()
	s.open[id] = &session{request: request, used: time.Now()}
	return id, true, nil
}

// find returns the request of a session that is open and not idle for too long; nil otherwise.
func (s *sessions) find(id string) *tools.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	found, ok := s.open[id]
	if !ok || time.Since(found.used) >= sessionIdle {
		delete(s.open, id)
		return nil
	}
	found.used = time.Now()
	return found.request
}

// handler is the HTTP side: POST /sessions, POST /sessions/{id}/calls, GET /sessions/{id}/ledger.
func (s *sessions) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /sessions", s.serveStart)
	mux.HandleFunc("POST /sessions/{id}/calls", s.serveCall)
	mux.HandleFunc("GET /sessions/{id}/ledger", s.serveLedger)
	return mux
}

func (s *sessions) serveStart(w http.ResponseWriter, _ *http.Request) {
	id, ok, err := s.start()
	switch {
	case err != nil:
		http.Error(w, "no session can be started", http.StatusInternalServerError)
	case !ok:
		w.Header().Set("Retry-After", "60")
		http.Error(w, "too many sessions are open", http.StatusServiceUnavailable)
	default:
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		fmt.Fprintf(w, "{\"session\":%q}\n", id)
	}
}

// serveCall answers 200 with the gate's answer, whatever its code: that a call was refused is the model's business.
func (s *sessions) serveCall(w http.ResponseWriter, r *http.Request) {
	request := s.find(r.PathValue("id"))
	if request == nil {
		http.Error(w, "no such session: it has expired, or never was; POST /sessions starts one", http.StatusNotFound)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxCall))
	if err != nil {
		http.Error(w, "the body is too large or broke off", http.StatusRequestEntityTooLarge)
		return
	}
	call, err := readCall(body)
	if err != nil {
		http.Error(w, `the body is not {"tool": ..., "args": {...}}: `+err.Error(), http.StatusBadRequest)
		return
	}
	answer := request.Call(r.Context(), call.tool, call.args)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Toolfreeze-Code", answer.Code.String())
	fmt.Fprintf(w, "%s\n", answer.Body)
}

func (s *sessions) serveLedger(w http.ResponseWriter, r *http.Request) {
	request := s.find(r.PathValue("id"))
	if request == nil {
		http.Error(w, "no such session", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/jsonl")
	if err := request.Ledger().WriteJSONLines(w); err != nil {
		return // the client has gone
	}
}

// listen serves until ctx ends.
func listen(ctx context.Context, gate *tools.Gate, addr string, stdout io.Writer) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: newSessions(gate).handler(), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 30 * time.Second}
	fmt.Fprintf(stdout, "listening on http://%s\n", l.Addr())
	fmt.Fprintf(stdout, "  curl -X POST http://%[1]s/sessions\n  curl http://%[1]s/sessions/ID/calls -d '{\"tool\":\"lookup_plan\",\"args\":{\"plan_id\":\"pro\"}}'\n  curl http://%[1]s/sessions/ID/ledger\n", l.Addr())
	// Serve returns as soon as a shutdown begins; the gate must stay open until the calls under way have their answers.
	done := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		done <- server.Shutdown(ctx)
	})
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		stop()
		return err
	}
	return <-done
}
