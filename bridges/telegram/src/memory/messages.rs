//! Messages of account users at Telegram: the ids on both sides, for quotes, reactions and edits.
//!
//! Ids of customers' messages need no table, for ours are made of those of Telegram.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use switchboard_bridge_core::bridge::Bridge;
use switchboard_bridge_core::state::Change;
use switchboard_bridge_core::store::Store;

use crate::telegram::Telegram;

/// The messages in a chat, by the id that the service has given the message.
const SENT: &str = "sent";
/// The id of the service, by the chat and the number of a message.
const SHOWN: &str = "shown";
/// The days for which a message can be quoted and reacted to.
const DAYS: i64 = 180;
/// The rows that are read at once by the sweep.
const PAGE: usize = 500;

/// A message of an account user, as it stands in a chat: several messages, if it was long.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SentMessage {
    #[serde(rename = "c")]
    pub(crate) chat: i64,
    #[serde(rename = "m")]
    pub(crate) messages: Vec<i64>,
    /// The second in which it was sent.
    #[serde(rename = "t")]
    pub(crate) at: i64,
}

impl SentMessage {
    /// The message with this id of the service.
    pub(crate) fn find(store: &Store, msgid: &str) -> Option<Self> {
        serde_json::from_str(&store.get(SENT, msgid)?).ok()
    }

    /// The changes that store it in both directions.
    pub(crate) fn changes(&self, msgid: &str) -> Vec<Change> {
        // Numbers are JSON.
        let text = serde_json::to_string(self).unwrap_or_default();
        let numbers = self.messages.iter();
        let rows = numbers.map(|message| Change::put(SHOWN, key(self.chat, *message), msgid));
        std::iter::once(Change::put(SENT, msgid, text))
            .chain(rows)
            .collect()
    }

    fn deletions(&self, msgid: &str) -> Vec<Change> {
        let numbers = self.messages.iter();
        let rows = numbers.map(|message| Change::delete(SHOWN, key(self.chat, *message)));
        std::iter::once(Change::delete(SENT, msgid))
            .chain(rows)
            .collect()
    }
}

fn key(chat: i64, message: i64) -> String {
    format!("{chat}/{message}")
}

/// The id that the service has given a message which an account user wrote.
pub(crate) fn service_id(store: &Store, chat: i64, message: i64) -> Option<String> {
    store.get(SHOWN, &key(chat, message))
}

/// The ids that the service has given the messages of account users, by the chat and the number of a message.
pub(crate) fn shown_ids(store: &Store) -> BTreeMap<(i64, i64), String> {
    let rows = store.list(SHOWN).into_iter();
    let ids = rows.filter_map(|(key, id)| {
        let (chat, message) = key.split_once('/')?;
        Some(((chat.parse().ok()?, message.parse().ok()?), id))
    });
    ids.collect()
}

/// Forgets the messages that are too old, page by page, and returns their number.
pub(crate) async fn forget_old(bridge: &std::rc::Rc<Bridge<Telegram>>, now: i64) -> usize {
    let (mut after, mut count) = (String::new(), 0);
    loop {
        let rows = bridge.store.page(SENT, &after, PAGE);
        let Some((last, _)) = rows.last() else {
            return count;
        };
        after.clone_from(last);
        let mut changes = Vec::new();
        for (msgid, text) in &rows {
            let message: SentMessage = serde_json::from_str(text).unwrap_or_default();
            if message.at < now - DAYS * 86_400 {
                changes.extend(message.deletions(msgid));
                count += 1;
            }
        }
        if !changes.is_empty() {
            bridge.commit(changes).await;
        }
        tokio::task::yield_now().await;
    }
}
