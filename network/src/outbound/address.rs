//! The IP addresses that a request may go to: a pure table lookup.
//!
//! The rule is default-deny in spirit: an IPv4 address is allowed unless one of the special
//! blocks holds it, an IPv6 address only inside `2000::/3`, the space that is handed out for
//! global unicast. Forms that carry an IPv4 address inside (mapped, NAT64, 6to4) are never a
//! way round: all are refused but the well-known NAT64 prefix, which IPv6-only networks need
//! to reach the IPv4 internet, and that one is judged by what it carries.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

/// The networks that the operator opens beyond the public internet. The default opens nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// Opens the ordinary private networks: private use, shared address space, loopback and
    /// unique local addresses. Link-local stays closed even then, since clouds keep their
    /// credentials there.
    pub allow_private_networks: bool,
    /// Opens exactly these blocks, whatever they are.
    pub allow_cidrs: Vec<IpNet>,
}

impl Policy {
    /// Judges whether a request may go to this address.
    ///
    /// # Errors
    /// The kind of the address, when it is not allowed.
    pub fn judge(&self, address: IpAddr) -> Result<(), AddressKind> {
        let kind = AddressKind::from_address(address);
        let is_open = kind == AddressKind::Public
            || (self.allow_private_networks && kind.is_private_network())
            || self
                .allow_cidrs
                .iter()
                .any(|block| block.contains(&address));
        if is_open { Ok(()) } else { Err(kind) }
    }
}

/// The purpose of an address, after the special-purpose registries of IANA.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum AddressKind {
    /// Globally reachable.
    #[error("a public address")]
    Public,
    /// `0.0.0.0/8` and `::`.
    #[error("an unspecified address")]
    Unspecified,
    /// Private use: `10/8`, `172.16/12`, `192.168/16`, `fc00::/7`.
    #[error("a private address")]
    Private,
    /// Shared address space of carriers (CGNAT), `100.64/10`.
    #[error("a carrier-internal address")]
    Shared,
    /// `127/8` and `::1`.
    #[error("a loopback address")]
    Loopback,
    /// `169.254/16` and `fe80::/10`; cloud metadata services live here.
    #[error("a link-local address")]
    LinkLocal,
    /// The deprecated `fec0::/10`.
    #[error("a site-local address")]
    SiteLocal,
    /// `224/4` and `ff00::/8`.
    #[error("a multicast address")]
    Multicast,
    /// `255.255.255.255`.
    #[error("the broadcast address")]
    Broadcast,
    /// Blocks for examples in documents.
    #[error("a documentation address")]
    Documentation,
    /// `198.18/15` and `2001:2::/48`.
    #[error("a benchmarking address")]
    Benchmarking,
    /// `100::/64` and its neighbour `100:0:0:1::/64`.
    #[error("a discard-only address")]
    Discard,
    /// `2001::/32`, IPv6 tunnelled over UDP.
    #[error("a Teredo address")]
    Teredo,
    /// `2002::/16` and its relays `192.88.99/24`, IPv6 tunnelled over IPv4.
    #[error("a 6to4 address")]
    SixToFour,
    /// `::ffff:0:0/96` and `::/96`: an IPv4 address in IPv6 clothes.
    #[error("an IPv4 address written as IPv6")]
    Embedded,
    /// `64:ff9b::/96` carrying an address that is not public, or `64:ff9b:1::/48`.
    #[error("a translated (NAT64) address of a private network")]
    Nat64,
    /// Everything else that is not handed out, among it `240/4` and `2001::/23`.
    #[error("a reserved address")]
    Reserved,
}

