//! What the chat interface answers.

use std::time::Duration;

use reqwest::{Response, StatusCode};
use serde_json::Value;

/// An answer of the chat interface is small; more is not read.
const BYTES_MAX: usize = 1 << 20;

/// What the service answered.
#[derive(Debug)]
pub(in crate::cli) struct ServiceAnswer {
    pub(in crate::cli) status: StatusCode,
    /// The body: JSON, or a text if it is none.
    pub(in crate::cli) body: Value,
    /// The service had the message, and answers as before.
    pub(in crate::cli) is_repeated: bool,
    /// When the client may retry.
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

    /// Whether the service says that the signature is wrong.
    pub(in crate::cli) fn refuses_the_signature(&self) -> bool {
        self.status == StatusCode::FORBIDDEN
            && self.word("error_type") == Some("ORIGIN_INVALID_SIGNATURE")
    }

    /// Whether the answer is one that only a right signature gets.
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
        let errors = errors.into_iter().flatten().map(|wrong| {
            let part = |key| wrong.get(key).and_then(Value::as_str).unwrap_or_default();
            format!("{} ({}): {}", part("path"), part("code"), part("detail"))
        });
        errors.collect()
    }

    /// Why the service says no, in its own words.
    pub(in crate::cli) fn refusal(&self) -> String {
        let mut told = self.status.as_u16().to_string();
        for part in [self.word("error_type"), self.word("error_description")]
            .into_iter()
            .flatten()
        {
            told.push_str(": ");
            told.push_str(part);
        }
        for wrong in self.wrong_fields() {
            told.push_str("\n  ");
            told.push_str(&wrong);
        }
        if let Some(hint) = self.word("hint") {
            told.push_str("\n  hint: ");
            told.push_str(hint);
        }
        if let Value::String(text) = &self.body {
            told.push_str(": ");
            told.push_str(text);
        }
        told
    }
}
