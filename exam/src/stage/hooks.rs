//! Hooks of the account: what the program is subscribed to, what it was sent, and forms that the exam sends itself.

use serde_json::{Value, json};

use crate::stage::{Answer, Event, HookAttempt, PATIENCE, Request, Stage};
use crate::verdict::{StopError, breaks, not_tried};

/// The type of the body of a hook.
const FORM_TYPE: &str = "application/x-www-form-urlencoded";
/// The program that sends hooks, as it names itself.
const SENDER: &str = "amoCRM-Webhooks/3.0";

impl Stage {
    /// Subscribes the program to these events of the account, in the place of those before.
    pub(crate) fn subscribe(&self, codes: &[&str]) -> Result<(), StopError> {
        let url = format!("http://127.0.0.1:{}{}", self.port(), self.hooks_path);
        self.order("PUT", "/hooks", &json!({ "url": url, "settings": codes }))?;
        Ok(())
    }

    /// Ends all hooks of the account: nothing that the program does comes back to it.
    pub(crate) fn end_hooks(&self) -> Result<(), StopError> {
        self.order("DELETE", "/hooks", &Value::Null)?;
        Ok(())
    }

    /// The attempts to deliver hooks of an event that say this of the item, oldest first.
    pub(crate) fn hook_attempts(
        &self,
        code: &str,
        is_match: impl Fn(&HookAttempt) -> bool,
    ) -> Result<Vec<HookAttempt>, StopError> {
        let attempt = |event: Event| match event {
            Event::Hook(attempt) if attempt.code == code => Some(attempt),
            Event::Hook(_) | Event::Callback(_) | Event::Request(_) | Event::Other => None,
        };
        let attempts = self.entries()?.into_iter().filter_map(attempt);
        Ok(attempts.filter(is_match).collect())
    }

    /// Waits until there was such an attempt.
    ///
    /// # Errors
    /// When there is none: nothing could be judged then.
    pub(crate) fn until_hook(
        &mut self,
        code: &str,
        is_match: impl Fn(&HookAttempt) -> bool,
    ) -> Result<HookAttempt, StopError> {
        let attempt = self.until(|stage| {
            let attempts = stage.hook_attempts(code, &is_match)?;
            Ok(attempts.into_iter().next())
        })?;
        let seconds = PATIENCE.as_secs();
        let why = || {
            let hint = "try the rule alone: --only with its number, and --jobs 1";
            format!("no attempt of {code} came to its end within {seconds} s: {hint}")
        };
        attempt.map_or_else(|| not_tried(why()), Ok)
    }

    /// A customer writes, and the hook of it does not arrive. Gives the hook, for a request of the exam's own.
    pub(crate) fn withhold(
        &mut self,
        customer: &str,
        text: &str,
    ) -> Result<HookAttempt, StopError> {
        let fault = json!({ "on": "hooks", "do": "status", "status": 200, "match": "add_message" });
        self.fault(&fault)?;
        self.writes(customer, text)?;
        self.until_hook("add_message", |hook| hook.field("/text") == text)
    }

    /// Sends a form to the program as the service sends hooks, with the id of a request.
    pub(crate) fn send_form(&mut self, request_id: &str, form: String) -> Answer {
        let request = Request::new("POST", self.hooks_path.clone())
            .header("Content-Type", FORM_TYPE)
            .header("User-Agent", SENDER)
            .header("X-Amocrm-Requestid", request_id)
            .header("Accept-Encoding", "gzip")
            .body(form);
        self.exchange(&request)
    }

    /// The fields of the account, as forms have them.
    pub(crate) fn account_fields(&mut self) -> Result<String, StopError> {
        let hook = self.until_hook("add_message", |_| true)?;
        let (account, _) = split(&hook.form);
        Ok(account.join("&"))
    }

    /// The number of attempts to deliver messages of customers.
    pub(crate) fn number_of_questions(&self) -> Result<usize, StopError> {
        Ok(self.hook_attempts("add_message", |_| true)?.len())
    }

    /// The program runs, and takes hooks.
    ///
    /// # Errors
    /// When it does not.
    pub(crate) fn require_hooks(&mut self, when: &str) -> Result<(), StopError> {
        if !self.is_alive() {
            return breaks(format!("{when}, the program has ended."));
        }
        let text = format!("Hello, number {}", self.number_of_questions()?);
        self.writes("walter", &text)?;
        let hook = self.until_hook("add_message", |hook| hook.field("/text") == text)?;
        if !hook.is_delivered() {
            return breaks(format!(
                "{when}, the program takes no other hook any more: {}.",
                hook.outcome
            ));
        }
        Ok(())
    }
}

/// A form whose account block comes last.
pub(crate) fn with_account_last(form: &str) -> String {
    let (account, item) = split(form);
    item.into_iter()
        .chain(account)
        .collect::<Vec<_>>()
        .join("&")
}

/// A form whose keys have brackets that are not encoded.
pub(crate) fn with_plain_brackets(form: &str) -> String {
    map_keys(form, |key| key.replace("%5B", "[").replace("%5D", "]"))
}

/// A form whose bytes are encoded with small letters.
pub(crate) fn with_small_letters(form: &str) -> String {
    map_keys(form, |key| key.replace("%5B", "%5b").replace("%5D", "%5d"))
}

/// A form with another value of the field with this name in its item, such as `type`.
pub(crate) fn with_value(form: &str, name: &str, value: &str) -> String {
    let end = format!("%5D%5B0%5D%5B{name}%5D");
    // The fields of the item itself have three names in brackets.
    let is_it = |key: &str| key.ends_with(&end) && key.matches("%5B").count() == 3;
    let fields = form.split('&').map(|field| match field.split_once('=') {
        Some((key, _)) if is_it(key) => format!("{key}={value}"),
        Some(_) | None => field.to_owned(),
    });
    fields.collect::<Vec<_>>().join("&")
}

fn map_keys(form: &str, change: impl Fn(&str) -> String) -> String {
    let fields = form.split('&').map(|field| match field.split_once('=') {
        Some((key, value)) => format!("{}={value}", change(key)),
        None => field.to_owned(),
    });
    fields.collect::<Vec<_>>().join("&")
}

/// The fields of the account, and those of the item.
fn split(form: &str) -> (Vec<&str>, Vec<&str>) {
    form.split('&')
        .partition(|field| field.starts_with("account%5B"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORM: &str = "account%5Bid%5D=1&contacts%5Badd%5D%5B0%5D%5Bid%5D=7\
                        &contacts%5Badd%5D%5B0%5D%5Bcustom_fields%5D%5B0%5D%5Bid%5D=%5B2%5D";

    #[test]
    fn forms_are_changed_in_one_place() {
        assert_eq!(
            with_account_last(FORM),
            "contacts%5Badd%5D%5B0%5D%5Bid%5D=7\
             &contacts%5Badd%5D%5B0%5D%5Bcustom_fields%5D%5B0%5D%5Bid%5D=%5B2%5D&account%5Bid%5D=1"
        );
        // Values keep their escapes.
        assert_eq!(
            with_plain_brackets(FORM),
            "account[id]=1&contacts[add][0][id]=7&contacts[add][0][custom_fields][0][id]=%5B2%5D"
        );
        assert!(with_small_letters(FORM).starts_with("account%5bid%5d=1&"));
        assert_eq!(with_value(FORM, "id", "9"), FORM.replace("=7", "=9"));
    }
}
