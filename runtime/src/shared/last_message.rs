//! The newest message of a customer, for programs that hear of a chat.

use crate::error::UnavailableError;
use crate::shared::Kernel;
use switchboard_domain::conversation::{Conversation, ConversationEvent};
use switchboard_domain::id::MessageId;
use switchboard_domain::keys;
use switchboard_domain::time::UnixMillis;
use switchboard_wire::chat_body::stored;

/// Among so many messages, from the newest on, the last one of a customer is searched for.
const SEARCHED_MAX: u64 = 32;

/// The newest message of a customer.
pub struct LastMessage {
    /// The id of the message.
    pub id: MessageId,
    /// The time that the integration gave it.
    pub written_at: UnixMillis,
    /// The text; empty when it has none.
    pub text: String,
}

/// The newest message of the customer, among the last ones.
pub fn newest_of_customer(
    kernel: &Kernel,
    state: &Conversation,
) -> Result<Option<LastMessage>, UnavailableError> {
    let first = state.messages.saturating_sub(SEARCHED_MAX);
    for number in (first..=state.messages).rev() {
        let key = keys::numbered(state.id, number);
        let Some(record) = kernel.record::<ConversationEvent>(key)? else {
            continue;
        };
        if let ConversationEvent::Received(received) = record.event
            && received.to.is_none()
        {
            let posted = stored::message(&received, &record.blob);
            let text = posted.and_then(|posted| Some(posted.content.text()?.to_string()));
            return Ok(Some(LastMessage {
                id: received.id,
                written_at: received.written_at,
                text: text.unwrap_or_default(),
            }));
        }
    }
    Ok(None)
}
