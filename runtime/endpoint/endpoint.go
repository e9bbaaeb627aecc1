package endpoint

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"

	"github.com/toolfreeze/toolfreeze/runtime/internal/capability"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// maxHeaderBytes bounds the headers of a response.
const maxHeaderBytes = 64 << 10

// Endpoint is one frozen URL. It is safe for concurrent use and holds nothing open between calls.
type Endpoint struct {
	text      string     // as frozen
	target    url.URL    // its path is in Opaque, so that it is sent as written
	literal   netip.Addr // the host where it is an IP literal, else the zero Addr
	maxBytes  int
	transport *http.Transport
}

// New returns the endpoint of a frozen URL, whose responses may have maxBytes bytes after decompression, 1 or more. It
// refuses what a freeze may not name: a scheme other than https (http for a literal loopback IP), user information, a
// fragment, localhost, odd spellings of an IP, and bytes other than visible ASCII. It does not touch the network.
func New(frozen string, maxBytes int) (*Endpoint, error) {
	if maxBytes < 1 {
		return nil, fmt.Errorf("endpoint %.200q: got a cap of %d bytes, want 1 or more", frozen, maxBytes)
	}
	e := &Endpoint{text: frozen, maxBytes: maxBytes}
	if err := e.parse(); err != nil {
		return nil, fmt.Errorf("endpoint %.200q: %w", frozen, err)
	}
	dialer := &net.Dialer{
		KeepAlive:      -1,
		Resolver:       new(net.Resolver), // not net.DefaultResolver, which any package can replace
		ControlContext: e.control,
	}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	e.transport = &http.Transport{
		Proxy:                  nil,
		DialContext:            dial(dialer),
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
		DisableKeepAlives:      true,
		MaxResponseHeaderBytes: maxHeaderBytes,
		Protocols:              protocols,
	}
	return e, nil
}

// parse checks the frozen text and takes it apart.
func (e *Endpoint) parse() error {
	for i := range len(e.text) {
		if c := e.text[i]; c <= ' ' || c > '~' {
			return fmt.Errorf("got byte %#02x at %d, want visible ASCII only; escape it", c, i)
		}
	}
	u, err := url.Parse(e.text)
	if err != nil {
		return fmt.Errorf("want a URL: %w", errors.Unwrap(err))
	}
	scheme, rest, _ := strings.Cut(e.text, "://")
	switch {
	case scheme != "https" && scheme != "http":
		return fmt.Errorf("got scheme %.20q, want https", scheme)
	case u.User != nil:
		return errors.New("got user information, want none")
	case strings.Contains(e.text, "#"):
		return errors.New("got a fragment, want none")
	case !strings.HasPrefix(rest, u.Host):
		return fmt.Errorf("got an escaped host, want %q", u.Host)
	}
	if err := e.host(u.Hostname()); err != nil {
		return err
	}
	if scheme == "http" && !e.literal.IsLoopback() {
		return fmt.Errorf("got http for host %q, want https; http is for a literal loopback IP", u.Hostname())
	}
	return e.aim(u, rest[len(u.Host):])
}

// aim sets the target so that sent, the frozen text after the host, is what goes on the wire. url.URL spells some paths
// in its own way; those stand in Opaque, which it sends as they are.
func (e *Endpoint) aim(u *url.URL, sent string) error {
	if !strings.HasPrefix(sent, "/") {
		sent = "/" + sent
	}
	e.target = *u
	if e.target.RequestURI() == sent {
		return nil
	}
	path, _, _ := strings.Cut(sent, "?")
	e.target.Opaque = path
	if e.target.RequestURI() == sent {
		return nil
	}
	return fmt.Errorf("got path %q, want it in its usual escaped form %q", path, u.EscapedPath())
}

// host checks the host and notes it where it is a literal.
func (e *Endpoint) host(host string) error {
	// A zone cannot get here: a URL holds it escaped.
	if addr, err := netip.ParseAddr(host); err == nil {
		e.literal = addr.Unmap()
		return nil
	}
	name := strings.ToLower(strings.TrimSuffix(host, "."))
	label := name[strings.LastIndexByte(name, '.')+1:]
	switch {
	case label == "":
		return fmt.Errorf("got host %q, want a name or an IP", host)
	case label == "localhost":
		return fmt.Errorf("got host %q, want a literal loopback IP such as 127.0.0.1", host)
	case strings.Trim(label, "0123456789") == "", strings.HasPrefix(label, "0x"):
		// 127.1, 2130706433 and 0x7f000001: the C resolver reads them as an IP.
		return fmt.Errorf("got host %q, want an IP in its usual spelling", host)
	}
	return nil
}

// control refuses an address before the connection to it is opened. It is the last thing that stands between a name and
// the local network: do not add a way round it.
func (e *Endpoint) control(_ context.Context, network, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	why := ""
	switch {
	case err != nil, network != "tcp4" && network != "tcp6":
		why = "something that is no TCP address"
	default:
		why = denied(at.Addr(), e.literal)
	}
	if why == "" {
		return nil
	}
	return &capability.Error{
		Code:   verdict.AddrDenied,
		Detail: "the host of the frozen URL resolved to " + why + ", which is not allowed",
		Cause:  fmt.Errorf("dial %s %s", network, address),
	}
}

// boundKey is the key of the context that a connection ends with.
type boundKey struct{}

// dial returns the transport's dial function. The transport lets a dial outlive its request; this one, and the connection
// that it opens, end with the request's context.
func dial(d *net.Dialer) func(ctx context.Context, network, address string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		bound, ok := ctx.Value(boundKey{}).(context.Context)
		if !ok {
			return nil, errors.New("dial without a call")
		}
		conn, err := d.DialContext(bound, network, address)
		if err != nil {
			return nil, err
		}
		context.AfterFunc(bound, func() { conn.Close() })
		return conn, nil
	}
}
