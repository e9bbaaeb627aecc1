// Package workspace is what a path argument becomes: a name inside one folder, in the hands of one call.
//
// A [Workspace] is opened once. For each call of a tool it makes a [Call], and the decoder of the arguments binds each path
// to it. The handler gets a [ReadPath], a [ListPath] or a [WritePath], each with the methods of its access and no others,
// and none can be converted into another. All are dead once their call has ended. Application code makes a path out of a
// name with [At], [In] or [To]; such a path does nothing before the gate has bound it.
//
// # The root
//
// The root is relative to a base folder. It is made where it is missing, with the folders above it up to the base, all
// with mode 0700; the base and an under are never made. The root may be a link. What counts is the folder that it named
// when it was opened: it stays the workspace when it is renamed or when the link is turned.
//
// # Where a path leads
//
// A path is written relative to the root and obeys the lexical rules of package slashpath, which are the same on every
// system. With an under it must lie below that, and so must what it leads to. Links are followed as os.Root does, at most 8
// of them; one that leads out of the root or the under, or that is absolute, is PATH_ESCAPE. The under itself must be made
// of real folders: a link in it is PATH_ESCAPE, since turning it would move the fence. A path equal to the root or to
// its under is for listing only.
//
// On Unix each folder on the way and the file itself must be on the device of the root, else PATH_ESCAPE. A bind mount
// from the same device, which only an administrator can make, looks like a folder. On Windows a mounted volume is a
// reparse point with an absolute target, which os.Root refuses.
//
// [Call.CheckPath] decides before the handler runs, and each operation decides again when it happens, inside folders that
// it holds open: a link that is swapped in later leads nowhere. What stays possible is that another program, which may
// write here, moves a folder away between two system calls of one operation.
//
// # What is read and written
//
// Only regular files are. FIFOs, devices, sockets and folders in a file's place are NOT_REGULAR; they are not opened, and
// where one is swapped in it is opened without waiting and refused before a byte is read. A file that has a second name,
// a hard link, is not written (NOT_REGULAR), since it may be a file of somebody else. It can be read: a tool cannot make
// hard links, and whoever made this one put the content here. Reads and writes over their caps are TOO_LARGE; of a file
// that is over the cap nothing is read, and nothing is written.
//
// A write replaces the file as a whole. The content goes to a temporary file in the same folder, is flushed to disk, and
// takes its name by a rename, so that nobody ever sees half a file; whatever fails before leaves the old file as it was and
// takes the temporary file away. The permission bits of a replaced file are kept, and one without a write bit for
// its owner is not replaced. Owner, access lists, and extended attributes are those of a new file. New files have mode 0644
// and new folders 0755, less the umask: the mode of the root says who may come in.
//
// The names of temporary files begin with ".toolfreeze-" and hold 130 random bits. Paths with such a part are BAD_PATH in
// either case of letters, and lists leave them out. One that outlived a crash may be deleted by hand.
//
// # Errors
//
// A refusal carries PATH_ESCAPE, NOT_REGULAR or TOO_LARGE, which the gate takes over where the handler returns it,
// wrapped or not; errors.Is(err, verdict.TooLarge) tells them apart. Everything else is a plain error that matches
// fs.ErrNotExist, fs.ErrExist, fs.ErrPermission and so on, fs.ErrClosed after the call, and the cause of the call's context
// once that has ended. No error text holds an absolute path. A plain error's text goes to the operator; [Explain]
// lets the model read the common ones.
package workspace
