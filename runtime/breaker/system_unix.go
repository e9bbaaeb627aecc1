//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package breaker

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

const (
	// openFlags keep every open from following a link and from waiting for the other end of a FIFO.
	openFlags = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

	// folderBits are those without which the owner of a folder cannot put a file there.
	folderBits fs.FileMode = 0o300

	// readsUnderLock is false: a rename is seen whole or not at all, so that a reader needs no lock.
	readsUnderLock = false
)

// system is what the systems do differently.
type system struct{}

func newSystem() system { return system{} }

// tryLock locks f unless somebody else has, another descriptor of this process included.
func (system) tryLock(f *os.File) (bool, error) {
	for {
		switch err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err {
		case nil:
			return true, nil
		case syscall.EINTR:
		case syscall.EWOULDBLOCK:
			return false, nil
		default:
			return false, err
		}
	}
}

func (system) unlock(f *os.File) { _ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }

func (system) rename(from, to string) error { return os.Rename(from, to) }

// syncFolder brings the names in a folder to the disk. File systems that cannot do this for folders say EINVAL or ENOTSUP;
// there it is nothing that could be done better.
func (system) syncFolder(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		err = nil
	}
	if err2 := d.Close(); err == nil {
		err = err2
	}
	return err
}

// giveTo gives a file that root has made to the owner of like. Nobody else may give files away, nor needs to.
func (system) giveTo(f *os.File, like fs.FileInfo) error {
	st, ok := like.Sys().(*syscall.Stat_t)
	if !ok || os.Geteuid() != 0 || st.Uid == 0 && st.Gid == 0 {
		return nil
	}
	return f.Chown(int(st.Uid), int(st.Gid))
}
