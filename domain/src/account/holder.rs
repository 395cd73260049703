//! The holder of credentials: the user with the tokens and sessions.

use serde::{Deserialize, Serialize};
use switchboard_engine::stream::{StreamId, StreamIdBytes};

use crate::id::{AccountId, UserId};
use crate::keys;

/// A user of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Holder {
    /// The account.
    pub account: AccountId,
    /// The user.
    pub user: UserId,
}

impl StreamId for Holder {
    fn to_stream_id(&self) -> StreamIdBytes {
        StreamIdBytes::from_vec(keys::credentials_name(self.account, self.user))
    }

    fn from_stream_id(bytes: &[u8]) -> Option<Self> {
        let (account, user) = keys::parse_credentials_name(bytes)?;
        Some(Self { account, user })
    }
}
