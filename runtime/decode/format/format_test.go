package format_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/toolfreeze/toolfreeze/runtime/decode/format"
)

type formatCase struct {
	name, text string
	want       bool
}

func formatCases() []formatCase {
	long := strings.Repeat("a", 64)
	return []formatCase{
		{"date", "2026-01-31", true}, {"date", "2024-02-29", true}, {"date", "2000-02-29", true}, {"date", "0000-01-01", true}, {"date", "9999-12-31", true},
		{"date", "2026-02-29", false}, {"date", "1900-02-29", false}, {"date", "2026-04-31", false}, {"date", "2026-13-01", false}, {"date", "2026-00-01", false},
		{"date", "2026-01-00", false}, {"date", "2026-1-31", false}, {"date", "20260131", false}, {"date", "", false}, {"date", "2026-01-31 ", false}, {"date", "+026-01-31", false},
		{"date-time", "2026-01-31T15:04:05Z", true}, {"date-time", "2026-01-31t15:04:05.1234567890123z", true}, {"date-time", "2026-01-31T15:04:05-23:59", true},
		{"date-time", "1998-12-31T23:59:60Z", true}, {"date-time", "1998-12-31T15:59:60.123-08:00", true}, {"date-time", "1999-01-01T07:59:60+08:00", true},
		{"date-time", "1998-12-31T22:59:60Z", false}, {"date-time", "1998-12-31T23:59:60-08:00", false}, {"date-time", "1998-12-31T23:59:61Z", false},
		{"date-time", "2026-01-31 15:04:05Z", false}, {"date-time", "2026-01-31T15:04:05", false}, {"date-time", "2026-01-31T15:04Z", false}, {"date-time", "2026-01-31T24:00:00Z", false},
		{"date-time", "2026-01-31T15:60:05Z", false}, {"date-time", "2026-01-31T15:04:05.Z", false}, {"date-time", "2026-01-31T15:04:05,5Z", false}, {"date-time", "2026-01-31T15:04:05+24:00", false},
		{"date-time", "2026-01-31T15:04:05+0100", false}, {"date-time", "2026-01-31T15:04:05+01:00 ", false}, {"date-time", "2026-02-30T15:04:05Z", false},
		{"date-time", "2026-01-31T+1:+2:+3Z", false},
		{"uri", "https://example.com/a?b#c", true}, {"uri", "urn:isbn:1", true}, {"uri", "mailto:a@example.com", true}, {"uri", "http://[2001:db8::1]:80/", true},
		{"uri", "/a", false}, {"uri", "example.com", false}, {"uri", "http://a b/", false}, {"uri", "http://[::g]/", false}, {"uri", "://a", false}, {"uri", "http://%zz/", false}, {"uri", "", false},
		{"uri", "http:/[::1]", false}, {"uri", "http:/a://[b]", false}, {"uri", "http://a/[b]", false}, {"uri", "http://a/?[b]", false}, {"uri", "http://a/#b#", false}, {"uri", "http://a/?b%2", false},
		{"uri", "http://é/", false}, {"uri", "http://a/\\", false}, {"uri", "http://user@a:80/%C3%A9;b?c=[", false},
		{"uuid", "123e4567-e89b-12d3-a456-426614174000", true}, {"uuid", "00000000-0000-0000-0000-000000000000", true}, {"uuid", "ABCDEFab-cdef-ABCD-EFab-cdefABCDEFab", true},
		{"uuid", "123e4567e89b12d3a456426614174000", false}, {"uuid", "123e4567-e89b-12d3-a456-42661417400g", false}, {"uuid", "123e4567-e89b-12d3-a456-4266141740000", false}, {"uuid", "123e4567-e89b-12d3a-456-426614174000", false},
		{"email", "name@example.com", true}, {"email", "a.b+c@x", true}, {"email", `"a b"@example.com`, true}, {"email", `"a@b"@example.com`, true}, {"email", "a@[127.0.0.1]", true}, {"email", "a@[IPv6:::1]", true},
		{"email", long + "@example.com", true}, {"email", "a" + long + "@example.com", false}, {"email", "a@" + long + ".com", false}, {"email", "a@example.com.", true},
		{"email", ".a@example.com", false}, {"email", "a.@example.com", false}, {"email", "a..b@example.com", false}, {"email", "a b@example.com", false}, {"email", "é@example.com", false},
		{"email", "a@-x.com", false}, {"email", "a@x-.com", false}, {"email", "a@é.com", false}, {"email", "a@", false}, {"email", "a", false}, {"email", "a@[127.0.0.300]", false}, {"email", `"a"b"@x`, false},
		{"ipv4", "192.0.2.1", true}, {"ipv4", "0.0.0.0", true}, {"ipv4", "255.255.255.255", true}, {"ipv4", "256.0.0.1", false}, {"ipv4", "127.1", false}, {"ipv4", "1.2.3.4.5", false},
		{"ipv4", "01.2.3.4", false}, {"ipv4", "1.2.3.", false}, {"ipv4", "0x7f.0.0.1", false}, {"ipv4", "+1.2.3.4", false}, {"ipv4", "-0.0.0.0", false}, {"ipv4", "1.2.3.4 ", false}, {"ipv4", "", false},
		{"ipv6", "::", true}, {"ipv6", "2001:db8::1", true}, {"ipv6", "::ffff:192.0.2.1", true}, {"ipv6", "fe80::1%eth0", false}, {"ipv6", "::g", false}, {"ipv6", "1.2.3.4", false}, {"ipv6", "[::1]", false}, {"ipv6", "", false},
		{"hostname", "example.com", false}, {"", "", false},
	}
}

