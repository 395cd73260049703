//! Keys of the hooks that relays took, and the orders of their rows.

use crate::dispatch::delivery_queue::OutNumber;
use crate::id::MessageId;
use crate::relays::{ChatMark, RelayChat, RelayId, RelayQueueId, RelayTarget};
use crate::time::UnixMillis;
use switchboard_engine::entries::Key;

/// A hook, by its number in its conversation.
#[must_use]
pub fn hook(chat: RelayChat, number: OutNumber) -> Key {
    Key::new("relayed hook", &(chat, number))
}

/// The newest hook that is the same as another one.
#[must_use]
pub fn same(chat: RelayChat, mark: [u8; 16]) -> Key {
    Key::new("relayed same", &(chat, mark))
}

/// The newest hook about a message of the counterpart.
#[must_use]
pub fn message(relay: RelayId, id: &str) -> Key {
    Key::new("relayed message", &(relay, id))
}

/// The post that the bridge knows by an id of ours.
#[must_use]
pub fn own_id(relay: RelayId, id: MessageId) -> Key {
    Key::new("relayed own", &(relay, id))
}

/// The answer to the post that the counterpart knows by this id.
#[must_use]
pub fn real_id(relay: RelayId, id: &str) -> Key {
    Key::new("relayed real", &(relay, id))
}

/// The answer of the counterpart to a post, by its number in its conversation.
#[must_use]
pub fn answer(chat: RelayChat, number: OutNumber) -> Key {
    Key::new("relayed answer", &(chat, number))
}

/// The newest state of a hook's delivery to a target.
#[must_use]
pub fn delivery(queue: RelayQueueId, number: OutNumber) -> Key {
    Key::new("relay delivery", &(queue, number))
}

/// The prefix of the rows of a target.
#[must_use]
pub fn target_prefix(target: RelayTarget) -> Vec<u8> {
    let mut key = target.relay.bytes().to_vec();
    key.push(target.place);
    key
}

/// The prefix of the rows of a queue.
#[must_use]
pub fn queue_prefix(queue: RelayQueueId) -> Vec<u8> {
    let mut key = target_prefix(queue.target);
    key.extend(queue.chat.bytes());
    key
}

/// The place of a hook in its queue.
#[must_use]
pub fn queue_row(queue: RelayQueueId, number: OutNumber) -> Vec<u8> {
    let mut key = queue_prefix(queue);
    key.extend(number.0.to_be_bytes());
    key
}

/// The queue and the number in a [`queue_row`].
#[must_use]
pub fn parse_queue_row(key: &[u8]) -> Option<(RelayQueueId, OutNumber)> {
    let (relay, behind) = key.split_first_chunk::<16>()?;
    let (place, behind) = behind.split_first()?;
    let (chat, behind) = behind.split_first_chunk::<16>()?;
    let bytes = <[u8; 8]>::try_from(behind).ok()?;
    let target = RelayTarget {
        relay: RelayId::from_bytes(*relay),
        place: *place,
    };
    let chat = ChatMark::from_bytes(*chat);
    let number = OutNumber(u64::from_be_bytes(bytes));
    Some((RelayQueueId { target, chat }, number))
}

/// The prefix of the rows by which the hooks of a relay are listed.
#[must_use]
pub fn list_prefix(relay: RelayId) -> Vec<u8> {
    relay.bytes().to_vec()
}

/// The place of a hook among those of its relay, oldest first.
#[must_use]
pub fn list_row(chat: RelayChat, at: UnixMillis, number: OutNumber) -> Vec<u8> {
    let mut key = list_from(chat.relay, at);
    key.extend(chat.chat.bytes());
    key.extend(number.0.to_be_bytes());
    key
}

/// The beginning of the rows of the hooks of a relay that were taken at this time.
#[must_use]
pub fn list_from(relay: RelayId, at: UnixMillis) -> Vec<u8> {
    let mut key = list_prefix(relay);
    key.extend(at.get().to_be_bytes());
    key
}

/// The conversation, the time and the number in a [`list_row`].
#[must_use]
pub fn parse_list_row(key: &[u8]) -> Option<(RelayChat, UnixMillis, OutNumber)> {
    let (relay, behind) = key.split_first_chunk::<16>()?;
    let (at, behind) = behind.split_first_chunk::<8>()?;
    let (chat, behind) = behind.split_first_chunk::<16>()?;
    let bytes = <[u8; 8]>::try_from(behind).ok()?;
    let chat = RelayChat {
        relay: RelayId::from_bytes(*relay),
        chat: ChatMark::from_bytes(*chat),
    };
    let at = UnixMillis::new(u64::from_be_bytes(*at));
    Some((chat, at, OutNumber(u64::from_be_bytes(bytes))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_relayed_hooks_are_read_back() {
        let relay = RelayId::from_channel(&"shop".parse().unwrap());
        let chat = ChatMark::new("shop_1", "c-1");
        let target = RelayTarget { relay, place: 3 };
        let queue = RelayQueueId { target, chat };
        let number = OutNumber(u64::MAX);
        let row = queue_row(queue, number);
        assert_eq!(parse_queue_row(&row), Some((queue, number)));
        assert!(row.starts_with(&target_prefix(target)));
        assert_eq!(parse_queue_row(&row[1..]), None);
        let at = UnixMillis::from_secs(9);
        let row = list_row(queue.of_relay(), at, number);
        assert_eq!(parse_list_row(&row), Some((queue.of_relay(), at, number)));
        assert!(row.starts_with(&list_from(relay, at)));
    }
}
