//! Decides by its spelling whether a request may go to a URL at all.
//!
//! It is asked when an operator saves a channel (so that the operator learns of a mistake at once), at a start for the
//! channels that are configured (which warns), and before each request (settings may have become stricter since). It
//! sees literal addresses in their final form, because the URL parser has already turned `0x7f.1`, `2130706433` and
//! full-width digits into `127.0.0.1`. The addresses that a *name* resolves to are checked while connecting, by
//! [`super::resolver`].

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use switchboard_actors::domain::webhook::REFUSED_PORTS;
use url::{Host, Url};

use super::address::{AddressKind, Policy};

/// Decides which URLs and addresses may be reached, under one policy.
#[derive(Clone, Debug, Default)]
pub struct AddressGuard {
    policy: Policy,
}

/// The reason why a URL or an address was refused; the text is written for the person who set it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GuardError {
    /// Neither `http` nor `https`.
    #[error("the scheme must be http or https, got {0:?}")]
    Scheme(String),
    /// A user name or a password in front of the host.
    #[error("the address must not contain a user name or password")]
    UserInfo,
    /// A fragment, which is never sent and so can only be a mistake.
    #[error("the address must not contain a fragment (#…)")]
    Fragment,
    /// No host.
    #[error("the address must name a host")]
    NoHost,
    /// A port where no web server can be.
    #[error("port {0} is not allowed")]
    Port(u16),
    /// A name that always means this machine.
    #[error("{0:?} is this machine, which is not allowed here (the setting {setting})", setting = AddressKind::Loopback.setting())]
    Localhost(String),
    /// An address that is not public, written in the URL or found behind its name.
    #[error("{address} is {kind}, which is not allowed here (the setting {})", kind.setting())]
    Address {
        /// The address.
        address: IpAddr,
        /// The kind of the address.
        kind: AddressKind,
    },
}

impl AddressGuard {
    /// A guard under the operator's policy.
    #[must_use]
    pub const fn new(policy: Policy) -> Self {
        Self { policy }
    }

