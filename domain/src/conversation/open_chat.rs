//! An integration asks for a conversation before its first message.
//!
//! Neither lead nor contact come of it, and a conversation without messages is in no list.

use crate::Decision;
use crate::conversation::{Conversation, ConversationEvent, Customer, Opened, Origin};
use crate::crm::follow_customer::FollowCustomer;
use crate::crm::self_description::SelfDescription;
use crate::id::{ClientConversationId, ContactId, ConversationId, ScopeId};
use crate::text::SourceId;
use switchboard_engine::state::{Command, Moment};

/// A conversation is wanted.
#[derive(Clone, Debug)]
pub struct OpenChat {
    /// The scope.
    pub scope: ScopeId,
    /// The integration's id of it.
    pub client_conversation: ClientConversationId,
    /// The customer; `None` when only an account user was named.
    pub customer: Option<Customer>,
    /// The entrance of the integration that the chat comes through.
    pub source: Option<SourceId>,
}

/// The integration's id means a conversation of another scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no such conversation in this account and channel")]
pub struct OpenChatRejection;

/// The conversation is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChatOpened {
    /// Its id.
    pub conversation: ConversationId,
    /// The news about the customer, if there are any.
    pub news: Option<Box<FollowCustomer>>,
    /// The contact that a user gave the chat to, when it is not that of the customer.
    pub elsewhere: Option<ContactId>,
}

impl Command for OpenChat {
    type Of = Conversation;
    type Reply = ChatOpened;
    type Rejection = OpenChatRejection;

    fn decide(
        self,
        state: &Conversation,
        moment: &mut Moment<'_, ConversationEvent>,
    ) -> Result<Decision<ConversationEvent, ChatOpened>, OpenChatRejection> {
        let current_origin = state.origin.as_ref();
        if current_origin.is_some_and(|origin| origin.scope != self.scope) {
            return Err(OpenChatRejection);
        }
        let earlier = state.customer.as_ref();
        let says = self.customer.map(|it| SelfDescription::new(it, earlier));
        let customer = says.as_ref().map(|says| says.customer.clone());
        let is_same = |customer: &Customer| {
            let is_person = |earlier: &Customer| earlier.person == customer.person;
            earlier.is_some_and(is_person) && earlier != Some(customer)
        };
        // Of one that is there already, only what its customer says of themselves changes.
        let is_changed = current_origin.is_none() || customer.as_ref().is_some_and(is_same);
        let follow = says.and_then(|says| FollowCustomer::if_news(&self.scope, state, says));
        let chat = ChatOpened {
            conversation: state.id,
            news: follow.filter(|_| is_changed).map(Box::new),
            elsewhere: None,
        };
        if !is_changed {
            return Ok(Decision::unchanged(chat));
        }
        let origin = current_origin.cloned().unwrap_or(Origin {
            scope: self.scope,
            client_id: Some(self.client_conversation),
        });
        let opening = Opened {
            at: moment.now,
            origin,
            customer,
            source: state.source.clone().or(self.source),
        };
        let event = ConversationEvent::Opened(Box::new(opening));
        Ok(Decision::event(event, chat))
    }
}