impl AddressKind {
    /// The setting that opens addresses of this kind.
    #[must_use]
    pub const fn setting(self) -> &'static str {
        if self.is_private_network() {
            "dispatch.allow_private_networks"
        } else {
            "dispatch.allow_cidrs"
        }
    }

    /// The kind of an address.
    #[must_use]
    pub fn from_address(address: IpAddr) -> Self {
        match address {
            IpAddr::V4(address) => Self::of_v4(address),
            IpAddr::V6(address) => Self::of_v6(address),
        }
    }

    fn of_v4(address: Ipv4Addr) -> Self {
        V4.iter()
            .find(|(block, _)| block.contains(&address))
            .map_or(Self::Public, |(_, kind)| *kind)
    }

    fn of_v6(address: Ipv6Addr) -> Self {
        if NAT64.contains(&address) {
            let [.., a, b, c, d] = address.octets();
            let carried = Self::of_v4(Ipv4Addr::new(a, b, c, d));
            return if carried == Self::Public {
                carried
            } else {
                Self::Nat64
            };
        }
        V6.iter()
            .find(|(block, _)| block.contains(&address))
            .map_or(Self::Reserved, |(_, kind)| *kind)
    }

    /// Returns whether `allow_private_networks` opens it.
    const fn is_private_network(self) -> bool {
        matches!(self, Self::Private | Self::Shared | Self::Loopback)
    }
}

const fn v4(a: u8, b: u8, c: u8, d: u8, prefix: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), prefix)
}

/// A block whose last five groups are zero.
const fn v6(a: u16, b: u16, c: u16, prefix: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0), prefix)
}

const NAT64: Ipv6Net = v6(0x64, 0xff9b, 0, 96);

/// The first block that holds an address decides.
const V4: [(Ipv4Net, AddressKind); 16] = [
    (v4(0, 0, 0, 0, 8), AddressKind::Unspecified),
    (v4(10, 0, 0, 0, 8), AddressKind::Private),
    (v4(100, 64, 0, 0, 10), AddressKind::Shared),
    (v4(127, 0, 0, 0, 8), AddressKind::Loopback),
    (v4(169, 254, 0, 0, 16), AddressKind::LinkLocal),
    (v4(172, 16, 0, 0, 12), AddressKind::Private),
    (v4(192, 0, 0, 0, 24), AddressKind::Reserved),
    (v4(192, 0, 2, 0, 24), AddressKind::Documentation),
    (v4(192, 88, 99, 0, 24), AddressKind::SixToFour),
    (v4(192, 168, 0, 0, 16), AddressKind::Private),
    (v4(198, 18, 0, 0, 15), AddressKind::Benchmarking),
    (v4(198, 51, 100, 0, 24), AddressKind::Documentation),
    (v4(203, 0, 113, 0, 24), AddressKind::Documentation),
    (v4(224, 0, 0, 0, 4), AddressKind::Multicast),
    (v4(255, 255, 255, 255, 32), AddressKind::Broadcast),
    (v4(240, 0, 0, 0, 4), AddressKind::Reserved),
];

/// The first block that holds an address decides; what no block holds is reserved.
const V6: [(Ipv6Net, AddressKind); 18] = [
    (v6(0, 0, 0, 128), AddressKind::Unspecified),
    (
        Ipv6Net::new_assert(Ipv6Addr::LOCALHOST, 128),
        AddressKind::Loopback,
    ),
    (v6(0, 0, 0, 96), AddressKind::Embedded),
    (
        Ipv6Net::new_assert(Ipv6Addr::new(0, 0, 0, 0, 0, 0xffff, 0, 0), 96),
        AddressKind::Embedded,
    ),
    (v6(0x64, 0xff9b, 1, 48), AddressKind::Nat64),
    (
        Ipv6Net::new_assert(Ipv6Addr::new(0x100, 0, 0, 0, 0, 0, 0, 0), 63),
        AddressKind::Discard,
    ),
    (v6(0x2001, 0, 0, 32), AddressKind::Teredo),
    (v6(0x2001, 2, 0, 48), AddressKind::Benchmarking),
    (v6(0x2001, 0, 0, 23), AddressKind::Reserved),
    (v6(0x2001, 0xdb8, 0, 32), AddressKind::Documentation),
    (v6(0x2002, 0, 0, 16), AddressKind::SixToFour),
    (v6(0x3fff, 0, 0, 20), AddressKind::Documentation),
    (v6(0x3ffe, 0, 0, 16), AddressKind::Reserved),
    (v6(0xfc00, 0, 0, 7), AddressKind::Private),
    (v6(0xfe80, 0, 0, 10), AddressKind::LinkLocal),
    (v6(0xfec0, 0, 0, 10), AddressKind::SiteLocal),
    (v6(0xff00, 0, 0, 8), AddressKind::Multicast),
    (v6(0x2000, 0, 0, 3), AddressKind::Public),
];

#[cfg(test)]
mod tests;
