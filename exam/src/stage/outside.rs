//! The program's own outside, by the addresses that it may offer to the exam.

use anyhow::anyhow;
use serde::Deserialize;
use serde_json::json;

use crate::role::Role;
use crate::stage::Stage;
use crate::stage::exchange::Request;
use crate::verdict::{StopError, not_tried};

/// A message that has arrived at a customer of the program.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct SeenMessage {
    /// The id of the message at the service.
    pub(crate) msgid: String,
    /// The text.
    #[serde(default)]
    pub(crate) text: String,
}

impl Stage {
    /// The messages that have arrived at customers, in their order; `None` when the program offers no such list.
    pub(crate) fn seen(&self) -> Option<Vec<SeenMessage>> {
        let exchange = Request::new("GET", "/exam/seen").send(self.port());
        if !exchange.answer.is_success() {
            return None;
        }
        serde_json::from_str(&exchange.answer.body()).ok()
    }

    /// The messages that have arrived at customers.
    ///
    /// # Errors
    /// When the program offers no such list.
    pub(crate) fn seen_list(&self) -> Result<Vec<SeenMessage>, StopError> {
        self.seen().map_or_else(
            || {
                not_tried(
                    "the program does not say what has arrived at its customers: offer GET /exam/seen",
                )
            },
            Ok,
        )
    }

    /// A customer writes: in the program's own messenger; to the account when it is a bot.
    ///
    /// # Errors
    /// When the program offers no way to do so.
    pub(crate) fn says(&self, customer: &str, text: &str) -> Result<(), StopError> {
        if self.role() == Role::Bot {
            self.writes(customer, text)?;
            return Ok(());
        }
        let body = json!({ "from": customer, "text": text }).to_string();
        let exchange = Request::new("POST", "/exam/say")
            .json(body)
            .send(self.port());
        if exchange.answer.is_success() {
            return Ok(());
        }
        let is_offered = !matches!(exchange.answer.status, Some(404 | 405 | 501));
        if is_offered {
            return not_tried(format!(
                "the program {} to POST /exam/say: its customer's message is not stored",
                exchange.answer.shown()
            ));
        }
        not_tried(
            "the exam cannot make one of the program's own customers write: offer POST /exam/say",
        )
    }

    /// Customers write all at once, each of them these texts in turn.
    ///
    /// # Errors
    /// As [`Self::says`].
    pub(crate) fn all_say(&self, customers: &[String], texts: &[String]) -> Result<(), StopError> {
        let say = |customer: &str| texts.iter().try_for_each(|text| self.says(customer, text));
        std::thread::scope(|scope| {
            let threads: Vec<_> = customers
                .iter()
                .map(|customer| scope.spawn(move || say(customer)))
                .collect();
            let mut ended = threads.into_iter().map(|thread| thread.join());
            ended.try_for_each(|outcome| {
                outcome.map_err(|_panic| anyhow!("a thread of the exam has panicked"))?
            })
        })
    }

    /// Makes each delivery to a customer take so long.
    pub(crate) fn slow_outside(&mut self, seconds: f64) -> Result<(), StopError> {
        let body = json!({ "takes": seconds }).to_string();
        let request = Request::new("POST", "/exam/outside").json(body);
        self.is_slowed = true;
        if request.send(self.port()).answer.is_success() {
            return Ok(());
        }
        not_tried("the exam cannot make the program's messenger slow: offer POST /exam/outside")
    }
}
