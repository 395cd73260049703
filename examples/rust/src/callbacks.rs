//! Callbacks: nothing here waits for anything but the disk.

use std::rc::Rc;

use hyper::StatusCode;
use hyper::header::{CONTENT_TYPE, HeaderMap};
use serde_json::Value;
use sha1::{Digest as _, Sha1};

use crate::bridge::Bridge;
use crate::clock::unix_seconds;
use crate::forms::{content, part, text, written_at};
use crate::signature::is_signed;
use crate::state::{Change, Kind, Lane};

impl Bridge {
    /// Returns the status of the answer. It is 200 when the callback is on the disk.
    pub(crate) async fn on_callback(
        self: &Rc<Self>,
        headers: &HeaderMap,
        body: &[u8],
    ) -> StatusCode {
        let signature = header(headers, "x-signature");
        // All that are valid: two during a rotation.
        let mut secrets = self.secrets().into_iter();
        if !secrets.any(|secret| is_signed(&secret, body, signature)) {
            return StatusCode::FORBIDDEN;
        }
        let kind = header(headers, CONTENT_TYPE.as_str());
        let kind = kind.split(';').next().unwrap_or_default();
        if !kind.trim().eq_ignore_ascii_case("application/json") {
            return StatusCode::UNSUPPORTED_MEDIA_TYPE;
        }
        let Ok(words) = str::from_utf8(body) else {
            return StatusCode::BAD_REQUEST;
        };
        let event = match serde_json::from_str::<Value>(words) {
            Ok(event) if event.is_object() => event,
            Ok(_) | Err(_) => return StatusCode::BAD_REQUEST,
        };
        if !self.is_mine(&event) {
            return StatusCode::NOT_FOUND;
        }
        // Typing, reactions, and whatever comes next: this messenger shows none of it.
        if content(&event).as_object().is_some_and(|it| !it.is_empty()) {
            let id = header(headers, "webhook-id");
            self.take(&event, &identity(&event, id, body), words).await;
        }
        StatusCode::OK
    }

    fn is_mine(&self, event: &Value) -> bool {
        let is_installed = !self.store.state().account.is_uninstalled;
        is_installed && text(event, "account_id") == self.settings.account_id
    }

    /// Stores the callback and its job in one group: neither a kill nor a repeat can come between.
    async fn take(self: &Rc<Self>, event: &Value, identity: &str, words: &str) {
        if self.store.state().callbacks.contains_key(identity) {
            // The first one may still be on its way to the disk.
            return self.store.flush().await;
        }
        // The messages of a conversation are delivered one after the other.
        let conversation = part(part(event, "message"), "conversation");
        let name = match text(conversation, "id") {
            "" => text(conversation, "client_id"),
            id => id,
        };
        let lane = Lane {
            kind: Kind::Deliver,
            name: name.to_owned(),
        };
        let job = self.store.job(lane, written_at(event), words.to_owned());
        let callback = Change::Callback {
            identity: identity.to_owned(),
            at: unix_seconds(),
        };
        self.commit(vec![callback, Change::Begin(job)]).await;
    }
}

/// The name of the callback: the same in each attempt.
fn identity(event: &Value, webhook_id: &str, body: &[u8]) -> String {
    match (text(content(event), "id"), webhook_id) {
        ("", "") => hex::encode(Sha1::digest(body)),
        ("", id) | (id, _) => id.to_owned(),
    }
}

/// A header; empty when it is not there.
fn header<'h>(headers: &'h HeaderMap, name: &str) -> &'h str {
    let value = headers.get(name);
    value.and_then(|it| it.to_str().ok()).unwrap_or_default()
}
