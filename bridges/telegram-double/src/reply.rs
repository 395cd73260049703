//! The answers of the Bot API.

use serde_json::{Value, json};

/// A refusal, with the code and the words of the Bot API.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code} {description}")]
pub(crate) struct ApiError {
    /// The status of HTTP, and `error_code`.
    pub(crate) code: u16,
    /// The text for people.
    pub(crate) description: String,
    /// The wait in seconds, with 429.
    pub(crate) retry_after: Option<i64>,
    /// The chat that a group has become.
    pub(crate) migrate_to_chat_id: Option<i64>,
}

/// The answer to a call: its result, or a refusal.
pub(crate) type Reply = Result<Value, ApiError>;

impl ApiError {
    /// Builds a refusal without parameters.
    pub(crate) fn new(code: u16, description: impl Into<String>) -> Self {
        Self {
            code,
            description: description.into(),
            retry_after: None,
            migrate_to_chat_id: None,
        }
    }

    pub(crate) fn bad(text: impl std::fmt::Display) -> Self {
        Self::new(400, format!("Bad Request: {text}"))
    }

    pub(crate) fn forbidden(text: impl std::fmt::Display) -> Self {
        Self::new(403, format!("Forbidden: {text}"))
    }

    pub(crate) fn conflict(text: impl std::fmt::Display) -> Self {
        Self::new(409, format!("Conflict: {text}"))
    }

    pub(crate) fn unauthorized() -> Self {
        Self::new(401, "Unauthorized")
    }

    pub(crate) fn not_found() -> Self {
        Self::new(404, "Not Found")
    }

    pub(crate) fn too_large() -> Self {
        Self::new(413, "Request Entity Too Large")
    }

    /// A bound of the double itself, which Telegram does not have.
    pub(crate) fn full(text: impl std::fmt::Display) -> Self {
        Self::new(
            500,
            format!(
                "Internal Server Error: the double is full: {text}; reset it with POST /double/reset"
            ),
        )
    }

    pub(crate) fn too_many(seconds: i64) -> Self {
        let text = format!("Too Many Requests: retry after {seconds}");
        Self {
            retry_after: Some(seconds),
            ..Self::new(429, text)
        }
    }

    pub(crate) fn upgraded(chat: i64) -> Self {
        Self {
            migrate_to_chat_id: Some(chat),
            ..Self::bad("group chat was upgraded to a supergroup chat")
        }
    }

    /// Returns the envelope.
    pub(crate) fn to_json(&self) -> Value {
        let mut envelope =
            json!({"ok": false, "error_code": self.code, "description": self.description});
        let mut parameters = serde_json::Map::new();
        if let Some(seconds) = self.retry_after {
            parameters.insert("retry_after".to_owned(), seconds.into());
        }
        if let Some(chat) = self.migrate_to_chat_id {
            parameters.insert("migrate_to_chat_id".to_owned(), chat.into());
        }
        if let (false, Some(fields)) = (parameters.is_empty(), envelope.as_object_mut()) {
            fields.insert("parameters".to_owned(), parameters.into());
        }
        envelope
    }
}

/// Returns the envelope of a reply, with its status.
pub(crate) fn envelope(reply: &Reply) -> (u16, Value) {
    match reply {
        Ok(result) => (200, json!({"ok": true, "result": result})),
        Err(error) => (error.code, error.to_json()),
    }
}
