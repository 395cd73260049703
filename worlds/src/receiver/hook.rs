//! A hook as the receiver sees it.

use std::fmt;
use std::ops::Deref;

use serde_json::Value;
use switchboard_actors::domain::time::UnixMillis;
use switchboard_actors::port::HookAttempt;

use crate::hook_form::HookForm;
use crate::receiver::Arrival;

/// A hook as the receiver sees it: the [attempt](HookAttempt) that brought it, whose fields it has, and its form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hook {
    attempt: HookAttempt,
    form: HookForm,
}

impl Hook {
    /// The form, read.
    #[must_use]
    pub fn form(&self) -> &HookForm {
        &self.form
    }

    /// The item of the form: what `message[add][0]` has, as JSON. `null` when there is none.
    #[must_use]
    pub fn item(&self) -> Value {
        self.form.item()
    }

    /// The text of the message that it is about; empty when it is about none.
    #[must_use]
    pub fn text(&self) -> String {
        let item = self.item();
        let text = item.get("text").and_then(Value::as_str);
        text.unwrap_or_default().to_owned()
    }
}

impl From<HookAttempt> for Hook {
    fn from(attempt: HookAttempt) -> Self {
        let form = HookForm::parse(&attempt.body);
        Self { attempt, form }
    }
}

impl Arrival for Hook {
    type Attempt = HookAttempt;

    const NAME: &'static str = "hook";

    fn at(&self) -> UnixMillis {
        self.attempt.at
    }

    fn has(&self, text: &str) -> bool {
        self.attempt.code.as_str().contains(text) || self.form.has(text)
    }
}

impl Deref for Hook {
    type Target = HookAttempt;
    fn deref(&self) -> &HookAttempt {
        &self.attempt
    }
}

impl fmt::Display for Hook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.attempt.code.as_str())?;
        let text = self.text();
        if text.is_empty() {
            return Ok(());
        }
        write!(f, " {text:?}")
    }
}
