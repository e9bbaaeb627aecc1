package gen_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolfreeze/toolfreeze/gen"
)

// manyTools is a freeze of n tools with eight arguments each.
func manyTools(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "[meta]\napi = \"many\"\nmax_tools = %d\nmax_calls_per_request = 8\n", n)
	for i := range n {
		fmt.Fprintf(&b, `
[tools.tool_%d]
description = "Tool number %d does one thing."
cost_class = "local"
max_calls = 2
max_ms = 40
[tools.tool_%d.args]
title = { type = "string", min_length = 1, max_length = 120, description = "The title." }
body = "string?"
priority = { type = "int", minimum = 1, maximum = 5 }
limit = { type = "int", default = 10 }
draft = "bool?"
severity = { type = "string", enum = ["low", "mid", "high"] }
labels = { type = "[]string?", max_items = 5 }
owner = { type = "string?", max_length = 64 }
[tools.tool_%d.result]
id = "int"
`, i, i, i, i)
	}
	return b.String()
}

// BenchmarkRun reads, renders, type-checks and writes freezes of 100, 1,000 and 5,000 tools.
func BenchmarkRun(b *testing.B) {
	for _, n := range []int{100, 1000, 5000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			dir := filepath.Join(b.TempDir(), "many")
			if err := os.Mkdir(dir, 0o755); err != nil {
				b.Fatal(err)
			}
			freeze := filepath.Join(dir, "tools.freeze.toml")
			if err := os.WriteFile(freeze, []byte(manyTools(n)), 0o644); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := gen.Run(freeze); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