    /// Checks that a request may be sent to `url`, judged by its spelling.
    ///
    /// # Errors
    /// The first reason why not.
    pub fn check(&self, url: &Url) -> Result<(), GuardError> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(GuardError::Scheme(url.scheme().to_owned()));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(GuardError::UserInfo);
        }
        if url.fragment().is_some() {
            return Err(GuardError::Fragment);
        }
        if let Some(port) = url.port()
            && REFUSED_PORTS.contains(&port)
        {
            return Err(GuardError::Port(port));
        }
        match url.host() {
            None => Err(GuardError::NoHost),
            Some(Host::Ipv4(address)) => self.check_address(address.into()),
            Some(Host::Ipv6(address)) => self.check_address(address.into()),
            Some(Host::Domain(name)) => self.check_name(name),
        }
    }

    /// Checks that a connection to `address` may be opened.
    ///
    /// # Errors
    /// The address with its kind, when not.
    pub fn check_address(&self, address: IpAddr) -> Result<(), GuardError> {
        self.policy
            .judge(address)
            .map_err(|kind| GuardError::Address { address, kind })
    }

    /// Names under `localhost` are loopback by definition (RFC 6761), so one is refused when it is configured instead
    /// of at the first attempt.
    fn check_name(&self, name: &str) -> Result<(), GuardError> {
        let plain = name.strip_suffix('.').unwrap_or(name);
        // `localhost..` and `127.0.0.1..` are names to the parser, and what a resolver makes of them is its own affair.
        if plain.split('.').any(str::is_empty) {
            return Err(GuardError::NoHost);
        }
        let is_local = plain == "localhost" || plain.ends_with(".localhost");
        let loopback_addresses = || {
            [Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()]
                .into_iter()
                .any(|loopback| self.policy.judge(loopback).is_ok())
        };
        if is_local && !loopback_addresses() {
            return Err(GuardError::Localhost(plain.to_owned()));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn closed(text: &str) -> Result<(), GuardError> {
        AddressGuard::default().check(&Url::parse(text).unwrap())
    }

    /// Each is an address that must not be reached, in a spelling that an attacker may try. The parser may refuse it
    /// before the guard does; nothing may pass both.
    const FORBIDDEN: &[&str] = &[
        "http://127.0.0.1/",
        "http://127.1/",
        "http://127.0.1/",
        "http://127.0.0.1./",
        "http://2130706433/",
        "http://017700000001/",
        "http://0177.0.0.1/",
        "http://0x7f.1/",
        "http://0x7f000001/",
        "http://0X7F.0x0.0x0.0x1/",
        "http://%31%32%37.0.0.1/",
        "http://127%2e0%2e0%2e1/",
        "http://１２７.0.0.1/",
        "http://①②⑦.0.0.1/",
        "http://127。0。0。1/",
        "http://0/",
        "http://0.0.0.0/",
        "http://[::]/",
        "http://[::1]/",
        "http://[0:0:0:0:0:0:0:1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "http://[::127.0.0.1]/",
        "http://[64:ff9b::127.0.0.1]/",
        "http://[64:ff9b::a9fe:a9fe]/",
        "http://[64:ff9b:1::1]/",
        "http://[2002:7f00:1::]/",
        "http://[2001:0:1::1]/",
        "http://[fe80::1]/",
        "http://[fe80::1%25eth0]/",
        "http://[fec0::1]/",
        "http://[fd12:3456::1]/",
        "http://[ff02::1]/",
        "http://[2001:db8::1]/",
        "http://[100::1]/",
        "http://localhost/",
        "http://localhost./",
        "http://LOCALHOST:8080/",
        "http://foo.localhost/",
        "http://%6c%6f%63%61%6chost/",
        "http://ｌｏｃａｌｈｏｓｔ/",
        "http://169.254.169.254/latest/meta-data/",
        "http://2852039166/",
        "http://10.0.0.1/",
        "http://012.1/",
        "http://172.16.0.1/",
        "http://192.168.1.1/",
        "http://3232235777/",
        "http://100.64.0.1/",
        "http://198.18.0.1/",
        "http://192.0.2.1/",
        "http://224.0.0.1/",
        "http://240.0.0.1/",
        "http://255.255.255.255/",
        "http://0xffffffff/",
        "http:127.0.0.1/",
        "http:\\\\127.0.0.1\\",
        "http://\t127.0.0.1/",
        "http://example.com@127.0.0.1/",
    ];

    #[test]
    fn no_spelling_of_a_forbidden_address_passes() {
        let mut count = 0;
        for text in FORBIDDEN {
            let Ok(url) = Url::parse(text) else { continue };
            count += 1;
            assert!(
                AddressGuard::default().check(&url).is_err(),
                "{text} became {url}"
            );
        }
        assert!(count >= 50, "the parser understood {count}");
    }

    #[test]
    fn alternative_spellings_are_judged_by_their_address() {
        for text in ["http://0x7f.1/", "http://2130706433/", "http://①②⑦.0.0.1/"] {
            let error = GuardError::Address {
                address: Ipv4Addr::LOCALHOST.into(),
                kind: AddressKind::Loopback,
            };
            assert_eq!(closed(text), Err(error), "{text}");
        }
    }

    #[test]
    fn ordinary_addresses_pass() {
        for text in [
            "https://example.com/hook",
            "http://example.com:8080/hook?channel=1",
            "https://93.184.216.34/",
            "https://[2606:4700:4700::1111]/",
            "https://xn--e1afmkfd.xn--p1ai/",
            "https://localhost.example.com/",
        ] {
            assert_eq!(closed(text), Ok(()), "{text}");
        }
    }

    #[test]
    fn each_mistake_has_its_own_reason() {
        let table = [
            ("ftp://example.com/", GuardError::Scheme("ftp".to_owned())),
            ("file:///etc/passwd", GuardError::Scheme("file".to_owned())),
            (
                "gopher://127.0.0.1/",
                GuardError::Scheme("gopher".to_owned()),
            ),
            ("http://ada@example.com/", GuardError::UserInfo),
            ("http://:secret@example.com/", GuardError::UserInfo),
            ("http://example.com/#here", GuardError::Fragment),
            ("http://example.com:0/", GuardError::Port(0)),
            ("http://example.com:25/", GuardError::Port(25)),
            ("http://./", GuardError::NoHost),
            ("http://localhost../", GuardError::NoHost),
            ("http://127.0.0.1../", GuardError::NoHost),
            ("http://example..com/", GuardError::NoHost),
            (
                "http://localhost/",
                GuardError::Localhost("localhost".to_owned()),
            ),
        ];
        for (text, refused) in table {
            assert_eq!(closed(text), Err(refused), "{text}");
        }
    }

    #[test]
    fn reasons_are_written_for_people() {
        assert_eq!(
            closed("http://169.254.169.254/").unwrap_err().to_string(),
            "169.254.169.254 is a link-local address, which is not allowed here (the setting dispatch.allow_cidrs)"
        );
        for url in [
            "http://127.0.0.1:9001/x",
            "http://localhost/",
            "http://10.0.0.1/",
        ] {
            let why = closed(url).unwrap_err().to_string();
            let setting = "not allowed here (the setting dispatch.allow_private_networks)";
            assert!(why.ends_with(setting), "{why}");
        }
        assert_eq!(
            closed("ftp://example.com/").unwrap_err().to_string(),
            "the scheme must be http or https, got \"ftp\""
        );
    }

    #[test]
    fn an_open_policy_lets_the_demo_reach_this_machine() {
        let guard = AddressGuard::new(Policy {
            allow_private_networks: true,
            allow_cidrs: Vec::new(),
        });
        for text in ["http://127.0.0.1:9001/v1", "http://localhost:9001/v1"] {
            assert_eq!(guard.check(&Url::parse(text).unwrap()), Ok(()), "{text}");
        }
    }
}
