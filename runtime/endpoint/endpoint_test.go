package endpoint

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

func TestNewRefuses(t *testing.T) {
	for _, tt := range []struct{ url, want string }{
		{"", `got scheme ""`},
		{"status.example.invalid/health", "want https"},
		{"http://status.example.invalid/health", "http for host"},
		{"http://10.0.0.1/", "http for host"},
		{"HTTPS://status.example.invalid/", `got scheme "HTTPS"`},
		{"ftp://status.example.invalid/", `got scheme "ftp"`},
		{"unix:///var/run/docker.sock", `got scheme "unix"`},
		{"file:///etc/passwd", `got scheme "file"`},
		{"https:status", `got scheme "https:status"`},
		{"https:///health", "want a name or an IP"},
		{"https://:443/", "want a name or an IP"},
		{"https://u:p@status.example.invalid/", "user information"},
		{"https://@status.example.invalid/", "user information"},
		{"https://status.example.invalid/#", "fragment"},
		{"https://status.example.invalid/a#b", "fragment"},
		{"https://localhost/", "literal loopback IP"},
		{"http://localhost:8080/", "literal loopback IP"},
		{"https://LOCALHOST./", "literal loopback IP"},
		{"https://a.localhost/", "literal loopback IP"},
		{"http://127.1/", "usual spelling"},
		{"https://2130706433/", "usual spelling"},
		{"https://0x7f000001/", "usual spelling"},
		{"https://0x7f.0.0.0x1/", "usual spelling"},
		{"https://127.0.0.01/", "usual spelling"},
		{"https://017700000001/", "usual spelling"},
		{"https://1.2.3.4.5./", "usual spelling"},
		{"https://[fe80::1%25eth0]/", "escaped host"},
		{"https://a b/", "byte 0x20"},
		{"https://st\u00e4tus.example.invalid/", "byte 0xc3"},
		{"https://status.example.invalid/a\r\nX: y", "byte 0x0d"},
		{"https://status.example.invalid/\x7f", "byte 0x7f"},
		{"https://%C3%A4.example.invalid/", "escaped host"},
		{"https://status.example.invalid:x/", "want a URL"},
		{"https://status.example.invalid/%zz", "want a URL"},
		{"https://evil\\@status.example.invalid/", "want a URL"},
		{"https://[::1/", "want a URL"},
	} {
		_, err := New(tt.url, 1)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: got %v, want %q", tt.url, err, tt.want)
		}
	}
	for _, max := range []int{0, -1} {
		if _, err := New("https://status.example.invalid/", max); err == nil {
			t.Errorf("a cap of %d: got no error", max)
		}
	}
}

func TestNewAccepts(t *testing.T) {
	for _, tt := range []struct{ url, uri, literal string }{
		{"https://status.example.invalid", "/", ""},
		{"https://status.example.invalid?a=1", "/?a=1", ""},
		{"https://status.example.invalid/health?", "/health?", ""},
		{"https://Status.Example.Invalid:8443/health", "/health", ""},
		{"https://3com/", "/", ""},
		{"https://8.8.8.8/", "/", "8.8.8.8"},
		{"https://10.0.0.1/", "/", "10.0.0.1"},
		{"http://127.0.0.1:80/", "/", "127.0.0.1"},
		{"http://[::1]:80/x", "/x", "::1"},
		{"http://[::ffff:127.0.0.1]/", "/", "127.0.0.1"},
		{"https://h.invalid//a//b", "//a//b", ""},
		{"https://h.invalid/a/../b/./c", "/a/../b/./c", ""},
		{"https://h.invalid/a%2fb%2Fc%41", "/a%2fb%2Fc%41", ""},
		{`https://h.invalid/"<>\^` + "`{|}", `/"<>\^` + "`{|}", ""},
		{"https://h.invalid/;a=1:@!$&'()*+,", "/;a=1:@!$&'()*+,", ""},
		{"https://h.invalid/?q=%20+&&==?/\"%zz", "/?q=%20+&&==?/\"%zz", ""},
	} {
		e, err := New(tt.url, 1)
		if err != nil {
			t.Errorf("%q: %v", tt.url, err)
			continue
		}
		if got := e.target.RequestURI(); got != tt.uri {
			t.Errorf("%q: sends %q, want %q", tt.url, got, tt.uri)
		}
		if tt.literal != "" && e.literal.String() != tt.literal || tt.literal == "" && e.literal.IsValid() {
			t.Errorf("%q: literal %s, want %q", tt.url, e.literal, tt.literal)
		}
	}
	if _, err := New(`https://h.invalid//"`, 1); err == nil || !strings.Contains(err.Error(), "usual escaped form") {
		t.Errorf("a path that cannot be sent as written: got %v", err)
	}
}

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

