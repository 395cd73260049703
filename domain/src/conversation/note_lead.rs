//! The newest lead of the conversation moves, its responsible user changes, or its talk is closed. The CRM decides that. The
//! conversation takes note of it, since it knows whether the next loud message needs another lead, in which users' lists it
//! stands, and whether it is snoozed.

use std::collections::BTreeSet;
use std::convert::Infallible;

use crate::Decision;
use crate::conversation::{Conversation, ConversationEvent, WakeCause, Woken};
use crate::id::{ConversationId, UserId};
use switchboard_engine::state::{Command, Moment};

/// Takes note, and replies with the followers of the conversation.
#[derive(Clone, Copy, Debug)]
pub struct NoteLead {
    /// The conversation.
    pub conversation: ConversationId,
    /// True while the lead is neither won nor lost.
    pub open: bool,
    /// The new responsible user.
    pub responsible: Option<UserId>,
    /// True when the talk is closed.
    pub closes_talk: bool,
    /// The number of the last message when the talk of the lead was closed; `None` when it was not.
    pub talk_closed: Option<u64>,
}

impl Command for NoteLead {
    type Of = Conversation;
    type Reply = BTreeSet<UserId>;
    type Rejection = Infallible;

    fn decide(
        self,
        state: &Conversation,
        moment: &mut Moment<'_, ConversationEvent>,
    ) -> Result<Decision<ConversationEvent, BTreeSet<UserId>>, Infallible> {
        let is_known = (state.lead, state.responsible, state.talk_closed)
            == (self.open, self.responsible, self.talk_closed);
        let mut events = Vec::new();
        if !(self.closes_talk && is_known) {
            let event = ConversationEvent::LeadChanged {
                open: self.open,
                responsible: self.responsible,
                talk_closed: self.talk_closed,
            };
            events.push(event.into());
        }
        // A closed conversation is out of the way already.
        if state.snooze.is_some() && (self.closes_talk || !self.open) {
            let woken = Woken {
                at: moment.now,
                cause: WakeCause::Closed,
                by: None,
                client: None,
            };
            events.push(ConversationEvent::Woken(woken).into());
        }
        Ok(Decision::events(events, state.followers.clone()))
    }
}
