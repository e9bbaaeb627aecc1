package endpoint

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// open serves h on a loopback address and opens a client of it.
func open(t *testing.T, max int, h http.HandlerFunc) (*Client, *Endpoint) {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	e, err := New(server.URL+"/health?x=%2f", max)
	if err != nil {
		t.Fatal(err)
	}
	c := e.Open(t.Context())
	t.Cleanup(c.Close)
	return c, e
}

// wantCode fails the test unless err is a refusal with this code, which only a capability can make.
func wantCode(t *testing.T, err error, code verdict.Code) {
	t.Helper()
	if !errors.Is(err, code) {
		t.Errorf("got %v, want %s", err, code)
	}
}

// TestRequestBytes holds the whole request, as it is on the wire.
func TestRequestBytes(t *testing.T) {
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	t.Setenv("HTTPS_PROXY", "http://127.0.0.1:1")
	t.Setenv("ALL_PROXY", "http://127.0.0.1:1")
	for _, method := range []string{"GET", "HEAD"} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		got := make(chan string, 1)
		go func() {
			conn, err := l.Accept()
			if err != nil {
				got <- err.Error()
				return
			}
			defer conn.Close()
			var text strings.Builder
			for in := bufio.NewScanner(conn); in.Scan(); {
				text.WriteString(in.Text() + "\n")
				if strings.TrimRight(in.Text(), "\r") == "" {
					break
				}
			}
			got <- text.String()
			io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n")
			if method == "GET" {
				io.WriteString(conn, "ok")
			}
		}()
		e, err := New("http://"+l.Addr().String()+"//A%2fb/../;c?q=%20+", 10)
		if err != nil {
			t.Fatal(err)
		}
		c := e.Open(t.Context())
		var resp *Response
		want := "//A%2fb/../;c?q=%20+ HTTP/1.1\nHost: " + l.Addr().String() + "\nUser-Agent: toolfreeze\n"
		if method == "GET" {
			resp, err = c.Get(t.Context())
			want = "GET " + want + "Accept-Encoding: gzip\n"
		} else {
			resp, err = c.Head(t.Context())
			want = "HEAD " + want
		}
		want += "Connection: close\n\n"
		c.Close()
		if err != nil || resp.Status != 200 || string(resp.Body) != map[string]string{"GET": "ok"}[method] {
			t.Errorf("%s: got %+v, %v", method, resp, err)
		}
		// The order of the two last headers is the transport's business.
		gotLines, wantLines := sorted(<-got), sorted(want)
		if !slices.Equal(gotLines, wantLines) {
			t.Errorf("%s: sent\n%q\nwant\n%q", method, gotLines, wantLines)
		}
		if e.transport.Proxy != nil {
			t.Error("the transport has a proxy")
		}
	}
}

// sorted returns the lines of a request, those after the first in order.
func sorted(text string) []string {
	lines := strings.Split(strings.ReplaceAll(text, "\r", ""), "\n")
	slices.Sort(lines[1:])
	return lines
}

func TestRedirectsAreDenied(t *testing.T) {
	for _, tt := range []struct {
		status   int
		location bool
		denied   bool
	}{
		{301, true, true}, {302, true, true}, {303, true, true}, {307, true, true}, {308, true, true},
		{302, false, true}, {300, true, true}, {305, true, true}, {399, true, true},
		{300, false, false}, {304, false, false}, {201, true, false}, {404, true, false},
	} {
		var followed atomic.Int32
		other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { followed.Add(1) }))
		c, _ := open(t, 100, func(w http.ResponseWriter, r *http.Request) {
			followed.Add(1)
			if tt.location {
				w.Header().Set("Location", other.URL)
			}
			w.WriteHeader(tt.status)
		})
		resp, err := c.Get(t.Context())
		if tt.denied {
			wantCode(t, err, verdict.RedirectDenied)
		} else if err != nil || resp.Status != tt.status {
			t.Errorf("%d: got %v, %v", tt.status, resp, err)
		}
		if err != nil && strings.Contains(err.Error(), other.URL) {
			t.Errorf("%d: the detail %q names the target", tt.status, err)
		}
		other.Close()
		if n := followed.Load(); n != 1 {
			t.Errorf("%d: %d requests were made, want 1", tt.status, n)
		}
	}
}

func TestBodyCap(t *testing.T) {
	const max = 1000
	zip := func(n int) []byte {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		w.Write(make([]byte, n))
		w.Close()
		return b.Bytes()
	}
	bomb := zip(8 << 20)
	for _, tt := range []struct {
		name string
		h    http.HandlerFunc
		over bool
	}{
		{"at the cap", func(w http.ResponseWriter, r *http.Request) { w.Write(make([]byte, max)) }, false},
		{"one over, with its length", func(w http.ResponseWriter, r *http.Request) { w.Write(make([]byte, max+1)) }, true},
		{"one over, in chunks", func(w http.ResponseWriter, r *http.Request) {
			w.Write(make([]byte, max))
			w.(http.Flusher).Flush()
			w.Write(make([]byte, 1))
		}, true},
		{"endless", func(w http.ResponseWriter, r *http.Request) {
			for {
				if _, err := w.Write(make([]byte, 4096)); err != nil {
					return
				}
			}
		}, true},
		{"gzip at the cap", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(zip(max))
		}, false},
		{"gzip bomb", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(bomb)
		}, true},
	} {
		c, _ := open(t, max, tt.h)
		resp, err := c.Get(t.Context())
		if tt.over {
			wantCode(t, err, verdict.TooLarge)
		} else if err != nil || len(resp.Body) != max {
			t.Errorf("%s: got %v, %v", tt.name, resp, err)
		}
	}
	c, _ := open(t, max, func(w http.ResponseWriter, r *http.Request) { w.Header().Set("Content-Length", "5000") })
	if resp, err := c.Head(t.Context()); err != nil || len(resp.Body) != 0 || resp.Header.Get("Content-Length") != "5000" {
		t.Errorf("HEAD of a big body: got %v, %v", resp, err)
	}
}

func TestPlainFaults(t *testing.T) {
	for name, h := range map[string]http.HandlerFunc{
		"huge header": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X", strings.Repeat("x", 2*maxHeaderBytes))
		},
		"headers without end": func(w http.ResponseWriter, r *http.Request) {
			for i := range 100000 {
				w.Header().Set(fmt.Sprint("X-", i), "y")
			}
		},
		"broken off": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "9")
			w.Write([]byte("12"))
		},
		"broken gzip": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Write([]byte("no"))
		},
		"aborted": func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) },
		"another protocol": func(w http.ResponseWriter, r *http.Request) {
			conn, _, _ := w.(http.Hijacker).Hijack()
			io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nraw")
			conn.Close()
		},
	} {
		c, _ := open(t, 100, h)
		resp, err := c.Get(t.Context())
		if err == nil {
			t.Errorf("%s: got %v", name, resp.Status)
			continue
		}
		for _, code := range verdict.All() {
			if errors.Is(err, code) {
				t.Errorf("%s: got %s, want a plain error", name, code)
			}
		}
	}
	c, _ := open(t, 100, func(w http.ResponseWriter, r *http.Request) {
		for i := range 100 {
			w.Header().Set(fmt.Sprint("X-", i), "y")
		}
	})
	if resp, err := c.Get(t.Context()); err != nil || len(resp.Header) < 100 {
		t.Errorf("a hundred headers: got %v", err)
	}
}
