//! The guard in front of every request that leaves: what it lets through is globally routable, in every spelling.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use switchboard_network::outbound::address::Policy;
use switchboard_network::outbound::guard::AddressGuard;
use url::{Host, Url};

/// Reads the bytes as a configured address.
pub fn check(data: &[u8]) {
    let Ok(url) = std::str::from_utf8(data).unwrap_or_default().parse::<Url>() else {
        return;
    };
    let guard = AddressGuard::default();
    let verdict = guard.check(&url);
    let again: Url = url.as_str().parse().expect("what a URL prints is one");
    assert_eq!(guard.check(&again), verdict, "{url}");
    let private = AddressGuard::new(Policy {
        allow_private_networks: true,
        allow_cidrs: Vec::new(),
    });
    assert!(verdict.is_err() || private.check(&url).is_ok(), "{url}");
    if let Some(Host::Ipv4(address)) = url.host() {
        spellings_are_judged_alike(&url, address);
    }
    if private.check(&url).is_ok() {
        is_plain(&url);
        let link_local = url.host().is_some_and(|host| match host {
            Host::Ipv4(address) => address.is_link_local(),
            Host::Ipv6(address) => address.is_unicast_link_local(),
            Host::Domain(_) => false,
        });
        assert!(!link_local, "{url}");
    }
    if verdict.is_ok() {
        match url.host().expect("a host") {
            Host::Ipv4(address) => assert!(is_global_v4(address), "{url}"),
            Host::Ipv6(address) => assert!(is_global_v6(address), "{url}"),
            Host::Domain(name) => assert!(is_a_name(name), "{url}"),
        }
    }
}

fn is_plain(url: &Url) {
    assert!(matches!(url.scheme(), "http" | "https"), "{url}");
    assert!(url.username().is_empty() && url.password().is_none());
    assert!(url.fragment().is_none());
    assert!(!matches!(url.port(), Some(0 | 25)), "{url}");
}

/// The forms that the C library takes for the same address.
fn spellings_are_judged_alike(url: &Url, address: Ipv4Addr) {
    let [a, b, c, d] = address.octets();
    let whole = u32::from(address);
    let guard = AddressGuard::default();
    let mapped = format!("[::ffff:{address}]");
    for host in [
        format!("{whole}"),
        format!("0x{whole:x}"),
        format!("0{whole:o}"),
        format!("0x{a:x}.0{b:o}.{c}.{d}"),
        format!("{a}.{}", whole & 0x00ff_ffff),
        format!("{address}."),
        mapped.clone(),
    ] {
        let mut other = url.clone();
        other.set_host(Some(&host)).expect("a host");
        let verdict = guard.check(&other);
        if host == mapped {
            assert!(verdict.is_err(), "{other}");
        } else {
            assert_eq!(verdict, guard.check(url), "{other}");
        }
    }
}

/// Returns whether the standard library, and not our tables, takes this for a public address.
fn is_global_v4(address: Ipv4Addr) -> bool {
    let [a, b, ..] = address.octets();
    let shared = a == 100 && (b & 0xc0) == 64;
    !(a == 0
        || a >= 240
        || shared
        || address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_documentation())
}

fn is_global_v6(address: Ipv6Addr) -> bool {
    if let [0x64, 0xff9b, 0, 0, 0, 0, high, low] = address.segments() {
        return is_global_v4(Ipv4Addr::from(u32::from(high) << 16 | u32::from(low)));
    }
    let embedded = address.to_ipv4().is_some();
    address.segments()[0] >> 13 == 1 && !embedded && IpAddr::from(address).to_canonical().is_ipv6()
}

/// A name that a resolver may be asked for: not this machine, and nothing that a resolver takes for a number.
fn is_a_name(name: &str) -> bool {
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    let last = name.rsplit('.').next().unwrap_or_default();
    let is_local = last == "localhost";
    !(name.is_empty() || is_local || is_a_number(last))
}

/// In the decimal, octal and hexadecimal forms of the C library.
fn is_a_number(label: &str) -> bool {
    match label.strip_prefix("0x") {
        Some(digits) => digits.bytes().all(|byte| byte.is_ascii_hexdigit()),
        None => label.bytes().all(|byte| byte.is_ascii_digit()),
    }
}
