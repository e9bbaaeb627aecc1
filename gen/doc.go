// Package gen turns a freeze into Go: freeze bytes in, Go bytes out.
//
// [Run] reads a freeze file through gen/freezefile (which refuses it with every problem it has), finds the Go package of
// its folder, renders one file with gen/emit, type-checks that file in memory with gen/typecheck, and replaces
// freeze_gen.go by a rename only where the bytes differ. On any failure the old file is untouched. The bytes depend on
// the freeze and the package name alone, never on the machine, the time or the version of the tool.
package gen
