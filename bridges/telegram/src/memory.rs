//! The memory of Telegram, in tables of the store.

pub(crate) mod messages;
pub(crate) mod started;

use std::cell::RefCell;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use switchboard_bridge_core::state::Change;
use switchboard_bridge_core::store::Store;
use switchboard_telegram::inbound::Memory;

/// Single values.
pub(crate) const STATE: &str = "state";
/// The parts of albums, and what waits behind them, by the numbers of their updates.
pub(crate) const GATHERED: &str = "gathered";
/// The chat in which a conversation began, by the supergroup that it has become.
pub(crate) const FIRST_CHATS: &str = "first-chats";
/// The chat that a group is now, by the one in which its conversation began.
pub(crate) const PRESENT_CHATS: &str = "present-chats";
/// The conversations, by our ids of them.
pub(crate) const CONVERSATIONS: &str = "conversations";
/// The values of rows of lists that are too long for a button, by their keys.
pub(crate) const ROWS: &str = "rows";

/// A conversation, as far as the account side needs it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Conversation {
    /// The id that the service has given it.
    pub(crate) chat_ref: String,
    /// The name and the phone number that the contact of a new customer gets.
    pub(crate) name: String,
    pub(crate) phone: String,
    /// True while the customer has blocked the bot.
    pub(crate) is_blocked: bool,
}

impl Conversation {
    /// The conversation with this id of ours; `None` before its first message is at the service.
    pub(crate) fn find(store: &Store, id: &str) -> Option<Self> {
        serde_json::from_str(&store.get(CONVERSATIONS, id)?).ok()
    }

    /// The change that stores it.
    pub(crate) fn change(&self, id: &str) -> Change {
        // Texts and flags are JSON.
        let text = serde_json::to_string(self).unwrap_or_default();
        Change::put(CONVERSATIONS, id, text)
    }
}

/// The chat that a group is now.
pub(crate) fn present_chat(store: &Store, first: i64) -> i64 {
    number(store, PRESENT_CHATS, first).unwrap_or(first)
}

fn number(store: &Store, table: &str, key: i64) -> Option<i64> {
    store.get(table, &key.to_string())?.parse().ok()
}

/// The memory in which the updates of one poll are read: a move among them counts for those behind it.
pub(crate) struct PollMemory<'s> {
    store: &'s Store,
    moves: RefCell<BTreeMap<i64, i64>>,
}

impl<'s> PollMemory<'s> {
    pub(crate) fn new(store: &'s Store) -> Self {
        Self {
            store,
            moves: RefCell::default(),
        }
    }

    /// Returns the changes after which the conversation of a group goes on in its supergroup.
    pub(crate) fn migrate(&self, from: i64, to: i64) -> Vec<Change> {
        let first = self.first_chat(from);
        if first == to {
            return Vec::new();
        }
        self.moves.borrow_mut().insert(to, first);
        vec![
            Change::put(FIRST_CHATS, to.to_string(), first.to_string()),
            Change::put(PRESENT_CHATS, first.to_string(), to.to_string()),
        ]
    }
}

impl Memory for PollMemory<'_> {
    fn first_chat(&self, chat: i64) -> i64 {
        let here = self.moves.borrow().get(&chat).copied();
        let first = here.or_else(|| number(self.store, FIRST_CHATS, chat));
        first.unwrap_or(chat)
    }

    fn service_id(&self, chat: i64, message: i64) -> Option<String> {
        messages::service_id(self.store, chat, message)
    }

    fn row_value(&self, key: &str) -> Option<String> {
        self.store.get(ROWS, key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_that_moved_twice_keeps_its_conversation() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(directory.path()).unwrap();
        let memory = PollMemory::new(&store);
        assert_eq!(memory.migrate(-5, -100).len(), 2);
        assert_eq!(memory.migrate(-100, -200).len(), 2);
        assert_eq!(memory.first_chat(-200), -5);
        assert_eq!(memory.first_chat(-100), -5);
        assert_eq!(memory.first_chat(7), 7);
    }
}
