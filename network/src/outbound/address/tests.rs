use proptest::prelude::{any, proptest};

use super::*;

/// The special-purpose registries of IANA, IPv4, as first and last address and the column
/// «globally reachable». Written down apart from the table under test, in another form.
const REGISTRY_V4: &[(&str, &str, bool)] = &[
    ("0.0.0.0", "0.255.255.255", false),
    ("10.0.0.0", "10.255.255.255", false),
    ("100.64.0.0", "100.127.255.255", false),
    ("127.0.0.0", "127.255.255.255", false),
    ("169.254.0.0", "169.254.255.255", false),
    ("172.16.0.0", "172.31.255.255", false),
    ("192.0.0.0", "192.0.0.255", false),
    ("192.0.0.9", "192.0.0.9", true),
    ("192.0.0.10", "192.0.0.10", true),
    ("192.0.2.0", "192.0.2.255", false),
    ("192.31.196.0", "192.31.196.255", true),
    ("192.52.193.0", "192.52.193.255", true),
    // Deprecated by RFC 7526; the registry says «not applicable».
    ("192.88.99.0", "192.88.99.255", false),
    ("192.168.0.0", "192.168.255.255", false),
    ("192.175.48.0", "192.175.48.255", true),
    ("198.18.0.0", "198.19.255.255", false),
    ("198.51.100.0", "198.51.100.255", false),
    ("203.0.113.0", "203.0.113.255", false),
    // Multicast has a registry of its own.
    ("224.0.0.0", "239.255.255.255", false),
    ("240.0.0.0", "255.255.255.255", false),
];

/// The same for IPv6. What is outside `2000::/3` and not listed is not handed out.
const REGISTRY_V6: &[(&str, &str, bool)] = &[
    ("::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", false),
    ("64:ff9b::", "64:ff9b::ffff:ffff", true),
    ("64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff", false),
    ("100::", "100::ffff:ffff:ffff:ffff", false),
    ("100:0:0:1::", "100:0:0:1:ffff:ffff:ffff:ffff", false),
    ("2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", false),
    ("2001:1::1", "2001:1::3", true),
    ("2001:3::", "2001:3:ffff:ffff:ffff:ffff:ffff:ffff", true),
    ("2001:4:112::", "2001:4:112:ffff:ffff:ffff:ffff:ffff", true),
    ("2001:20::", "2001:3f:ffff:ffff:ffff:ffff:ffff:ffff", true),
    (
        "2001:db8::",
        "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff",
        false,
    ),
    ("2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", false),
    (
        "2620:4f:8000::",
        "2620:4f:8000:ffff:ffff:ffff:ffff:ffff",
        true,
    ),
    ("3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", false),
    ("4000::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", false),
];

/// Returns the answer of the registries: the narrowest entry that holds the address decides.
fn globally_routable(address: IpAddr) -> bool {
    let (registry, value) = match address {
        IpAddr::V4(address) => (REGISTRY_V4, u128::from(u32::from(address))),
        IpAddr::V6(address) => (REGISTRY_V6, u128::from(address)),
    };
    registry
        .iter()
        .map(|(first, last, global)| (number(first), number(last), *global))
        .filter(|(first, last, _)| (*first..=*last).contains(&value))
        .min_by_key(|(first, last, _)| last - first)
        .is_none_or(|(_, _, global)| global)
        && carried(address).is_none_or(globally_routable)
}

/// The IPv4 address that a well-known NAT64 address carries.
fn carried(address: IpAddr) -> Option<IpAddr> {
    let value = number("64:ff9b::");
    match address {
        IpAddr::V6(address) if u128::from(address) >> 32 == value >> 32 => {
            let low = u32::try_from(u128::from(address) & 0xffff_ffff).unwrap();
            Some(IpAddr::V4(low.into()))
        }
        IpAddr::V4(_) | IpAddr::V6(_) => None,
    }
}

fn number(text: &str) -> u128 {
    match text.parse::<IpAddr>().unwrap() {
        IpAddr::V4(address) => u32::from(address).into(),
        IpAddr::V6(address) => address.into(),
    }
}

#[track_caller]
fn allowed_only_if_routable(address: IpAddr) {
    let is_allowed = Policy::default().judge(address).is_ok();
    assert!(
        !is_allowed || globally_routable(address),
        "{address} is allowed and not globally routable"
    );
}

proptest! {
    #[test]
    fn only_globally_routable_ipv4_is_allowed(bits in any::<u32>()) {
        allowed_only_if_routable(IpAddr::V4(bits.into()));
    }

    #[test]
    fn only_globally_routable_ipv6_is_allowed(bits in any::<u128>(), high in 0_u128..16) {
        allowed_only_if_routable(IpAddr::V6(bits.into()));
        // Half of all random addresses lie far from the blocks of interest; these do not.
        let near = (0x2001 + high - 2) << 112 | (bits >> 16);
        allowed_only_if_routable(IpAddr::V6(near.into()));
    }

    #[test]
    fn a_translated_address_is_judged_by_its_ipv4_address(bits in any::<u32>()) {
        let inner = IpAddr::V4(bits.into());
        let outer = IpAddr::V6((number("64:ff9b::") | u128::from(bits)).into());
        assert_eq!(
            Policy::default().judge(outer).is_ok(),
            Policy::default().judge(inner).is_ok(),
            "{outer}"
        );
    }

    #[test]
    fn a_mapped_compatible_or_6to4_address_is_never_allowed(bits in any::<u32>()) {
        let bits = u128::from(bits);
        let forms = [bits, number("::ffff:0:0") | bits, number("2002::") | bits << 80];
        for form in forms {
            assert!(Policy::default().judge(IpAddr::V6(form.into())).is_err());
        }
    }
}

