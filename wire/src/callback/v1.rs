//! Callbacks of version 1: one flat object of eight keys.

use schemars::JsonSchema;
use serde::Serialize;

use crate::callback::{Media, OutgoingCallback, to_bytes};
use crate::domain::chat::outgoing::OutgoingContent;

/// The conversation or its customer has no id that the integration knows, and version 1 has no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a callback of version 1 needs the integration's ids of the conversation and the customer")]
pub struct UnboundPersonError;

/// The bytes of the callback; every attempt sends the same.
///
/// # Errors
/// When the conversation was begun here and is not bound yet.
pub fn body(callback: &OutgoingCallback) -> Result<Vec<u8>, UnboundPersonError> {
    let receiver = callback
        .receiver
        .client_id
        .as_ref()
        .ok_or(UnboundPersonError)?;
    let conversation = callback
        .client_conversation
        .as_ref()
        .ok_or(UnboundPersonError)?;
    Ok(to_bytes(&Body {
        receiver: receiver.as_str(),
        conversation_id: conversation.as_str(),
        kind: callback.content.kind(),
        text: callback.content.text(),
        media: Media::from_content(&callback.content),
    }))
}

/// The body: what does not apply is empty or 0.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "CallbackV1")]
pub struct Body<'a> {
    /// The integration's id of the customer.
    receiver: &'a str,
    /// The integration's id of the conversation.
    conversation_id: &'a str,
    #[serde(rename = "type")]
    #[schemars(extend("enum" = OutgoingContent::KINDS))]
    kind: &'static str,
    text: &'a str,
    #[serde(flatten)]
    media: Media<'a>,
}
