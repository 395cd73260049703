//! Avatars of customers. Telegram is asked at most once a day for each, and the service gets a link of the bridge, as it does for files.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use switchboard_bridge_core::bridge::Bridge;
use switchboard_bridge_core::clock::unix_seconds;
use switchboard_bridge_core::forms::{part, set, text};
use switchboard_bridge_core::state::Change;
use switchboard_bridge_core::store::Store;
use switchboard_telegram::api::types::File;
use switchboard_telegram::api::{ApiError, DOWNLOAD_MAX};
use switchboard_telegram::inbound::Posts;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::files::link::FileLink;
use crate::telegram::Telegram;

/// The avatars, by the people.
const AVATARS: &str = "avatars";
/// The seconds between two questions for one person.
const DAY: i64 = 86_400;
/// The seconds after a question without an answer.
const AFTER_FAILURE: i64 = 600;
/// The longest wait for answers. Messages wait for it, so a late avatar comes with a later message.
const WITHIN: Duration = Duration::from_secs(2);
/// The most people of one poll who are asked for. Others come with their next message.
const PEOPLE_MAX: usize = 16;

/// The avatar of a person.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Avatar {
    /// The link; empty when there is no avatar.
    address: String,
    /// The id by which Telegram says that it is the same picture.
    unique: String,
    /// The second after which the link is not good any more.
    end: i64,
    /// The second from which Telegram is asked again.
    again_at: i64,
}

impl Avatar {
    fn find(store: &Store, person: i64) -> Option<Self> {
        serde_json::from_str(&store.get(AVATARS, &person.to_string())?).ok()
    }

    /// The avatar after an answer. The link stays as long as the picture does, because the service fetches each address once.
    fn after(self, answer: Result<Option<File>, ApiError>, telegram: &Telegram, now: i64) -> Self {
        let Ok(picture) = answer else {
            return Self {
                again_at: now.saturating_add(AFTER_FAILURE),
                ..self
            };
        };
        let again_at = now.saturating_add(DAY);
        let Some(picture) = picture else {
            return Self {
                again_at,
                ..Self::default()
            };
        };
        let is_same = !self.address.is_empty() && self.unique == picture.file_unique_id;
        if is_same && self.end > again_at.saturating_add(DAY) {
            return Self { again_at, ..self };
        }
        let end = now.saturating_add(telegram.link_seconds);
        let link = FileLink {
            file_id: picture.file_id,
            media_type: "image/jpeg".to_owned(),
            name: "avatar.jpg".to_owned(),
            end,
        };
        Self {
            address: telegram.address(&link),
            unique: picture.file_unique_id,
            end,
            again_at,
        }
    }
}

/// The avatars that a poll has renewed.
pub(crate) struct Avatars(BTreeMap<i64, Avatar>);

impl Avatars {
    /// Asks for the avatars of the people whose messages are among these updates, as far as it is time.
    pub(crate) async fn renew(bridge: &Rc<Bridge<Telegram>>, updates: &[Value]) -> Self {
        let now = unix_seconds();
        let mut due = BTreeMap::new();
        for person in updates.iter().filter_map(writer) {
            let avatar = Avatar::find(&bridge.store, person).unwrap_or_default();
            if avatar.again_at <= now && due.len() < PEOPLE_MAX {
                due.insert(person, avatar);
            }
        }
        let mut questions = JoinSet::new();
        for person in due.keys().copied() {
            let bridge = Rc::clone(bridge);
            questions.spawn_local(async move {
                let question = bridge.messenger.api.get_avatar(person, DOWNLOAD_MAX);
                let late = |_| Err(ApiError::Lost("no avatar comes in time".to_owned()));
                (person, timeout(WITHIN, question).await.unwrap_or_else(late))
            });
        }
        let mut fresh = BTreeMap::new();
        while let Some(outcome) = questions.join_next().await {
            let Ok((person, answer)) = outcome else {
                continue;
            };
            if let Err(why) = &answer {
                tracing::debug!("an avatar is not known: {why}");
            }
            let before = due.remove(&person).unwrap_or_default();
            fresh.insert(person, before.after(answer, &bridge.messenger, now));
        }
        Self(fresh)
    }

    /// Returns the changes that remember them.
    pub(crate) fn changes(&self) -> Vec<Change> {
        let rows = self.0.iter();
        rows.map(|(person, avatar)| {
            // Texts and numbers are JSON.
            let value = serde_json::to_string(avatar).unwrap_or_default();
            Change::put(AVATARS, person.to_string(), value)
        })
        .collect()
    }

    /// Adds the link to the senders of messages.
    pub(crate) fn add_to(&self, bridge: &Bridge<Telegram>, posts: &mut Posts) {
        for post in &mut posts.posts {
            let Some(sender) = post.body.pointer_mut("/payload/sender") else {
                continue;
            };
            let person = bridge.messenger.ids.user(text(sender, "id"));
            let avatar = person.and_then(|id| {
                let fresh = self.0.get(&id).cloned();
                fresh.or_else(|| Avatar::find(&bridge.store, id))
            });
            if let Some(address) = avatar.map(|it| it.address).filter(|it| !it.is_empty()) {
                set(sender, "avatar", address);
            }
        }
    }
}

/// The person who wrote the message of an update.
fn writer(update: &Value) -> Option<i64> {
    let message = update
        .get("message")
        .or_else(|| update.get("business_message"))?;
    let from = part(message, "from");
    let is_person =
        part(from, "is_bot") != &Value::Bool(true) && part(message, "sender_chat").is_null();
    part(from, "id").as_i64().filter(|id| is_person && *id > 0)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_people_have_avatars() {
        let update = |from: Value| json!({ "message": { "from": from } });
        assert_eq!(
            writer(&update(json!({ "id": 7, "is_bot": false }))),
            Some(7)
        );
        assert_eq!(writer(&update(json!({ "id": 7, "is_bot": true }))), None);
        let group = json!({ "message": { "from": { "id": 7 }, "sender_chat": { "id": -5 } } });
        assert_eq!(writer(&group), None);
        assert_eq!(
            writer(&json!({ "edited_message": { "from": { "id": 7 } } })),
            None
        );
    }
}
