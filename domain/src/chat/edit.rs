//! New versions of messages.

use crate::chat::delivery::DeliveryStatus;
use crate::chat::message::Content;
use crate::id::{ClientMessageId, MessageId};
use crate::target::ConversationRef;
use crate::time::UnixMillis;

/// The new version of a message, as an integration hands it over.
#[derive(Clone, Debug, PartialEq)]
pub struct MessageEdit {
    /// The time of the change, according to the integration.
    pub timestamp: UnixMillis,
    /// Our id of the message.
    pub id: Option<MessageId>,
    /// The integration's id of the message; with ours, the one that it has from now on.
    pub msgid: Option<ClientMessageId>,
    /// The conversation.
    pub conversation: ConversationRef,
    /// The new content; `None` when the request reports only the delivery status.
    pub content: Option<Content>,
    /// The delivery status, for a message of an account user.
    pub status: Option<DeliveryStatus>,
}
