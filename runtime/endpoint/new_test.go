package endpoint

import (
	"strings"
	"testing"
)

func TestNewRefuses(t *testing.T) {
	for _, tt := range []struct{ url, want string }{
		{"", `got scheme ""`},
		{"status.example.invalid/health", "want https"},
		{"http://status.example.invalid/health", "http for host"},
		{"http://10.0.0.1/", "http for host"},
		{"HTTPS://status.example.invalid/", `got scheme "HTTPS"`},
		{"ftp://status.example.invalid/", `got scheme "ftp"`},
		{"unix:///var/run/docker.sock", `got scheme "unix"`},
		{"file:///etc/passwd", `got scheme "file"`},
		{"https:status", `got scheme "https:status"`},
		{"https:///health", "want a name or an IP"},
		{"https://:443/", "want a name or an IP"},
		{"https://u:p@status.example.invalid/", "user information"},
		{"https://@status.example.invalid/", "user information"},
		{"https://status.example.invalid/#", "fragment"},
		{"https://status.example.invalid/a#b", "fragment"},
		{"https://localhost/", "literal loopback IP"},
		{"http://localhost:8080/", "literal loopback IP"},
		{"https://LOCALHOST./", "literal loopback IP"},
		{"https://a.localhost/", "literal loopback IP"},
		{"http://127.1/", "usual spelling"},
		{"https://2130706433/", "usual spelling"},
		{"https://0x7f000001/", "usual spelling"},
		{"https://0x7f.0.0.0x1/", "usual spelling"},
		{"https://127.0.0.01/", "usual spelling"},
		{"https://017700000001/", "usual spelling"},
		{"https://1.2.3.4.5./", "usual spelling"},
		{"https://[fe80::1%25eth0]/", "escaped host"},
		{"https://a b/", "byte 0x20"},
		{"https://st\u00e4tus.example.invalid/", "byte 0xc3"},
		{"https://status.example.invalid/a\r\nX: y", "byte 0x0d"},
		{"https://status.example.invalid/\x7f", "byte 0x7f"},
		{"https://%C3%A4.example.invalid/", "escaped host"},
		{"https://status.example.invalid:x/", "want a URL"},
		{"https://status.example.invalid/%zz", "want a URL"},
		{"https://evil\\@status.example.invalid/", "want a URL"},
		{"https://[::1/", "want a URL"},
	} {
		_, err := New(tt.url, 1)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: got %v, want %q", tt.url, err, tt.want)
		}
	}
	for _, max := range []int{0, -1} {
		if _, err := New("https://status.example.invalid/", max); err == nil {
			t.Errorf("a cap of %d: got no error", max)
		}
	}
}

func TestNewAccepts(t *testing.T) {
	for _, tt := range []struct{ url, uri, literal string }{
		{"https://status.example.invalid", "/", ""},
		{"https://status.example.invalid?a=1", "/?a=1", ""},
		{"https://status.example.invalid/health?", "/health?", ""},
		{"https://Status.Example.Invalid:8443/health", "/health", ""},
		{"https://3com/", "/", ""},
		{"https://8.8.8.8/", "/", "8.8.8.8"},
		{"https://10.0.0.1/", "/", "10.0.0.1"},
		{"http://127.0.0.1:80/", "/", "127.0.0.1"},
		{"http://[::1]:80/x", "/x", "::1"},
		{"http://[::ffff:127.0.0.1]/", "/", "127.0.0.1"},
		{"https://h.invalid//a//b", "//a//b", ""},
		{"https://h.invalid/a/../b/./c", "/a/../b/./c", ""},
		{"https://h.invalid/a%2fb%2Fc%41", "/a%2fb%2Fc%41", ""},
		{`https://h.invalid/"<>\^` + "`{|}", `/"<>\^` + "`{|}", ""},
		{"https://h.invalid/;a=1:@!$&'()*+,", "/;a=1:@!$&'()*+,", ""},
		{"https://h.invalid/?q=%20+&&==?/\"%zz", "/?q=%20+&&==?/\"%zz", ""},
	} {
		e, err := New(tt.url, 1)
		if err != nil {
			t.Errorf("%q: %v", tt.url, err)
			continue
		}
		if got := e.target.RequestURI(); got != tt.uri {
			t.Errorf("%q: sends %q, want %q", tt.url, got, tt.uri)
		}
		if tt.literal != "" && e.literal.String() != tt.literal || tt.literal == "" && e.literal.IsValid() {
			t.Errorf("%q: literal %s, want %q", tt.url, e.literal, tt.literal)
		}
	}
	if _, err := New(`https://h.invalid//"`, 1); err == nil || !strings.Contains(err.Error(), "usual escaped form") {
		t.Errorf("a path that cannot be sent as written: got %v", err)
	}
}
