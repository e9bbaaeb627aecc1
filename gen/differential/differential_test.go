package differential_test

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/toolfreeze/toolfreeze/gen/freezefile"
	"github.com/toolfreeze/toolfreeze/gen/toolschema"
	"github.com/toolfreeze/toolfreeze/runtime/catalog"
	"github.com/toolfreeze/toolfreeze/runtime/decode"
	"github.com/toolfreeze/toolfreeze/runtime/verdict"
)

// subject is one catalog with its three readers, the driver aside.
type subject struct {
	c       *catalog.Catalog
	program *decode.Program
	oracle  *oracle
	pools   map[*catalog.Type]*pool
}

// newSubject prepares a catalog that passed its checks.
func newSubject(c *catalog.Catalog) (*subject, error) {
	s := &subject{c: c}
	var err error
	if s.program, err = decode.Compile(c); err != nil {
		return nil, err
	}
	if s.oracle, err = newOracle(c); err != nil {
		return nil, err
	}
	s.pools = pools(c, s.program)
	return s, nil
}

// documents is how many documents the test makes: few, or as many as TOOLFREEZE_DIFF says.
func documents(t *testing.T) int {
	text := os.Getenv("TOOLFREEZE_DIFF")
	if text == "" {
		return 40_000
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("TOOLFREEZE_DIFF: got %q, want a number of documents", text)
	}
	return n
}

// subjects is the freeze of testdata and n catalogs that are drawn, the same ones each time.
func subjects(t *testing.T, n int) []*subject {
	f, err := freezefile.Read(filepath.Join("testdata", "corners.freeze.toml"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := newSubject(f.Catalog)
	if err != nil {
		t.Fatal(err)
	}
	all := []*subject{s}
	dropped := 0
	for seed := 1; len(all) <= n; seed++ {
		c := catalogs().Example(seed)
		withDefaults(seed, c)
		if problems := c.Check(); problems != nil {
			t.Logf("catalog %d: %s: %s", seed, strings.Join(problems[0].At, "."), problems[0].Text)
			if dropped++; dropped > 5+n/5 {
				t.Fatalf("%d of %d catalogs do not pass their checks: the generator is broken", dropped, seed)
			}
			continue
		}
		s, err := newSubject(c)
		if err != nil {
			t.Fatalf("catalog %d: %v\n%s", seed, err, c.JSON())
		}
		all = append(all, s)
	}
	t.Logf("%d catalogs, %d dropped", n, dropped)
	return all
}

// withDefaults gives some optional members of the arguments a default: one that the interpreter accepts, as the loader of
// freezes demands.
func withDefaults(seed int, c *catalog.Catalog) {
	p, err := decode.Compile(c)
	if err != nil {
		return // Check says what is wrong
	}
	rapid.Custom(func(t *rapid.T) bool {
		a := author{t: t, c: c, pools: pools(c, p)}
		var r decode.Reader
		c.Walk(func(at []string, f *catalog.Field, ty *catalog.Type) {
			if f == nil || !f.Optional || !oneIn(t, 3) || slices.Contains(at, "one_of") {
				return
			}
			a.budget = 10
			text := a.value(ty, 5).write(nil, "")
			r.Reset(p, text, len(text))
			p.Value(&r, ty)
			r.End()
			if r.Code() == verdict.OK && string(text) != "null" {
				f.Default = text
			}
		})
		return true
	}).Example(seed)
}

// set sets a flag of the test binary for the time of the test.
func set(t *testing.T, name, value string) {
	old := flag.Lookup(name).Value.String()
	if err := flag.Set(name, value); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := flag.Set(name, old); err != nil {
			t.Error(err)
		}
	})
}

// batch is about how many documents are in the pipe at one time.
const batch = 32

