//! Which hosts the service answers for: a web page in a user's browser must not control a local service through a name
//! that the page resolves to this machine (DNS rebinding).

/// The hosts that requests may name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AllowedHosts(Vec<String>);

impl AllowedHosts {
    /// The hosts of the listener and of the public address, each with its port. A listener on loopback also goes by
    /// the name `localhost`; one on all addresses goes by any IP address, since names are what can be made to point
    /// here.
    pub(crate) fn new(listener: std::net::SocketAddr, public: &url::Url) -> Self {
        let mut hosts = vec![listener.to_string()];
        if listener.ip().is_loopback() {
            hosts.extend([
                format!("localhost:{}", listener.port()),
                format!("127.0.0.1:{}", listener.port()),
            ]);
            hosts.push(format!("[::1]:{}", listener.port()));
        }
        if listener.ip().is_unspecified() {
            hosts.push(format!("*:{}", listener.port()));
            hosts.push(format!("localhost:{}", listener.port()));
        }
        if let (Some(host), Some(port)) = (public.host_str(), public.port_or_known_default()) {
            hosts.push(format!("{host}:{port}").to_ascii_lowercase());
            if public.port().is_none() {
                hosts.push(host.to_ascii_lowercase());
            }
        }
        Self(hosts)
    }

    /// Whether a request may name this host.
    pub(crate) fn allow(&self, host: &str) -> bool {
        if self.0.iter().any(|known| known.eq_ignore_ascii_case(host)) {
            return true;
        }
        let Ok(address) = host.parse::<std::net::SocketAddr>() else {
            return false;
        };
        self.0.contains(&format!("*:{}", address.port()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(listener: &str, public: &str) -> AllowedHosts {
        AllowedHosts::new(listener.parse().unwrap(), &public.parse().unwrap())
    }

    #[test]
    fn the_listener_and_public_addresses_are_accepted_as_hosts() {
        let hosts = hosts("127.0.0.1:8080", "https://chat.example.com");
        for host in [
            "127.0.0.1:8080",
            "localhost:8080",
            "chat.example.com",
            "Chat.Example.com:443",
        ] {
            assert!(hosts.allow(host), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "evil.example:8080",
            "127.0.0.1:9",
            "chat.example.com:8080",
        ] {
            assert!(!hosts.allow(host), "{host}");
        }
    }

    #[test]
    fn a_wildcard_listener_accepts_addresses_but_not_names() {
        let hosts = hosts("0.0.0.0:8080", "http://chat.example.com:8080");
        assert!(hosts.allow("192.0.2.7:8080"));
        assert!(hosts.allow("chat.example.com:8080"));
        assert!(!hosts.allow("rebound.example:8080"));
    }
}
