//! The lists of timers: the rows of snoozed conversations and of scheduled replies.

use crate::id::ConversationId;
use crate::time::UnixMillis;

/// The place of a conversation in the list, ordered by the time until which each is snoozed.
#[must_use]
pub fn row(until: UnixMillis, conversation: ConversationId) -> Vec<u8> {
    let mut key = until.get().to_be_bytes().to_vec();
    key.extend(conversation.bytes());
    key
}

/// The place of a scheduled reply in the list of those that wait, ordered by the time at which each is sent.
#[must_use]
pub fn scheduled_row(due: UnixMillis, conversation: ConversationId, number: u64) -> Vec<u8> {
    let mut key = row(due, conversation);
    key.extend(number.to_be_bytes());
    key
}

/// The time, the conversation and the number that a [`scheduled_row`] encodes.
#[must_use]
pub fn parse_scheduled_row(key: &[u8]) -> Option<(UnixMillis, ConversationId, u64)> {
    let (row, number) = key.split_last_chunk::<8>()?;
    let (due, conversation) = parse_row(row)?;
    Some((due, conversation, u64::from_be_bytes(*number)))
}

/// The time and the conversation that a [`row`] encodes.
#[must_use]
pub fn parse_row(key: &[u8]) -> Option<(UnixMillis, ConversationId)> {
    let (until, id) = key.split_first_chunk::<8>()?;
    let id = <[u8; 16]>::try_from(id).ok()?;
    Some((
        UnixMillis::new(u64::from_be_bytes(*until)),
        ConversationId::from_bytes(id),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_ordered_by_time_and_name_their_conversation() {
        let conversation = ConversationId::from_random([2; 16]);
        let early = row(UnixMillis::new(255), conversation);
        let late = row(UnixMillis::new(256), ConversationId::from_random([1; 16]));
        assert!(early < late);
        assert_eq!(
            parse_row(&early),
            Some((UnixMillis::new(255), conversation))
        );
        assert_eq!(parse_row(&early[1..]), None);
    }
}
