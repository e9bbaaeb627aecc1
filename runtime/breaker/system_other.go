//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd || windows)

package breaker

import (
	"errors"
	"io/fs"
	"os"
)

const (
	openFlags      = 0
	folderBits     = fs.FileMode(0)
	readsUnderLock = true
)

// system is one without a file lock that the standard library knows. Every breaker is open there.
type system struct{}

func newSystem() system { return system{} }

func (system) tryLock(*os.File) (bool, error) {
	return false, errors.New("this system has no file lock that can be relied on")
}

func (system) unlock(*os.File) {}

func (system) rename(from, to string) error { return os.Rename(from, to) }

func (system) syncFolder(string) error { return nil }

func (system) giveTo(*os.File, fs.FileInfo) error { return nil }
