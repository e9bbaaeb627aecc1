package workspace

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path"
	"syscall"

	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// tempPrefix begins the names of our temporary files. No path argument may name one (see lexical), and no list shows one.
const tempPrefix = ".toolfreeze-"

// The modes of what is made, less the umask.
const (
	newFile   fs.FileMode = 0o644
	newFolder fs.FileMode = 0o755
)

// WriteFile makes the file, or replaces its whole content, or does nothing. It follows links; its folder must exist. Data
// over the cap is TOO_LARGE; what is there and is no regular file, or has a second name, is NOT_REGULAR; a file without a
// write bit for its owner is fs.ErrPermission. Of two writers at one time the later rename wins.
func (p WritePath) WriteFile(data []byte) error {
	return p.write.use("write", accessWrite, func(v *visit) error {
		if limit := v.workspace.limits.MaxWriteBytes; len(data) > limit {
			return tooLarge(limit)
		}
		at, err := v.locate(true)
		if err != nil {
			return err
		}
		defer at.dir.Close()
		return v.replace(at, func(f *os.File) error { return v.fill(f, data) })
	})
}

// replace writes a file through a temporary one, which fill writes.
func (v *visit) replace(at *spot, fill func(f *os.File) error) (err error) {
	mode, err := writable(at)
	if err != nil {
		return err
	}
	temp := tempPrefix + rand.Text() + ".tmp"
	f, err := at.dir.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()           // a second time in most cases; Windows removes no open file
			at.dir.Remove(temp) // what cannot be removed stays out of sight and out of reach
		}
	}()
	if err := fill(f); err != nil {
		return err
	}
	if at.info != nil {
		if err := restore(f, mode); err != nil {
			return err
		}
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	// Through the fence and not through the open folder: if that has been moved away, the names are not found.
	return v.effect(func() error { return v.fence.Rename(path.Join(at.text, temp), path.Join(at.text, at.base)) })
}

// writable returns the mode that the file has or will have, or why it may not be written.
func writable(at *spot) (fs.FileMode, error) {
	if at.info == nil {
		return newFile, nil
	}
	if err := regular(at.info); err != nil {
		return 0, err
	}
	n, err := linkCount(at.dir, at.base, at.info) // 0 where another writer has replaced the file since
	switch {
	case err != nil:
		return 0, err
	case n > 1:
		return 0, &refusal{verdict.NotRegular, "has a second name, a hard link, and is not written to", "a file with one name"}
	case at.info.Mode()&0o200 == 0:
		return 0, fs.ErrPermission
	}
	return at.info.Mode().Perm(), nil
}

// restore undoes what the umask did to the mode of a file that was there before.
func restore(f *os.File, mode fs.FileMode) error {
	info, err := f.Stat()
	if err != nil || info.Mode().Perm() == mode {
		return err
	}
	return f.Chmod(mode)
}

// fill writes data, and looks now and then whether the call still lives.
func (v *visit) fill(f *os.File, data []byte) error {
	for len(data) > 0 {
		if err := v.alive(); err != nil {
			return err
		}
		n, err := f.Write(data[:min(chunk, len(data))])
		if err != nil {
			return err
		}
		data = data[n:]
	}
	return nil
}

// Mkdir makes one folder; the folder that it is in must exist. fs.ErrExist where anything has that name, a link that
// leads nowhere too.
func (p WritePath) Mkdir() error {
	return p.write.use("mkdir", accessWrite, func(v *visit) error {
		at, err := v.locate(true)
		if err != nil {
			return err
		}
		defer at.dir.Close()
		if at.info != nil || at.linked {
			return fs.ErrExist
		}
		return v.effect(func() error { return at.dir.Mkdir(at.base, newFolder) })
	})
}

// Remove removes a file or an empty folder; syscall.ENOTEMPTY or fs.ErrExist where the folder holds something. A link is
// removed itself, provided that it does not lead out. The root and the path's under cannot be removed. FIFOs, devices
// and sockets are NOT_REGULAR.
func (p WritePath) Remove() error {
	return p.write.use("remove", accessWrite, func(v *visit) error {
		at, err := v.locate(true)
		switch {
		case err == nil:
			at.dir.Close()
		case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR):
			return err // it leads out; a link that leads nowhere may go
		}
		at, err = v.locate(false)
		if err != nil {
			return err
		}
		defer at.dir.Close()
		switch {
		case at.info == nil:
			return fs.ErrNotExist
		case at.info.Mode()&fs.ModeSymlink == 0 && !at.info.IsDir():
			if err := regular(at.info); err != nil {
				return err
			}
		}
		return v.effect(func() error { return at.dir.Remove(at.base) })
	})
}

// WriteText is a handler's body for a tool that writes a file: text becomes the whole content, and errors can be read by
// the model (see Explain).
func WriteText(p WritePath, text string) error { return Explain(p.WriteFile([]byte(text))) }
