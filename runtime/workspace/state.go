package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Begin gives c the context of its handler: each operation ends when ctx does. It comes after the arguments were checked
// and before the handler runs.
func (c *Call) Begin(ctx context.Context) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ctx = ctx
}

// excludes refuses a workspace that holds one of the given files, links followed: a tool could write them. A file that is
// not there yet counts by its folder.
func (w *Workspace) excludes(files []string) error {
	root, err := w.root.Stat(".")
	if err != nil {
		return err
	}
	for _, file := range files {
		abs, err := filepath.Abs(file)
		if err != nil {
			return err
		}
		real, err := followed(abs)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		for _, path := range []string{abs, real} {
			if in, err := below(root, path); err != nil {
				return fmt.Errorf("%s: %w", file, err)
			} else if in {
				return fmt.Errorf("%s lies inside the workspace, where a tool could write it; want it elsewhere", file)
			}
		}
	}
	return nil
}

// followed is where a path leads, links followed, as far as it exists. A link that leads nowhere yet is an error: whoever
// writes through it makes a file at its other end, which could be anywhere.
func followed(path string) (string, error) {
	for rest := ""; ; {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			return filepath.Join(real, rest), nil
		}
		switch _, err := os.Lstat(path); {
		case err == nil:
			return "", errors.New("leads through a link without an end, want a file or a place for one")
		case !errors.Is(err, fs.ErrNotExist):
			return "", err
		}
		up := filepath.Dir(path)
		if up == path {
			return filepath.Join(path, rest), nil
		}
		rest, path = filepath.Join(filepath.Base(path), rest), up
	}
}

// below reports whether root is a folder above path. Folders are compared as files, not by their names. A folder on the way
// that cannot be looked at is an error: nothing can be said about it.
func below(root fs.FileInfo, path string) (bool, error) {
	for {
		up := filepath.Dir(path)
		info, err := os.Stat(up)
		switch {
		case err == nil && os.SameFile(root, info):
			return true, nil
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return false, err
		case up == path:
			return false, nil
		}
		path = up
	}
}
