//! The hosts the service answers for: a web page in a user's browser must not control a local service through a name
//! that the page resolves to this machine (DNS rebinding).
//!
//! DNS can re-point names only, and of those only names with a dot: one label is found in a hosts file, a search list or a
//! container's network, and `localhost` is reserved.

use std::net::{IpAddr, SocketAddr};

use switchboard_network::host::{Host, HostAndPort};
use switchboard_network::outbound::address::AddressKind;

/// The hosts that requests may name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllowedHosts {
    listener: SocketAddr,
    declared: Vec<Host>,
}

impl AllowedHosts {
    /// Those that no stranger can re-point, the address of the listener, and what is declared.
    #[must_use]
    pub fn new(listener: SocketAddr, declared: Vec<Host>) -> Self {
        Self { listener, declared }
    }

    /// Returns whether a request may name this host.
    #[must_use]
    pub fn allow(&self, named: &str) -> bool {
        let Ok(HostAndPort { host, port }) = named.parse() else {
            return false;
        };
        if self.declared.contains(&host) {
            return true;
        }
        match host {
            Host::Name(name) => !name.contains('.') || name.ends_with(".localhost"),
            Host::Address(address) => is_local(address) || self.is_own(address, port),
        }
    }

    /// Returns whether the service listens there; on all addresses it listens at every one.
    fn is_own(&self, address: IpAddr, port: Option<u16>) -> bool {
        let own = self.listener.ip();
        port.unwrap_or(80) == self.listener.port() && (own.is_unspecified() || own == address)
    }
}

/// Returns whether the address belongs to this machine or to a private network.
fn is_local(address: IpAddr) -> bool {
    let kind = AddressKind::from_address(address.to_canonical());
    matches!(kind, AddressKind::Loopback | AddressKind::Private)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(listener: &str, declared: &[&str]) -> AllowedHosts {
        let declared = declared.iter().map(|host| host.parse().unwrap());
        AllowedHosts::new(listener.parse().unwrap(), declared.collect())
    }

    #[test]
    fn local_names_and_addresses_are_accepted_with_any_port() {
        let hosts = hosts("127.0.0.1:8080", &[]);
        for host in [
            "127.0.0.1:8080",
            "127.0.0.1:9",
            "127.1.2.3",
            "localhost:8080",
            "LocalHost",
            "localhost.:80",
            "app.localhost:9",
            "a.b.LOCALHOST",
            "switchboard:18080",
            "Switchboard.",
            "[::1]:1234",
            "[::ffff:127.0.0.1]:80",
            "10.1.2.3:80",
            "172.16.0.1",
            "192.168.1.1:65535",
            "[fd00::1]",
        ] {
            assert!(hosts.allow(host), "{host}");
        }
    }

    #[test]
    fn names_with_a_dot_and_public_addresses_are_refused() {
        let hosts = hosts("127.0.0.1:8080", &["chat.example.com"]);
        for host in [
            "",
            "evil.example",
            "evil.example:8080",
            "evil.example.",
            "127.0.0.1.evil.example",
            "localhost.evil.example",
            "notlocalhost.example",
            "x.notlocalhost",
            "chat.example.com.evil.example",
            "sub.chat.example.com",
            "8.8.8.8",
            "8.8.8.8:8080",
            "172.32.0.1",
            "169.254.169.254",
            "[2001:4860:4860::8888]",
            "[::ffff:8.8.8.8]",
            "127.0.0.1:x",
            "user@localhost",
            "localhost/evil",
            "2130706433",
            "0x7f000001",
        ] {
            assert!(!hosts.allow(host), "{host}");
        }
    }

    #[test]
    fn declared_hosts_are_accepted_with_any_port() {
        let hosts = hosts("127.0.0.1:8080", &["chat.example.com", "203.0.113.9"]);
        for host in [
            "chat.example.com",
            "Chat.Example.com:443",
            "chat.example.com.:8080",
            "203.0.113.9:1",
        ] {
            assert!(hosts.allow(host), "{host}");
        }
    }

    #[test]
    fn a_wildcard_listener_accepts_addresses_but_not_names() {
        let hosts = hosts("0.0.0.0:8080", &["chat.example.com"]);
        assert!(hosts.allow("192.0.2.7:8080"));
        assert!(hosts.allow("chat.example.com:8080"));
        assert!(!hosts.allow("192.0.2.7:8081"));
        assert!(!hosts.allow("rebound.example:8080"));
    }
}
