//! Quotas of an account: how many messages it stores in a day and in a month, and how many bytes in all.
//!
//! Days and months are those of UTC. A stored message counts as [`MESSAGE_BYTES`], besides the file that comes with it.

mod volume;

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::field::{FieldValue, Given, Shape, unfit};
use crate::words;

pub use self::volume::{Addition, Volume};

/// The bytes that one message counts: about the disk space of a message of ordinary length.
pub const MESSAGE_BYTES: u64 = 1_024;

words! {
    /// The subject of a quota.
    pub enum QuotaKind {
        /// Messages of a day.
        MessagesPerDay = "messages_per_day",
        /// Messages of a month.
        MessagesPerMonth = "messages_per_month",
        /// Messages of bots in a month.
        BotMessagesPerMonth = "bot_messages_per_month",
        /// Bytes of messages and files.
        StorageBytes = "storage_bytes",
    }
}

/// The size of a quota; 0 for none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuotaSize(pub u64);

impl QuotaSize {
    /// The largest: every reader of JSON represents it exactly.
    pub const MOST: i64 = 1 << 53;
}

impl FieldValue for QuotaSize {
    const SHAPE: Shape = Shape::Whole(0, Self::MOST);

    fn given(given: Given<'_>) -> Result<Self, String> {
        let Given::Whole(size) = given else {
            return unfit(Self::SHAPE);
        };
        let size = u64::try_from(size).ok().filter(|_| size <= Self::MOST);
        size.map(Self)
            .ok_or_else(|| format!("write a whole number from 0 to {}", Self::MOST))
    }
}

/// The quotas of an account; 0 for none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AccountQuotas {
    /// Messages of a day.
    pub messages_per_day: u64,
    /// Messages of a month.
    pub messages_per_month: u64,
    /// Messages of bots in a month: of programs that write to talks in their own name.
    pub bot_messages_per_month: u64,
    /// Bytes of messages and files.
    pub storage_bytes: u64,
}

impl AccountQuotas {
    /// Returns whether anything is limited.
    #[must_use]
    pub fn is_on(&self) -> bool {
        *self != Self::default()
    }
}

/// A quota is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the account has used up its quota: {}", .kind.sentence(*.limit))]
pub struct AccountQuotaRejection {
    /// The quota.
    pub kind: QuotaKind,
    /// Its size.
    pub limit: u64,
    /// The time until the next attempt: the reset of the quota, if it has one.
    pub retry_after: Duration,
}

impl QuotaKind {
    fn sentence(self, limit: u64) -> String {
        match self {
            Self::MessagesPerDay => {
                format!("{limit} messages per day ({self}); it resets at 00:00 UTC")
            }
            Self::MessagesPerMonth => format!(
                "{limit} messages per month ({self}); it resets on the first day of the next month at 00:00 UTC"
            ),
            Self::BotMessagesPerMonth => format!(
                "{limit} messages of bots per month ({self}); it resets on the first day of the next month at 00:00 UTC"
            ),
            Self::StorageBytes => format!(
                "{limit} bytes of messages and files ({self}); it does not reset, ask the operator for a larger one"
            ),
        }
    }
}
