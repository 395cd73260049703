//! An answer of the service, and what it means for the request.

use std::fmt;
use std::time::Duration;

use reqwest::header::HeaderMap;
use serde_json::Value;

use crate::dates::read_date;

/// The longest pause that the service may ask for.
const PAUSE_MAX: i64 = 3_600;
/// The most bytes of an answer in the log.
const SHOWN_MAX: usize = 300;

/// The consequence of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Done,
    /// The request is to be repeated unchanged.
    Again,
    /// This very request is wrong, and a repeat would not help.
    Refused,
}

/// A whole answer.
pub struct Answer {
    pub status: u16,
    headers: HeaderMap,
    body: Vec<u8>,
}

impl Answer {
    pub fn new(status: u16, headers: HeaderMap, body: Vec<u8>) -> Self {
        Self {
            status,
            headers,
            body,
        }
    }

    /// A header; `None` when it is not there or no text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    fn has_type(&self, part: &str) -> bool {
        let kind = self.header("content-type").unwrap_or_default();
        kind.to_ascii_lowercase().contains(part)
    }

    /// Returns whether it is JSON: a page of a gateway is never parsed.
    pub fn is_json(&self) -> bool {
        self.has_type("json")
    }

    /// The document; null when there is none.
    pub fn json(&self) -> Value {
        if !self.is_json() {
            return Value::Null;
        }
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// A text of the document.
    pub fn text(&self, pointer: &str) -> Option<String> {
        self.json().pointer(pointer)?.as_str().map(str::to_owned)
    }

    pub fn verdict(&self) -> Verdict {
        match self.status {
            0..300 if self.has_type("html") => Verdict::Again,
            0..300 => Verdict::Done,
            // These are about tokens, secrets, times, or the service.
            401 | 402 | 403 | 408 | 425 | 429 => Verdict::Again,
            400..500 => Verdict::Refused,
            _ => Verdict::Again,
        }
    }

    pub fn is_done(&self) -> bool {
        self.verdict() == Verdict::Done
    }

    /// Returns whether the account is unpaid, or the address of this machine is blocked.
    pub fn is_block(&self) -> bool {
        self.status == 402 || self.status == 403 && !self.is_json()
    }

    /// The reason, when the service refuses the time of a request.
    pub fn date_refusal(&self) -> Option<String> {
        let hint = self.text("/hint").filter(|_| self.status == 403)?;
        hint.contains("Date is").then_some(hint)
    }

    /// The time for which the service wants to be left alone, by its clock.
    pub fn retry_after(&self, now: i64) -> Option<Duration> {
        let value = self.header("retry-after")?.trim();
        let seconds = match value.parse::<i64>() {
            Ok(seconds) => seconds,
            Err(_) => (read_date(value)? - now) / 1_000,
        };
        let pause = u64::try_from(seconds.clamp(0, PAUSE_MAX)).ok()?;
        (pause > 0).then(|| Duration::from_secs(pause))
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.is_json() {
            return write!(f, "{} (no JSON)", self.status);
        }
        let start = self.body.get(..SHOWN_MAX).unwrap_or(&self.body);
        write!(f, "{} {}", self.status, String::from_utf8_lossy(start))
    }
}
