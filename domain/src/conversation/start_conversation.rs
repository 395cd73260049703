//! An account user writes first, to a phone number: the conversation and its customer begin with the message.
//!
//! The integration learns both ids of the service from the callback and has none of its own in it. When the customer
//! answers, it names them in `conversation_ref_id` and `sender.ref_id`, and its own ids are bound.

use crate::Decision;
use crate::conversation::reply::{Reply, ReplyRejection, Sent};
use crate::conversation::{Conversation, ConversationEvent, Customer, Origin};
use crate::hook_version::HookVersion;
use crate::id::ScopeId;
use switchboard_engine::entries::Keys;
use switchboard_engine::state::{Command, Moment};

/// An account user writes first. Where there is a conversation with the number already, this is a message in it.
#[derive(Clone, Debug)]
pub struct StartConversation {
    /// The scope that it leaves through.
    pub scope: ScopeId,
    /// The receiver of the message.
    pub customer: Customer,
    /// The first message, with its author.
    pub reply: Reply,
}

impl Command for StartConversation {
    type Of = Conversation;
    type Reply = Sent;
    type Rejection = ReplyRejection;

    fn required_keys(&self, state: &Conversation) -> Keys {
        self.reply.required_keys(state)
    }

    fn decide(
        self,
        state: &Conversation,
        moment: &mut Moment<'_, ConversationEvent>,
    ) -> Result<Decision<ConversationEvent, Sent>, ReplyRejection> {
        if state.origin.is_some() {
            return self.reply.decide(state, moment);
        }
        if self.reply.version == Some(HookVersion::V1) {
            return Err(ReplyRejection::NeedsVersion2);
        }
        let mut new_conversation = state.clone();
        new_conversation.origin = Some(Origin {
            scope: self.scope,
            client_id: None,
        });
        new_conversation.customer = Some(self.customer);
        self.reply.decide(&new_conversation, moment)
    }
}
