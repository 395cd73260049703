//! The responses of the chat interface.

use std::time::Duration;

use reqwest::{Response, StatusCode};
use serde_json::Value;

/// An answer of the chat interface is small; more is not read.
const BYTES_MAX: usize = 1 << 20;

/// A response of the service.
#[derive(Debug)]
pub(in crate::cli) struct ServiceAnswer {
    pub(in crate::cli) status: StatusCode,
    /// The body: JSON, or a text if it is none.
    pub(in crate::cli) body: Value,
    /// The service had the message, and answers as before.
    pub(in crate::cli) is_repeated: bool,
    /// The pause before another attempt, from `Retry-After`.
    pub(in crate::cli) retry_after: Option<Duration>,
}

impl ServiceAnswer {
    pub(super) async fn read(mut response: Response) -> Result<Self, reqwest::Error> {
        let status = response.status();
        let header = |name| {
            let value: Option<&reqwest::header::HeaderValue> = response.headers().get(name);
            value.and_then(|value| value.to_str().ok())
        };
        let is_repeated = header("Idempotent-Replayed") == Some("true");
        let retry_after = header("Retry-After").and_then(|text| text.parse().ok());
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await? {
            let room = BYTES_MAX.saturating_sub(bytes.len());
            bytes.extend(chunk.iter().take(room));
            if chunk.len() > room {
                break;
            }
        }
        let body = serde_json::from_slice(&bytes)
            .unwrap_or_else(|_| Value::String(String::from_utf8_lossy(&bytes).into_owned()));
        Ok(Self {
            status,
            body,
            is_repeated,
            retry_after: retry_after.map(Duration::from_secs),
        })
    }

    /// Returns whether the service rejected the signature.
    pub(in crate::cli) fn refuses_the_signature(&self) -> bool {
        self.status == StatusCode::FORBIDDEN
            && self.word("error_type") == Some("ORIGIN_INVALID_SIGNATURE")
    }

    /// Returns whether only a valid signature gets this response.
    pub(super) fn proves_the_signature(&self) -> bool {
        self.status.is_success() || self.status == StatusCode::CONFLICT
    }

    /// A text of the body.
    pub(in crate::cli) fn word(&self, key: &str) -> Option<&str> {
        self.body.get(key).and_then(Value::as_str)
    }

    /// Every wrong field, as `path (code): detail`.
    pub(in crate::cli) fn wrong_fields(&self) -> Vec<String> {
        let errors = self.body.get("errors").and_then(Value::as_array);
        let lines = errors.into_iter().flatten().map(|wrong| {
            let part = |key| wrong.get(key).and_then(Value::as_str).unwrap_or_default();
            format!("{} ({}): {}", part("path"), part("code"), part("detail"))
        });
        lines.collect()
    }

    /// The reason for the refusal, as the service gives it.
    pub(in crate::cli) fn refusal(&self) -> String {
        let mut refusal = self.status.as_u16().to_string();
        for part in [self.word("error_type"), self.word("error_description")]
            .into_iter()
            .flatten()
        {
            refusal.push_str(": ");
            refusal.push_str(part);
        }
        for wrong in self.wrong_fields() {
            refusal.push_str("\n  ");
            refusal.push_str(&wrong);
        }
        if let Some(hint) = self.word("hint") {
            refusal.push_str("\n  hint: ");
            refusal.push_str(hint);
        }
        if let Value::String(text) = &self.body {
            refusal.push_str(": ");
            refusal.push_str(text);
        }
        refusal
    }
}
