package endpoint

import "net/netip"

// span is a range of addresses that a frozen host may not resolve to, and what it is called.
type span struct{ prefix, what string }

// spans4 are the IPv4 ranges of the IANA special-purpose registry that are not globally reachable, multicast, reserved
// space, and metadata services that stand outside them.
func spans4() []span {
	return []span{
		{"0.0.0.0/8", "an unspecified address"},
		{"10.0.0.0/8", "a private address"},
		{"100.64.0.0/10", "a shared address"}, // with the metadata service 100.100.100.200
		{"127.0.0.0/8", "a loopback address"},
		{"168.63.129.16/32", "a metadata address"},
		{"169.254.0.0/16", "a link-local address"}, // with the metadata service 169.254.169.254
		{"172.16.0.0/12", "a private address"},
		{"192.0.0.0/24", "a reserved address"}, // with the metadata service 192.0.0.192
		{"192.0.2.0/24", "a documentation address"},
		{"192.88.99.0/24", "a 6to4 relay address"},
		{"192.168.0.0/16", "a private address"},
		{"198.18.0.0/15", "a benchmarking address"},
		{"198.51.100.0/24", "a documentation address"},
		{"203.0.113.0/24", "a documentation address"},
		{"224.0.0.0/4", "a multicast address"},
		{"240.0.0.0/4", "a reserved address"},
	}
}

// spans6 are the ranges inside 2000::/3, the global unicast space, that are refused all the same: those that embed an
// IPv4 address, since the embedded one is what is reached, and those that are never reachable. What is outside 2000::/3
// is refused whole.
func spans6() []span {
	return []span{
		{"2001::/23", "a special-purpose address"}, // Teredo 2001::/32, benchmarking, ORCHID
		{"2001:db8::/32", "a documentation address"},
		{"2002::/16", "a 6to4 address"},
		{"3fff::/20", "a documentation address"},
	}
}

// denied returns what is wrong with a dialled address, "" where it is allowed. literal is the host of the frozen URL where
// that is an IP: it is allowed whatever it is. A range that does not parse denies everything.
func denied(addr, literal netip.Addr) string {
	addr = addr.Unmap().WithZone("")
	switch {
	case !addr.IsValid():
		return "something that is no address"
	case literal.IsValid() && addr == literal.Unmap():
		return ""
	case addr.Is4():
		return within(addr, spans4())
	case !netip.PrefixFrom(netip.AddrFrom16([16]byte{0: 0x20}), 3).Contains(addr):
		return other6(addr)
	}
	return within(addr, spans6())
}

// within returns what the first span that holds addr is called, "" where none does.
func within(addr netip.Addr, spans []span) string {
	for _, s := range spans {
		p, err := netip.ParsePrefix(s.prefix)
		if err != nil || p.Contains(addr) {
			return s.what
		}
	}
	return ""
}

// other6 names an address outside 2000::/3.
func other6(addr netip.Addr) string {
	switch {
	case addr.IsLoopback():
		return "a loopback address"
	case addr.IsUnspecified():
		return "an unspecified address"
	case addr.IsPrivate():
		return "a private address"
	case addr.IsLinkLocalUnicast():
		return "a link-local address"
	case addr.IsMulticast():
		return "a multicast address"
	}
	return within(addr, []span{
		{"64:ff9b::/96", "a NAT64 address"},
		{"64:ff9b:1::/48", "a NAT64 address"},
		{"::/0", "an address outside the global range"},
	})
}