func TestDifferential(t *testing.T) {
	want := documents(t)
	all := subjects(t, min(12+want/20_000, 80))
	var raw []*catalog.Catalog
	for _, s := range all {
		raw = append(raw, s.c)
	}
	run := &comparison{subjects: all, driver: newDriver(t, raw), count: map[string]int{}}
	set(t, "rapid.nofailfile", "true")
	set(t, "rapid.shrinktime", "10s")
	for seed := 1; run.documents < want; seed += 1_000_000_007 {
		set(t, "rapid.checks", strconv.Itoa((want-run.documents)/batch+1))
		set(t, "rapid.seed", strconv.Itoa(seed))
		rapid.Check(t, run.check)
	}
	t.Logf("%9d documents drawn", run.documents)
	for _, name := range slices.Sorted(maps.Keys(run.count)) {
		t.Logf("%9d %s", run.count[name], name)
	}
	for _, name := range wanted() {
		if run.count[name] == 0 && want >= 200_000 {
			t.Errorf("no document was drawn for %q: the generator has lost its edge", name)
		}
	}
}

// comparison holds the three readers against each other and counts what they say.
type comparison struct {
	subjects  []*subject
	driver    *driver
	reader    decode.Reader
	documents int
	count     map[string]int
}

func (c *comparison) check(t *rapid.T) {
	i := 0
	if !oneIn(t, 4) {
		i = upTo(t, len(c.subjects)-1)
	}
	s := c.subjects[i]
	tool := upTo(t, len(s.c.Tools)-1)
	one := rapid.Custom(func(t *rapid.T) string {
		a := author{t: t, c: s.c, pools: s.pools}
		return string(a.document(&s.oracle.roots[tool]))
	})
	var asked []question
	for _, doc := range rapid.SliceOfN(one, batch/2, batch*3/2).Draw(t, "documents") {
		asked = append(asked, question{i, tool, []byte(doc)})
	}
	c.documents += len(asked)
	var accepted []opinion
	var back []question
	for k, got := range c.ask(t, asked) {
		op := c.compare(t, s, asked[k], got)
		c.count["code "+got.Code]++
		for _, why := range op.why {
			c.count[why]++
		}
		if op.code == verdict.OK {
			accepted = append(accepted, op)
			back = append(back, question{i, tool, got.Written})
		}
	}
	for k, got := range c.ask(t, back) {
		c.returned(t, s, accepted[k], back[k], got)
	}
}

func (c *comparison) ask(t *rapid.T, all []question) []answer {
	answers, err := c.driver.ask(all)
	if err != nil {
		t.Fatalf("driver: %v", err)
	}
	return answers
}

// show is a question for a person.
func (s *subject) show(q question) string {
	return fmt.Sprintf("catalog %d, %s\ndocument %q\nschema %s\n", q.catalog, s.c.Tools[q.tool].Name, q.doc, toolschema.Args(s.c, q.tool))
}

// compare holds the generated decoder against the interpreter and the oracle.
func (c *comparison) compare(t *rapid.T, s *subject, q question, got answer) opinion {
	c.reader.Reset(s.program, q.doc, s.c.MaxArgsBytes)
	s.program.Args(&c.reader, q.tool)
	c.reader.End()
	if code := c.reader.Code().String(); got.Code != code || !reflect.DeepEqual(got.Faults, c.reader.Faults()) {
		t.Fatalf("%sgenerated   %s %q\ninterpreted %s %q", s.show(q), got.Code, got.Faults, code, c.reader.Faults())
	}
	op, err := s.oracle.judge(q.tool, q.doc)
	if err != nil {
		t.Fatalf("%s%v", s.show(q), err)
	}
	if got.Code != op.code.String() {
		t.Fatalf("%sgot %s %q, want %s %q", s.show(q), got.Code, got.Faults, op.code, op.why)
	}
	return op
}

// returned holds a document that the generated encoder wrote against what it was read from, and reads it again.
func (c *comparison) returned(t *rapid.T, s *subject, from opinion, q question, got answer) {
	root := &s.oracle.roots[q.tool]
	if !s.oracle.same(root, from.doc.value, parse(q.doc).value) {
		t.Fatalf("%swritten back from %v, which says something else", s.show(q), from.doc.value)
	}
	if op := c.compare(t, s, q, got); op.code != verdict.OK {
		why := s.oracle.excuse(root, from.doc.value, op.code)
		if why == "" {
			t.Fatalf("%swritten back from %v, got %s %q, want it accepted", s.show(q), from.doc.value, got.Code, got.Faults)
		}
		c.count["written back and refused: "+why]++
		return
	}
	if string(got.Written) != string(q.doc) {
		t.Fatalf("%swritten back as %q the second time", s.show(q), got.Written)
	}
	c.count["written back and accepted"]++
}
