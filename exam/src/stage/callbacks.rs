//! Callbacks that the exam sends itself, by the example of one that the service has sent.

use anyhow::Context as _;
use serde_json::Value;

use crate::stage::{Event, Reply, Request, Stage};
use crate::verdict::StopError;

/// A callback of the exam.
pub(crate) struct OwnCallback {
    /// Its message.
    pub(crate) reply: Reply,
    pub(crate) body: Value,
}

impl OwnCallback {
    /// A part of the body, such as `/message/sender`; null when it is not there.
    pub(crate) fn part(&self, pointer: &str) -> Value {
        self.body.pointer(pointer).cloned().unwrap_or_default()
    }

    /// Sets a field of an object of the body.
    pub(crate) fn set(&mut self, object: &str, field: &str, value: Value) {
        let object = self.body.pointer_mut(object).and_then(Value::as_object_mut);
        if let Some(object) = object {
            object.insert(field.to_owned(), value);
        }
    }
}

impl Stage {
    /// A callback like the last one that the service has sent, with another message. The same name gives the same id in
    /// this world, and another one in others: a program that runs already remembers them.
    ///
    /// # Errors
    /// When the service has sent none.
    pub(crate) fn own_callback(&self, name: &str, text: &str) -> Result<OwnCallback, StopError> {
        let entries = self.entries()?;
        let last = entries.iter().rev().find_map(|event| match event {
            Event::Callback(attempt) => Some(&attempt.body),
            Event::Request(_) | Event::Hook(_) | Event::Other => None,
        });
        let body: Value = last
            .and_then(|body| serde_json::from_str(body).ok())
            .context("the service has sent no callback")?;
        let reply = Reply {
            id: own_id(&format!("{} {name}", self.conversation)),
            text: text.to_owned(),
        };
        let mut callback = OwnCallback { reply, body };
        let id = Value::from(callback.reply.id.as_str());
        callback.set("/message/message", "id", id);
        callback.set("/message/message", "text", Value::from(text));
        Ok(callback)
    }

    /// A phone number that is another one in each world: a program that runs already remembers its customers.
    pub(crate) fn own_phone(&self) -> String {
        let digest = crate::stage::sign("exam", self.conversation.as_bytes());
        let digits = digest.bytes().map(|byte| char::from(b'0' + byte % 10));
        "+1555".chars().chain(digits.take(7)).collect()
    }

    /// A request with this callback, rightly signed.
    pub(crate) fn callback_request(&self, body: impl Into<Vec<u8>>) -> Request {
        let secret = self.fact("/channel/secret");
        Request::new("POST", self.path()).json(body).signed(secret)
    }
}

/// An id of a message that the service has never sent, in the form of its own.
fn own_id(name: &str) -> String {
    let digest = crate::stage::sign("exam", name.as_bytes());
    let part = |from: usize, to: usize| digest.get(from..to).unwrap_or_default();
    format!(
        "{}-{}-4{}-8{}-{}",
        part(0, 8),
        part(8, 12),
        part(13, 16),
        part(17, 20),
        part(20, 32)
    )
}