func TestOnceAndDead(t *testing.T) {
	var served atomic.Int32
	handler := func(w http.ResponseWriter, r *http.Request) { served.Add(1); w.WriteHeader(500) }
	c, e := open(t, 100, handler)
	if resp, err := c.Get(t.Context()); err != nil || resp.Status != 500 {
		t.Errorf("first: got %v, %v", resp, err)
	}
	twin := *c
	for name, use := range map[string]func(context.Context) (*Response, error){"get": c.Get, "head": c.Head, "copy": twin.Get} {
		_, err := use(t.Context())
		wantCode(t, err, verdict.URLDenied)
		if n := served.Load(); n != 1 {
			t.Errorf("%s: %d requests were made", name, n)
		}
	}

	closed := e.Open(t.Context())
	closed.Close()
	closed.Close()
	_, err := closed.Get(t.Context())
	wantCode(t, err, verdict.URLDenied)

	ctx, cancel := context.WithCancel(t.Context())
	ended := e.Open(ctx)
	cancel()
	_, err = ended.Get(context.Background())
	wantCode(t, err, verdict.URLDenied)

	for _, none := range []*Client{nil, {}} {
		_, err = none.Get(t.Context())
		wantCode(t, err, verdict.URLDenied)
		none.Close()
	}
	if n := served.Load(); n != 1 {
		t.Errorf("%d requests were made, want 1", n)
	}
}

// TestEnds: a slow body, and a server that says nothing, end with either context.
func TestEnds(t *testing.T) {
	why := errors.New("no longer wanted")
	for _, tt := range []struct {
		name string
		body bool
	}{{"before the headers", false}, {"inside the body", true}} {
		for _, own := range []bool{true, false} {
			asked, gone := make(chan struct{}), make(chan struct{})
			c, e := open(t, 100, func(w http.ResponseWriter, r *http.Request) {
				if tt.body {
					w.Write([]byte("x"))
					w.(http.Flusher).Flush()
				}
				close(asked)
				<-r.Context().Done()
				close(gone)
			})
			ctx, cancel := context.WithCancelCause(t.Context())
			if own {
				go func() { <-asked; cancel(why) }()
				_, err := c.Get(ctx)
				if !errors.Is(err, why) {
					t.Errorf("%s, the caller's: got %v", tt.name, err)
				}
			} else {
				c = e.Open(ctx)
				go func() { <-asked; cancel(why) }()
				var none context.Context // means the call's
				_, err := c.Get(none)
				if !errors.Is(err, why) {
					t.Errorf("%s, the call's: got %v", tt.name, err)
				}
			}
			<-gone
			cancel(nil)
		}
	}
}

func TestCookiesAreNotKept(t *testing.T) {
	var seen atomic.Int32
	_, e := open(t, 100, func(w http.ResponseWriter, r *http.Request) {
		seen.Add(int32(len(r.Cookies())))
		http.SetCookie(w, &http.Cookie{Name: "id", Value: "1"})
	})
	for range 2 {
		if _, err := e.Open(t.Context()).Get(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if seen.Load() != 0 {
		t.Error("a cookie came back")
	}
}

// TestTraceIsNotCalled: an httptrace hook in a context would be handed the connection itself.
func TestTraceIsNotCalled(t *testing.T) {
	_, e := open(t, 100, func(http.ResponseWriter, *http.Request) {})
	ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { t.Error("the hook got the connection") },
		GetConn: func(string) { t.Error("the hook was called") },
	})
	if _, err := e.Open(ctx).Get(ctx); err != nil {
		t.Fatal(err)
	}
}

// TestAddressIsDenied: the same server, once the frozen host is no longer that literal.
func TestAddressIsDenied(t *testing.T) {
	c, e := open(t, 100, func(http.ResponseWriter, *http.Request) { t.Error("the request was made") })
	e.literal = netip.Addr{}
	_, err := c.Get(t.Context())
	wantCode(t, err, verdict.AddrDenied)
	if err != nil && strings.Contains(err.Error(), "127.0.0.1") {
		t.Errorf("the detail %q names the address", err)
	}
	for _, tt := range []struct{ network, address string }{
		{"tcp4", "127.0.0.1:80"}, {"tcp6", "[::1]:80"}, {"tcp4", "no address"}, {"tcp4", ""}, {"unix", "/var/run/x.sock"}, {"udp4", "8.8.8.8:53"}, {"tcp", "8.8.8.8:443"},
	} {
		wantCode(t, e.control(t.Context(), tt.network, tt.address, nil), verdict.AddrDenied)
	}
	if err := e.control(t.Context(), "tcp4", "8.8.8.8:443", nil); err != nil {
		t.Errorf("got %v", err)
	}
	if _, err := e.transport.DialContext(t.Context(), "tcp", "8.8.8.8:443"); err == nil {
		t.Error("dialled without a call")
	}
}

func TestTLS(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Proto) }))
	server.EnableHTTP2 = true
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	e, err := New(server.URL, 100)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Open(t.Context()).Get(t.Context()); err == nil {
		t.Error("an unknown certificate is trusted")
	}
	e.transport.TLSClientConfig.RootCAs = server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	resp, err := e.Open(t.Context()).Get(t.Context())
	if err != nil || string(resp.Body) != "HTTP/1.1" {
		t.Errorf("got %v, %v", resp, err)
	}

	old := httptest.NewUnstartedServer(http.NotFoundHandler())
	old.Config.ErrorLog = log.New(io.Discard, "", 0)
	old.TLS = &tls.Config{MaxVersion: tls.VersionTLS11, MinVersion: tls.VersionTLS10}
	old.StartTLS()
	defer old.Close()
	e, err = New(old.URL, 100)
	if err != nil {
		t.Fatal(err)
	}
	e.transport.TLSClientConfig.RootCAs = server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	if _, err := e.Open(t.Context()).Get(t.Context()); err == nil {
		t.Error("TLS 1.1 is spoken")
	}
}
