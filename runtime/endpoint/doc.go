// Package endpoint is the client of one frozen URL: what the handler of a free_net tool gets instead of the network.
//
// Generated code makes one [Endpoint] a tool with [New] and opens a [Client] for each call. A Client answers one GET or
// HEAD, once, while its call lasts. Nothing that a handler holds can change the URL, the dialer, the resolver or the TLS
// settings, and no exported option does.
//
// # The request
//
// The request is the frozen URL byte for byte, over HTTP/1.1, with the headers Host, "User-Agent: toolfreeze",
// "Connection: close" and, for GET, "Accept-Encoding: gzip", and nothing else: no body, no header of the caller, no cookie.
// A proxy of the environment is not used. Each call makes its own connection and closes it, so that no connection and
// no goroutine outlives a call. Of the contexts only the end is taken and not the values, since a value could carry an
// httptrace hook that is handed the connection.
//
// # The answer
//
//   - Any status that is no redirect is an answer, 404 and 500 too.
//   - 301, 302, 303, 307, 308 and every other 3xx with a Location: REDIRECT_DENIED. It is not followed.
//   - A body of more bytes than max_response_bytes, after decompression: TOO_LARGE.
//   - Headers of more than 64 KiB are a fault of the transport.
//
// # The address
//
// The address is checked when it is dialled, after the name was resolved, so that a name that resolves twice gains
// nothing. Refused with ADDR_DENIED are, whatever the port, for IPv4: 0/8, 10/8, 100.64/10, 127/8, 169.254/16, 172.16/12,
// 192.0.0/24, 192.168/16, 198.18/15, the documentation nets, the 6to4 relays, multicast, 240/4, and 168.63.129.16, which
// is a cloud's metadata address. For IPv6: everything outside 2000::/3 (loopback, link-local, unique local, multicast,
// NAT64 and every embedding of IPv4 among them), and 2001::/23 (Teredo), 2002::/16 (6to4), 2001:db8::/32 and 3fff::/20.
// An address is allowed in spite of that where the frozen URL names it as a literal. Behind NAT64 a host without
// an IPv6 address of its own is therefore out of reach.
//
// # Errors
//
// URL_DENIED, REDIRECT_DENIED, ADDR_DENIED and TOO_LARGE are errors whose code the gate takes over where the handler
// returns them, wrapped or not; errors.Is(err, verdict.TooLarge) tells them apart. Everything else that goes wrong
// between here and the host is a plain error: the gate makes HANDLER_ERROR of it, and TIMEOUT or CANCELLED where
// the call's context has ended.
package endpoint
