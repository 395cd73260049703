//! An account user assigns a conversation to a group, or to none. A conversation has at most one group, beside the responsible user
//! of its lead.

use std::sync::Arc;

use crate::Decision;
use crate::account::users::Users;
use crate::conversation::team::GroupAssigned;
use crate::conversation::{Conversation, ConversationEvent};
use crate::crm::assignment::AssignmentReason;
use crate::crm::update_owners::GroupChanged;
use crate::id::{GroupId, UserId};
use crate::oauth::acting_client::ActingClient;
use crate::several::Swap;
use switchboard_engine::state::{Command, Moment};

/// Assigns a conversation to a group, and takes note of another responsible user of its lead.
#[derive(Clone, Debug)]
pub struct AssignGroup {
    /// The user.
    pub by: UserId,
    /// The OAuth client that acts for the user.
    pub client: Option<ActingClient>,
    /// The group, and the one that the user saw.
    pub group: Swap<GroupId>,
    /// The users with their groups: a group that was deleted owns no conversation.
    pub users: Arc<Users>,
    /// The lead as it is from then on; `None` when it stays.
    pub lead: Option<LeadOwner>,
}

/// What a conversation knows of its newest lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeadOwner {
    /// True while it is neither won nor lost.
    pub open: bool,
    /// The responsible user.
    pub responsible: Option<UserId>,
}

/// The conversation has another group than the user saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the group has changed since you read the conversation")]
pub struct OtherGroupRejection(pub Option<GroupId>);

impl Command for AssignGroup {
    type Of = Conversation;
    type Reply = Option<GroupChanged>;
    type Rejection = OtherGroupRejection;

    fn decide(
        self,
        state: &Conversation,
        moment: &mut Moment<'_, ConversationEvent>,
    ) -> Result<Decision<ConversationEvent, Option<GroupChanged>>, OtherGroupRejection> {
        let (before, after) = (state.group_among(&self.users), self.group.to);
        if before != self.group.replaces {
            return Err(OtherGroupRejection(before));
        }
        let mut events = Vec::new();
        if before != after {
            let assigned = GroupAssigned {
                group: after,
                by: self.by,
                client: self.client,
                reason: AssignmentReason::ByHand,
                at: moment.now,
            };
            events.push(ConversationEvent::GroupAssigned(Box::new(assigned)).into());
        }
        if let Some(LeadOwner { open, responsible }) = self.lead {
            let event = ConversationEvent::LeadChanged {
                open,
                responsible,
                talk_closed: state.talk_closed,
            };
            events.push(event.into());
        }
        let change = (before != after).then_some(GroupChanged {
            conversation: state.id,
            before,
            after,
        });
        Ok(Decision::events(events, change))
    }
}

impl Conversation {
    /// The group to which it is assigned, unless that was deleted.
    #[must_use]
    pub fn group_among(&self, users: &Users) -> Option<GroupId> {
        self.group
            .filter(|group| users.groups().contains_key(group))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::account::group::Group;
    use crate::id::{AccountId, ConversationId};
    use crate::time::UnixMillis;
    use switchboard_engine::state::State as _;

    fn assigns(
        state: &mut Conversation,
        group: Swap<GroupId>,
    ) -> Result<usize, OtherGroupRejection> {
        let command = AssignGroup {
            by: UserId(1),
            client: None,
            group,
            users: Arc::new(Users::initial(&AccountId::from_random([1; 16]))),
            lead: None,
        };
        let mut moment = Moment {
            now: UnixMillis::new(5),
            random: &mut || [7; 16],
            earlier: &[],
        };
        let decision = command.decide(state, &mut moment)?;
        for recorded in &decision.events {
            state.apply(&recorded.event);
        }
        Ok(decision.events.len())
    }

    #[test]
    fn the_group_that_the_user_saw_is_compared() {
        let mut state = Conversation::initial(&ConversationId::from_random([7; 16]));
        let to = |to, replaces| Swap { to, replaces };
        let sales = Some(Group::DEFAULT);
        assert_eq!(assigns(&mut state, to(sales, None)), Ok(1));
        assert_eq!(
            assigns(&mut state, to(None, None)),
            Err(OtherGroupRejection(sales))
        );
        assert_eq!(assigns(&mut state, to(sales, sales)), Ok(0));
        assert_eq!(assigns(&mut state, to(None, sales)), Ok(1));
        assert_eq!(state.group, None);
    }

    #[test]
    fn a_deleted_group_owns_no_conversation() {
        let mut state = Conversation::initial(&ConversationId::from_random([7; 16]));
        state.group = Some(GroupId(9));
        let sales = Swap {
            to: Some(Group::DEFAULT),
            replaces: None,
        };
        assert_eq!(assigns(&mut state, sales), Ok(1));
        assert_eq!(state.group, Some(Group::DEFAULT));
    }
}
