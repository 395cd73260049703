//! The way of a customer's message to the service.

use std::rc::Rc;
use std::time::Duration;

use anyhow::{Context as _, Result};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use rand::TryRng as _;
use rand::rngs::SysRng;
use serde_json::json;

use crate::answer::{Answer, Verdict};
use crate::bridge::Bridge;
use crate::clock::unix_seconds;
use crate::lanes::Outcome;
use crate::log::log;
use crate::service::backoff;
use crate::state::{Change, Chat, Job, Kind, Lane};

/// The seconds for which a post is repeated.
const DAY: i64 = 86_400;
/// The signs of a path that are written as they are.
const PATH: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

/// A word of a path.
pub(crate) fn quoted(word: &str) -> String {
    utf8_percent_encode(word, PATH).to_string()
}

/// The outcome of a post.
pub(crate) enum Work {
    Done(Answer),
    /// The service refuses it, and a repeat would not help.
    Left,
    Later(Duration),
}

impl Bridge {
    /// Stores a message of a customer, its id and its exact body, before the first attempt to post it.
    ///
    /// # Errors
    /// When the system has no randomness for its id.
    pub(crate) async fn say(self: &Rc<Self>, customer: &str, text: &str) -> Result<()> {
        let mut bytes = [0; 16];
        let random = SysRng.try_fill_bytes(&mut bytes);
        random.context("no id for a message of a customer")?;
        let msgid = uuid::Builder::from_random_bytes(bytes).into_uuid();
        let chat = self.chat_of_customer(customer);
        let now = self.service.clock.now();
        let mut sender = json!({ "id": chat.customer, "name": chat.name });
        if !chat.phone.is_empty() {
            set(&mut sender, "profile", json!({ "phone": chat.phone }));
        }
        if chat.is_from_service {
            // It binds our ids to those of a conversation that an account user has started.
            set(&mut sender, "ref_id", json!(chat.customer_ref));
        }
        let mut payload = json!({
            "timestamp": now / 1_000, "msec_timestamp": now, "msgid": msgid.to_string(), "sender": sender,
            "conversation_id": chat.conversation, "message": { "type": "text", "text": text },
        });
        if chat.is_from_service {
            set(&mut payload, "conversation_ref_id", json!(chat.chat_ref));
        }
        let lane = Lane {
            kind: Kind::Post,
            name: chat.conversation.clone(),
        };
        let body = json!({ "event_type": "new_message", "payload": payload });
        let job = self.store.job(lane, 0, body.to_string());
        self.commit(vec![Change::Chat(chat), Change::Begin(job)])
            .await;
        Ok(())
    }

    /// The chat of a customer, by the id of the conversation, by theirs, or by what a person calls them.
    fn chat_of_customer(&self, name: &str) -> Chat {
        let state = self.store.state();
        let by = |is_match: fn(&Chat, &str) -> bool| {
            let mut chats = state.chats.values();
            chats.find(|chat| is_match(chat, name)).cloned()
        };
        by(|chat, name| chat.conversation == name)
            .or_else(|| by(|chat, name| chat.customer == name))
            .or_else(|| by(|chat, name| chat.phone == name || chat.name == name))
            .unwrap_or_else(|| Chat {
                conversation: format!("chat-{name}"),
                customer: name.to_owned(),
                name: name.to_owned(),
                ..Chat::default()
            })
    }

    pub(crate) async fn post(self: &Rc<Self>, job: &Job, tries: u32) -> Outcome {
        let path = format!("/v2/origin/custom/{}", self.settings.scope_id);
        let answer = match self.post_job(job, path, tries).await {
            Work::Done(answer) => Some(answer),
            Work::Left => None,
            Work::Later(pause) => return Outcome::Later(pause),
        };
        let chat_ref = answer.and_then(|it| it.text("/new_message/conversation_id"));
        let mut changes = vec![Change::End(job.id)];
        changes.extend(chat_ref.into_iter().flat_map(|it| self.bind(job, it)));
        self.commit(changes).await;
        Outcome::Over
    }

    /// Keeps the service's id of a conversation, and orders the update of its contact, once.
    fn bind(&self, job: &Job, chat_ref: String) -> Vec<Change> {
        let chat = self.store.state().chats.get(&job.lane.name).cloned();
        let Some(chat) = chat.filter(|chat| !chat.has_contact) else {
            return Vec::new();
        };
        let lane = Lane {
            kind: Kind::Contact,
            name: chat.conversation.clone(),
        };
        let job = self.store.job(lane, 0, String::new());
        let chat = Chat {
            chat_ref,
            has_contact: true,
            ..chat
        };
        vec![Change::Chat(chat), Change::Begin(job)]
    }

    /// Posts the body of a job. A repeat has the same bytes, so the service stores the message once.
    pub(crate) async fn post_job(&self, job: &Job, path: String, tries: u32) -> Work {
        if self.store.state().account.is_uninstalled {
            return Work::Later(Duration::from_secs(1));
        }
        let (kind, lane) = (job.lane.kind, &job.lane.name);
        let (why, is_refused) = match self.chat_call(path, &job.body).await {
            Ok(answer) => match answer.verdict() {
                Verdict::Done => return Work::Done(answer),
                Verdict::Again => (answer.to_string(), false),
                Verdict::Refused => (answer.to_string(), true),
            },
            Err(why) => (why.to_string(), false),
        };
        if is_refused || unix_seconds() - job.at > DAY {
            log(format!("{kind:?} {} of «{lane}» is left: {why}", job.id));
            return Work::Left;
        }
        log(format!("{kind:?} {} is repeated: {why}", job.id));
        Work::Later(backoff(tries))
    }
}

fn set(object: &mut serde_json::Value, name: &str, value: serde_json::Value) {
    if let Some(fields) = object.as_object_mut() {
        fields.insert(name.to_owned(), value);
    }
}
