package workspace

import (
	"io/fs"
	"os"
	"syscall"
)

// noWait is nothing here: a folder of Windows holds no FIFOs.
const noWait = 0

// device returns the same number for everything: a mounted volume is a reparse point with an absolute target, which os.Root
// does not follow, so that nothing of another device is ever reached.
func device(fs.FileInfo) (number uint64, ok bool) { return 0, true }

// linkCount returns how many names the file has, which Windows tells of an open file only.
func linkCount(dir *os.Root, base string, _ fs.FileInfo) (uint64, error) {
	f, err := dir.Open(base)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	var d syscall.ByHandleFileInformation
	if err := syscall.GetFileInformationByHandle(syscall.Handle(f.Fd()), &d); err != nil {
		return 0, err
	}
	return uint64(d.NumberOfLinks), nil
}
