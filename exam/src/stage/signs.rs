//! Signs by which a program shows that it has handled a message: what has arrived at its customers, the delivery that it
//! reports, and what it posts in return.

use serde_json::Value;

use crate::stage::{ChatRequest, Reply, Stage};
use crate::verdict::{StopError, not_tried};

/// The sign of a program that shows none.
const NO_SIGN: &str = "the program gave no sign of a delivered message within 20 s: it reported no delivery, posted \
                       nothing, and offers no GET /exam/seen. See its output below";

/// The signs of one message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Signs {
    /// The times that it arrived at the customer; `None` when the program does not say so.
    pub(crate) arrivals: Option<usize>,
    /// The delivery statuses that the program reported, oldest first.
    pub(crate) statuses: Vec<DeliveryStatus>,
    /// The messages that the program posted with its text.
    pub(crate) posts: usize,
}

/// A delivery status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DeliveryStatus {
    /// The code; 1 is delivered, 2 is read, -1 is an error.
    pub(crate) code: i64,
    /// The code of the error.
    pub(crate) error_code: Option<i64>,
    /// The error in words.
    pub(crate) error: Option<String>,
}

impl DeliveryStatus {
    fn read(body: &Value) -> Self {
        let number = |field: &str| body.get(field).and_then(Value::as_i64);
        // The interface knows it by both names.
        let code = number("delivery_status").or_else(|| number("status_code"));
        Self {
            code: code.unwrap_or_default(),
            error_code: number("error_code"),
            error: body.get("error").and_then(Value::as_str).map(str::to_owned),
        }
    }
}

impl Signs {
    /// The times that the program handled the message, as far as it shows. What has arrived at the customer decides, where the
    /// program offers that: a report may be repeated, since its answer may be lost.
    pub(crate) fn times(&self) -> usize {
        let deliveries = self.statuses.iter().filter(|status| status.code == 1);
        let by_requests = deliveries.count().max(self.posts);
        self.arrivals.unwrap_or(by_requests)
    }

    /// As [`Self::times`], after the program was killed: it may repeat a report whose answer it has not stored.
    pub(crate) fn times_over_kills(&self) -> usize {
        let is_delivered = self.statuses.iter().any(|status| status.code == 1);
        let by_requests = usize::from(is_delivered).max(self.posts);
        self.arrivals.unwrap_or(by_requests)
    }

    /// Returns whether the program has shown in any way that the message has arrived.
    pub(crate) fn is_shown(&self) -> bool {
        let is_delivered = self.statuses.iter().any(|status| status.code == 1);
        is_delivered || self.posts > 0 || self.arrivals.is_some_and(|it| it > 0)
    }

    /// Returns whether the program said that it cannot deliver the message.
    pub(crate) fn failure(&self) -> Option<&DeliveryStatus> {
        self.statuses.iter().find(|status| status.code == -1)
    }

    /// The signs in words.
    pub(crate) fn shown(&self) -> String {
        let mut parts = Vec::new();
        if let Some(arrivals) = self.arrivals {
            parts.push(format!("arrived {arrivals}×"));
        }
        let codes: Vec<String> = self.statuses.iter().map(|it| it.code.to_string()).collect();
        parts.push(format!("delivery statuses [{}]", codes.join(", ")));
        parts.push(format!("posts in return: {}", self.posts));
        parts.join(", ")
    }
}

impl Stage {
    /// The signs of a message so far.
    pub(crate) fn signs(&self, reply: &Reply) -> Result<Signs, StopError> {
        let mut signs = Signs {
            arrivals: self
                .seen()
                .map(|seen| seen.iter().filter(|it| it.msgid == reply.id).count()),
            ..Signs::default()
        };
        let mut posts = std::collections::BTreeSet::new();
        for (request, chat_request) in self.chat_requests()? {
            match chat_request {
                ChatRequest::Status { message, body } if message == reply.id => {
                    // A repeat after a lost answer is the same report.
                    if request.status.is_some() {
                        signs.statuses.push(DeliveryStatus::read(&body));
                    }
                }
                ChatRequest::Post(body) => {
                    let text = body
                        .pointer("/payload/message/text")
                        .and_then(Value::as_str);
                    if text.is_some_and(|text| text.contains(&reply.text)) {
                        posts.insert(body.pointer("/payload/msgid").map(Value::to_string));
                    }
                }
                ChatRequest::Status { .. } => {}
            }
        }
        signs.posts = posts.len();
        Ok(signs)
    }

    /// Waits until the program has handled a message, successfully or not.
    pub(crate) fn until_handled(&mut self, reply: &Reply) -> Result<Option<Signs>, StopError> {
        self.until(|stage| {
            let signs = stage.signs(reply)?;
            let is_handled = signs.times() > 0 || signs.failure().is_some();
            Ok(is_handled.then_some(signs))
        })
    }

    /// Sends a message that nothing is wrong with, and waits until the program has handled it.
    ///
    /// # Errors
    /// When the program shows no sign of it: nothing could be judged then.
    pub(crate) fn prove_signs(&mut self) -> Result<Reply, StopError> {
        let reply = self.reply("Do you see this?")?;
        self.wait_quiet()?;
        match self.until_handled(&reply)? {
            Some(_) => Ok(reply),
            None if self.is_alive() => not_tried(self.no_sign()),
            None => {
                not_tried("the program ended before it handled a message. See its output below")
            }
        }
    }

    /// The reason why nothing can be judged without signs.
    fn no_sign(&self) -> String {
        if self.runs_already() {
            return format!(
                "{NO_SIGN}. It has to have the values that the exam says at its beginning"
            );
        }
        NO_SIGN.to_owned()
    }

    /// Sends another message in the same conversation, and waits until the program has handled it: what came before it in
    /// the conversation is over then. Returns whether it was handled.
    pub(crate) fn is_still_working(&mut self) -> Result<bool, StopError> {
        let reply = self.reply("And this one?")?;
        self.wait_quiet()?;
        Ok(self.until_handled(&reply)?.is_some())
    }

    /// Returns whether an attempt to deliver a message has ended.
    pub(crate) fn is_answered(&self, reply: &Reply) -> Result<bool, StopError> {
        Ok(!self.attempts(&reply.id)?.is_empty())
    }

    /// The text with which a message arrived; `None` when the program does not say so.
    pub(crate) fn seen_text(&self, reply: &Reply) -> Option<String> {
        let arrivals = self.seen()?.into_iter();
        let mut texts = arrivals.filter(|it| it.msgid == reply.id).map(|it| it.text);
        texts.next()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_status_has_either_of_its_two_names() {
        for name in ["delivery_status", "status_code"] {
            assert_eq!(DeliveryStatus::read(&json!({ name: 2 })).code, 2, "{name}");
        }
    }
}
