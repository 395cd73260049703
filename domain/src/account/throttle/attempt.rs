//! The counters that an attempt is charged to, with their limits.

use std::net::IpAddr;

use crate::id::{ChannelId, OauthClientId};

/// Wrong attempts within that time for one account and e-mail address from one network address.
pub const PER_NAME: u16 = 10;
/// Wrong attempts within that time for one account and e-mail address from wherever that user has not signed in before.
pub const FROM_EVERYWHERE: u16 = 100;
/// Wrong attempts within that time from one network address.
pub const PER_ADDRESS: u16 = 100;
/// Wrong tokens of the operator within that time from one network address.
pub const TOKENS_PER_ADDRESS: u16 = 100;

/// Wrong secrets of an OAuth client within that time from one network address.
pub const SECRETS_PER_CLIENT: u16 = 30;

/// Wrong signatures within that time for one channel from one network address.
pub const SIGNATURES_PER_CHANNEL: u16 = 120;
/// Wrong signatures within that time from one network address, whatever the channel.
pub const SIGNATURES_PER_ADDRESS: u16 = 600;

/// One attempt: what it is counted under.
#[derive(Clone, Debug)]
pub struct AuthAttempt {
    pub(super) limits: Vec<(String, u16)>,
    /// The bounds for all networks together, where the name is not known: the name, and the name with the network.
    everywhere: Option<(String, String)>,
}

impl AuthAttempt {
    /// An attempt for this name (an account and a folded e-mail address) from this address. Of an IPv6 address the
    /// first 64 bits count: the rest is the guesser's to choose.
    #[must_use]
    pub fn new(name: &str, address: IpAddr) -> Self {
        let address = network(address);
        Self {
            limits: vec![
                (format!("name {address} {name}"), PER_NAME),
                (format!("address {address}"), PER_ADDRESS),
            ],
            everywhere: Some((format!("everywhere {name}"), format!("{address} {name}"))),
        }
    }

    /// A token from this address that may be the operator's.
    #[must_use]
    pub fn at_the_operator(address: IpAddr) -> Self {
        Self::of_tokens("operator", address)
    }

    /// A token from this address that is no account user's, and is compared with others to say whose it is.
    #[must_use]
    pub fn at_a_token(address: IpAddr) -> Self {
        Self::of_tokens("token", address)
    }

    /// A refresh token from this address that is to lead to its account.
    #[must_use]
    pub fn at_a_refresh_token(address: IpAddr) -> Self {
        Self::of_tokens("refresh token", address)
    }

    /// A secret from this address that may be that of an OAuth client.
    #[must_use]
    pub fn at_a_client(client: OauthClientId, address: IpAddr) -> Self {
        let address = network(address);
        Self {
            limits: vec![
                (format!("client {client} {address}"), SECRETS_PER_CLIENT),
                (format!("clients {address}"), TOKENS_PER_ADDRESS),
            ],
            everywhere: None,
        }
    }

    fn of_tokens(kind: &str, address: IpAddr) -> Self {
        let name = format!("{kind} {}", network(address));
        Self {
            limits: vec![(name, TOKENS_PER_ADDRESS)],
            everywhere: None,
        }
    }

    /// A wrong signature for this channel from this address.
    #[must_use]
    pub fn at_signature(channel: &ChannelId, address: IpAddr) -> Self {
        let address = network(address);
        Self {
            limits: vec![
                (
                    format!("channel {channel} {address}"),
                    SIGNATURES_PER_CHANNEL,
                ),
                (format!("signer {address}"), SIGNATURES_PER_ADDRESS),
            ],
            everywhere: None,
        }
    }

    /// Names of counters, with how many attempts each takes: those of one network first, then what bounds all of them.
    pub(super) fn limits(&self) -> impl Iterator<Item = (&str, u16)> {
        let limits = self.limits.iter();
        let everywhere = self
            .everywhere
            .iter()
            .map(|(name, _)| (name.as_str(), FROM_EVERYWHERE));
        limits
            .map(|(name, most)| (name.as_str(), *most))
            .chain(everywhere)
    }

    /// Returns the network with the name of the attempt, when that pair may be known.
    pub(super) fn place(&self) -> Option<&str> {
        self.everywhere.as_ref().map(|(_, place)| place.as_str())
    }
}

/// Returns the part of an address that is counted.
fn network(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            format!("{a:x}:{b:x}:{c:x}:{d:x}/64")
        }
    }
}
