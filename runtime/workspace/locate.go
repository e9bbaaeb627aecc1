package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/toolfreeze/toolfreeze/runtime/internal/slashpath"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// maxLinks is how many links one path may lead through: as many as os.Root follows.
const maxLinks = 8

// lexical checks a path by its text and returns what is left of it below under, "." where it is under itself.
func lexical(name, under, access string) (rel string, code verdict.Code, want string) {
	clean, code, want := slashpath.Clean(name)
	if code != verdict.OK {
		return "", code, want
	}
	if _, code, _ := slashpath.Clean(under); under != "" && code != verdict.OK {
		return "", verdict.PathEscape, "no path, since the fence is no clean path"
	}
	for part := range strings.SplitSeq(clean, "/") {
		if temporary(part) {
			return "", verdict.BadPath, fmt.Sprintf("a path whose parts do not begin with %q", tempPrefix)
		}
	}
	if under == "." {
		under = ""
	}
	where := "the workspace"
	if under != "" {
		where = fmt.Sprintf("%q", under)
	}
	switch {
	case !slashpath.Under(clean, under):
		return "", verdict.PathEscape, "a path below " + where
	case under == "":
		rel = clean
	case clean == under:
		rel = "."
	default:
		rel = clean[len(under)+1:]
	}
	switch access {
	case accessList:
	case accessRead, accessWrite:
		if rel == "." {
			return "", verdict.PathEscape, "a path below " + where + ", not " + where + " itself"
		}
	default:
		return "", verdict.PathEscape, `no path, since its access is not "read", "list" or "write"`
	}
	return rel, verdict.OK, ""
}

// fence opens under, or a second handle of the root where it is "" or ".". Links in it are refused.
func (w *Workspace) fence(under string) (*os.Root, error) {
	fence, err := w.root.OpenRoot(".")
	if err != nil || under == "" || under == "." {
		return fence, err
	}
	for part := range strings.SplitSeq(under, "/") {
		next, err := w.real(fence, part)
		fence.Close()
		if err != nil {
			return nil, err
		}
		fence = next
	}
	return fence, nil
}

// real opens a folder in dir that is no link, neither before nor while it is opened.
func (w *Workspace) real(dir *os.Root, part string) (*os.Root, error) {
	info, err := dir.Lstat(part)
	switch {
	case err != nil:
		return nil, err
	case info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) != 0:
		return nil, linked()
	}
	return w.same(dir, part, info)
}

// same opens the folder part in dir, which must be the one that info is about.
func (w *Workspace) same(dir *os.Root, part string, info fs.FileInfo) (*os.Root, error) {
	next, err := w.enter(dir, part)
	if err != nil {
		return nil, err
	}
	if now, err := next.Stat("."); err != nil || !os.SameFile(info, now) {
		next.Close()
		return nil, linked()
	}
	return next, nil
}

// enter opens the folder text in dir. With "/." behind it nothing but a folder can be opened: a FIFO does not block.
func (w *Workspace) enter(dir *os.Root, text string) (*os.Root, error) {
	next, err := dir.OpenRoot(text + "/.")
	if err != nil {
		return nil, err
	}
	info, err := next.Stat(".")
	if err == nil {
		err = w.here(info)
	}
	if err != nil {
		next.Close()
		return nil, err
	}
	return next, nil
}

// here refuses what is on another device than the root.
func (w *Workspace) here(info fs.FileInfo) error {
	if d, ok := device(info); !ok || d != w.device {
		return &refusal{verdict.PathEscape, "is on another device than the workspace", "a path on the device of the workspace"}
	}
	return nil
}

// spot is where a path leads.
type spot struct {
	dir    *os.Root    // the folder that holds it, open
	text   string      // the path of dir below the fence, without links; "." for the fence
	base   string      // the name in dir, which is no link where links were followed; "." for dir itself
	info   fs.FileInfo // of base; nil where nothing is there
	linked bool        // the last part of the path was a link, and it was followed
}

