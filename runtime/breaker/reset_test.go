package breaker

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"
)

func TestResetLog(t *testing.T) {
	b := fresh(t, 2)
	now := time.Date(2026, 3, 1, 13, 30, 0, 0, time.FixedZone("", 3600))
	for range 2 {
		if _, err := b.Refuse(); err != nil {
			t.Fatal(err)
		}
	}
	for _, why := range []string{"", " \n"} {
		if err := b.Reset(why, now); err == nil || !strings.Contains(err.Error(), "got no reason") {
			t.Errorf("%q: got %v, want it refused", why, err)
		}
	}
	wantOpen(t, b, "open, with 2")
	if err := b.Reset("the prompt was wrong", now); err != nil {
		t.Fatal(err)
	}
	wantClosed(t, b, 0)
	if err := b.Reset("again, <b>\n\"quoted\"\xff", now); err != nil {
		t.Fatal(err)
	}
	want := `{"when":"2026-03-01T12:30:00Z","why":"the prompt was wrong"}` + "\n" +
		`{"when":"2026-03-01T12:30:00Z","why":"again, <b>\n\"quoted\"\ufffd"}` + "\n"
	if got, err := os.ReadFile(b.path + ".log"); err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}

	// A line that was cut off does not swallow the next one.
	if err := os.WriteFile(b.path+".log", []byte(`{"when":"2026`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := b.Reset("after a full disk", now); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(b.path + ".log")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(got), "\n")
	if len(lines) != 3 || !json.Valid([]byte(lines[1])) {
		t.Errorf("got %q, want the new line whole", got)
	}
}

// A reset that cannot be written down does not happen.
func TestResetWithoutLog(t *testing.T) {
	b := fresh(t, 1)
	if _, err := b.Refuse(); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(b.path+".log", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := b.Reset("looked at it", time.Now()); err == nil || !strings.Contains(err.Error(), "got a folder, want a plain file") {
		t.Errorf("got %v, want it refused", err)
	}
	wantOpen(t, b, "open, with 1")
}

func TestFiles(t *testing.T) {
	b := fresh(t, 1)
	if _, err := b.Refuse(); err != nil {
		t.Fatal(err)
	}
	if err := b.Reset("looked at it", time.Now()); err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, f := range Files(b.path) {
		known[f] = true
	}
	entries, err := os.ReadDir(b.folder)
	if err != nil || len(entries) != 3 {
		t.Fatal(entries, err)
	}
	for _, e := range entries {
		if !known[b.folder+string(os.PathSeparator)+e.Name()] {
			t.Errorf("%s is not one of Files", e.Name())
		}
	}
}
