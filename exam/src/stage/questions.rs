//! Questions of customers, and what a bot answers to them in their conversations.

use std::time::Duration;

use anyhow::Context as _;
use serde::Deserialize;
use serde_json::Value;

use crate::stage::{ProgramRequest, Stage};
use crate::verdict::{StopError, breaks, not_tried};

/// The answers to one question after which the exam stops a loop.
pub(crate) const LOOP_MAX: usize = 5;
/// The time in which a program that answers more than once does so.
const PAUSE: Duration = Duration::from_secs(1);
/// The reason why nothing can be judged without answers.
const NO_ANSWER: &str = "the program answered no message of a customer within 20 s: the exam judges what it sends by \
                         POST /api/v4/talks/{id}/send_message, or by a salesbot that it runs, for each add_message. See its \
                         output below";
/// The targets of requests that write in a talk, for faults: of the program itself, and of a salesbot that it runs.
const SEND_TARGETS: [&str; 2] = ["/send_message", "/run$"];

/// A message that is in a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct StoredMessage {
    pub(crate) id: String,
    direction: String,
}

impl Stage {
    /// The messages to a customer, oldest first.
    pub(crate) fn answers(&self, customer: &str) -> Result<Vec<StoredMessage>, StopError> {
        let path = format!("/customers/{customer}/messages");
        let mut document = self.order("GET", &path, &Value::Null)?;
        let list = document.get_mut("messages").map(Value::take);
        let messages: Vec<StoredMessage> = serde_json::from_value(list.unwrap_or_default())
            .context("the messages cannot be read")?;
        let outgoing = messages.into_iter().filter(|it| it.direction == "out");
        Ok(outgoing.collect())
    }

    /// A customer asks. Gives the number of answers; 0 when none is there in time.
    pub(crate) fn answers_to(&mut self, customer: &str, text: &str) -> Result<usize, StopError> {
        self.writes(customer, text)?;
        self.settle(customer)
    }

    /// Waits for the first answer to a customer, and for others that come at once.
    ///
    /// # Errors
    /// When there is no end of answers.
    pub(crate) fn settle(&mut self, customer: &str) -> Result<usize, StopError> {
        if self.until_answer(customer)?.is_none() {
            return Ok(0);
        }
        std::thread::sleep(PAUSE);
        self.count_answers(customer)
    }

    /// Waits for the first answer to a customer.
    pub(crate) fn until_answer(&mut self, customer: &str) -> Result<Option<()>, StopError> {
        self.until(|stage| Ok((!stage.answers(customer)?.is_empty()).then_some(())))
    }

    /// The number of answers to a customer so far. A loop is stopped.
    ///
    /// # Errors
    /// When the program is in a loop.
    pub(crate) fn count_answers(&self, customer: &str) -> Result<usize, StopError> {
        let count = self.answers(customer)?.len();
        if count > LOOP_MAX {
            self.end_hooks()?;
            return breaks(format!(
                "It answered one question {count} times. The exam has stopped the loop."
            ));
        }
        Ok(count)
    }

    /// A customer asks, and the program answers. Gives the number of its answers, which another question has, too.
    ///
    /// # Errors
    /// When it does not answer: nothing could be judged then.
    pub(crate) fn prove_answers(&mut self) -> Result<usize, StopError> {
        match self.answers_to("bo", "Are you open today?")? {
            0 if self.is_alive() => not_tried(NO_ANSWER),
            0 => not_tried("the program ended before it answered a customer. See its output below"),
            count => Ok(count),
        }
    }

    /// The program still answers customers: another one gets as many answers as usual.
    ///
    /// # Errors
    /// When it does not.
    pub(crate) fn require_answers(&mut self, count: usize, when: &str) -> Result<(), StopError> {
        if !self.is_alive() {
            return breaks(format!("{when}, the program has ended."));
        }
        let customer = format!("zoe-{}", self.number_of_questions()?);
        let answers = self.answers_to(&customer, "Is anybody there?")?;
        if answers != count {
            return breaks(format!(
                "{when}, another customer got {answers} answers in the place of {count}."
            ));
        }
        Ok(())
    }

    /// The requests of the program to write in a talk, oldest first: it writes itself, or runs a salesbot that does.
    pub(crate) fn sends(&self, talk: &str) -> Result<Vec<ProgramRequest>, StopError> {
        let target = format!("POST /api/v4/talks/{talk}/send_message");
        let is_send = |it: &ProgramRequest| it.what.starts_with(&target) || runs(it, talk);
        let requests = self.program_requests()?.into_iter();
        Ok(requests.filter(is_send).collect())
    }

    /// Orders a fault of the answers to these requests.
    pub(crate) fn fault_sends(&self, fault: &Value) -> Result<(), StopError> {
        SEND_TARGETS
            .into_iter()
            .try_for_each(|target| self.fault_at(fault, target))
    }

    /// Waits until the program was refused with this status when it wrote in a talk.
    pub(crate) fn until_refusal(
        &mut self,
        talk: &str,
        status: u16,
    ) -> Result<Option<()>, StopError> {
        self.until(|stage| {
            let sends = stage.sends(talk)?;
            let is_refused = sends.iter().any(|send| send.status == Some(status));
            Ok(is_refused.then_some(()))
        })
    }
}

/// Returns whether a request runs a salesbot for the lead of a talk, which has the number of the talk.
fn runs(request: &ProgramRequest, talk: &str) -> bool {
    let is_run = request.what.starts_with("POST ") && request.what.ends_with("/run");
    let lead: Option<u64> = talk.parse().ok();
    let is_subject = |it: &Value| match it.get("entity_id") {
        Some(Value::String(id)) => id == talk,
        Some(id) => lead.is_some() && id.as_u64() == lead,
        None => false,
    };
    let body = request.body();
    is_run
        && (is_subject(&body)
            || body
                .as_array()
                .is_some_and(|list| list.iter().any(is_subject)))
}