func TestCheck(t *testing.T) {
	for _, test := range formatCases() {
		if got := format.Check(test.name, test.text); got != test.want {
			t.Errorf("%s %q: got %v, want %v", test.name, test.text, got, test.want)
		}
	}
}

// TestWant: the example in the words of a format has that format.
func TestWant(t *testing.T) {
	for _, name := range []string{"date", "date-time", "uri", "uuid", "email", "ipv4", "ipv6"} {
		_, example, _ := strings.Cut(format.Want(name), "such as ")
		if !format.Check(name, example) {
			t.Errorf("%s: got the example %q, which has not that format", name, example)
		}
	}
}

// TestSuite runs the format tests of the JSON Schema test suite.
func TestSuite(t *testing.T) {
	data := os.Getenv("TOOLFREEZE_DATA")
	if data == "" {
		t.Skip("TOOLFREEZE_DATA is not set: the JSON Schema test suite is not read")
	}
	for _, name := range []string{"date", "date-time", "uri", "uuid", "email", "ipv4", "ipv6"} {
		text, err := os.ReadFile(filepath.Join(data, "conformance", "json-schema-draft2020-12", "optional", "format", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var groups []struct {
			Tests []struct {
				Description string
				Data        any
				Valid       bool
			}
		}
		if err := json.Unmarshal(text, &groups); err != nil {
			t.Fatal(err)
		}
		for _, g := range groups {
			for _, test := range g.Tests {
				if s, ok := test.Data.(string); ok && format.Check(name, s) != test.Valid {
					t.Errorf("%s %q: got %v, want %v (%s)", name, s, !test.Valid, test.Valid, test.Description)
				}
			}
		}
	}
}

func TestTime(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"2026-01-31T15:04:05Z", "2026-01-31T15:04:05Z"}, {"2026-01-31T15:04:05.5Z", "2026-01-31T15:04:05.5Z"},
		{"2026-01-31T15:04:05.123456789-23:59", "2026-01-31T15:04:05.123456789-23:59"}, {"0000-01-01T00:00:00+00:00", "0000-01-01T00:00:00Z"},
		{"9999-12-31T23:59:59.999999999+05:30", "9999-12-31T23:59:59.999999999+05:30"}, {"2026-01-31T15:04:05-00:00", "2026-01-31T15:04:05Z"},
		{"2026-01-31t15:04:05Z", ""}, {"2026-01-31T15:04:05z", ""}, {"2026-01-31T15:04:05.1234567890Z", ""}, {"2026-01-31T15:04:05,5Z", ""},
		{"1998-12-31T23:59:60Z", ""}, {"2026-01-31T15:04:05.Z", ""}, {"2026-01-31T15:04:05+24:00", ""}, {"2026-02-30T15:04:05Z", ""}, {"", ""},
	} {
		got, ok := format.Time(test.text)
		if ok != (test.want != "") || ok && got.Format(time.RFC3339Nano) != test.want {
			t.Errorf("%q: got %s %v, want %q", test.text, got.Format(time.RFC3339Nano), ok, test.want)
		}
	}
}

// FuzzTime: what Time accepts is a date-time, and is the time that package time reads.
func FuzzTime(f *testing.F) {
	for _, c := range formatCases() {
		if c.name == "date-time" {
			f.Add(c.text)
		}
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, ok := format.Time(s)
		if !ok {
			return
		}
		want, err := time.Parse(time.RFC3339Nano, s)
		if err != nil || !got.Equal(want) || !format.Check("date-time", s) {
			t.Fatalf("%q: got %s, want %s (%v)", s, got, want, err)
		}
	})
}

func ExampleCheck() {
	for _, address := range []string{"192.0.2.1", "127.1"} {
		fmt.Println(format.Check("ipv4", address))
	}
	// Output:
	// true
	// false
}
