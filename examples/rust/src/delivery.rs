//! The way of a message to the customer, and the report of its delivery.

use std::rc::Rc;

use serde_json::{Value, json};
use tokio::time::sleep;

use crate::bridge::Bridge;
use crate::forms::{content, part, plain_text, text};
use crate::lanes::Outcome;
use crate::log::log;
use crate::media::MediaError;
use crate::posts::{Work, quoted};
use crate::service::backoff;
use crate::state::{Change, Chat, Job, Kind, Lane, Shown};

/// The code of an error that has a text.
const OTHER_ERROR: u16 = 905;

impl Bridge {
    pub(crate) async fn deliver(self: &Rc<Self>, job: &Job, tries: u32) -> Outcome {
        let event: Value = serde_json::from_str(&job.body).unwrap_or_default();
        let obstacle = match self.check(content(&event), tries).await {
            Ok(()) => None,
            Err(MediaError::Obstacle(why)) => Some(why),
            Err(MediaError::Lost(why)) => {
                log(format!("a file is fetched again: {why}"));
                return Outcome::Later(backoff(tries));
            }
        };
        sleep(self.takes.get()).await;
        self.commit(self.delivery(job, &event, obstacle)).await;
        Outcome::Over
    }

    /// Shows the message, orders its report and ends the job: a kill repeats all of it or nothing.
    fn delivery(&self, job: &Job, event: &Value, obstacle: Option<String>) -> Vec<Change> {
        let content = content(event);
        let msgid = text(content, "id");
        let mut changes = vec![Change::End(job.id)];
        if obstacle.is_none() {
            let conversation = self.find_chat(event, &mut changes);
            changes.push(Change::Shown(Shown {
                msgid: msgid.to_owned(),
                conversation,
                text: plain_text(content),
            }));
        }
        if !msgid.is_empty() {
            let report = match obstacle {
                None => json!({ "msgid": msgid, "delivery_status": 1 }),
                Some(why) => {
                    json!({ "msgid": msgid, "delivery_status": -1, "error_code": OTHER_ERROR, "error": why })
                }
            };
            let lane = Lane {
                kind: Kind::Report,
                name: msgid.to_owned(),
            };
            let job = self.store.job(lane, 0, report.to_string());
            changes.push(Change::Begin(job));
        }
        changes
    }

    /// Returns our id of the conversation. One that an account user has started gets a chat of its own outside.
    fn find_chat(&self, event: &Value, changes: &mut Vec<Change>) -> String {
        let message = part(event, "message");
        let (person, chat) = (part(message, "receiver"), part(message, "conversation"));
        let (ours, chat_ref) = (text(chat, "client_id"), text(chat, "id"));
        let state = self.store.state();
        let is_this =
            |it: &&Chat| it.conversation == ours || !chat_ref.is_empty() && it.chat_ref == chat_ref;
        if let Some(chat) = state.chats.values().find(is_this) {
            return first([ours, &chat.conversation]);
        }
        let (id, phone) = (text(person, "id"), text(person, "phone"));
        let chat = Chat {
            conversation: first([ours, &format!("chat-{chat_ref}")]),
            customer: first([
                text(person, "client_id"),
                &format!("customer-{}", first([id, chat_ref])),
            ]),
            name: first([text(person, "name"), phone, "Customer"]),
            phone: phone.to_owned(),
            chat_ref: chat_ref.to_owned(),
            customer_ref: id.to_owned(),
            is_from_service: ours.is_empty(),
            has_contact: false,
        };
        let conversation = chat.conversation.clone();
        changes.push(Change::Chat(chat));
        conversation
    }

    /// Reports a delivery, with the id that the service has given the message.
    pub(crate) async fn report(self: &Rc<Self>, job: &Job, tries: u32) -> Outcome {
        let (scope, id) = (&self.settings.scope_id, quoted(&job.lane.name));
        let path = format!("/v2/origin/custom/{scope}/{id}/delivery_status");
        match self.post_job(job, path, tries).await {
            Work::Done(_) | Work::Left => {
                self.commit(vec![Change::End(job.id)]).await;
                Outcome::Over
            }
            Work::Later(pause) => Outcome::Later(pause),
        }
    }
}

/// The first of the texts that is not empty.
fn first<const N: usize>(texts: [&str; N]) -> String {
    let mut texts = texts.into_iter().filter(|text| !text.is_empty());
    texts.next().unwrap_or_default().to_owned()
}
