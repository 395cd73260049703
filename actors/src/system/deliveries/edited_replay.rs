//! A callback with a body written by hand, sent once to see how the integration answers. The message and its delivery
//! do not change.

use bytes::Bytes;
use serde_json::Value;

use crate::domain::audit::{By, Difference};
use crate::domain::hook_version::HookVersion;
use crate::domain::id::MessageId;
use crate::domain::operator::note::Note;
use crate::domain::signature::sign_body;
use crate::system::System;
use crate::system::deliveries::{CallbackRequest, RequestRejection};
use crate::system::operator::test_send::TestOutcome;
use switchboard_runtime::error::CommandError;
use switchboard_runtime::port::Attempt;

/// The content that is sent instead of the callback.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditedReplay {
    /// The body, byte by byte.
    pub body: Bytes,
    /// The value of `X-Signature`; `None`: the right one for this body.
    pub signature: Option<String>,
    /// The version whose address it goes to; `None` as in [`System::callback_request`].
    pub version: Option<HookVersion>,
}

impl System {
    /// Sends another body in place of the callback of a message, once and immediately, with the id and the headers that
    /// the callback would have. Returns the outcome. The audit log notes the sending, but not the body.
    ///
    /// # Errors
    /// When the message has no callback that could be sent, or four tests are in progress already.
    pub async fn send_edited_replay(
        &self,
        by: By,
        id: MessageId,
        edited: EditedReplay,
    ) -> Result<TestOutcome, CommandError<RequestRejection>> {
        let one_of_few = self.one_of_few_tests()?;
        let request = self.callback_request(id, edited.version).await?;
        let CallbackRequest {
            scope,
            version,
            attempt,
        } = request;
        let is_forged = edited.signature.is_some();
        let signature = match edited.signature {
            Some(given) => given,
            None => {
                let channels = self.kernel().shared.read_cache.channels();
                let channel = channels
                    .get(scope.channel())
                    .ok_or(CommandError::Rejected(RequestRejection::NoChannel))?;
                sign_body(channel.signing_secret(attempt.at), &edited.body).to_string()
            }
        };
        let attempt = Attempt {
            body: edited.body,
            signature,
            ..attempt
        };
        let mut changes = vec![
            Difference::set("version", version.as_str()),
            Difference::set("body", Value::Null),
        ];
        if is_forged {
            changes.push(Difference::set("signature", Value::Null));
        }
        let note = Note {
            by,
            action: "delivery.edited-replay",
            object: id.to_string(),
            account: Some(scope.account()),
            changes,
        };
        self.note(note).await?;
        Ok(TestOutcome {
            scope,
            version,
            message: id,
            attempt: self.try_out(one_of_few, attempt).await?,
        })
    }
}
