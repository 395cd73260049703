//! Conversations and messages as they are shown.

use std::sync::Arc;

use bytes::Bytes;

use crate::typing::Typing;
use crate::viewing::Viewer;
use crate::views::callback::CallbackView;
use switchboard_domain::chat::delivery::{DeliveryStatus, Trouble};
use switchboard_domain::chat::reaction::Reaction;
use switchboard_domain::conversation::fetch::Fetched;
use switchboard_domain::conversation::{Conversation, Edited, Received, Replied};
use switchboard_domain::crm::Lead;
use switchboard_domain::id::{ClientMessageId, MessageId};
use switchboard_domain::text::ButtonText;
use switchboard_domain::time::UnixMillis;

/// A conversation as a list shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConversationView {
    /// Its state.
    pub state: Conversation,
    /// Its last message.
    pub last_message: Option<MessageView>,
    /// Its newest lead.
    pub lead: Option<Lead>,
    /// The integration's title of the connection that it came through; `None` while the scope is not connected.
    pub title: Option<String>,
    /// The time at which the time window closes: 0 when the customer has never written; `None` without a window.
    pub window_closes_at: Option<UnixMillis>,
    /// The person who is writing just now, on the customer's side.
    pub typing: Option<Typing>,
    /// The account users who have it open just now.
    pub viewers: Vec<Viewer>,
    /// The failure of the newest message that was not sent again.
    pub trouble: Option<Trouble>,
    /// The last result of fetching the customer's picture.
    pub avatar: Option<Box<Fetched>>,
    /// True when a record of it is damaged: what stands here is what can be read.
    pub damaged: bool,
}

/// A message as a thread shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MessageView {
    /// An integration posted it: a customer's message, or an imported one.
    In {
        /// The stored message.
        received: Box<Received>,
        /// The body as it was signed.
        raw: Bytes,
        /// The updates since.
        afterwards: Box<Afterwards>,
    },
    /// An account user wrote it.
    Out {
        /// The stored message.
        replied: Arc<Replied>,
        /// The updates since.
        afterwards: Box<Afterwards>,
        /// The state of its callback.
        callback: CallbackView,
    },
}

/// The updates of a message after it was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Afterwards {
    /// Its newest version, with the body as it was signed.
    pub edit: Option<(Box<Edited>, Bytes)>,
    /// The name that the integration gave it later.
    pub msgid: Option<ClientMessageId>,
    /// The reactions that people left on it.
    pub reactions: Vec<Reaction>,
    /// The integration's last report of it.
    pub status: Option<DeliveryStatus>,
    /// The customer's newest message that pressed a button of it, and the button.
    pub pressed: Option<(MessageId, ButtonText)>,
    /// The last result of fetching its file.
    pub fetched: Option<Box<Fetched>>,
}

impl MessageView {
    /// The service's id of the message.
    #[must_use]
    pub fn id(&self) -> MessageId {
        match self {
            Self::In { received, .. } => received.id,
            Self::Out { replied, .. } => replied.id,
        }
    }

    /// The time of writing.
    #[must_use]
    pub fn written_at(&self) -> UnixMillis {
        match self {
            Self::In { received, .. } => received.written_at,
            Self::Out { replied, .. } => replied.at,
        }
    }
}
