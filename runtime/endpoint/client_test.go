package endpoint

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

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

	if e.transport.TLSClientConfig.MinVersion != tls.VersionTLS12 {
		t.Error("the least version is left to the toolchain")
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
