//! A hook with a body written by hand, sent once to a target to see what it answers. What is stored does not change.

use bytes::Bytes;
use serde_json::Value;

use crate::domain::audit::{By, Difference};
use crate::domain::operator::note::Note;
use crate::domain::signature::sign_body;
use crate::relays::attempt_of;
use crate::system::System;
use crate::system::operator::test_send::{TestedAttempt, try_out_by};
use crate::system::relays::replay::ReplayRelayedRejection;
use crate::system::relays::{RelayedHookId, queue};
use switchboard_relay::hooks::HookEnvelope;
use switchboard_runtime::port::RelayAttempt;

/// The content that is sent instead of a hook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditedHook {
    /// The body, byte by byte.
    pub body: Bytes,
    /// The value of `X-Signature`; `None`: the right one for this body, by the secret of the channel.
    pub signature: Option<String>,
}

impl System {
    /// Sends another body in place of a hook that a relay took, once and immediately, with the headers that the hook would have.
    /// Returns the outcome. The audit log notes the sending, but not the body.
    ///
    /// # Errors
    /// When there is no such hook of this target, or four tests are in progress already.
    pub async fn send_edited_hook(
        &self,
        by: By,
        id: RelayedHookId,
        place: u8,
        edited: EditedHook,
    ) -> Result<TestedAttempt, ReplayRelayedRejection> {
        let one_of_few = self.one_of_few_tests()?;
        let dispatcher = self.relay_dispatcher();
        let relay = self.relays().get(id.chat.relay);
        let view = self.relayed_hook(id).await?;
        let hook = view.and_then(|view| view.hook);
        let (Some(dispatcher), Some(relay), Some((hook, stored_body))) = (dispatcher, relay, hook)
        else {
            return Err(ReplayRelayedRejection::Unknown);
        };
        let attempt = attempt_of(self.kernel(), queue(id, place), &hook, stored_body, 1);
        let attempt = attempt.ok_or(ReplayRelayedRejection::Unknown)?;
        let mut changes = vec![
            Difference::set("place", place),
            Difference::set("body", Value::Null),
        ];
        if edited.signature.is_some() {
            changes.push(Difference::set("signature", Value::Null));
        }
        let signature = edited
            .signature
            .unwrap_or_else(|| sign_body(&relay.settings.secret, &edited.body).to_string());
        let attempt = RelayAttempt {
            body: edited.body,
            envelope: HookEnvelope {
                // A hook of an account has none.
                signature: (!attempt.is_unverified).then_some(signature),
                ..attempt.envelope
            },
            ..attempt
        };
        let note = Note {
            by,
            action: "relay.edited-replay",
            object: relay.settings.channel.to_string(),
            account: None,
            changes,
        };
        self.note(note).await?;
        let url = attempt.url.to_string();
        Ok(try_out_by(dispatcher, one_of_few, url, attempt).await?)
    }
}