#[test]
fn the_edges_of_every_registered_block_agree_with_the_registry() {
    for (first, last, _) in REGISTRY_V4 {
        for edge in [number(first), number(last)] {
            for value in [edge.wrapping_sub(1), edge, edge + 1] {
                if let Ok(bits) = u32::try_from(value) {
                    allowed_only_if_routable(IpAddr::V4(bits.into()));
                }
            }
        }
    }
    for (first, last, _) in REGISTRY_V6 {
        for edge in [number(first), number(last)] {
            for value in [edge.wrapping_sub(1), edge, edge.wrapping_add(1)] {
                allowed_only_if_routable(IpAddr::V6(value.into()));
            }
        }
    }
}

#[test]
fn every_kind_is_recognised() {
    let table = [
        ("93.184.216.34", AddressKind::Public),
        ("2606:4700:4700::1111", AddressKind::Public),
        ("64:ff9b::8.8.8.8", AddressKind::Public),
        ("0.0.0.0", AddressKind::Unspecified),
        ("::", AddressKind::Unspecified),
        ("10.1.2.3", AddressKind::Private),
        ("172.31.255.255", AddressKind::Private),
        ("192.168.0.1", AddressKind::Private),
        ("fd00::1", AddressKind::Private),
        ("100.64.0.1", AddressKind::Shared),
        ("127.0.0.1", AddressKind::Loopback),
        ("::1", AddressKind::Loopback),
        ("169.254.169.254", AddressKind::LinkLocal),
        ("fe80::1", AddressKind::LinkLocal),
        ("fec0::1", AddressKind::SiteLocal),
        ("224.0.0.1", AddressKind::Multicast),
        ("ff02::1", AddressKind::Multicast),
        ("255.255.255.255", AddressKind::Broadcast),
        ("192.0.2.1", AddressKind::Documentation),
        ("2001:db8::1", AddressKind::Documentation),
        ("3fff::1", AddressKind::Documentation),
        ("198.19.0.1", AddressKind::Benchmarking),
        ("2001:2::1", AddressKind::Benchmarking),
        ("100::1", AddressKind::Discard),
        ("2001::1", AddressKind::Teredo),
        ("2002:7f00:1::", AddressKind::SixToFour),
        ("192.88.99.1", AddressKind::SixToFour),
        ("::ffff:127.0.0.1", AddressKind::Embedded),
        ("::ffff:8.8.8.8", AddressKind::Embedded),
        ("::127.0.0.1", AddressKind::Embedded),
        ("64:ff9b::127.0.0.1", AddressKind::Nat64),
        ("64:ff9b:1::8.8.8.8", AddressKind::Nat64),
        ("240.0.0.1", AddressKind::Reserved),
        ("192.0.0.8", AddressKind::Reserved),
        ("2001:10::1", AddressKind::Reserved),
        ("4000::1", AddressKind::Reserved),
        ("5f00::1", AddressKind::Reserved),
    ];
    for (address, kind) in table {
        assert_eq!(
            AddressKind::from_address(address.parse().unwrap()),
            kind,
            "{address}"
        );
    }
}

#[test]
fn private_networks_open_together_but_never_with_link_local() {
    let policy = Policy {
        allow_private_networks: true,
        allow_cidrs: Vec::new(),
    };
    for open in ["127.0.0.1", "10.0.0.1", "100.64.0.1", "::1", "fd00::1"] {
        assert_eq!(policy.judge(open.parse().unwrap()), Ok(()), "{open}");
    }
    for closed in [
        "169.254.169.254",
        "fe80::1",
        "0.0.0.0",
        "::ffff:127.0.0.1",
        "64:ff9b::10.0.0.1",
    ] {
        assert!(policy.judge(closed.parse().unwrap()).is_err(), "{closed}");
    }
}

#[test]
fn a_block_opens_itself_and_nothing_else() {
    let policy = Policy {
        allow_private_networks: false,
        allow_cidrs: vec!["10.1.0.0/16".parse().unwrap()],
    };
    assert_eq!(policy.judge("10.1.255.255".parse().unwrap()), Ok(()));
    assert_eq!(
        policy.judge("10.2.0.0".parse().unwrap()),
        Err(AddressKind::Private)
    );
    assert_eq!(
        policy.judge("::ffff:10.1.0.1".parse().unwrap()),
        Err(AddressKind::Embedded)
    );
}
