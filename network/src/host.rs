//! Hosts as URLs and headers name them: an IP address or a name.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

/// A host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Host {
    /// An IP address.
    Address(IpAddr),
    /// A host name, in lower case and without the dot of the root.
    Name(String),
}

/// The text names no host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write a host name or an IP address, as in chat.example.com, 10.1.2.3 or [::1]")]
pub struct HostError;

impl FromStr for Host {
    type Err = HostError;

    fn from_str(text: &str) -> Result<Self, HostError> {
        let bracketed = text
            .strip_prefix('[')
            .and_then(|text| text.strip_suffix(']'));
        if let Some(inner) = bracketed {
            let address = inner.parse::<Ipv6Addr>();
            return address
                .map(|address| Self::Address(address.into()))
                .map_err(|_no_address| HostError);
        }
        if let Ok(address) = text.parse::<Ipv4Addr>() {
            return Ok(Self::Address(address.into()));
        }
        let name = text.strip_suffix('.').unwrap_or(text);
        if is_name(name) {
            Ok(Self::Name(name.to_ascii_lowercase()))
        } else {
            Err(HostError)
        }
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(IpAddr::V4(address)) => write!(f, "{address}"),
            Self::Address(IpAddr::V6(address)) => write!(f, "[{address}]"),
            Self::Name(name) => f.write_str(name),
        }
    }
}

/// A host name, and no form of an IP address: the last label does not begin with a digit.
fn is_name(text: &str) -> bool {
    let label = |label: &str| {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        (1..=63).contains(&label.len()) && label.bytes().all(plain)
    };
    let last = text.rsplit('.').next().unwrap_or_default();
    text.len() <= 253 && text.split('.').all(label) && !is_number(last)
}

/// Returns whether readers of addresses may take the label for a number: `7`, `0x7f`.
fn is_number(label: &str) -> bool {
    let hexadecimal = label
        .strip_prefix("0x")
        .or_else(|| label.strip_prefix("0X"));
    match hexadecimal {
        Some(digits) => digits.bytes().all(|byte| byte.is_ascii_hexdigit()),
        None => label.bytes().all(|byte| byte.is_ascii_digit()),
    }
}

/// A host, and its port if there is one, as in the header `Host`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostAndPort {
    /// The host.
    pub host: Host,
    /// The port.
    pub port: Option<u16>,
}

impl FromStr for HostAndPort {
    type Err = HostError;

    fn from_str(text: &str) -> Result<Self, HostError> {
        let (host, port) = match text.rsplit_once(':') {
            // The colons inside brackets are those of an address.
            Some((_, rest)) if rest.ends_with(']') => (text, None),
            Some((host, port)) => {
                let plain = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
                let port = port.parse().ok().filter(|_| plain).ok_or(HostError)?;
                (host, Some(port))
            }
            None => (text, None),
        };
        Ok(Self {
            host: host.parse()?,
            port,
        })
    }
}

impl fmt::Display for HostAndPort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.port {
            Some(port) => write!(f, "{}:{port}", self.host),
            None => write!(f, "{}", self.host),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_names_and_addresses_with_or_without_a_port() {
        for (text, shown) in [
            ("Chat.Example.com", "chat.example.com"),
            ("switchboard:18080", "switchboard:18080"),
            ("switchboard.:80", "switchboard:80"),
            ("a_b-c:0", "a_b-c:0"),
            ("10.1.2.3", "10.1.2.3"),
            ("[::1]:1234", "[::1]:1234"),
            ("[::FFFF:127.0.0.1]", "[::ffff:127.0.0.1]"),
        ] {
            let address: HostAndPort = text.parse().expect(text);
            assert_eq!(address.to_string(), shown);
        }
    }

    #[test]
    fn what_readers_may_take_for_another_host_is_none() {
        for text in [
            "",
            ":80",
            ".",
            "a..b",
            ".a",
            "a..",
            "::1",
            "[::1",
            "::1]",
            "[::1]x",
            "[::1]:",
            "a:",
            "a:x",
            "a:+1",
            "a:65536",
            "a:80:80",
            "127.1",
            "2130706433",
            "0x7f.1",
            "0x7f000001",
            "1.2.3.4.",
            "1.2.3.256",
            "a@b",
            "a/b",
            "a b",
            "ü",
            "a%2eb",
            "[fe80::1%25eth0]",
        ] {
            assert_eq!(text.parse::<HostAndPort>(), Err(HostError), "{text:?}");
        }
    }
}
