package breaker

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"time"
)

// lock takes the lock of the file and returns how to give it back. It keeps out the goroutines of this process as well as
// other processes, and gives up after b.wait. There is no way to wait for a file lock for a bounded time, hence the polling:
// a goroutine that waits in the system would stay there for as long as somebody holds the lock.
func (b *Breaker) lock() (release func(), err error) {
	timeout := time.NewTimer(b.wait)
	defer timeout.Stop()
	select {
	case b.turn <- struct{}{}:
	case <-timeout.C:
		return nil, b.busy()
	}
	f, err := b.poll(timeout.C)
	if err != nil {
		<-b.turn
		return nil, err
	}
	return func() {
		// Closing alone is not enough: a child that was forked just now still holds the descriptor.
		b.sys.unlock(f)
		_ = f.Close()
		<-b.turn
	}, nil
}

// poll tries until the lock is had or the time is up.
func (b *Breaker) poll(timeout <-chan time.Time) (*os.File, error) {
	const longest = 4 * time.Millisecond
	for pause := 50 * time.Microsecond; ; pause = min(2*pause, longest) {
		f, err := b.tryLock()
		if err != nil {
			return nil, fmt.Errorf("breaker lock %q: %w; the breaker counts as open: let the server write beside the breaker file", b.path+".lock", bare(err))
		}
		if f != nil {
			return f, nil
		}
		select {
		case <-timeout:
			return nil, b.busy()
		case <-time.After(pause/2 + rand.N(pause)): // apart, so that many waiters do not knock at the same moment
		}
	}
}

// tryLock returns the locked lock file, or nil where somebody else holds it.
func (b *Breaker) tryLock() (*os.File, error) {
	f, err := b.openBeside(b.path+".lock", 0)
	if err != nil {
		return nil, err
	}
	ok, err := b.sys.tryLock(f)
	if err == nil && ok {
		// Somebody may have deleted the file since it was opened: then others lock another one, and this lock is worth
		// nothing.
		var mine, there fs.FileInfo
		if mine, err = f.Stat(); err == nil {
			there, err = os.Lstat(b.path + ".lock")
		}
		if err == nil && os.SameFile(mine, there) {
			return f, nil
		}
		b.sys.unlock(f)
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	}
	_ = f.Close()
	return nil, err
}

// openBeside opens a plain file beside the state file for reading and writing, and makes it where it is not there. It
// follows no link and never blocks.
func (b *Breaker) openBeside(path string, flags int) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|flags|openFlags, 0)
	if errors.Is(err, fs.ErrNotExist) {
		f, err = b.makeBeside(path, flags)
	}
	if errors.Is(err, fs.ErrExist) {
		f, err = os.OpenFile(path, os.O_RDWR|flags|openFlags, 0) // somebody else made it just now
	}
	if err != nil {
		if info, err2 := os.Lstat(path); err2 == nil && !info.Mode().IsRegular() {
			err = fmt.Errorf("got %s, want a plain file", kind(info.Mode()))
		}
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("got %s, want a plain file", kind(info.Mode()))
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// makeBeside makes a file that is not there.
func (b *Breaker) makeBeside(path string, flags int) (*os.File, error) {
	folder, err := os.Stat(b.folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("its folder is missing")
	}
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL|flags|openFlags, 0o600)
	if err != nil {
		return nil, err
	}
	if err := b.sys.giveTo(f, folder); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

func (b *Breaker) busy() error {
	return fmt.Errorf("breaker lock %q: somebody else has held it for %v; the breaker counts as open: find the process that holds it", b.path+".lock", b.wait)
}
