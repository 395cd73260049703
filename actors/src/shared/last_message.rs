//! The newest message of a customer, for programs that hear of a chat.

use crate::domain::conversation::{Conversation, ConversationEvent};
use crate::domain::id::MessageId;
use crate::domain::keys;
use crate::domain::time::UnixMillis;
use crate::error::UnavailableError;
use crate::shared::Kernel;
use crate::wire::chat_body::stored;

/// Among so many messages, from the newest on, the last one of a customer is searched for.
const SEARCHED_MAX: u64 = 32;

/// The newest message of a customer.
pub(crate) struct LastMessage {
    pub(crate) id: MessageId,
    pub(crate) written_at: UnixMillis,
    pub(crate) text: String,
}

/// The newest message of the customer, among the last ones.
pub(crate) fn newest_of_customer(
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
