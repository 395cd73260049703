//! The messages that have arrived at customers: what the double shows, with the ids that the bridge has recorded.

use std::collections::BTreeMap;
use std::rc::Rc;

use serde::Serialize;
use switchboard_bridge_core::bridge::Bridge;

use super::Exam;
use super::double::{OrderError, ShownChat};
use crate::memory::messages;
use crate::telegram::Telegram;

/// A message that has arrived.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct SeenMessage {
    /// The service's id of the message; empty when the bridge never recorded one.
    msgid: String,
    text: String,
    #[serde(skip)]
    place: (i64, i64, i64),
}

impl Exam {
    /// The messages that have arrived, in the order of their times.
    pub(super) async fn seen(
        &self,
        bridge: &Rc<Bridge<Telegram>>,
    ) -> Result<Vec<SeenMessage>, OrderError> {
        let chats = self.double.chats().await?;
        let ids = messages::shown_ids(&bridge.store);
        let is_under_way = bridge.waiting().deliver > 0;
        // What is not on the disk yet has not happened.
        bridge.store.flush().await;
        let mut arrivals: Vec<SeenMessage> = chats
            .iter()
            .flat_map(|chat| seen_in(chat, &ids, is_under_way))
            .collect();
        arrivals.sort_by_key(|message| message.place);
        Ok(arrivals)
    }
}

/// The messages of the bot in a chat. The parts of a long one are one message.
///
/// A message without a recorded id was sent by a bridge that was killed before it could record it: it is listed with the id of its
/// repeat, which follows it with the same text. One that nothing follows may be recorded in the next moment, while the bridge is
/// sending; it is listed from then on.
fn seen_in(
    chat: &ShownChat,
    ids: &BTreeMap<(i64, i64), String>,
    is_under_way: bool,
) -> Vec<SeenMessage> {
    let mut arrivals: Vec<SeenMessage> = Vec::new();
    let mut repeats: BTreeMap<&str, &str> = BTreeMap::new();
    let mut parts: BTreeMap<&str, usize> = BTreeMap::new();
    let own = chat.messages.iter().filter(|it| it.from.is_none());
    for message in own.rev() {
        let (number, text) = (message.message_id, message.text());
        let place = (message.at, chat.id, number);
        if let Some(id) = ids.get(&(chat.id, number)).map(String::as_str) {
            repeats.insert(text, id);
            if let Some(later) = parts.get(id).and_then(|at| arrivals.get_mut(*at)) {
                later.text.insert_str(0, text);
                later.place = place;
                continue;
            }
            parts.insert(id, arrivals.len());
        }
        let id = repeats.get(text).copied();
        if id.is_none() && arrivals.is_empty() && is_under_way {
            continue;
        }
        arrivals.push(SeenMessage {
            msgid: id.unwrap_or_default().to_owned(),
            text: text.to_owned(),
            place,
        });
    }
    arrivals
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// A chat with these texts of the bot, and the ids of the recorded ones.
    fn chat(rows: &[(&str, &str)]) -> (ShownChat, BTreeMap<(i64, i64), String>) {
        let messages: Vec<Value> = (1..)
            .zip(rows)
            .map(|(number, (text, _))| {
                json!({ "message_id": number, "at": number, "from": null, "content": { "text": text } })
            })
            .collect();
        let pairs = (1..).zip(rows).filter(|(_, (_, id))| !id.is_empty());
        let ids = pairs
            .map(|(number, (_, id))| ((7, number), (*id).to_owned()))
            .collect();
        let chat = serde_json::from_value(json!({ "id": 7, "messages": messages })).unwrap();
        (chat, ids)
    }

    fn list(rows: &[(&str, &str)], is_under_way: bool) -> Vec<(String, String)> {
        let (chat, ids) = chat(rows);
        let mut arrivals = seen_in(&chat, &ids, is_under_way);
        arrivals.sort_by_key(|it| it.place);
        arrivals.into_iter().map(|it| (it.msgid, it.text)).collect()
    }

    fn rows(rows: &[(&str, &str)]) -> Vec<(String, String)> {
        let owned = |(id, text): &(&str, &str)| ((*id).to_owned(), (*text).to_owned());
        rows.iter().map(owned).collect()
    }

    #[test]
    fn a_message_that_came_twice_is_listed_twice() {
        let arrivals = list(&[("Hi", "a"), ("Yes", ""), ("Yes", "b")], false);
        assert_eq!(arrivals, rows(&[("a", "Hi"), ("b", "Yes"), ("b", "Yes")]));
    }

    #[test]
    fn the_parts_of_a_message_are_one() {
        let arrivals = list(&[("one ", "a"), ("two", "a"), ("three", "b")], false);
        assert_eq!(arrivals, rows(&[("a", "one two"), ("b", "three")]));
    }

    #[test]
    fn a_part_that_came_twice_is_listed_twice() {
        let arrivals = list(&[("one ", "a"), ("two", ""), ("two", "a")], false);
        assert_eq!(arrivals, rows(&[("a", "one two"), ("a", "two")]));
    }

    #[test]
    fn a_message_without_an_id_waits_only_while_something_is_sent() {
        assert_eq!(
            list(&[("Hi", "a"), ("Yes", "")], true),
            rows(&[("a", "Hi")])
        );
        assert_eq!(
            list(&[("Hi", "a"), ("Yes", "")], false),
            rows(&[("a", "Hi"), ("", "Yes")])
        );
        assert_eq!(
            list(&[("Yes", ""), ("Hi", "a")], true),
            rows(&[("", "Yes"), ("a", "Hi")])
        );
    }
}
