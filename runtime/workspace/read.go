package workspace

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/toolfreeze/toolfreeze/runtime/internal/slashpath"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// MaxEntries is how many entries a folder may hold to be listed, temporary files and unusable names counted.
const MaxEntries = 10_000

// chunk is how much is read, written or listed between two looks at whether the call still lives: bytes.
const chunk = 64 << 10

// Kind is what an entry is.
type Kind string

// The kinds of entries.
const (
	// File is a regular file.
	File Kind = "file"
	// Folder is a directory.
	Folder Kind = "folder"
	// Link is a symbolic link, which lists do not follow.
	Link Kind = "link"
	// Other is a FIFO, a socket, a device, or what the system has no word for.
	Other Kind = "other"
)

// Entry describes a file or folder.
type Entry struct {
	// Name is the last part of its path.
	Name string `json:"name"`
	// Kind is what it is.
	Kind Kind `json:"kind"`
	// Size is the length of a File in bytes, 0 for every other kind.
	Size int64 `json:"size"`
}

func entry(name string, info fs.FileInfo) Entry {
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return Entry{name, File, info.Size()}
	case mode.IsDir():
		return Entry{name, Folder, 0}
	case mode&fs.ModeSymlink != 0:
		return Entry{name, Link, 0}
	}
	return Entry{name, Other, 0}
}

// regular refuses everything but a regular file.
func regular(info fs.FileInfo) error {
	what := "is something that the system has no word for, not a file"
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		what = "is a folder, not a file"
	case mode&fs.ModeNamedPipe != 0:
		what = "is a FIFO, not a file"
	case mode&fs.ModeSocket != 0:
		what = "is a socket, not a file"
	case mode&fs.ModeDevice != 0:
		what = "is a device, not a file"
	}
	return &refusal{verdict.NotRegular, what, "a regular file"}
}

func tooLarge(limit int) error {
	want := fmt.Sprintf("at most %d bytes", limit)
	return &refusal{verdict.TooLarge, fmt.Sprintf("is over the cap of %d bytes", limit), want}
}

// stat describes what the place leads to.
func (p place) stat(access string) (e Entry, err error) {
	err = p.use("stat", access, func(v *visit) error {
		at, err := v.locate(true)
		if err != nil {
			return err
		}
		at.dir.Close()
		if at.info == nil {
			return fs.ErrNotExist
		}
		e = entry(path.Base(p.name), at.info)
		return nil
	})
	return e, err
}

// ReadFile returns the content of the file, empty but not nil where it has none. A file over the cap is TOO_LARGE; what is
// no regular file is NOT_REGULAR.
func (p ReadPath) ReadFile() (content []byte, err error) {
	err = p.read.use("read", accessRead, func(v *visit) error {
		at, err := v.locate(true)
		if err != nil {
			return err
		}
		defer at.dir.Close()
		f, size, err := v.open(at)
		if err != nil {
			return err
		}
		defer f.Close()
		content, err = v.all(f, size)
		return err
	})
	if err != nil {
		return nil, err
	}
	return content, nil
}

// open opens a regular file for reading. The first look keeps devices and FIFOs from being opened at all. The second one
// decides, since it is about what was opened: O_NONBLOCK is what makes it possible for a FIFO.
func (v *visit) open(at *spot) (*os.File, int64, error) {
	if at.info == nil {
		return nil, 0, fs.ErrNotExist
	}
	if err := regular(at.info); err != nil {
		return nil, 0, err
	}
	f, err := at.dir.OpenFile(at.base, os.O_RDONLY|noWait, 0)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err == nil {
		err = regular(info)
	}
	if err == nil {
		err = v.workspace.here(info)
	}
	if err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// all reads to the end or to the cap. size is what the file said, and no more than a hint: it may grow.
func (v *visit) all(f io.Reader, size int64) ([]byte, error) {
	limit := v.workspace.limits.MaxReadBytes
	if size > int64(limit) {
		return nil, tooLarge(limit)
	}
	content := make([]byte, 0, size+1)
	for {
		if err := v.alive(); err != nil {
			return nil, err
		}
		if len(content) == cap(content) {
			content = slices.Grow(content, min(chunk, len(content)))
		}
		free := content[len(content):cap(content)]
		n, err := f.Read(free[:min(chunk, len(free))])
		content = content[:len(content)+n]
		switch {
		case len(content) > limit:
			return nil, tooLarge(limit)
		case err == io.EOF:
			return content, nil
		case err != nil:
			return nil, err
		}
	}
}

// List returns the entries of the folder, sorted by the bytes of their names. Links are not followed. Names that cannot be
// a part of a path (see package slashpath) are left out, since nothing could be done with them, and so are temporary
// files. A folder of more than MaxEntries entries is TOO_LARGE; what is no folder is syscall.ENOTDIR.
func (p ListPath) List() (entries []Entry, err error) {
	err = p.list.use("list", accessList, func(v *visit) error {
		dir, err := v.folder()
		if err != nil {
			return err
		}
		defer dir.Close()
		names, err := v.names(dir)
		if err != nil {
			return err
		}
		slices.Sort(names)
		entries = make([]Entry, 0, len(names))
		for _, name := range names {
			if err := v.alive(); err != nil {
				return err
			}
			info, err := dir.Lstat(name)
			switch {
			case errors.Is(err, fs.ErrNotExist): // removed since
			case err != nil:
				return err
			default:
				entries = append(entries, entry(name, info))
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return entries, nil
}

// folder opens the folder that the path leads to.
func (v *visit) folder() (*os.Root, error) {
	at, err := v.locate(true)
	switch {
	case err != nil:
		return nil, err
	case at.base == ".":
		return at.dir, nil
	}
	defer at.dir.Close()
	switch {
	case at.info == nil:
		return nil, fs.ErrNotExist
	case !at.info.IsDir():
		return nil, syscall.ENOTDIR
	}
	return v.workspace.enter(at.dir, at.base)
}

// names reads the names in a folder that may be shown.
func (v *visit) names(dir *os.Root) ([]string, error) {
	f, err := dir.Open(".")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var names []string
	for seen := 0; ; {
		if err := v.alive(); err != nil {
			return nil, err
		}
		batch, err := f.Readdirnames(256)
		for _, name := range batch {
			if clean, code, _ := slashpath.Clean(name); code == verdict.OK && clean == name && !temporary(name) {
				names = append(names, name)
			}
		}
		if seen += len(batch); seen > MaxEntries {
			most := fmt.Sprintf("%d entries", MaxEntries)
			return nil, &refusal{verdict.TooLarge, "holds more than " + most, "a folder of at most " + most}
		}
		switch {
		case err == io.EOF:
			return names, nil
		case err != nil:
			return nil, err
		}
	}
}

// temporary reports whether a part of a path could name a temporary file of ours. Some systems ignore the case of letters.
func temporary(part string) bool {
	return len(part) >= len(tempPrefix) && strings.EqualFold(part[:len(tempPrefix)], tempPrefix)
}

// ReadText is a handler's body for a tool that reads a file: the content as text, and errors that the model may read
// (see Explain). A file that is not valid UTF-8 is an error.
func ReadText(p ReadPath) (string, error) {
	content, err := p.ReadFile()
	if err != nil {
		return "", Explain(err)
	}
	if !utf8.Valid(content) {
		return "", verdict.Say("read " + verdict.Show(p.Name()) + ": it is not text in UTF-8")
	}
	return string(content), nil
}

// ListEntries is a handler's body for a tool that lists a folder: its entries, and errors that the model may read (see
// Explain).
func ListEntries(p ListPath) ([]Entry, error) {
	entries, err := p.List()
	return entries, Explain(err)
}
