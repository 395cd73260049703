//! A callback as the receiver sees it.

use std::fmt;
use std::ops::Deref;

use serde_json::Value;
use switchboard_actors::domain::time::UnixMillis;
use switchboard_actors::port::Attempt;

use crate::receiver::Arrival;
use crate::text::text_in;

/// A callback as the receiver sees it: the [attempt](Attempt) that brought it, whose fields it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Callback {
    attempt: Attempt,
}

impl Callback {
    /// The body as JSON; `null` when it is none, which no callback of the system is.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.attempt.body).unwrap_or(Value::Null)
    }

    /// The text of the message that it carries, in either version; empty when it carries none.
    #[must_use]
    pub fn text(&self) -> String {
        // The second version, and the first one.
        text_in(&self.attempt.body, &["/message/message/text", "/text"])
    }
}

impl Arrival for Callback {
    type Attempt = Attempt;

    const NAME: &'static str = "callback";

    fn at(&self) -> UnixMillis {
        self.attempt.at
    }

    fn has(&self, text: &str) -> bool {
        String::from_utf8_lossy(&self.attempt.body).contains(text)
    }
}

impl From<Attempt> for Callback {
    fn from(attempt: Attempt) -> Self {
        Self { attempt }
    }
}

impl Deref for Callback {
    type Target = Attempt;
    fn deref(&self) -> &Attempt {
        &self.attempt
    }
}

impl fmt::Display for Callback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.text();
        if text.is_empty() {
            write!(f, "about {}", self.attempt.message)
        } else {
            write!(f, "{text:?}")
        }
    }
}
