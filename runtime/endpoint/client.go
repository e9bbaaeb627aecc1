package endpoint

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"sync/atomic"

	"github.com/toolfreeze/toolfreeze/runtime/internal/capability"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// Response is what the frozen URL answered.
type Response struct {
	// Status is the HTTP status code, 200 to 599 and beyond, but no redirect.
	Status int
	// Header holds the response's headers. Where the body came compressed by gzip and was decompressed, Content-Encoding
	// and Content-Length are gone.
	Header http.Header
	// Body is the whole body, decompressed; empty for HEAD.
	Body []byte
}

// Client is the endpoint in the hands of one call. It answers one Get or one Head in all. Copies of a Client are the same
// client. The zero Client answers nothing.
type Client struct{ call *call }

// call is what all copies of a Client share.
type call struct {
	endpoint *Endpoint
	ctx      context.Context
	end      context.CancelFunc
	used     atomic.Bool
}

// Open returns the client of one call. It is dead when ctx ends or Close is called.
func (e *Endpoint) Open(ctx context.Context) *Client {
	ctx, end := context.WithCancel(ctx)
	return &Client{&call{endpoint: e, ctx: ctx, end: end}}
}

// Close ends the client: a request that is under way is broken off, and no other is made. It may be called twice.
func (c *Client) Close() {
	if c != nil && c.call != nil {
		c.call.end()
	}
}

// Get fetches the frozen URL. It ends with ctx or with the call, whichever is first. The body is read whole before Get
// returns. The error is URL_DENIED where the client was used before or its call has ended; see the package for others.
func (c *Client) Get(ctx context.Context) (*Response, error) { return c.do(ctx, http.MethodGet) }

// Head asks the frozen URL for its headers. It counts and ends as Get does.
func (c *Client) Head(ctx context.Context) (*Response, error) { return c.do(ctx, http.MethodHead) }

// do makes the one request of a call.
func (c *Client) do(ctx context.Context, method string) (*Response, error) {
	switch {
	case c == nil || c.call == nil:
		return nil, refuse("this client belongs to no call")
	case c.call.ctx.Err() != nil:
		return nil, refuse("the call that this client belongs to has ended")
	case !c.call.used.CompareAndSwap(false, true):
		return nil, refuse("the frozen URL may be asked once a call")
	}
	e := c.call.endpoint
	ctx, end := join(ctx, c.call.ctx)
	defer end()
	req := &http.Request{Method: method, URL: &e.target, Header: http.Header{"User-Agent": {"toolfreeze"}}}
	resp, err := e.transport.RoundTrip(req.WithContext(ctx))
	if err != nil {
		return nil, e.fault(ctx, method, err)
	}
	defer resp.Body.Close()
	if redirect(resp) {
		return nil, &capability.Error{
			Code:   verdict.RedirectDenied,
			Detail: fmt.Sprintf("the frozen URL answered with status %d, a redirect, which is not followed", resp.StatusCode),
			Cause:  fmt.Errorf("location %q", resp.Header.Get("Location")),
		}
	}
	if resp.StatusCode < 200 {
		return nil, e.fault(ctx, method, fmt.Errorf("got status %d, want 200 or above", resp.StatusCode))
	}
	body, err := e.read(ctx, method, resp)
	if err != nil {
		return nil, err
	}
	return &Response{Status: resp.StatusCode, Header: resp.Header, Body: body}, nil
}

// refuse returns the refusal to use a client.
func refuse(detail string) error { return &capability.Error{Code: verdict.URLDenied, Detail: detail} }

// fault returns a refusal that is inside err as it is, and everything else as a plain error: the cause of ctx where that
// has ended, since the connection is closed then and err may say no more than that.
func (e *Endpoint) fault(ctx context.Context, method string, err error) error {
	var refusal *capability.Error
	if errors.As(err, &refusal) {
		return refusal
	}
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	return fmt.Errorf("%s %s: %w", method, e.text, err)
}

// join returns a context that ends when one of two does, with its cause. It has the values of neither: a value could
// carry an httptrace hook, which is handed the connection. It holds itself, for the dialer.
func join(a, b context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(context.Background())
	stopA := func() bool { return true }
	if a != nil {
		stopA = context.AfterFunc(a, func() { cancel(context.Cause(a)) })
	}
	stopB := context.AfterFunc(b, func() { cancel(context.Cause(b)) })
	return context.WithValue(ctx, boundKey{}, ctx), func() {
		stopA()
		stopB()
		cancel(nil)
	}
}

// redirect reports whether a response points elsewhere.
func redirect(resp *http.Response) bool {
	switch resp.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return 300 <= resp.StatusCode && resp.StatusCode < 400 && resp.Header.Get("Location") != ""
}

// read returns the body, which the transport decompresses while it is read, so that a bomb is cut at the cap.
func (e *Endpoint) read(ctx context.Context, method string, resp *http.Response) ([]byte, error) {
	tooLarge := &capability.Error{
		Code:   verdict.TooLarge,
		Detail: fmt.Sprintf("the response is over the cap of %d bytes", e.maxBytes),
	}
	limit := int64(e.maxBytes)
	if method != http.MethodHead && resp.ContentLength > limit {
		return nil, tooLarge
	}
	if limit < math.MaxInt64 {
		limit++
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, limit))
	if len(body) > e.maxBytes {
		return nil, tooLarge
	}
	if err != nil {
		return nil, e.fault(ctx, method, err)
	}
	return body, nil
}
