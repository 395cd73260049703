//! The service assigns a conversation that waits, or takes it from a user who is not there for it.
//!
//! The conversation compares what the service saw, in the same group as the CRM's record of the lead. So of two assignments at the
//! same moment one is stored, and a conversation that was answered meanwhile stays as it is.

use crate::Decision;
use crate::conversation::{Conversation, ConversationEvent};
use crate::id::UserId;
use crate::several::Swap;
use switchboard_engine::state::{Command, Moment};

/// Gives a conversation that waits another responsible user, or none.
#[derive(Clone, Copy, Debug)]
pub struct AssignByRule {
    /// The user, and the one that the service saw.
    pub user: Swap<UserId>,
}

/// The conversation has another responsible user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AssignedByRule;

/// The conversation is not any more as the service saw it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the conversation does not wait any more, or another user is responsible by now")]
pub struct NotWaitingRejection;

impl Command for AssignByRule {
    type Of = Conversation;
    type Reply = AssignedByRule;
    type Rejection = NotWaitingRejection;

    fn decide(
        self,
        state: &Conversation,
        _moment: &mut Moment<'_, ConversationEvent>,
    ) -> Result<Decision<ConversationEvent, AssignedByRule>, NotWaitingRejection> {
        if state.waiting.is_none() || state.responsible != self.user.replaces {
            return Err(NotWaitingRejection);
        }
        let event = ConversationEvent::LeadChanged {
            open: state.lead,
            responsible: self.user.to,
            talk_closed: state.talk_closed,
        };
        Ok(Decision::event(event, AssignedByRule))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversation::Waiting;
    use crate::id::ConversationId;
    use crate::time::UnixMillis;
    use switchboard_engine::state::State as _;

    #[test]
    fn only_what_waits_and_was_not_assigned_meanwhile_is() {
        let mut state = Conversation {
            lead: true,
            spoken: 1,
            waiting: Some(Waiting {
                since: UnixMillis::new(1),
                reopened: false,
            }),
            ..Conversation::initial(&ConversationId::from_random([7; 16]))
        };
        let mut assign = |to, replaces| {
            let mut moment = Moment {
                now: UnixMillis::new(5),
                random: &mut || [7; 16],
                earlier: &[],
            };
            let user = Swap { to, replaces };
            let decision = AssignByRule { user }.decide(&state, &mut moment)?;
            for recorded in &decision.events {
                state.apply(&recorded.event);
            }
            Ok(state.responsible)
        };
        let (ada, bob) = (Some(UserId(1)), Some(UserId(2)));
        assert_eq!(assign(ada, None), Ok(ada));
        assert_eq!(assign(bob, None), Err(NotWaitingRejection));
        assert_eq!(assign(None, ada), Ok(None));
        state.waiting = None;
        let mut moment = Moment {
            now: UnixMillis::new(5),
            random: &mut || [7; 16],
            earlier: &[],
        };
        let user = Swap {
            to: bob,
            replaces: None,
        };
        let outcome = AssignByRule { user }.decide(&state, &mut moment);
        assert_eq!(outcome.err(), Some(NotWaitingRejection));
    }
}
