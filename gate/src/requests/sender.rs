//! The sender of a recorded request, and the interface that it came through.

use switchboard_actors::domain::id::{AccountId, ChannelId, OauthClientId};
use switchboard_actors::domain::words;

words! {
    /// An interface whose requests are recorded.
    pub enum Surface {
        /// `/v2/origin/custom`: integrations.
        Chat = "chat",
        /// `/api/v4`: account users and OAuth clients.
        Account = "account",
        /// `/oauth2`: OAuth clients that ask for tokens.
        Oauth = "oauth",
    }
}

impl Surface {
    /// The beginning of its paths.
    fn root(self) -> &'static str {
        match self {
            Self::Chat => "/v2/origin/custom",
            Self::Account => "/api/v4",
            Self::Oauth => "/oauth2",
        }
    }

    /// The interface that a path belongs to.
    pub fn of_path(path: &str) -> Option<Self> {
        let is_below = |root: &str| {
            let rest = path.strip_prefix(root);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let mut all = Self::ALL.into_iter();
        all.find(|surface| is_below(surface.root()))
    }
}

/// The sender of a request. Each has an equal share of what is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sender<C = ChannelId> {
    /// The integration of this channel, or who used its address.
    Channel(C),
    /// A user of this account, or an OAuth client that acts for one, with a valid token.
    Account(AccountId),
    /// An OAuth client that showed its secret.
    Client(OauthClientId),
    /// A program that is not known.
    Stranger(Surface),
}

impl Sender<&ChannelId> {
    /// The same, to keep.
    pub(super) fn owned(self) -> Sender {
        match self {
            Self::Channel(channel) => Sender::Channel(channel.clone()),
            Self::Account(account) => Sender::Account(account),
            Self::Client(client) => Sender::Client(client),
            Self::Stranger(surface) => Sender::Stranger(surface),
        }
    }
}

impl Sender {
    /// The same, to look up.
    pub(super) fn borrowed(&self) -> Sender<&ChannelId> {
        match self {
            Self::Channel(channel) => Sender::Channel(channel),
            Self::Account(account) => Sender::Account(*account),
            Self::Client(client) => Sender::Client(*client),
            Self::Stranger(surface) => Sender::Stranger(*surface),
        }
    }

    /// The channel, if an integration sent it.
    pub fn channel(&self) -> Option<&ChannelId> {
        match self {
            Self::Channel(channel) => Some(channel),
            Self::Account(_) | Self::Client(_) | Self::Stranger(_) => None,
        }
    }

    /// The account, if one of its users or of their clients sent it.
    pub fn account(&self) -> Option<AccountId> {
        match self {
            Self::Account(account) => Some(*account),
            Self::Channel(_) | Self::Client(_) | Self::Stranger(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_paths_lead_to_interfaces() {
        for (word, surface) in Surface::NAMES {
            assert_eq!(surface.as_str(), word);
        }
        let of = Surface::of_path;
        assert_eq!(of("/v2/origin/custom/x"), Some(Surface::Chat));
        assert_eq!(of("/api/v4/leads"), Some(Surface::Account));
        assert_eq!(of("/oauth2/access_token"), Some(Surface::Oauth));
        for other in ["/api/v40", "/oauth2x", "/inbox/v1/me", "/admin/v1/requests"] {
            assert_eq!(of(other), None, "{other}");
        }
    }
}
