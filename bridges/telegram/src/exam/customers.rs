//! The customers of the exam, who are people of the double.

use std::rc::Rc;
use std::time::Duration;

use serde_json::Value;
use sha2::{Digest as _, Sha256};
use switchboard_bridge_core::bridge::Bridge;
use switchboard_bridge_core::forms::{content, part, text};
use tokio::time::{Instant, sleep};

use super::Exam;
use super::double::OrderError;
use crate::intake;
use crate::memory::started;
use crate::telegram::Telegram;

/// The pause until a phone number that was shared is known to the bridge.
const SHARE_PAUSE: Duration = Duration::from_millis(100);
/// The pause after an order that failed.
const FAILURE_PAUSE: Duration = Duration::from_secs(1);
/// The longest name of a person, in characters.
const NAME_MAX: usize = 60;
/// The longest wait until the bridge has stored a message.
const STORED_WITHIN: Duration = Duration::from_secs(30);
const EACH: Duration = Duration::from_millis(5);
/// The ids of people begin here; up to half of them follow.
const FIRST_PERSON: i64 = 1 << 40;

/// The id of the person with a name.
fn person_id(name: &str) -> i64 {
    let digest = Sha256::digest(name.as_bytes());
    let bytes = digest.iter().take(5);
    FIRST_PERSON + bytes.fold(0, |number, byte| number * 256 + i64::from(*byte)) / 2
}

impl Exam {
    /// Registers the bot of the bridge.
    ///
    /// # Errors
    /// When the double does not.
    pub(crate) async fn register(&self) -> Result<(), OrderError> {
        self.double.register().await
    }

    /// Makes the customer of a message, for a conversation that did not begin in Telegram: a person who has opened the chat, or one
    /// who has shared a phone number. Returns the pause until then.
    pub(crate) async fn meet(
        &self,
        bridge: &Rc<Bridge<Telegram>>,
        event: &Value,
    ) -> Option<Duration> {
        let message = part(event, "message");
        let conversation = part(message, "conversation");
        let (id, client_id) = (text(conversation, "id"), text(conversation, "client_id"));
        let has_chat = bridge.messenger.ids.chat(client_id).is_some()
            || started::chat(&bridge.store, id).is_some();
        if has_chat || id.is_empty() || !content(event).is_object() {
            return None;
        }
        let phone = text(part(message, "receiver"), "phone");
        let outcome = match (client_id, phone) {
            ("", "") => self.open_chat(bridge, id, id).await,
            ("", phone) => self.open_phone(bridge, phone).await,
            (name, _) => self.open_chat(bridge, id, name).await,
        };
        outcome.unwrap_or_else(|why| {
            tracing::warn!("a customer of the exam is made later: {why}");
            Some(FAILURE_PAUSE)
        })
    }

    async fn open_chat(
        &self,
        bridge: &Rc<Bridge<Telegram>>,
        conversation: &str,
        name: &str,
    ) -> Result<Option<Duration>, OrderError> {
        let person = self.person(name).await?;
        let change = started::change(conversation, person);
        bridge.commit(vec![change]).await;
        Ok(None)
    }

    async fn open_phone(
        &self,
        bridge: &Rc<Bridge<Telegram>>,
        phone: &str,
    ) -> Result<Option<Duration>, OrderError> {
        if started::chat_with_phone(&bridge.store, phone).is_some() {
            return Ok(None);
        }
        let person = self.person(phone).await?;
        if self.people.borrow_mut().insert(format!("phone {phone}")) {
            self.double.share_phone(person, phone).await?;
        }
        Ok(Some(SHARE_PAUSE))
    }

    /// The id of the person with a name, who is at the double afterwards.
    async fn person(&self, name: &str) -> Result<i64, OrderError> {
        let id = person_id(name);
        let key = format!("name {name}");
        if !self.people.borrow().contains(&key) {
            let first_name: String = name.chars().take(NAME_MAX).collect();
            self.double.add_person(id, &first_name).await?;
            self.people.borrow_mut().insert(key);
        }
        Ok(id)
    }

    /// Lets a customer write, and returns whether the bridge has stored it. The customer is named by our id of the conversation or of
    /// the customer, by the phone number, or is another person.
    pub(super) async fn say(
        &self,
        bridge: &Rc<Bridge<Telegram>>,
        name: &str,
        words: &str,
    ) -> Result<bool, OrderError> {
        let ids = bridge.messenger.ids;
        let customer = ids
            .chat(name)
            .or_else(|| ids.user(name))
            .or_else(|| started::chat_with_phone(&bridge.store, name));
        let person = match customer {
            Some(person) => person,
            None => self.person(name).await?,
        };
        let update = self.double.say(person, words).await?;
        let begin = Instant::now();
        while intake::offset(bridge).is_none_or(|offset| offset <= update) {
            if begin.elapsed() > STORED_WITHIN {
                return Ok(false);
            }
            sleep(EACH).await;
        }
        // What is read may be on its way to the disk.
        bridge.store.flush().await;
        Ok(true)
    }

    /// Lets each message to a customer take so long from now on.
    pub(super) async fn slow_down(&self, time: Duration) -> Result<(), OrderError> {
        self.double.slow_down(time).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_is_a_person_of_its_own() {
        let ids = ["bo", "cleo", "+15550000000"].map(person_id);
        assert!(ids.iter().all(|id| *id >= FIRST_PERSON));
        assert!(ids[0] != ids[1] && ids[1] != ids[2]);
        assert_eq!(person_id("bo"), ids[0]);
    }
}
