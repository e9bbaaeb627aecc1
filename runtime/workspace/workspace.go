package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"

	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// Limits are the caps of a workspace, in bytes. Both must be 1 or more.
type Limits struct {
	// MaxReadBytes caps the content of a file that is read.
	MaxReadBytes int
	// MaxWriteBytes caps the content of a file that is written.
	MaxWriteBytes int
}

// Workspace is one open folder that path arguments are confined to. It is safe for concurrent use.
type Workspace struct {
	root    *os.Root
	limits  Limits
	device  uint64
	escapes error // what os.Root answers to a path that leads out; it has no exported name
}

// Open opens the folder root, which is relative to base where it is not absolute; "" is the working directory. A missing
// root is made with mode 0700; a missing base is an error. So are an empty root, a root that is no folder, and a limit
// below 1. state are the files that no tool may write, such as a breaker's: it is an error if one of them lies inside the
// workspace, links followed.
func Open(root, base string, limits Limits, state ...string) (*Workspace, error) {
	switch {
	case root == "":
		return nil, errors.New("workspace: got no root, want a folder")
	case limits.MaxReadBytes < 1 || limits.MaxWriteBytes < 1:
		return nil, fmt.Errorf("workspace %q: got caps of %d bytes a read and %d a write, want 1 or more", root, limits.MaxReadBytes, limits.MaxWriteBytes)
	}
	if !filepath.IsAbs(root) && base != "" {
		if _, err := os.Stat(base); err != nil {
			return nil, fmt.Errorf("workspace %q: want a base folder that exists: %w", root, err)
		}
		root = filepath.Join(base, root)
	}
	if err := os.MkdirAll(root, 0o700); err != nil {
		return nil, fmt.Errorf("workspace %q: want a folder: %w", root, err)
	}
	// With "/." behind it nothing but a folder can be opened, so that a FIFO in its place does not block.
	open, err := os.OpenRoot(root + string(filepath.Separator) + ".")
	if err != nil {
		return nil, fmt.Errorf("workspace %q: want a folder: %w", root, err)
	}
	w := &Workspace{root: open, limits: limits}
	if err = w.learn(); err == nil {
		err = w.excludes(state)
	}
	if err != nil {
		open.Close()
		return nil, fmt.Errorf("workspace %q: %w", root, err)
	}
	return w, nil
}

// learn notes the root's device, and the error by which os.Root says that a path leads out.
func (w *Workspace) learn() error {
	info, err := w.root.Stat(".")
	if err != nil {
		return err
	}
	var ok bool
	if w.device, ok = device(info); !ok {
		return errors.New("got no device number, want one to compare with")
	}
	_, err = w.root.Lstat("..")
	var out *fs.PathError
	if !errors.As(err, &out) {
		return fmt.Errorf("got %v for the folder above, want a refusal", err)
	}
	w.escapes = out.Err
	return nil
}

// Close closes the workspace: what begins later is an error. Operations that are under way may finish.
func (w *Workspace) Close() error { return w.root.Close() }

// Call returns the paths of one call. Each operation ends when ctx does.
func (w *Workspace) Call(ctx context.Context) *Call { return &Call{workspace: w, ctx: ctx} }

// Call is the workspace in the hands of one call. Paths are bound to it, and die with it. It is safe for concurrent use.
type Call struct {
	workspace *Workspace
	ctx       context.Context
	mu        sync.RWMutex // held for reading while something is changed, so that nothing changes after Close
	closed    bool
}

// Close ends every path that is bound to c. A change that is being made at that moment (a rename, a mkdir, a remove) is
// waited for, and none is made later: a write that has not got so far comes to nothing. It may be called twice.
func (c *Call) Close() {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
}

// alive returns why nothing may be done any more, nil where it may.
func (c *Call) alive() error {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.ended()
}

// ended is alive for those who hold the lock.
func (c *Call) ended() error {
	if c.closed {
		return dead
	}
	return context.Cause(c.ctx)
}

// effect makes a change, unless the call has ended. Do not loosen the lock: between the look and the change the call
// could end, and its caller could have begun the next one.
func (c *Call) effect(change func() error) error {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if err := c.ended(); err != nil {
		return err
	}
	return change()
}

// CheckPath decides about a path argument before the handler runs. under is the fence below the root, "" for none; access
// is "read", "list" or "write". code is OK, BadPath (the lexical rules) or PathEscape (outside the root or the under, links
// followed, or on another device); want says what is wanted and does not hold the path. That nothing is there is no
// fault. A path that cannot be followed to its end, for want of permission or because its links run in a circle, is
// PathEscape. Nothing is opened for reading or writing, and nothing is made.
func (c *Call) CheckPath(name, under, access string) (code verdict.Code, want string) {
	if c == nil || c.workspace == nil {
		return verdict.PathEscape, "no path, since there is no workspace"
	}
	rel, code, want := lexical(name, under, access)
	if code != verdict.OK {
		return code, want
	}
	err := c.check(under, rel)
	if err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return verdict.OK, ""
	}
	if r := c.workspace.refused(err); r != nil {
		return r.code, r.want
	}
	return verdict.PathEscape, "a path that can be followed to its end"
}

// check follows a path to its end. The call's context does not matter: what a path leads to is the same after it.
func (c *Call) check(under, rel string) error {
	c.mu.RLock()
	closed := c.closed
	c.mu.RUnlock()
	if closed {
		return dead
	}
	fence, err := c.workspace.fence(under)
	if err != nil {
		return err
	}
	defer fence.Close()
	at, err := c.workspace.locate(fence, rel, true)
	if err != nil {
		return err
	}
	at.dir.Close()
	return nil
}
