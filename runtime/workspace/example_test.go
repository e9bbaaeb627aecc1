package workspace_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/toolfreeze/toolfreeze/runtime/verdict"
	"github.com/toolfreeze/toolfreeze/runtime/workspace"
)

// The generated code opens the workspace and binds the paths; a handler sees the paths only.
func Example() {
	base, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(base)
	ws, err := workspace.Open("./workspace", base, workspace.Limits{MaxReadBytes: 1 << 20, MaxWriteBytes: 1 << 16})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer ws.Close()
	call := ws.Call(context.Background())
	var folder, note workspace.WritePath
	var list workspace.ListPath
	*folder.Bind(call, "") = "notes"
	*note.Bind(call, "notes") = "notes/today.md"
	*list.Bind(call, "") = "notes"

	fmt.Println(folder.Mkdir(), workspace.WriteText(note, "buy milk"))
	entries, err := list.List()
	fmt.Println(entries, err)

	call.Close()
	fmt.Println(note.Remove())
	// Output:
	// <nil> <nil>
	// [{today.md file 8}] <nil>
	// remove "notes/today.md": the call that the path belongs to has ended
}

// What leads out is refused before the handler runs, and again when it is opened.
func ExampleCall_CheckPath() {
	base, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(base)
	ws, err := workspace.Open("workspace", base, workspace.Limits{MaxReadBytes: 1 << 20, MaxWriteBytes: 1 << 16})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer ws.Close()
	if err := os.Symlink(os.TempDir(), filepath.Join(base, "workspace", "tmp")); err != nil {
		fmt.Println(err)
		return
	}
	call := ws.Call(context.Background())
	for _, name := range []string{"notes/today.md", "tmp/x", "../x", "c:/x"} {
		code, want := call.CheckPath(name, "", "read")
		fmt.Printf("%s %q\n", code, want)
	}
	var secret workspace.ReadPath
	*secret.Bind(call, "") = "tmp/x"
	_, err = secret.ReadFile()
	fmt.Println(errors.Is(err, verdict.PathEscape))
	// Output:
	// OK ""
	// PATH_ESCAPE "a path that stays inside, links followed"
	// PATH_ESCAPE "a path inside the workspace; \"..\" leads out of it"
	// BAD_PATH "a path without colons"
	// true
}
