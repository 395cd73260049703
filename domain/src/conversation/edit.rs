//! An integration sends the new version of a message, or the delivery status of one that it imported.

use bytes::Bytes;

use crate::chat::delivery::DeliveryStatus;
use crate::chat::fetch::HostMark;
use crate::conversation::report_delivery::{of_a_user, out_of, reported};
use crate::conversation::{Conversation, ConversationEvent, Edited, Reported};
use crate::id::{ClientMessageId, MessageId, PersonId, ScopeId};
use crate::time::UnixMillis;
use crate::{Decision, keys};
use switchboard_engine::entries::Keys;
use switchboard_engine::state::{Command, Moment, Recorded};

/// A message has a new version.
#[derive(Clone, Debug)]
pub struct Edit {
    /// The scope it comes through.
    pub scope: ScopeId,
    /// The message, by the service's id.
    pub message: MessageId,
    /// The integration's id of the message from now on, if it gives one.
    pub msgid: Option<ClientMessageId>,
    /// The time of the new version, according to the integration.
    pub written_at: UnixMillis,
    /// True when the raw body has the new content of the message.
    pub content: bool,
    /// The server of the new version's file, when that is to be fetched.
    pub media_from: Option<HostMark>,
    /// The delivery status of the message.
    pub status: Option<DeliveryStatus>,
    /// The body as it was signed.
    pub raw: Bytes,
}

/// The message that was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedMessage {
    /// The sender.
    pub sender: PersonId,
    /// The receiver, when the sender is not the customer.
    pub receiver: Option<PersonId>,
    /// The service's id of it.
    pub message: MessageId,
    /// The integration's id of it; `None` for what an account user wrote and the integration has not named.
    pub msgid: Option<ClientMessageId>,
}

/// The reason not to change a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditRejection {
    /// There is none, or not in this scope.
    #[error("there is no such message in this scope")]
    MessageNotFound,
    /// Another message of the conversation has this msgid.
    #[error("another message of this conversation has this msgid")]
    AlreadyExists,
    /// A message of a customer, which is delivered by its arrival here.
    #[error("a customer's message has no delivery status")]
    NotOfAUser,
}

impl Command for Edit {
    type Of = Conversation;
    type Reply = ChangedMessage;
    type Rejection = EditRejection;

    fn required_keys(&self, state: &Conversation) -> Keys {
        let name = self.msgid.iter().map(|msgid| keys::msgid(state.id, msgid));
        let message = [
            keys::message(self.message),
            keys::edit(self.message),
            keys::report(self.message),
        ];
        message.into_iter().chain(name).collect()
    }

    fn decide(
        self,
        state: &Conversation,
        moment: &mut Moment<'_, ConversationEvent>,
    ) -> Result<Decision<ConversationEvent, ChangedMessage>, EditRejection> {
        let mut message = self.target(state, moment.earlier(0))?;
        let is_named = match moment.earlier(3) {
            Some(known) if known.event.message_id() == Some(self.message) => true,
            Some(_) => return Err(EditRejection::AlreadyExists),
            None => false,
        };
        if self.status.is_some() && !of_a_user(state, &self.scope, moment.earlier(0)) {
            return Err(EditRejection::NotOfAUser);
        }
        if let Some(msgid) = &self.msgid {
            message.msgid = Some(msgid.clone());
        }
        let alias = self.msgid.clone().filter(|_| !is_named);
        let content = self.content && self.is_news(moment.earlier(1));
        let report = self
            .status
            .clone()
            .filter(|status| reported(moment.earlier(2)).moves_on(status));
        let mut events = Vec::new();
        if content || alias.is_some() {
            let edited = Edited {
                id: self.message,
                at: moment.now,
                written_at: self.written_at,
                msgid: alias,
                content,
                media_from: self.media_from.filter(|_| content),
            };
            events.push(Recorded {
                event: ConversationEvent::Edited(Box::new(edited)),
                blob: self.raw,
            });
        }
        if let Some(status) = report {
            let reported = Reported {
                id: self.message,
                at: moment.now,
                status,
                out: out_of(moment.earlier(0)),
            };
            events.push(ConversationEvent::Reported(reported).into());
        }
        Ok(Decision::events(events, message))
    }
}

impl Edit {
    fn target(
        &self,
        state: &Conversation,
        original: Option<&Recorded<ConversationEvent>>,
    ) -> Result<ChangedMessage, EditRejection> {
        let origin = state.origin.as_ref();
        if origin.is_none_or(|origin| origin.scope != self.scope) {
            return Err(EditRejection::MessageNotFound);
        }
        match original {
            Some(Recorded {
                event: ConversationEvent::Received(received),
                ..
            }) => Ok(ChangedMessage {
                sender: received.from,
                receiver: received.to.as_ref().map(|to| to.person),
                message: received.id,
                msgid: Some(received.msgid.clone()),
            }),
            Some(Recorded {
                event: ConversationEvent::Replied(replied),
                ..
            }) => Ok(ChangedMessage {
                sender: replied.by.person,
                receiver: Some(replied.to.person),
                message: replied.id,
                msgid: None,
            }),
            _ => Err(EditRejection::MessageNotFound),
        }
    }

    /// Neither a repeat of the version that is in force, nor one that was overtaken on its way.
    fn is_news(&self, last_edit: Option<&Recorded<ConversationEvent>>) -> bool {
        let Some(Recorded {
            event: ConversationEvent::Edited(known),
            blob,
        }) = last_edit
        else {
            return true;
        };
        self.written_at >= known.written_at && *blob != self.raw
    }
}
