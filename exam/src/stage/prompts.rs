//! What makes a program call the service, in either of its roles, and the calls that come of it.

use serde_json::Value;

use crate::role::Role;
use crate::stage::Stage;
use crate::verdict::StopError;

/// A call of the program, for a message of a customer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Call {
    /// The status of the answer; `None` without an answer.
    pub(crate) status: Option<u16>,
}

impl Call {
    /// Returns whether the service did what the program asked for.
    pub(crate) fn is_accepted(&self) -> bool {
        self.status.is_some_and(|it| (200..300).contains(&it))
    }
}

impl Stage {
    /// Makes the program call the service for a message of a customer, and waits until the service has accepted the call.
    ///
    /// # Errors
    /// When it does not: nothing could be judged then.
    pub(crate) fn prove_calls(&mut self) -> Result<(), StopError> {
        match self.role() {
            Role::Bridge => self.prove_posts(),
            Role::Bot => self.prove_answers().map(drop),
        }
    }

    /// Makes the program call the service: a customer writes. Gives the text to look for.
    pub(crate) fn provoke_call(&mut self, customer: &str, text: &str) -> Result<String, StopError> {
        match self.role() {
            Role::Bridge => self.provoke_post(text),
            Role::Bot => {
                self.writes(customer, text)?;
                Ok(text.to_owned())
            }
        }
    }

    /// Orders a fault of the answers to these calls.
    pub(crate) fn fault_calls(&self, fault: &Value) -> Result<(), StopError> {
        match self.role() {
            Role::Bridge => self.fault_at(fault, &self.send_target()),
            Role::Bot => self.fault_sends(fault),
        }
    }

    /// The calls for the message with this text, oldest first.
    pub(crate) fn calls_for(&self, text: &str) -> Result<Vec<Call>, StopError> {
        match self.role() {
            Role::Bridge => {
                let posts = self.posts(text)?.into_iter();
                Ok(posts
                    .map(|post| Call {
                        status: post.status,
                    })
                    .collect())
            }
            Role::Bot => {
                let hooks = self.hook_attempts("add_message", |it| it.field("/text") == text)?;
                let Some(hook) = hooks.first() else {
                    return Ok(Vec::new());
                };
                let sends = self.sends(hook.field("/talk_id"))?.into_iter();
                Ok(sends
                    .map(|send| Call {
                        status: send.status,
                    })
                    .collect())
            }
        }
    }
}
