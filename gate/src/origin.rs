//! From where a request comes: the address of the connection, or the one that a trusted proxy reports.
//!
//! A proxy appends the address of its client at the right. So the rightmost address that is no trusted proxy's is the
//! last one that a trusted host has seen; any client may have written what stands left of it. Many proxies know only
//! one of the two headers and pass the other on unchanged: when both are there and disagree, neither is trusted.

use std::net::IpAddr;

use actix_web::http::header::HeaderMap;
use ipnet::IpNet;

/// The most addresses of a header that are read, from the right.
const HOPS_MAX: usize = 32;

/// From where a request comes over a connection from `peer`.
pub fn origin(peer: IpAddr, headers: &HeaderMap, trusted: &[IpNet]) -> IpAddr {
    let peer = peer.to_canonical();
    if !is_trusted(peer, trusted) {
        return peer;
    }
    let report = |name: &str, read: fn(&str) -> Option<IpAddr>| {
        let mut values = headers.get_all(name).peekable();
        values.peek()?;
        // A value that is no text gives no address, like everything that cannot be read.
        let elements = values.flat_map(|value| value.to_str().unwrap_or("?").split(','));
        let hops: Vec<Option<IpAddr>> = elements.map(read).collect();
        Some(rightmost(peer, &hops, trusted))
    };
    match (
        report("x-forwarded-for", address),
        report("forwarded", node),
    ) {
        (Some(one), Some(other)) if one != other => peer,
        (Some(origin), _) | (None, Some(origin)) => origin,
        (None, None) => peer,
    }
}

/// The rightmost address that is no trusted proxy's; behind one that cannot be read, the last that can.
fn rightmost(peer: IpAddr, hops: &[Option<IpAddr>], trusted: &[IpNet]) -> IpAddr {
    let mut last = peer;
    for hop in hops.iter().rev().take(HOPS_MAX) {
        let Some(address) = *hop else { break };
        last = address;
        if !is_trusted(address, trusted) {
            break;
        }
    }
    last
}

/// Returns whether a network of trusted proxies has this address.
pub fn is_trusted(address: IpAddr, trusted: &[IpNet]) -> bool {
    trusted.iter().any(|network| network.contains(&address))
}

/// An address as `X-Forwarded-For` has it, perhaps with a port.
fn address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let bare = match text.strip_prefix('[') {
        Some(text) => text.split_once(']')?.0,
        // One colon separates a port; more of them are an address of IPv6.
        None => match text.split_once(':') {
            Some((address, port)) if !port.contains(':') => address,
            Some(_) | None => text,
        },
    };
    bare.parse::<IpAddr>().ok().map(|it| it.to_canonical())
}

/// The address in an element of `Forwarded` (RFC 7239): `for=192.0.2.1;proto=https`, `For="[2001:db8::1]:4711"`.
fn node(element: &str) -> Option<IpAddr> {
    let mut pairs = element.split(';').filter_map(|pair| pair.split_once('='));
    let (_, value) = pairs.find(|(name, _)| name.trim().eq_ignore_ascii_case("for"))?;
    let value = value.trim();
    let quoted = value.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
    address(quoted.unwrap_or(value))
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{HeaderName, HeaderValue};

    use super::*;

    const PROXIES: [&str; 2] = ["10.0.0.0/8", "fd00::/8"];

    fn seen_from(peer: &str, headers: &[(&str, &str)]) -> String {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(
                HeaderName::from_bytes(name.as_bytes()).unwrap(),
                HeaderValue::from_str(value).unwrap(),
            );
        }
        let trusted = PROXIES.map(|network| network.parse().unwrap());
        origin(peer.parse().unwrap(), &map, &trusted).to_string()
    }

    #[test]
    fn only_a_trusted_proxy_may_set_the_origin() {
        for name in ["X-Forwarded-For", "Forwarded"] {
            let spoofed = [(name, "for=198.51.100.9")];
            assert_eq!(seen_from("203.0.113.5", &spoofed), "203.0.113.5");
        }
        let header = [("X-Forwarded-For", "198.51.100.9")];
        assert_eq!(seen_from("203.0.113.5", &header), "203.0.113.5");
        assert_eq!(seen_from("10.0.0.1", &header), "198.51.100.9");
        assert_eq!(seen_from("::ffff:10.0.0.1", &header), "198.51.100.9");
        assert_eq!(seen_from("fd00::1", &header), "198.51.100.9");
        assert_eq!(seen_from("10.0.0.1", &[]), "10.0.0.1");
    }

    /// The rightmost address that is not of a trusted proxy counts, whatever stands before it.
    #[test]
    fn the_rightmost_address_of_no_trusted_proxy_is_the_origin() {
        for (value, origin) in [
            ("1.1.1.1, 198.51.100.9", "198.51.100.9"),
            ("1.1.1.1, 198.51.100.9, 10.2.3.4", "198.51.100.9"),
            ("10.9.9.9, 198.51.100.9", "198.51.100.9"),
            ("10.9.9.9, 10.8.8.8", "10.9.9.9"),
            ("198.51.100.9:4711", "198.51.100.9"),
            ("2001:db8::7", "2001:db8::7"),
            ("[2001:db8::7]:4711", "2001:db8::7"),
            ("::ffff:198.51.100.9", "198.51.100.9"),
            // Behind what cannot be read, nothing is believed.
            ("198.51.100.9, unknown", "10.0.0.1"),
            ("198.51.100.9, unknown, 10.2.3.4", "10.2.3.4"),
            ("", "10.0.0.1"),
            ("x", "10.0.0.1"),
        ] {
            let header = [("X-Forwarded-For", value)];
            assert_eq!(seen_from("10.0.0.1", &header), origin, "{value}");
        }
        let lines = [
            ("X-Forwarded-For", "1.1.1.1"),
            ("X-Forwarded-For", "198.51.100.9"),
        ];
        assert_eq!(seen_from("10.0.0.1", &lines), "198.51.100.9");
    }

    #[test]
    fn the_forwarded_header_is_read_by_its_standard() {
        for (value, origin) in [
            ("for=198.51.100.9", "198.51.100.9"),
            ("proto=https; For=198.51.100.9;by=10.0.0.1", "198.51.100.9"),
            ("for=1.1.1.1, for=\"[2001:db8::7]:4711\"", "2001:db8::7"),
            ("for=198.51.100.9, for=10.2.3.4", "198.51.100.9"),
            ("for=198.51.100.9, for=_hidden", "10.0.0.1"),
            ("by=198.51.100.9", "10.0.0.1"),
        ] {
            let header = [("Forwarded", value)];
            assert_eq!(seen_from("10.0.0.1", &header), origin, "{value}");
        }
    }

    #[test]
    fn two_headers_that_disagree_are_ignored() {
        let both = |one: &str, other: &str| {
            seen_from(
                "10.0.0.1",
                &[("X-Forwarded-For", one), ("Forwarded", other)],
            )
        };
        assert_eq!(both("198.51.100.9", "for=198.51.100.9"), "198.51.100.9");
        assert_eq!(both("198.51.100.9", "for=1.1.1.1"), "10.0.0.1");
        assert_eq!(both("1.1.1.1", "for=198.51.100.9"), "10.0.0.1");
    }

    #[test]
    fn no_header_is_too_long() {
        let many = vec!["10.1.1.1"; 10_000].join(",");
        let header = [("X-Forwarded-For", many.as_str())];
        assert_eq!(seen_from("10.0.0.1", &header), "10.1.1.1");
    }
}
