package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"freezegate": func() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }})
}

// The sessions of testdata/freezegate at the root, each a scripted use of the command.
func TestSessions(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "../../testdata/freezegate", RequireExplicitExec: true})
}
