//go:build unix

package workspace

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// noWait keeps the opening of a FIFO from waiting for a writer, and that of a terminal from taking it over.
const noWait = syscall.O_NONBLOCK | syscall.O_NOCTTY

// device returns the number of the device that info is about; ok is false where it is not known.
func device(info fs.FileInfo) (number uint64, ok bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return uint64(st.Dev), true
}

// linkCount returns how many names the file has.
func linkCount(_ *os.Root, base string, info fs.FileInfo) (uint64, error) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, fmt.Errorf("%q: got no count of names", base)
	}
	return uint64(st.Nlink), nil
}
