package dispatch

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/toolfreeze/toolfreeze/runtime/catalog"
	"github.com/toolfreeze/toolfreeze/runtime/decode"
	"github.com/toolfreeze/toolfreeze/runtime/encode"
)

// Frozen is what a generated file holds of its freeze. Digests are "sha256:" and 64 lower-case hexadecimal digits.
type Frozen struct {
	// File is the name of the freeze file, for messages.
	File string
	// Catalog is the whole freeze in canonical JSON.
	Catalog string
	// Digest is that of Catalog.
	Digest string
	// Source is the freeze file as it was embedded when the program was built.
	Source string
	// SourceDigest is catalog.SourceDigest of the freeze file when the code was generated.
	SourceDigest string
}

// Gate carries every call to the tools of one freeze. It is safe for concurrent use. New or NewDry makes one; the zero
// Gate makes no requests.
type Gate struct {
	text    string // the catalog in canonical JSON
	cat     *catalog.Catalog
	names   []string // of the tools, by index
	heads   []string // of the bodies of dry runs, by index
	program *decode.Program
	dry     bool // turned dry by an option
	live    bool
	dir     string       // where relative paths of the freeze start, absolute
	log     *slog.Logger // nil for none
	breaker *breaker     // nil for none
	state   []string     // the files of the breaker
	closed  atomic.Bool
	strays  atomic.Int32 // handlers that run on after their call was fenced
	readers sync.Pool    // of *decode.Reader
	writers sync.Pool    // of *encode.Writer
}

// New returns the gate in front of handlers, which generated code calls through its jobs. It is live if the variable of
// live_env is exactly "1" now and no option makes it dry. It is an error if handlers is nil or a nil pointer, an option is
// wrong, the catalog is not the one that was generated, or the freeze file was edited after that.
func New(f Frozen, handlers any, opts ...Option) (*Gate, error) {
	if isNil(handlers) {
		return nil, errors.New("handlers: got nil, want a value that implements every tool")
	}
	g, err := open(f, opts)
	if err != nil {
		return nil, err
	}
	if err := g.openBreaker(); err != nil {
		return nil, err
	}
	// Exactly "1", read here and nowhere else. Do not accept "true", do not read it again, do not add an option: what is
	// live is decided by whoever starts the process.
	g.live = !g.dry && os.Getenv(g.cat.LiveEnv) == "1"
	return g, nil
}

// NewDry returns a gate without handlers that decides every call and runs none, whatever the environment says. A breaker is
// kept in memory, so that tests neither read nor write the file of the freeze. Its errors are those of New.
func NewDry(f Frozen, opts ...Option) (*Gate, error) {
	g, err := open(f, opts)
	if err != nil {
		return nil, err
	}
	if b := g.cat.Breaker; b != nil {
		g.breaker = inMemory(b.Threshold)
	}
	return g, nil
}

// open makes a dry gate.
func open(f Frozen, opts []Option) (*Gate, error) {
	if got := catalog.SourceDigest(f.Source); got != f.SourceDigest {
		return nil, fmt.Errorf("%s was edited after its code was generated; run go generate in its folder (got digest %s, want %s)", cmp.Or(f.File, "the freeze"), got, f.SourceDigest)
	}
	if got := catalog.Digest(f.Catalog); got != f.Digest {
		return nil, fmt.Errorf("the catalog in the code generated from %s was edited; run go generate in its folder (got digest %s, want %s)", cmp.Or(f.File, "the freeze"), got, f.Digest)
	}
	g := &Gate{text: f.Catalog}
	var err error
	if g.cat, err = catalog.Parse(f.Catalog); err != nil {
		return nil, err
	}
	if g.program, err = decode.Compile(g.cat); err != nil {
		return nil, err
	}
	for i := range g.cat.Tools {
		g.names = append(g.names, g.cat.Tools[i].Name)
		g.heads = append(g.heads, echoHead(g.cat.Tools[i].Name))
	}
	g.readers.New = func() any { return new(decode.Reader) }
	g.writers.New = func() any { return new(encode.Writer) }
	for i, o := range opts {
		if o.apply == nil {
			return nil, fmt.Errorf("option %d: got the zero Option, want one that a With function made", i+1)
		}
		if err := o.apply(g); err != nil {
			return nil, err
		}
	}
	if g.dir == "" {
		if err := WithDir(".").apply(g); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// isNil reports whether v is nil or holds a nil of its type.
func isNil(v any) bool {
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.Invalid:
		return true
	case reflect.Pointer, reflect.Map, reflect.Func, reflect.Slice, reflect.Chan, reflect.Interface, reflect.UnsafePointer:
		return r.IsNil()
	}
	return false
}

// Option sets a Gate up. The With functions make options; the zero Option is an error.
type Option struct{ apply func(*Gate) error }

// WithLogger sends to log what only the operator may read: the raw errors of handlers, panics with their stacks, and the
// entries of every ledger. Without it nothing is logged. The package comment and package ledger name the attributes.
func WithLogger(log *slog.Logger) Option {
	return Option{func(g *Gate) error {
		if log == nil {
			return errors.New("logger: got nil, want a logger; leave the option out for none")
		}
		g.log = slog.New(guard{log.Handler()})
		return nil
	}}
}

// WithDir says where relative paths of the freeze start; without it that is the working directory when the gate is made.
func WithDir(dir string) Option {
	return Option{func(g *Gate) error {
		if dir == "" {
			return errors.New(`dir: got "", want a folder; leave the option out for the working directory`)
		}
		abs, err := filepath.Abs(dir)
		if err != nil {
			return fmt.Errorf("dir %q: %w", dir, err)
		}
		g.dir = abs
		return nil
	}}
}

// WithDry makes the gate dry, whatever the environment says.
func WithDry() Option {
	return Option{func(g *Gate) error {
		g.dry = true
		return nil
	}}
}

// Live reports whether handlers run.
func (g *Gate) Live() bool { return g != nil && g.live }

// Catalog returns the freeze as a fresh copy; nil where g was not made by New or NewDry.
func (g *Gate) Catalog() *catalog.Catalog {
	if g == nil {
		return nil
	}
	c, err := catalog.Parse(g.text)
	if err != nil {
		return nil
	}
	return c
}

// Close ends the gate. Requests can no longer be made, and calls that come in from now on are refused with CANCELLED and
// Halt. Calls under way are neither waited for nor broken off: cancel their contexts for that. A second Close does
// nothing. The error is always nil for now.
func (g *Gate) Close() error {
	g.closed.Store(true)
	return nil
}