// walk goes along a path, one part at a time, with the folder that it has reached open. It opens folders through fence or
// through a folder opened before, and os.Root keeps each such step inside, so that no mistake here leads out of fence.
type walk struct {
	workspace *Workspace
	fence     *os.Root
	dir       *os.Root
	done      []string // the parts from fence to dir, without links
	links     int
}

// locate follows rel from fence, and the last part too where follow is set. The caller closes the spot's dir. Where a
// part before the last one is missing, the error is that of a missing file; that the last one is, is no error.
func (w *Workspace) locate(fence *os.Root, rel string, follow bool) (*spot, error) {
	dir, err := w.enter(fence, ".")
	if err != nil {
		return nil, err
	}
	k := &walk{workspace: w, fence: fence, dir: dir}
	at := &spot{base: "."}
	if at.info, err = k.along(strings.Split(rel, "/"), follow, at); err != nil {
		k.dir.Close()
		return nil, err
	}
	at.dir, at.text = k.dir, path.Join(".", path.Join(k.done...))
	return at, nil
}

// along goes through todo and returns what is at its end, nil for nothing.
func (k *walk) along(todo []string, follow bool, at *spot) (fs.FileInfo, error) {
	for len(todo) > 0 {
		part := todo[0]
		todo = todo[1:]
		last := len(todo) == 0
		switch part {
		case "", ".":
			continue
		case "..":
			var err error
			if todo, err = k.up(todo); err != nil {
				return nil, err
			}
			continue
		}
		info, err := k.dir.Lstat(part)
		switch {
		case last && errors.Is(err, fs.ErrNotExist):
			at.base = part
			return nil, nil
		case err != nil:
			return nil, err
		case info.Mode()&fs.ModeSymlink != 0 && (follow || !last):
			at.linked = at.linked || last
			todo, err = k.link(part, todo)
		case !last:
			err = k.down(part, info)
		default:
			at.base = part
			return info, k.end(part, info)
		}
		if err != nil {
			return nil, err
		}
	}
	return k.dir.Stat(".")
}

// end decides about the last part, which is no link that was to be followed. On Windows it can be a junction, which is
// irregular to Lstat and which os.Root follows in Stat.
func (k *walk) end(part string, info fs.FileInfo) error {
	if info.Mode()&fs.ModeIrregular != 0 {
		if _, err := k.dir.Stat(part); err != nil {
			return err
		}
	}
	return k.workspace.here(info)
}

// down enters the folder part. On Windows a junction is irregular to Lstat, and os.Root says where it leads.
func (k *walk) down(part string, info fs.FileInfo) error {
	if !info.IsDir() && info.Mode()&fs.ModeIrregular == 0 {
		return syscall.ENOTDIR
	}
	next, err := k.workspace.enter(k.dir, part)
	if err != nil {
		return err
	}
	k.dir.Close()
	k.dir, k.done = next, append(k.done, part)
	return nil
}

// up goes to the folder above, and on for each further ".." that stands first in todo. It starts again from fence: the
// folder above an open folder may be another one by now.
func (k *walk) up(todo []string) ([]string, error) {
	n := 1
	for len(todo) > 0 && todo[0] == ".." {
		n, todo = n+1, todo[1:]
	}
	if n > len(k.done) {
		return nil, leadsOut()
	}
	k.done = k.done[:len(k.done)-n]
	next, err := k.workspace.enter(k.fence, path.Join(".", path.Join(k.done...)))
	if err != nil {
		return nil, err
	}
	k.dir.Close()
	k.dir = next
	return todo, nil
}

// link puts the parts of the link part in front of todo.
func (k *walk) link(part string, todo []string) ([]string, error) {
	if k.links++; k.links > maxLinks {
		return nil, syscall.ELOOP
	}
	target, err := k.dir.Readlink(part)
	if err != nil {
		return nil, err
	}
	target = filepath.ToSlash(target)
	if target == "" || target[0] == '/' || filepath.VolumeName(target) != "" {
		return nil, leadsOut()
	}
	return append(strings.Split(target, "/"), todo...), nil
}
