//! The stored data: the keys and rows that come with a message, in the sizes that they have in the product.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use switchboard_engine::entries::{IndexEntries, Key, Row, RowBytes};
use switchboard_engine::state::State;
use switchboard_engine::stream::StreamKind;
use switchboard_engine::table::Table;

switchboard_engine::kinds! { pub const; QUIET: 1, "Quiet", Often; }

pub mod tables {
    switchboard_engine::tables! { pub const;
        /// Conversations, newest activity first.
        ACTIVITY: 2, "activity", Often;
        /// Snapshots of conversations.
        SNAPSHOT: 3, "snapshot", Often;
    }
}

/// The bytes of a snapshot.
const SNAPSHOT_BYTES: usize = 400;
/// The keys that lead to a message.
pub const KEYS_OF_MESSAGE: u64 = 3;

/// A state that nothing happens to: all records belong to it.
#[derive(Clone, Serialize, Deserialize)]
pub struct Quiet;

impl State for Quiet {
    type Id = u8;
    type Event = ();
    type Notice = ();
    const KIND: StreamKind = QUIET;

    fn initial(_: &u8) -> Self {
        Self
    }

    fn apply(&mut self, _event: &()) {}

    fn index(&self, _event: &(), _: &mut IndexEntries) {}
}

/// Messages, each to one of so many conversations, chosen at random but the same each time.
#[derive(Clone, Copy)]
pub struct Messages {
    pub conversations: u64,
}

impl Messages {
    /// The conversation of a message.
    pub fn conversation(self, message: u64) -> u64 {
        mixed(message) % self.conversations
    }

    /// The entries that these messages add. The activity row of each conversation moves to its newest message; its
    /// snapshot is written once.
    pub fn entries(self, messages: Range<u64>, last: &mut [u64]) -> IndexEntries {
        let mut entries = IndexEntries::default();
        let mut conversations = Vec::new();
        for message in messages {
            for key in 0..KEYS_OF_MESSAGE {
                entries.key(key_of(message, key));
            }
            let conversation = self.conversation(message);
            let place = usize::try_from(conversation).ok();
            if let Some(before) = place.and_then(|place| last.get_mut(place)) {
                if *before != 0 {
                    let row = activity(*before, conversation);
                    entries.delete(tables::ACTIVITY, row);
                }
                *before = message.saturating_add(1);
                let row = activity(*before, conversation);
                entries.insert(tables::ACTIVITY, row, Vec::new());
            }
            conversations.push((conversation, message));
        }
        conversations.sort_unstable();
        for (index, (conversation, message)) in conversations.iter().enumerate() {
            let next = conversations.get(index.saturating_add(1));
            if next.is_none_or(|next| next.0 != *conversation) {
                let row = snapshot_key(*conversation);
                entries.put(tables::SNAPSHOT, row, snapshot(*conversation, *message));
            }
        }
        entries
    }
}

/// One of the keys of a message.
pub fn key_of(message: u64, key: u64) -> Key {
    Key::new("message", &(message, key))
}

/// A key that no message has.
pub fn absent(number: u64) -> Key {
    Key::new("absent", &number)
}

/// The row of a conversation's snapshot.
pub fn snapshot_key(conversation: u64) -> RowBytes {
    RowBytes::from_slice(&spread(conversation))
}

/// The snapshot of a conversation behind this message.
pub fn snapshot(conversation: u64, message: u64) -> Vec<u8> {
    let mut value = vec![b'x'; SNAPSHOT_BYTES];
    for (byte, with) in value.iter_mut().zip(spread(conversation ^ message)) {
        *byte = with;
    }
    value
}

fn activity(at: u64, conversation: u64) -> RowBytes {
    let mut row = RowBytes::from_slice(&spread(0));
    row.extend_from_slice(&u64::MAX.wrapping_sub(at).to_be_bytes());
    row.extend_from_slice(&spread(conversation));
    row
}

/// Sixteen bytes that look like an id.
fn spread(number: u64) -> [u8; 16] {
    let high = u128::from(mixed(number));
    (high << 64 | u128::from(mixed(!number))).to_be_bytes()
}

/// A number that looks random and is the same each time.
pub fn mixed(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// The key of a row with the number of its table before it.
pub fn full_key(table: Table, key: &[u8]) -> Vec<u8> {
    let mut full = vec![table.code()];
    full.extend(key);
    full
}

/// A row as a change.
pub fn full_row(row: Row) -> (Vec<u8>, Option<Vec<u8>>) {
    (full_key(row.table, &row.key), row.value)
}
