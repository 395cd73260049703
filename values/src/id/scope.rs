//! The id of a scope: one account in one channel.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize, Serializer};

use super::{AccountId, ChannelId, IdError};
use crate::schema::schema_of;

/// The connection of one account to one channel; written `<channel_id>_<account_id>`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(try_from = "String")]
pub struct ScopeId {
    channel: ChannelId,
    account: AccountId,
}
schema_of!(ScopeId, { "type": "string" });

impl Serialize for ScopeId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl ScopeId {
    /// The scope of this account in this channel.
    #[must_use]
    pub fn new(channel: ChannelId, account: AccountId) -> Self {
        Self { channel, account }
    }

    /// The channel of the scope.
    #[must_use]
    pub fn channel(&self) -> &ChannelId {
        &self.channel
    }

    /// The account of the scope.
    #[must_use]
    pub fn account(&self) -> AccountId {
        self.account
    }
}

impl FromStr for ScopeId {
    type Err = IdError;
    fn from_str(text: &str) -> Result<Self, IdError> {
        const EXPECTED: IdError = IdError {
            expected: "a scope id: <channel_id>_<account_id>",
        };
        // An account id holds no underscore; a channel id may hold some.
        let (channel, account) = text.rsplit_once('_').ok_or(EXPECTED)?;
        match (channel.parse(), account.parse()) {
            (Ok(channel), Ok(account)) => Ok(Self { channel, account }),
            (Err(_), _) | (_, Err(_)) => Err(EXPECTED),
        }
    }
}

impl TryFrom<String> for ScopeId {
    type Error = IdError;
    fn try_from(text: String) -> Result<Self, IdError> {
        text.parse()
    }
}

impl From<ScopeId> for String {
    fn from(id: ScopeId) -> Self {
        id.to_string()
    }
}

impl fmt::Display for ScopeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}_{}", self.channel, self.account)
    }
}

impl fmt::Debug for ScopeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
