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

impl Stage {
    /// A callback like the last one that the service has sent, with another message. The same name gives the same id.
    ///
    /// # Errors
    /// When the service has sent none.
    pub(crate) fn own_callback(&self, name: &str, text: &str) -> Result<OwnCallback, StopError> {
        let entries = self.entries()?;
        let last = entries.iter().rev().find_map(|entry| match &entry.event {
            Event::Callback(attempt) => Some(&attempt.body),
            Event::Request(_) | Event::Hook {} | Event::Note {} => None,
        });
        let mut body: Value = last
            .and_then(|body| serde_json::from_str(body).ok())
            .context("the service has sent no callback")?;
        let reply = Reply {
            id: own_id(name),
            text: text.to_owned(),
        };
        if let Some(message) = body.pointer_mut("/message/message") {
            message["id"] = Value::from(reply.id.as_str());
            message["text"] = Value::from(text);
        }
        Ok(OwnCallback { reply, body })
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
