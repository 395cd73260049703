//! The journal of a world, as judges read it.

use serde::Deserialize;
use serde_json::Value;

/// An event of a world.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Event {
    /// A request of the program with its answer.
    Request(ProgramRequest),
    /// An attempt to deliver a callback.
    Callback(CallbackAttempt),
    /// An attempt to deliver a hook.
    Hook(HookAttempt),
    /// Any other kind, which no judge reads.
    #[serde(other)]
    Other,
}

/// A request of the program.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ProgramRequest {
    /// The method and the path.
    pub(crate) what: String,
    /// The status of the answer; `None` without an answer.
    pub(crate) status: Option<u16>,
    request: String,
    pub(crate) answer: String,
}

impl ProgramRequest {
    /// The body as a document; null when it is none.
    pub(crate) fn body(&self) -> Value {
        serde_json::from_str(&self.request).unwrap_or_default()
    }

    /// The body as it was sent; a very long one is cut, and secrets are masked.
    pub(crate) fn text(&self) -> &str {
        &self.request
    }

    /// Returns whether it is a call of the account side.
    pub(crate) fn is_account_call(&self) -> bool {
        self.what.contains(" /api/v4/")
    }

    /// Returns whether it asks for a new token in exchange for a refresh token.
    pub(crate) fn is_refresh(&self) -> bool {
        self.what.ends_with("/oauth2/access_token") && self.text().contains("refresh_token")
    }

    /// Returns whether the service took it.
    pub(crate) fn is_accepted(&self) -> bool {
        self.status
            .is_some_and(|status| (200..300).contains(&status))
    }
}

/// An attempt to deliver a callback.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct CallbackAttempt {
    pub(crate) message_id: String,
    /// The outcome in words, such as `answered 200`.
    pub(crate) outcome: String,
    /// The body as it was sent; a very long one is cut.
    pub(crate) body: String,
}

impl CallbackAttempt {
    /// Returns whether the program answered with 2xx, as far as the service knows.
    pub(crate) fn is_delivered(&self) -> bool {
        self.outcome.starts_with("answered 2")
    }
}

/// An attempt to deliver a hook.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct HookAttempt {
    /// The id of the request, the same in each attempt.
    pub(crate) request_id: String,
    /// The event, such as `add_message`.
    pub(crate) code: String,
    /// The number of the attempt, from 1.
    pub(crate) attempt: u32,
    /// The outcome in words, such as `answered 200`.
    pub(crate) outcome: String,
    /// The form as it was sent; a very long one is cut.
    pub(crate) form: String,
    item: Value,
}

impl HookAttempt {
    /// A text of the item, such as `/author/type`; empty when it is not there.
    pub(crate) fn field(&self, pointer: &str) -> &str {
        let value = self.item.pointer(pointer);
        value.and_then(Value::as_str).unwrap_or_default()
    }

    /// Returns whether the program answered with 2xx, as far as the service knows.
    pub(crate) fn is_delivered(&self) -> bool {
        self.outcome.starts_with("answered 2")
    }
}

/// Requests of the program to the chat interface.
pub(crate) enum ChatRequest {
    /// A customer's message.
    Post(Value),
    /// The delivery status of a message of the service.
    Status {
        /// The message.
        message: String,
        /// The body.
        body: Value,
    },
}

impl ChatRequest {
    /// Reads a request; `None` when it is another one.
    pub(crate) fn read(request: &ProgramRequest, scope: &str) -> Option<Self> {
        let path = request.what.strip_prefix("POST /v2/origin/custom/")?;
        let rest = path.strip_prefix(scope)?;
        let body = request.body();
        if rest.is_empty() {
            let is_new = body.get("event_type").and_then(Value::as_str) == Some("new_message");
            return is_new.then_some(Self::Post(body));
        }
        let message = rest.strip_prefix('/')?.strip_suffix("/delivery_status")?;
        Some(Self::Status {
            message: message.to_owned(),
            body,
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn kinds_that_no_judge_reads_do_not_stop_one() {
        for kind in ["note", "question", "moon"] {
            let entry = json!({ "kind": kind, "what": "http://127.0.0.1:9/", "attempt": 1 });
            let event = serde_json::from_value(entry).unwrap();
            assert!(matches!(event, Event::Other), "{kind}");
        }
    }
}
