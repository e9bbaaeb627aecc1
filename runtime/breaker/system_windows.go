package breaker

import (
	"io/fs"
	"os"
	"syscall"
	"time"
	"unsafe"
)

const (
	// openFlags keep every open from following a link: the link itself is opened, and then refused for what it is.
	openFlags = syscall.FILE_FLAG_OPEN_REPARSE_POINT

	// folderBits is none: the bits of a folder say nothing here.
	folderBits fs.FileMode = 0

	// readsUnderLock is true: a reader without the lock would be in the way of a rename, and could find no file in the
	// middle of one.
	readsUnderLock = true
)

// system is what the systems do differently.
type system struct {
	lockFileEx, unlockFileEx, moveFileEx *syscall.LazyProc
}

func newSystem() system {
	dll := syscall.NewLazyDLL("kernel32.dll")
	return system{dll.NewProc("LockFileEx"), dll.NewProc("UnlockFileEx"), dll.NewProc("MoveFileExW")}
}

// tryLock locks f unless somebody else has, another handle of this process included.
func (s system) tryLock(f *os.File) (bool, error) {
	const (
		failImmediately, exclusive = 1, 2

		lockViolation = syscall.Errno(33)
	)
	var at syscall.Overlapped
	ok, _, err := s.lockFileEx.Call(f.Fd(), failImmediately|exclusive, 0, 1, 0, uintptr(unsafe.Pointer(&at)))
	switch {
	case ok != 0:
		return true, nil
	case err == lockViolation || err == syscall.ERROR_IO_PENDING:
		return false, nil
	}
	return false, err
}

func (s system) unlock(f *os.File) {
	var at syscall.Overlapped
	_, _, _ = s.unlockFileEx.Call(f.Fd(), 0, 1, 0, uintptr(unsafe.Pointer(&at)))
}

// rename replaces to and waits for the disk. Scanners of all kinds hold new files open for a moment, which is waited for.
func (s system) rename(from, to string) error {
	const (
		replaceExisting, writeThrough = 1, 8

		sharingViolation = syscall.Errno(32)
	)
	old, err := syscall.UTF16PtrFromString(from)
	if err != nil {
		return err
	}
	name, err := syscall.UTF16PtrFromString(to)
	if err != nil {
		return err
	}
	for pause := time.Millisecond; ; pause *= 2 {
		ok, _, err := s.moveFileEx.Call(uintptr(unsafe.Pointer(old)), uintptr(unsafe.Pointer(name)), replaceExisting|writeThrough)
		switch {
		case ok != 0:
			return nil
		case err != syscall.ERROR_ACCESS_DENIED && err != sharingViolation || pause > time.Second:
			return err
		}
		time.Sleep(pause)
	}
}

// syncFolder has nothing to do: rename waits for the disk.
func (system) syncFolder(string) error { return nil }

// giveTo has nothing to do: a new file takes over the rights of its folder.
func (system) giveTo(*os.File, fs.FileInfo) error { return nil }
