//! A customer's message arrives.
//!
//! Interface A, rule 3: «When a message has `silent` true, no notification is raised and no deal is created; when
//! `silent` is absent or false, a deal is created in the unsorted stage if none exists and earlier messages of the
//! same `conversation_id` are loaded.»

use bytes::Bytes;

use crate::domain::book::open_deal::OpenDeal;
use crate::domain::conversation::{Conversation, ConversationEvent, Customer, Origin, Received};
use crate::domain::id::{
    ClientConversationId, ClientMessageId, ConversationId, MessageId, PersonId, ScopeId,
};
use crate::domain::index::Key;
use crate::domain::notice::Notice;
use crate::domain::time::UnixMillis;
use crate::domain::{Command, Decision, Moment, Recorded, keys};

/// A customer's message arrives, with all its ids resolved.
#[derive(Clone, Debug)]
pub struct Receive {
    /// The scope it came through.
    pub scope: ScopeId,
    /// The service's id of its conversation.
    pub conversation: ConversationId,
    /// The integration's id of its conversation.
    pub client_conversation: ClientConversationId,
    /// The integration's id of the message.
    pub msgid: ClientMessageId,
    /// Who wrote it.
    pub customer: Customer,
    /// When the integration says it was written.
    pub written_at: UnixMillis,
    /// Whether people are to be told, and a deal is wanted: false for a silent import.
    pub loud: bool,
    /// The body as it was signed.
    pub raw: Bytes,
}

/// The message is stored, or was before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The conversation.
    pub conversation: ConversationId,
    /// The service's id of the sender.
    pub sender: PersonId,
    /// The service's id of the message.
    pub message: MessageId,
    /// The deal that is to be opened in the same group; `None` when there is one, or none is wanted.
    pub open: Option<OpenDeal>,
    /// Whether it was there before, and nothing was written.
    pub repeated: bool,
}

/// Why a customer's message is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReceiveRejection {
    /// Decision 2, send: the same `msgid` with other content.
    #[error("a message with this msgid exists in this conversation, and its content is another")]
    AlreadyExists,
    /// The conversation that was named is not one of this scope.
    #[error("there is no such conversation in this account and channel")]
    UnknownConversation,
}

impl Command for Receive {
    type Of = Conversation;
    type Reply = Accepted;
    type Rejection = ReceiveRejection;

    fn asks(&self, _state: &Conversation) -> Vec<Key> {
        vec![keys::msgid(self.conversation, &self.msgid)]
    }

    fn decide(
        mut self,
        state: &Conversation,
        found: &[Option<Recorded<ConversationEvent>>],
        moment: &mut Moment<'_>,
    ) -> Result<Decision<ConversationEvent, Accepted>, ReceiveRejection> {
        if state
            .origin
            .as_ref()
            .is_some_and(|origin| origin.scope != self.scope)
        {
            return Err(ReceiveRejection::UnknownConversation);
        }
        if let Some(Some(earlier)) = found.first() {
            return self.repeat(earlier);
        }
        if let Some(known) = &state.customer {
            self.customer.remember(known);
        }
        let received = self.received(state, moment);
        let open = (self.loud && !state.deal).then(|| OpenDeal {
            account: self.scope.account(),
            scope: self.scope.clone(),
            conversation: self.conversation,
            customer: self.customer.clone(),
        });
        let reply = Accepted {
            conversation: self.conversation,
            sender: received.from,
            message: received.id,
            open,
            repeated: false,
        };
        let notices = vec![Notice::Received {
            scope: self.scope,
            conversation: self.conversation,
            message: received.id,
            loud: self.loud,
        }];
        let mut events = vec![Recorded {
            event: ConversationEvent::Received(Box::new(received)),
            blob: self.raw,
        }];
        if reply.open.is_some() {
            events.push(ConversationEvent::DealOpened.into());
        }
        Ok(Decision {
            events,
            notices,
            reply,
        })
    }
}

impl Receive {
    /// «Retrying is safe»: what was signed is compared byte by byte.
    fn repeat(
        &self,
        earlier: &Recorded<ConversationEvent>,
    ) -> Result<Decision<ConversationEvent, Accepted>, ReceiveRejection> {
        match &earlier.event {
            ConversationEvent::Received(received) if earlier.blob == self.raw => {
                Ok(Decision::unchanged(Accepted {
                    conversation: self.conversation,
                    sender: received.from,
                    message: received.id,
                    open: None,
                    repeated: true,
                }))
            }
            ConversationEvent::Received(_)
            | ConversationEvent::Replied(_)
            | ConversationEvent::Reported(_)
            | ConversationEvent::DealOpened
            | ConversationEvent::Read(_) => Err(ReceiveRejection::AlreadyExists),
        }
    }

    fn received(&self, state: &Conversation, moment: &mut Moment<'_>) -> Received {
        let bound = state
            .origin
            .as_ref()
            .is_some_and(|origin| origin.client_id.is_some());
        let customer =
            (state.customer.as_ref() != Some(&self.customer)).then(|| self.customer.clone());
        Received {
            number: state.next_number(),
            id: MessageId::from_random((moment.random)()),
            msgid: self.msgid.clone(),
            at: moment.now.max(state.active_at),
            written_at: self.written_at,
            loud: self.loud,
            from: self.customer.person,
            origin: (!bound).then(|| Origin {
                scope: self.scope.clone(),
                client_id: Some(self.client_conversation.clone()),
            }),
            customer,
        }
    }
}
