package breaker

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"testing"
	"time"
)

// TestMain turns the test binary into a process that refuses calls, where a test asks for one.
func TestMain(m *testing.M) {
	if path := os.Getenv("TOOLFREEZE_TEST_BREAKER"); path != "" {
		os.Exit(child(path))
	}
	os.Exit(m.Run())
}

// child refuses calls and writes one byte for each once it is durable: "c" counted, "t" opened, "o" found open, "e" for
// a breaker that is open without saying so. It ends after the number of refusals it was told, or never for 0.
func child(path string) int {
	threshold, _ := strconv.Atoi(os.Getenv("TOOLFREEZE_TEST_THRESHOLD"))
	n, _ := strconv.Atoi(os.Getenv("TOOLFREEZE_TEST_REFUSALS"))
	b, err := Open(path, threshold)
	if err != nil {
		return 2
	}
	for i := 0; n == 0 || i < n; i++ {
		opened, err := b.Refuse()
		word := "c"
		switch {
		case opened:
			word = "t"
		case err != nil && b.Status().Denies == threshold:
			word = "o"
		case err != nil:
			fmt.Fprintln(os.Stderr, err)
			word = "e"
		}
		if _, err := os.Stdout.WriteString(word); err != nil {
			return 2
		}
	}
	return 0
}

func command(t *testing.T, b *Breaker, refusals int) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe)
	cmd.Env = append(os.Environ(), "TOOLFREEZE_TEST_BREAKER="+b.path, "TOOLFREEZE_TEST_THRESHOLD="+strconv.Itoa(b.threshold), "TOOLFREEZE_TEST_REFUSALS="+strconv.Itoa(refusals))
	cmd.Stderr = os.Stderr
	return cmd
}

// soak reports whether the long runs are asked for.
func soak() bool { return os.Getenv("TOOLFREEZE_SOAK") != "" }

// Many processes on one file lose no count, and no more than threshold refusals get anything but an open breaker.
func TestProcesses(t *testing.T) {
	processes, refusals := 8, 60
	if soak() {
		processes, refusals = 16, 500
	}
	all := processes * refusals
	for _, threshold := range []int{all + 1, 50} {
		t.Run(fmt.Sprint(threshold), func(t *testing.T) {
			b := fresh(t, threshold)
			words := map[byte]int{}
			var mu sync.Mutex
			var wg sync.WaitGroup
			for range processes {
				cmd := command(t, b, refusals)
				wg.Go(func() {
					out, err := cmd.Output()
					if err != nil {
						t.Error(err)
					}
					mu.Lock()
					defer mu.Unlock()
					for _, w := range out {
						words[w]++
					}
				})
			}
			wg.Wait()
			want := map[byte]int{'c': all}
			if threshold < all {
				want = map[byte]int{'c': threshold - 1, 't': 1, 'o': all - threshold}
			}
			if fmt.Sprint(words) != fmt.Sprint(want) {
				t.Errorf("got %v, want %v", words, want)
			}
			if threshold < all {
				wantOpen(t, b, "open, with 50 refusals")
				return
			}
			wantClosed(t, b, all)
			if opened, err := b.Refuse(); !opened || err != nil {
				t.Errorf("got %t, %v, want the refusal after that to open it", opened, err)
			}
		})
	}
}

// A process that is killed at any moment leaves a file that holds each refusal it has answered for, at most the one besides
// that it was about, and never a closed file where an open one was.
func TestKill(t *testing.T) {
	rounds := 20
	if soak() {
		rounds = 250
	}
	for _, threshold := range []int{3, 1 << 20} {
		t.Run(fmt.Sprint(threshold), func(t *testing.T) {
			b := fresh(t, threshold)
			before := 0
			for range rounds {
				answered := killed(t, b, min(threshold, 1+rand.IntN(4)))
				// Somebody else, who has never seen the file and is not kept from the lock by the dead.
				s := open(t, b.path, threshold).Status()
				if s.Denies < min(before+answered, threshold) || s.Denies > before+answered+1 {
					t.Fatalf("the file holds %+v after %d and %d answered refusals", s, before, answered)
				}
				before = s.Denies
				if s.Open != (s.Denies == threshold) {
					t.Fatalf("got %+v at threshold %d", s, threshold)
				}
				if s.Open {
					killed(t, b, 1)
					wantOpen(t, b, "open, with 3 refusals")
					if err := b.Reset("next round", time.Now()); err != nil {
						t.Fatal(err)
					}
					before = 0
				}
				entries, err := os.ReadDir(b.folder)
				if err != nil || len(entries) > len(Files(b.path)) {
					t.Fatalf("left behind: %v, %v", entries, err)
				}
			}
			wantClosed(t, b, before)
		})
	}
}

// killed starts a process on b and kills it a moment after it has answered for n refusals. It returns how many of those were
// counted.
func killed(t *testing.T, b *Breaker, n int) (counted int) {
	t.Helper()
	cmd := command(t, b, 0)
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	out := bufio.NewReader(pipe)
	for range n {
		word, err := out.ReadByte()
		if err != nil {
			t.Fatal(err)
		}
		counted += answered(word)
	}
	// Into the middle of whatever it does next; a refusal takes about as long.
	for start, spin := time.Now(), rand.N(2*time.Millisecond); time.Since(start) < spin; {
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range rest {
		counted += answered(word)
	}
	_ = cmd.Wait()
	return counted
}

func answered(word byte) int {
	if word == 'c' || word == 't' {
		return 1
	}
	return 0
}
