// Package breaker is the state file of the breaker: the count of consecutive refusals that any number of processes share,
// and the switch that opens at the threshold and that only a person closes.
//
// The gate asks [Breaker.Check] before a call, and tells [Breaker.Refuse] of each refusal that counts and [Breaker.Pass] of
// each call that passes. What counts is the gate's business.
//
// # The file
//
//	{"denies": 0, "open": false}
//
// Exactly these two members, in either order, with JSON's white space anywhere. denies is 0 to the threshold, and below it
// where open is false. A file that is not there, in a folder that is, is a closed breaker with the count 0. Everything else
// is an open breaker: a missing folder, an unknown or repeated key, other types, text before or after the object, more than
// 4 KiB, and whatever is not a plain file. A symbolic link is refused too, since it could lead to where a tool can write.
// A file whose mode bits keep its owner from reading or writing it is open even for root, so that the answer does not depend
// on who runs the server.
//
// # Opening and closing
//
// The refusal that brings the count to the threshold opens the breaker. Nothing is written to an open one, and nothing here
// closes it but [Breaker.Reset]; deleting the file does too. Nothing is repaired on the way: an unreadable file stays as it
// is for a person to look at.
//
// A refusal that could not be counted (no lock, a full disk, a read-only folder) is owed: this Breaker counts as open, and
// each further call tries first to count what is owed. It is counted at most once.
//
// # Other files
//
// Beside FILE stand FILE.lock, which is locked for each change and never deleted; FILE.tmp, which a killed process may leave
// behind and the next change takes away; and FILE.log, with one line for each Reset. [Files] lists them. Each change is
// written to FILE.tmp, brought to the disk and renamed over FILE, so that a reader sees the old state or the new one, and a
// process that is killed at any point leaves one of both. A replaced file keeps its mode bits; new ones get 0600. What root
// makes is given to the owner of the file it replaces, or of the folder, so that a reset by root does not lock the server
// out.
//
// # Cost
//
// Check on a file that is as it was when it was read is one lstat: nothing is opened while size, time of change, mode and
// inode stay. Changes never repeat a time of change, however coarse the file system's clock is. Pass adds nothing where the
// count is 0. A refusal writes and waits for the disk: about a millisecond.
//
// # Systems
//
// Locks are flock on Unix and LockFileEx on Windows; where there is neither, every breaker is open as soon as something must
// be counted. They hold between the processes of one machine; whether they hold between machines that share the folder is
// the network file system's promise, not this package's.
package breaker
