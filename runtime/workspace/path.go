package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"github.com/toolfreeze/toolfreeze/runtime/internal/capability"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// The accesses, in the words of the freeze.
const (
	accessRead  = "read"
	accessList  = "list"
	accessWrite = "write"
)

// The three kinds of path differ in the names of their fields, so that Go does not convert one into another.

// ReadPath is a path argument with access "read": a file whose content may be read. The zero ReadPath has no name and
// belongs to no call.
type ReadPath struct{ read place }

// ListPath is a path argument with access "list": a folder whose entries may be listed. The zero ListPath has no name and
// belongs to no call.
type ListPath struct{ list place }

// WritePath is a path argument with access "write": a file or folder that may be made, replaced or removed. The zero
// WritePath has no name and belongs to no call.
type WritePath struct{ write place }

// At returns name as a path to be read, for a typed call. It belongs to no call: the gate binds it, and until then every
// use is an error.
func At(name string) ReadPath { return ReadPath{place{name: name}} }

// In returns name as a path to be listed, for a typed call; see At.
func In(name string) ListPath { return ListPath{place{name: name}} }

// To returns name as a path to be written, for a typed call; see At.
func To(name string) WritePath { return WritePath{place{name: name}} }

// Bind is for generated decoders. It forgets what p was, binds it to paths where that is a *Call (anything else leaves it
// belonging to no call), confines it to under ("" for the whole workspace), and returns where its name goes.
func (p *ReadPath) Bind(paths any, under string) *string { return p.read.bind(paths, under) }

// Bind is for generated decoders; see ReadPath.Bind.
func (p *ListPath) Bind(paths any, under string) *string { return p.list.bind(paths, under) }

// Bind is for generated decoders; see ReadPath.Bind.
func (p *WritePath) Bind(paths any, under string) *string { return p.write.bind(paths, under) }

// Name returns the path as it was given, relative to the root of the workspace.
func (p ReadPath) Name() string { return p.read.name }

// Name returns the path as it was given, relative to the root of the workspace.
func (p ListPath) Name() string { return p.list.name }

// Name returns the path as it was given, relative to the root of the workspace.
func (p WritePath) Name() string { return p.write.name }

// Stat describes what the path leads to, links followed. The error is fs.ErrNotExist where nothing is there.
func (p ReadPath) Stat() (Entry, error) { return p.read.stat(accessRead) }

// Stat describes what the path leads to, links followed. The error is fs.ErrNotExist where nothing is there.
func (p ListPath) Stat() (Entry, error) { return p.list.stat(accessList) }

// Stat describes what the path leads to, links followed. The error is fs.ErrNotExist where nothing is there.
func (p WritePath) Stat() (Entry, error) { return p.write.stat(accessWrite) }

// place is a name below a fence, and the call that it belongs to, nil for none.
type place struct {
	call  *Call
	name  string
	under string
}

// bind must forget the call: else a handler could point a live path elsewhere.
func (p *place) bind(paths any, under string) *string {
	call, _ := paths.(*Call)
	*p = place{call: call, under: under}
	return &p.name
}

// visit is one operation at one place, with its fence open.
type visit struct {
	*Call
	fence *os.Root
	rel   string
}

// use decides again about the place, runs do, and turns what went wrong into an error that may be shown.
func (p place) use(op, access string, do func(v *visit) error) error {
	c := p.call
	if c == nil || c.workspace == nil {
		return &failure{op, p.name, unbound}
	}
	if err := c.alive(); err != nil {
		return &failure{op, p.name, err}
	}
	rel, code, want := lexical(p.name, p.under, access)
	if code != verdict.OK {
		return &capability.Error{Code: verdict.PathEscape, Detail: "the path cannot be used: want " + want}
	}
	fence, err := c.workspace.fence(p.under)
	if err == nil {
		err = do(&visit{c, fence, rel})
		fence.Close()
	}
	if err == nil {
		return nil
	}
	if r := c.workspace.refused(err); r != nil {
		return &capability.Error{Code: r.code, Detail: verdict.Show(p.name) + " " + r.text, Cause: fmt.Errorf("%s %q: %w", op, p.name, err)}
	}
	return &failure{op, p.name, bare(err)}
}

// locate follows the path; see Workspace.locate.
func (v *visit) locate(follow bool) (*spot, error) { return v.workspace.locate(v.fence, v.rel, follow) }

// refusal is a reason that the gate has a code for. text follows the name of the path; want is for a fault of the
// arguments.
type refusal struct {
	code       verdict.Code
	text, want string
}

func (r *refusal) Error() string { return r.text }

func leadsOut() *refusal {
	return &refusal{verdict.PathEscape, "leads outside the workspace or its under, links followed", "a path that stays inside, links followed"}
}

func linked() *refusal {
	return &refusal{verdict.PathEscape, "is below a fence that is a link", "no path, since the fence is a link and no folder"}
}

// refused returns the refusal inside err, nil where it is a plain error.
func (w *Workspace) refused(err error) *refusal {
	var r *refusal
	switch {
	case errors.As(err, &r):
		return r
	case errors.Is(err, w.escapes):
		return leadsOut()
	case errors.Is(err, syscall.ELOOP):
		return &refusal{verdict.PathEscape, "leads through too many links", fmt.Sprintf("a path that leads through at most %d links", maxLinks)}
	}
	return nil
}

// reason is why a path cannot be used.
type reason string

func (r reason) Error() string { return string(r) }

// Is makes both kinds of dead path match fs.ErrClosed.
func (r reason) Is(target error) bool { return target == fs.ErrClosed }

const (
	unbound reason = "the path belongs to no call"
	dead    reason = "the call that the path belongs to has ended"
)

// failure is a plain error. Its text holds the path as the caller gave it, and no other.
type failure struct {
	op, name string
	err      error
}

func (f *failure) Error() string { return fmt.Sprintf("%s %q: %v", f.op, f.name, f.err) }

func (f *failure) Unwrap() error { return f.err }

// bare takes off what the os package put around an error, since that holds paths.
func bare(err error) error {
	for {
		var p *fs.PathError
		var l *os.LinkError
		switch {
		case errors.As(err, &p):
			err = p.Err
		case errors.As(err, &l):
			err = l.Err
		default:
			return err
		}
	}
}

// Explain returns err with words that the model may read, where err comes from a path and its reason is a common one: what
// is missing, exists, is or is no folder, is not empty, is not permitted, or finds no space. Any other error is returned
// as it is. A handler that returns a path's error through Explain tells the model what to do better.
func Explain(err error) error {
	var f *failure
	if !errors.As(err, &f) {
		return err
	}
	var text string
	switch {
	case errors.Is(f.err, fs.ErrNotExist):
		text = "it, or the folder that it would be in, does not exist"
	case errors.Is(f.err, syscall.ENOTEMPTY):
		text = "the folder is not empty"
	case errors.Is(f.err, fs.ErrExist):
		text = "it exists already"
	case errors.Is(f.err, syscall.ENOTDIR):
		text = "it, or what it would be in, is not a folder"
	case errors.Is(f.err, fs.ErrPermission):
		text = "it is not permitted by the mode of the file or its folder"
	case errors.Is(f.err, syscall.ENOSPC):
		text = "the disk is full"
	default:
		return err
	}
	return fmt.Errorf("%w (%w)", verdict.Say(f.op+" "+verdict.Show(f.name)+": "+text), err)
}
