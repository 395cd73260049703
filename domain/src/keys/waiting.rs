//! The rows of conversations whose customers wait for an answer: those of each responsible user, and, with the number 0, those
//! that no user has. Both are ordered by the time since which the customer waits.

use crate::id::{AccountId, ChannelId, ConversationId, GroupId, UserId};
use crate::keys::written_prefix;
use crate::time::UnixMillis;
use switchboard_engine::entries::RowBytes;

/// A conversation that waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitingRow {
    /// The account.
    pub account: AccountId,
    /// The responsible user; `None` in the queue.
    pub responsible: Option<UserId>,
    /// The time since which the customer waits.
    pub since: UnixMillis,
    /// The conversation.
    pub conversation: ConversationId,
    /// The channel.
    pub channel: ChannelId,
    /// True when the customer took up a closed talk again.
    pub reopened: bool,
    /// The group of the conversation; it may be deleted by now.
    pub group: Option<GroupId>,
    /// The last responsible user of an earlier lead.
    pub last: Option<UserId>,
}

/// The row of the last assignment of a user by the rule; its value is the time.
#[must_use]
pub fn assigned_row(account: AccountId, user: UserId) -> Vec<u8> {
    written_prefix(account, user)
}

/// Returns the prefix of the rows of a responsible user, or of the queue.
#[must_use]
pub fn prefix(account: AccountId, responsible: Option<UserId>) -> Vec<u8> {
    written_prefix(account, responsible.unwrap_or(UserId(0)))
}

impl WaitingRow {
    /// The place of the conversation.
    #[must_use]
    pub fn key(&self) -> RowBytes {
        let mut key = RowBytes::new();
        key.extend_from_slice(&self.account.bytes());
        key.extend_from_slice(&self.responsible.map_or(0, |user| user.0).to_be_bytes());
        key.extend_from_slice(&self.since.get().to_be_bytes());
        key.extend_from_slice(&self.conversation.bytes());
        key
    }

    /// The content of the row.
    #[must_use]
    pub fn value(&self) -> Vec<u8> {
        let mut value = vec![u8::from(self.reopened)];
        value.extend(self.group.map_or(0, |group| group.0).to_be_bytes());
        value.extend(self.last.map_or(0, |user| user.0).to_be_bytes());
        value.extend(self.channel.as_str().as_bytes());
        value
    }

    /// The row that these bytes are.
    #[must_use]
    pub fn parse(key: &[u8], value: &[u8]) -> Option<Self> {
        let (account, behind) = key.split_first_chunk::<16>()?;
        let (responsible, behind) = behind.split_first_chunk::<8>()?;
        let (since, conversation) = behind.split_first_chunk::<8>()?;
        let conversation = <[u8; 16]>::try_from(conversation).ok()?;
        let (reopened, behind) = value.split_first()?;
        let (group, behind) = behind.split_first_chunk::<8>()?;
        let (last, channel) = behind.split_first_chunk::<8>()?;
        let number = |bytes: &[u8; 8]| Some(u64::from_be_bytes(*bytes)).filter(|it| *it > 0);
        Some(Self {
            account: AccountId::from_bytes(*account),
            responsible: number(responsible).map(UserId),
            since: UnixMillis::new(u64::from_be_bytes(*since)),
            conversation: ConversationId::from_bytes(conversation),
            channel: std::str::from_utf8(channel).ok()?.parse().ok()?,
            reopened: *reopened == 1,
            group: number(group).map(GroupId),
            last: number(last).map(UserId),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_as_they_are_written() {
        let queue_row = WaitingRow {
            account: AccountId::from_random([1; 16]),
            responsible: None,
            since: UnixMillis::new(256),
            conversation: ConversationId::from_random([2; 16]),
            channel: "demo".parse().unwrap(),
            reopened: false,
            group: None,
            last: Some(UserId(3)),
        };
        let user_row = WaitingRow {
            responsible: Some(UserId(7)),
            reopened: true,
            group: Some(GroupId(5)),
            last: None,
            ..queue_row.clone()
        };
        for row in [&queue_row, &user_row] {
            let copy = WaitingRow::parse(&row.key(), &row.value());
            assert_eq!(copy.as_ref(), Some(row));
            assert!(row.key().starts_with(&prefix(row.account, row.responsible)));
            assert_eq!(WaitingRow::parse(&row.key()[1..], &row.value()), None);
            assert_eq!(WaitingRow::parse(&row.key(), &row.value()[..16]), None);
        }
        let earlier = WaitingRow {
            since: UnixMillis::new(255),
            ..queue_row.clone()
        };
        assert!(earlier.key() < queue_row.key());
    }
}
