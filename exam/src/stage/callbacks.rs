//! Callbacks that the exam sends itself, in the place of the service.

use anyhow::Context as _;
use serde_json::{Value, json};

use crate::stage::{Reply, Request, Stage};
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
    /// The callback of a reply, which the service has not sent to the program: the exam sends it itself, as it wants it. The
    /// message is there, so the program can report its delivery.
    ///
    /// # Errors
    /// When the service has made none.
    pub(crate) fn own_callback(&self, text: &str) -> Result<OwnCallback, StopError> {
        self.fault(&json!({ "on": "callbacks", "do": "status", "status": 200 }))?;
        let reply = self.reply(text)?;
        self.wait_quiet()?;
        let attempts = self.attempts(&reply.id)?;
        let body = attempts
            .last()
            .and_then(|attempt| serde_json::from_str(&attempt.body).ok())
            .context("the service has made no callback")?;
        Ok(OwnCallback { reply, body })
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
