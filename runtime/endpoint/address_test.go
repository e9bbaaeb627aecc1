package endpoint

import (
	"net/netip"
	"strings"
	"testing"
)

func TestDenied(t *testing.T) {
	for _, tt := range []struct{ addr, want string }{
		{"8.8.8.8", ""}, {"1.1.1.1", ""}, {"93.184.216.34", ""}, {"192.0.1.1", ""}, {"223.255.255.255", ""},
		{"0.0.0.0", "unspecified"}, {"0.255.255.255", "unspecified"}, {"1.0.0.0", ""},
		{"9.255.255.255", ""}, {"10.0.0.0", "private"}, {"10.255.255.255", "private"}, {"11.0.0.0", ""},
		{"100.63.255.255", ""}, {"100.64.0.0", "shared"}, {"100.100.100.200", "shared"}, {"100.127.255.255", "shared"}, {"100.128.0.0", ""},
		{"126.255.255.255", ""}, {"127.0.0.0", "loopback"}, {"127.0.0.1", "loopback"}, {"127.255.255.255", "loopback"}, {"128.0.0.0", ""},
		{"168.63.129.15", ""}, {"168.63.129.16", "metadata"}, {"168.63.129.17", ""},
		{"169.253.255.255", ""}, {"169.254.0.0", "link-local"}, {"169.254.169.254", "link-local"}, {"169.254.255.255", "link-local"}, {"169.255.0.0", ""},
		{"172.15.255.255", ""}, {"172.16.0.0", "private"}, {"172.31.255.255", "private"}, {"172.32.0.0", ""},
		{"191.255.255.255", ""}, {"192.0.0.0", "reserved"}, {"192.0.0.192", "reserved"}, {"192.0.0.255", "reserved"},
		{"192.0.2.1", "documentation"}, {"192.0.3.0", ""}, {"192.88.98.255", ""}, {"192.88.99.1", "6to4"}, {"192.88.100.0", ""},
		{"192.167.255.255", ""}, {"192.168.0.0", "private"}, {"192.168.255.255", "private"}, {"192.169.0.0", ""},
		{"198.17.255.255", ""}, {"198.18.0.0", "benchmarking"}, {"198.19.255.255", "benchmarking"}, {"198.20.0.0", ""},
		{"198.51.100.7", "documentation"}, {"203.0.113.255", "documentation"}, {"203.0.114.0", ""},
		{"224.0.0.1", "multicast"}, {"239.255.255.255", "multicast"}, {"240.0.0.0", "reserved"}, {"255.255.255.255", "reserved"},

		{"2606:4700:4700::1111", ""}, {"2a00:1450:4001:81b::200e", ""}, {"2000::", ""}, {"2001:200::1", ""}, {"3fff:1000::", ""},
		{"::", "unspecified"}, {"::1", "loopback"}, {"::2", "outside"}, {"::10.0.0.1", "outside"}, {"::8.8.8.8", "outside"},
		{"::ffff:10.0.0.1", "private"}, {"::ffff:127.0.0.1", "loopback"}, {"::ffff:169.254.169.254", "link-local"}, {"::ffff:0.0.0.0", "unspecified"}, {"::ffff:8.8.8.8", ""},
		{"64:ff9b::10.0.0.1", "NAT64"}, {"64:ff9b::169.254.169.254", "NAT64"}, {"64:ff9b::8.8.8.8", "NAT64"}, {"64:ff9b::", "NAT64"},
		{"64:ff9b:1::10.0.0.1", "NAT64"}, {"64:ff9b:1:ffff::1", "NAT64"}, {"64:ff9b:2::1", "outside"},
		{"100::1", "outside"}, {"1fff:ffff::", "outside"}, {"4000::", "outside"}, {"5f00::1", "outside"},
		{"2001::1", "special"}, {"2001:0:4136:e378:8000:63bf:3fff:fdd2", "special"}, {"2001:2::1", "special"}, {"2001:20::1", "special"}, {"2001:1ff:ffff::", "special"},
		{"2001:db8::1", "documentation"}, {"3fff::1", "documentation"}, {"3fff:fff::1", "documentation"},
		{"2002:a00:1::1", "6to4"}, {"2002:7f00:1::", "6to4"}, {"2002:808:808::1", "6to4"},
		{"fc00::1", "private"}, {"fd00:ec2::254", "private"}, {"fdff:ffff::", "private"}, {"fe80::1", "link-local"}, {"febf::1", "link-local"},
		{"fe80::1%eth0", "link-local"}, {"::1%lo", "loopback"}, {"fec0::1", "outside"}, {"ff02::1", "multicast"},
	} {
		got := denied(netip.MustParseAddr(tt.addr), netip.Addr{})
		if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.addr, got, tt.want)
		}
	}
	if denied(netip.Addr{}, netip.Addr{}) == "" {
		t.Error("no address at all is allowed")
	}
}

func TestDeniedLiteral(t *testing.T) {
	for _, tt := range []struct {
		addr, literal string
		allowed       bool
	}{
		{"127.0.0.1", "127.0.0.1", true},
		{"::ffff:127.0.0.1", "127.0.0.1", true},
		{"127.0.0.1", "::ffff:127.0.0.1", true},
		{"::1", "::1", true},
		{"10.0.0.7", "10.0.0.7", true},
		{"127.0.0.2", "127.0.0.1", false},
		{"::1", "127.0.0.1", false},
		{"169.254.169.254", "8.8.8.8", false},
	} {
		got := denied(netip.MustParseAddr(tt.addr), netip.MustParseAddr(tt.literal))
		if (got == "") != tt.allowed {
			t.Errorf("%s with the literal %s: got %q", tt.addr, tt.literal, got)
		}
	}
}

// TestSpansParse: a span that does not parse would deny everything; here it has a name.
func TestSpansParse(t *testing.T) {
	for _, s := range append(spans4(), spans6()...) {
		p, err := netip.ParsePrefix(s.prefix)
		if err != nil || p != p.Masked() {
			t.Errorf("%s: got %v, %v", s.prefix, p, err)
		}
	}
}

func FuzzDenied(f *testing.F) {
	for _, s := range []string{"10.0.0.1", "8.8.8.8", "64:ff9b::1", "::ffff:127.0.0.1", "2606:4700::1"} {
		b := netip.MustParseAddr(s).As16()
		f.Add(b[:])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		addr, ok := netip.AddrFromSlice(b)
		if !ok || denied(addr, netip.Addr{}) != "" {
			return
		}
		// The standard library's own words for what must not be reached.
		a := addr.Unmap()
		if a.IsPrivate() || a.IsLoopback() || a.IsLinkLocalUnicast() || a.IsMulticast() || a.IsUnspecified() || !a.IsGlobalUnicast() {
			t.Errorf("%s is allowed", addr)
		}
	})
}
