//! What the settings are made of: each value is parsed once and is then its own proof.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use subtle::ConstantTimeEq;
use switchboard_actors::domain::webhook::web_address;
use switchboard_actors::words;
use url::Url;

/// The text is not a value of the wanted kind; says what would have been one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Expected(pub &'static str);

/// Text that is never shown: a key, a password, a token. Its `Debug` prints `***`, and comparing two
/// takes the same time wherever they differ.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// The secret from its text, whatever it is.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text itself; for hashing, signing and comparing only.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl PartialEq for Secret {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_bytes().ct_eq(other.0.as_bytes()).into()
    }
}

impl Eq for Secret {}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// Where a server listens: an address or a host name, and a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listen {
    /// The address, or a name that is looked up when the socket is opened.
    pub host: ListenHost,
    /// The port; 0 takes any free one.
    pub port: u16,
}

/// The first half of a [`Listen`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListenHost {
    /// An address as it stands.
    Address(IpAddr),
    /// A host name, in lower case.
    Name(String),
}

impl Listen {
    const EXPECTED: Expected = Expected("write host:port, as in 127.0.0.1:8080 or [::1]:8080");

    /// The default address of the listener.
    pub(super) fn usual() -> Self {
        Self {
            host: ListenHost::Address(Ipv4Addr::LOCALHOST.into()),
            port: 8_080,
        }
    }

    /// Whether only this machine can connect.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        match &self.host {
            ListenHost::Address(address) => address.to_canonical().is_loopback(),
            ListenHost::Name(name) => name == "localhost",
        }
    }

    /// The address for a client on this machine, at the port that was bound.
    #[must_use]
    pub fn url(&self, port: u16) -> Option<Url> {
        let host = match &self.host {
            // Clients cannot connect to «any address»; a listener there answers on loopback too.
            ListenHost::Address(IpAddr::V4(address)) if address.is_unspecified() => {
                ListenHost::Address(Ipv4Addr::LOCALHOST.into())
            }
            ListenHost::Address(IpAddr::V6(address)) if address.is_unspecified() => {
                ListenHost::Address(Ipv6Addr::LOCALHOST.into())
            }
            ListenHost::Address(_) | ListenHost::Name(_) => self.host.clone(),
        };
        Url::parse(&format!("http://{}", Self { host, port })).ok()
    }
}

impl FromStr for Listen {
    type Err = Expected;
    fn from_str(text: &str) -> Result<Self, Expected> {
        let (host, port) = text.rsplit_once(':').ok_or(Self::EXPECTED)?;
        let plain = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
        let port = match port.parse() {
            Ok(port) if plain => port,
            Ok(_) | Err(_) => return Err(Self::EXPECTED),
        };
        let bracketed = host
            .strip_prefix('[')
            .and_then(|host| host.strip_suffix(']'));
        let host = match (bracketed, host.parse::<Ipv4Addr>()) {
            (Some(inner), _) => match inner.parse::<Ipv6Addr>() {
                Ok(address) => ListenHost::Address(address.into()),
                Err(_) => return Err(Self::EXPECTED),
            },
            (None, Ok(address)) => ListenHost::Address(address.into()),
            (None, Err(_)) if is_host_name(host) => ListenHost::Name(host.to_ascii_lowercase()),
            (None, Err(_)) => return Err(Self::EXPECTED),
        };
        Ok(Self { host, port })
    }
}

/// A host name, and no address written wrongly: the last label is not a number.
fn is_host_name(text: &str) -> bool {
    let label = |label: &str| {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        (1..=63).contains(&label.len()) && label.bytes().all(plain)
    };
    let last = text.rsplit('.').next().unwrap_or_default();
    text.len() <= 253
        && text.split('.').all(label)
        && !last.bytes().all(|byte| byte.is_ascii_digit())
}

impl fmt::Display for Listen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.host {
            ListenHost::Address(IpAddr::V4(address)) => write!(f, "{address}:{}", self.port),
            ListenHost::Address(IpAddr::V6(address)) => write!(f, "[{address}]:{}", self.port),
            ListenHost::Name(name) => write!(f, "{name}:{}", self.port),
        }
    }
}

/// Where the service is found from outside: a scheme, a host and a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl(pub(super) Url);

impl FromStr for PublicUrl {
    type Err = Expected;
    fn from_str(text: &str) -> Result<Self, Expected> {
        let url = web_address(text).map_err(|wrong| Expected(wrong.0))?;
        if url.path() != "/" || url.query().is_some() || url.fragment().is_some() {
            return Err(Expected(
                "write scheme and host only, as in https://chat.example.com",
            ));
        }
        Ok(Self(url))
    }
}

words! {
    /// What is done with the files that integrations name: media of messages, pictures of people.
    pub enum MediaPolicy {
        /// Nothing.
        Off = "off",
        /// Whether they can be reached is found out.
        Check = "check",
        /// That, and a copy is kept.
        Mirror = "mirror",
    }
    /// How a line of the log looks.
    pub enum LogFormat {
        /// For people.
        Text = "text",
        /// One JSON object.
        Json = "json",
    }
    /// What an acknowledgement promises.
    pub enum Durability {
        /// It survives a power cut.
        Always = "always",
        /// It survives a crash of the process.
        Interval = "interval",
    }
}
