package breaker

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// Hints of what to do about a file that is no state.
const (
	hintText = `want {"denies": 0, "open": false}; find out who changed it, then run freezegate reset -why TEXT or delete the file`
	hintMode = "find out who changed it, then run chmod u+rw"
	hintKind = "put a plain file there, or take it away"
	hintHave = "let the server read it"
	hintMake = "make the folder, or name another file in the freeze"
)

// look reads the file for somebody who will not change it.
func (b *Breaker) look() (state, error) {
	if readsUnderLock {
		release, err := b.lock()
		if err != nil {
			return state{}, err
		}
		defer release()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	k, err := b.read()
	if err != nil {
		return state{}, err
	}
	return k.state, nil
}

// read reads the file and stores what it read; an error is an open breaker. The caller holds mu, so that an older reading
// never replaces a newer one: Pass relies on that.
func (b *Breaker) read() (*snapshot, error) {
	k, err := b.readFile()
	if errors.Is(err, fs.ErrNotExist) {
		k, err = new(snapshot), b.checkFolder()
	}
	if err != nil {
		k = nil
	}
	b.known.Store(k)
	return k, err
}

// readFile reads a file that is there. The kind is looked at before the file is opened, since opening can block or set off a
// device, and again afterwards, since somebody can put another thing there in between.
func (b *Breaker) readFile() (*snapshot, error) {
	info, err := os.Lstat(b.path)
	if err != nil {
		return nil, b.broken(bare(err), hintHave)
	}
	if err := b.checkFile(info); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(b.path, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, b.broken(bare(err), hintHave)
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return nil, b.broken(bare(err), hintHave)
	}
	if err := b.checkFile(info); err != nil {
		return nil, err
	}
	text := make([]byte, info.Size()+1)
	n, err := io.ReadFull(f, text)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, b.broken(bare(err), hintHave)
	}
	s, err := parse(text[:n], b.threshold)
	if err != nil {
		return nil, b.broken(err, hintText)
	}
	return &snapshot{info, s}, nil
}

// checkFile refuses what is not worth opening.
func (b *Breaker) checkFile(info fs.FileInfo) error {
	switch mode := info.Mode(); {
	case !mode.IsRegular():
		return b.broken(fmt.Errorf("got %s", kind(mode)), hintKind)
	case mode&0o600 != 0o600:
		// By the bits and not by trying: root can open anything, and a server that runs as root must not decide otherwise.
		return b.broken(fmt.Errorf("got mode %04o, which keeps its owner from it", mode.Perm()), hintMode)
	case info.Size() > maxBytes:
		return b.broken(fmt.Errorf("got %d bytes, and at most %d can be right", info.Size(), maxBytes), hintText)
	}
	return nil
}

// checkFolder tells an absent file, which is closed, from an absent folder, which is open.
func (b *Breaker) checkFolder() error {
	info, err := os.Stat(b.folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return b.broken(errors.New("its folder is missing"), hintMake)
	case err != nil:
		return b.broken(bare(err), hintMake)
	case !info.IsDir():
		return b.broken(errors.New("its folder is no folder"), hintMake)
	}
	return nil
}

// same reports whether the file is as it was: what Check goes by instead of reading.
func same(a, b fs.FileInfo) bool {
	return a.Size() == b.Size() && a.Mode() == b.Mode() && a.ModTime().Equal(b.ModTime()) && os.SameFile(a, b)
}

// write puts s on the disk in the place of old, nil for none, and reads it back. landed says that the file was replaced,
// even where an error followed. The caller holds the lock and mu.
func (b *Breaker) write(s state, old fs.FileInfo) (landed bool, err error) {
	temp := b.path + ".tmp"
	if err := b.writeTemp(temp, s, old); err != nil {
		return false, fmt.Errorf("breaker file %q: the count cannot be written: %w; it counts as open: make room or let the server write beside it", b.path, bare(err))
	}
	if err := b.sys.rename(temp, b.path); err != nil {
		_ = os.Remove(temp)
		return false, fmt.Errorf("breaker file %q: the count cannot be put in its place: %w; it counts as open: let the server replace it", b.path, bare(err))
	}
	// A rename that is not on the disk can be undone by a crash of the machine, and an open breaker would be closed again.
	if err := b.sys.syncFolder(b.folder); err != nil {
		b.known.Store(nil)
		return true, fmt.Errorf("folder %q of the breaker file: its change cannot be brought to the disk: %w", b.folder, bare(err))
	}
	k, err := b.read()
	if err == nil && k.state != s {
		b.known.Store(nil)
		err = b.broken(errors.New("it does not hold what was just written"), "use a file system that keeps what it is given, and no writer beside it")
	}
	return true, err
}

