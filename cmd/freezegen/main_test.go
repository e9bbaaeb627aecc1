package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"freezegen": func() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }})
}

// The sessions of testdata/freezegen at the root, each a scripted use of the command.
func TestSessions(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "../../testdata/freezegen", RequireExplicitExec: true})
}
