// Command example is indie-agent-api, a small service whose agent may call the four tools of tools/tools.freeze.toml.
//
// Usage:
//
//	example [-calls FILE] [-db FILE]         run recorded model calls through the gate and print each verdict and the ledger
//	example -serve [-addr 127.0.0.1:8080]    take the same calls over HTTP
//
// It is dry, like every gate, unless INDIE_TOOL_LIVE is exactly 1: then the handlers run, the note is written to an SQLite
// file (a temporary one without -db), and the health page is served on the loopback address that the freeze names.
//
// Exit codes: 0 fine (refused calls are the point of the demonstration), 2 trouble.
package main

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	_ "modernc.org/sqlite"

	"github.com/toolfreeze/toolfreeze/example/tools"
	"github.com/toolfreeze/toolfreeze/runtime/decode"
	"github.com/toolfreeze/toolfreeze/runtime/dispatch"
)

const usage = `usage: example [-calls FILE] [-db FILE]
       example -serve [-addr 127.0.0.1:8080]

Runs recorded model calls through the gate and prints each verdict and the
ledger, or takes the same calls over HTTP. Dry unless INDIE_TOOL_LIVE is 1.

  -calls FILE  recorded calls, one {"tool": ..., "args": {...}} a line
               (default: the built-in plan)
  -db FILE     SQLite file for the notes of a live run (default: temporary)
  -serve       take calls over HTTP
  -addr ADDR   address for -serve (default 127.0.0.1:8080)
`

//go:embed plan.jsonl
var recordedCalls []byte

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("example", flag.ContinueOnError)
	flags.SetOutput(stderr)
	serveHTTP := flags.Bool("serve", false, "take calls over HTTP instead of running recorded ones")
	addr := flags.String("addr", "127.0.0.1:8080", "address for -serve")
	calls := flags.String("calls", "", "file of recorded calls, one JSON object a line (default: the built-in plan)")
	db := flags.String("db", "", "SQLite file for the notes of a live run (default: a temporary file)")
	flags.Usage = func() { fmt.Fprint(flags.Output(), usage) }
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	case flags.NArg() > 0:
		fmt.Fprintf(stderr, "example: unexpected argument %q; run example -h\n", flags.Arg(0))
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := start(ctx, *db, func(gate *tools.Gate) error {
		if *serveHTTP {
			return listen(ctx, gate, *addr, stdout)
		}
		return replay(ctx, gate, *calls, stdout)
	}, slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: slog.LevelError})))
	if err != nil {
		fmt.Fprintln(stderr, "example:", err)
		return 2
	}
	return 0
}

// start opens what the handlers need, makes the gate before anything listens, and hands it to use.
func start(ctx context.Context, file string, use func(*tools.Gate) error, logger *slog.Logger) (err error) {
	db, cleanup, err := openNotes(ctx, file)
	if err != nil {
		return err
	}
	defer cleanup()
	service, err := tools.NewService(db)
	if err != nil {
		return err
	}
	gate, err := tools.New(service, dispatch.WithLogger(logger))
	if err != nil {
		return err
	}
	defer gate.Close()
	if gate.Live() {
		health, err := serveHealth()
		if err != nil {
			return err
		}
		defer health.Close()
	}
	return use(gate)
}

// openNotes opens the database of a run; cleanup closes it and removes a temporary one.
func openNotes(ctx context.Context, file string) (db *sql.DB, cleanup func(), err error) {
	dir := ""
	if file == "" {
		if dir, err = os.MkdirTemp("", "indie-agent-api-"); err != nil {
			return nil, nil, err
		}
		file = filepath.Join(dir, "notes.db")
	}
	db, err = sql.Open("sqlite", "file:"+filepath.ToSlash(file)+"?_pragma=journal_mode(WAL)&_pragma=busy_timeout(2000)")
	if err != nil {
		return nil, nil, err
	}
	cleanup = func() {
		db.Close()
		if dir != "" {
			os.RemoveAll(dir)
		}
	}
	if err := tools.CreateNotes(ctx, db); err != nil {
		cleanup()
		return nil, nil, fmt.Errorf("%s: %w", file, err)
	}
	return db, cleanup, nil
}

// serveHealth is the page behind the freeze's allow_url, so that a live run needs no network.
func serveHealth() (*http.Server, error) {
	l, err := net.Listen("tcp", "127.0.0.1:47813")
	if err != nil {
		return nil, fmt.Errorf("the health page of the freeze: %w", err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "all systems fine") })
	server := &http.Server{Handler: mux, ReadHeaderTimeout: time.Second}
	go server.Serve(l)
	return server, nil
}

// recorded is one call: a line of a file of recorded calls, or the body of a request.
type recorded struct {
	tool string
	args json.RawMessage
}

// maxCall caps a whole call in bytes.
const maxCall = 1 << 20

// readCall reads {"tool": ..., "args": {...}} as strictly as the gate reads the arguments: exact keys, none twice. Reading it
// with encoding/json would fold the case of keys and let the last of two win.
func readCall(doc []byte) (c recorded, err error) {
	var r decode.Reader
	r.Reset(nil, doc, maxCall)
	r.Object("tool\x00args\x00", 0b01)
	for i := r.Field(); i >= 0; i = r.Field() {
		switch i {
		case 0:
			r.String(&c.tool)
			r.Length(1, -1)
		case 1:
			r.JSON(&c.args)
		}
	}
	r.End()
	if faults := r.Faults(); len(faults) > 0 {
		return recorded{}, fmt.Errorf("%s: %s", faults[0].Path, faults[0].Want)
	}
	return c, nil
}

// replay runs recorded calls as one request, and prints each answer and the ledger.
func replay(ctx context.Context, gate *tools.Gate, file string, stdout io.Writer) error {
	text := recordedCalls
	if file != "" {
		var err error
		if text, err = os.ReadFile(file); err != nil {
			return err
		}
	}
	request, err := gate.Request()
	if err != nil {
		return err
	}
	mode := "dry run: no handler runs; set INDIE_TOOL_LIVE=1 to go live"
	if gate.Live() {
		mode = "live"
	}
	fmt.Fprintf(stdout, "indie-agent-api, %s\n\n", mode)
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, maxCall)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		call, err := readCall(lines.Bytes())
		if err != nil {
			return fmt.Errorf("recorded call %d: %w", n, err)
		}
		answer := request.Call(ctx, call.tool, call.args)
		fmt.Fprintf(stdout, "%-14s %s\n%14s %s\n", answer.Code, call.tool, "", answer.Body)
	}
	if err := lines.Err(); err != nil {
		return err
	}
	fmt.Fprintln(stdout, "\nledger")
	return request.Ledger().WriteTable(stdout)
}
