//! The values of settings: each is parsed once and is then its own proof.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use subtle::ConstantTimeEq;
use switchboard_actors::domain::webhook::web_address;
use switchboard_actors::domain::words;
use url::Url;

use switchboard_network::host::{Host, HostAndPort, HostError};

/// The text is not a value of the wanted kind; says what would have been one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct KindError(pub &'static str);

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

    /// A bearer token: what may stand after `Bearer` in a header.
    ///
    /// # Errors
    /// What to write, if this text may not.
    pub fn bearer(text: &str) -> Result<Self, String> {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte);
        if (1..=255).contains(&text.len()) && text.bytes().all(fits) {
            Ok(Self::new(text))
        } else {
            Err("write 1 to 255 letters, digits and - . _ ~ + / =".to_owned())
        }
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

/// The address of a listener: an address or a host name, and a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listen {
    /// The address, or a name that is looked up when the socket is opened.
    pub host: Host,
    /// The port; 0 takes any free one.
    pub port: u16,
}

impl Listen {
    const EXPECTED: KindError = KindError("write host:port, as in 127.0.0.1:8080 or [::1]:8080");

    /// The default address of the listener.
    pub(super) fn initial() -> Self {
        Self {
            host: Host::Address(Ipv4Addr::LOCALHOST.into()),
            port: 8_080,
        }
    }

    /// Returns whether only this machine can connect.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        match &self.host {
            Host::Address(address) => address.to_canonical().is_loopback(),
            Host::Name(name) => name == "localhost",
        }
    }

    /// The address for a client on this machine, at the port that was bound.
    #[must_use]
    pub fn url(&self, port: u16) -> Option<Url> {
        let host = match &self.host {
            // Clients cannot connect to «any address»; a listener there answers on loopback too.
            Host::Address(IpAddr::V4(address)) if address.is_unspecified() => {
                Host::Address(Ipv4Addr::LOCALHOST.into())
            }
            Host::Address(IpAddr::V6(address)) if address.is_unspecified() => {
                Host::Address(Ipv6Addr::LOCALHOST.into())
            }
            Host::Address(_) | Host::Name(_) => self.host.clone(),
        };
        Url::parse(&format!("http://{}", Self { host, port })).ok()
    }
}

impl FromStr for Listen {
    type Err = KindError;
    fn from_str(text: &str) -> Result<Self, KindError> {
        match text.parse() {
            Ok(HostAndPort {
                host,
                port: Some(port),
            }) => Ok(Self { host, port }),
            Ok(HostAndPort { port: None, .. }) | Err(HostError) => Err(Self::EXPECTED),
        }
    }
}

impl fmt::Display for Listen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
}

/// The address of the service for clients elsewhere: a scheme, a host and a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl(pub(super) Url);

impl FromStr for PublicUrl {
    type Err = KindError;
    fn from_str(text: &str) -> Result<Self, KindError> {
        let url = web_address(text).map_err(|wrong| KindError(wrong.0))?;
        if url.path() != "/" || url.query().is_some() || url.fragment().is_some() {
            return Err(KindError(
                "write scheme and host only, as in https://chat.example.com",
            ));
        }
        Ok(Self(url))
    }
}

words! {
    /// The treatment of the files that integrations name: media of messages, pictures of people.
    pub enum MediaPolicy {
        /// Nothing.
        Off = "off",
        /// The service checks that they can be reached.
        Check = "check",
        /// That, and a copy is kept.
        Mirror = "mirror",
    }
    /// The answer to a message that a bridge sends through a relay.
    pub enum Acceptance {
        /// The answer of the counterpart.
        Now = "now",
        /// An answer of the relay, once the message is on disk.
        Later = "later",
    }
    /// The format of a line of the log.
    pub enum LogFormat {
        /// For people.
        Text = "text",
        /// One JSON object.
        Json = "json",
    }
    /// The promise of an acknowledgement.
    pub enum Durability {
        /// It survives a power cut.
        Always = "always",
        /// It survives a crash of the process.
        Interval = "interval",
    }
}
