//! Callbacks: nothing here waits for anything but the disk.

use std::rc::Rc;

use hyper::StatusCode;
use hyper::header::HeaderMap;
use serde_json::Value;
use sha1::{Digest as _, Sha1};

use crate::bridge::Bridge;
use crate::clock::unix_seconds;
use crate::forms::{content, text, written_at};
use crate::headers::{header, media_type};
use crate::messenger::Messenger;
use crate::signature::is_signed;
use crate::state::Change;

/// The longest identity that is stored as it is, in bytes.
const IDENTITY_MAX: usize = 128;

/// An answer to a callback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    Status(StatusCode),
    /// It is to be sent another time.
    Busy,
}

impl<M: Messenger> Bridge<M> {
    /// Answers a callback. The answer is 200 when it is on the disk, and 503 while too many jobs wait.
    pub(crate) async fn on_callback(self: &Rc<Self>, headers: &HeaderMap, body: &[u8]) -> Reply {
        let event = match self.read(headers, body) {
            Ok(event) => event,
            Err(status) => return Reply::Status(status),
        };
        let Some(lane) = M::lane(self, &event) else {
            M::on_ephemeral(self, &event);
            return Reply::Status(StatusCode::OK);
        };
        if !self.has_room() || self.is_stopping() {
            return Reply::Busy;
        }
        // It was read as JSON, which is text.
        let text = String::from_utf8_lossy(body).into_owned();
        let job = self.store.job(lane, written_at(&event), text);
        let callback = Change::Callback {
            identity: identity(&event, header(headers, "webhook-id"), body),
            at: unix_seconds(),
        };
        // In one commit: neither a kill nor a repeat can come between.
        self.commit(vec![callback, Change::Begin(job)]).await;
        Reply::Status(StatusCode::OK)
    }

    /// Returns the event of a callback that this bridge has to take.
    ///
    /// # Errors
    /// The status of the answer to another one.
    fn read(&self, headers: &HeaderMap, body: &[u8]) -> Result<Value, StatusCode> {
        let signature = header(headers, "x-signature");
        // All that are valid: two during a rotation.
        let mut secrets = self.secrets().into_iter();
        if !secrets.any(|secret| is_signed(&secret, body, signature)) {
            return Err(StatusCode::FORBIDDEN);
        }
        if media_type(headers) != "application/json" {
            return Err(StatusCode::UNSUPPORTED_MEDIA_TYPE);
        }
        let event = match serde_json::from_slice::<Value>(body) {
            Ok(event) if event.is_object() => event,
            Ok(_) | Err(_) => return Err(StatusCode::BAD_REQUEST),
        };
        if !self.is_mine(&event) {
            return Err(StatusCode::NOT_FOUND);
        }
        Ok(event)
    }

    fn is_mine(&self, event: &Value) -> bool {
        let is_installed = !self.store.account().is_uninstalled;
        is_installed && text(event, "account_id") == self.settings.account_id
    }
}

/// The name of the callback: the same in each attempt.
fn identity(event: &Value, webhook_id: &str, body: &[u8]) -> String {
    let name = match (text(content(event), "id"), webhook_id) {
        ("", "") => return hex::encode(Sha1::digest(body)),
        ("", id) | (id, _) => id,
    };
    if name.len() > IDENTITY_MAX {
        return hex::encode(Sha1::digest(name));
    }
    name.to_owned()
}