// writeTemp makes the temporary file, durable and ready to be renamed.
func (b *Breaker) writeTemp(temp string, s state, old fs.FileInfo) error {
	folder, err := os.Stat(b.folder)
	if err != nil {
		return err
	}
	if folder.Mode()&folderBits != folderBits {
		// As with the file: root could write here, its owner cannot.
		return fmt.Errorf("its folder has mode %04o, which keeps its owner from writing", folder.Mode().Perm())
	}
	// What a killed process left behind goes first; then O_EXCL, which neither follows nor opens anything that is there.
	if err := os.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL|openFlags, 0o600)
	if err != nil {
		return err
	}
	info, err := b.fill(f, s, old, folder)
	if err2 := f.Close(); err == nil {
		err = err2
	}
	if err == nil && old != nil {
		err = later(temp, info, old.ModTime())
	}
	if err != nil {
		_ = os.Remove(temp)
	}
	return err
}

// fill writes the state to f, with the mode bits and the owner of the file that it is to replace.
func (b *Breaker) fill(f *os.File, s state, old, folder fs.FileInfo) (fs.FileInfo, error) {
	if _, err := f.Write(s.text()); err != nil {
		return nil, err
	}
	like := folder
	if old != nil {
		like = old
		if mode := old.Mode().Perm() | 0o600; mode != 0o600 {
			if err := f.Chmod(mode); err != nil {
				return nil, err
			}
		}
	}
	if err := b.sys.giveTo(f, like); err != nil {
		return nil, err
	}
	if err := f.Sync(); err != nil {
		return nil, err
	}
	return f.Stat()
}

// later makes sure that the file at path was changed after old was, by the file system's own clock. Inodes come back, and
// two changes can fall into one tick of that clock: without this, a reader that slept through both could take the second
// file for the one it knows.
func later(path string, info fs.FileInfo, old time.Time) (err error) {
	for step := time.Microsecond; !info.ModTime().After(old); step *= 10 {
		if step > time.Minute {
			return fmt.Errorf("its time of change cannot be set past %s", old.Format(time.RFC3339Nano))
		}
		if err = os.Chtimes(path, time.Time{}, old.Add(step)); err != nil {
			return err
		}
		if info, err = os.Lstat(path); err != nil {
			return err
		}
	}
	return nil
}

// record appends the line of a reset to the log and brings it to the disk.
func (b *Breaker) record(why string, now time.Time) error {
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(struct {
		When string `json:"when"`
		Why  string `json:"why"`
	}{now.UTC().Format(time.RFC3339Nano), why}); err != nil {
		return err
	}
	f, err := b.openBeside(b.path+".log", os.O_APPEND)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	text := line.Bytes()
	if size := info.Size(); size > 0 {
		// A line that was cut off by a full disk must not swallow this one.
		var last [1]byte
		if _, err := f.ReadAt(last[:], size-1); err != nil {
			return err
		}
		if last[0] != '\n' {
			text = append([]byte{'\n'}, text...)
		}
	}
	if _, err := f.Write(text); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return b.sys.syncFolder(b.folder)
}

// kind names what stands where a plain file is wanted.
func kind(mode fs.FileMode) string {
	switch mode.Type() {
	case fs.ModeDir:
		return "a folder"
	case fs.ModeSymlink:
		return "a symbolic link"
	case fs.ModeNamedPipe:
		return "a FIFO"
	case fs.ModeSocket:
		return "a socket"
	case fs.ModeDevice, fs.ModeDevice | fs.ModeCharDevice:
		return "a device"
	}
	return "something that is no plain file"
}

// bare drops the operation and the path that package os puts around an error, since the message names the file itself.
func bare(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return e.Err
	}
	return err
}
