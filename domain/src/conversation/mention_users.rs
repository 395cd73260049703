//! A note of the team mentions account users: they are subscribers of the conversation from then on.

use std::collections::BTreeSet;

use crate::Decision;
use crate::conversation::team::Mentioned;
use crate::conversation::{Conversation, ConversationEvent};
use crate::id::{LeadId, UserId};
use crate::keys;
use crate::tables;
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::state::{Command, Moment};

/// The highest number of users whom the notes in one conversation mention. Each has it in a list, in which it moves with every
/// message.
pub const MENTIONED_MAX: usize = 32;

/// Makes users subscribers, since a note mentions them.
#[derive(Clone, Debug)]
pub struct MentionUsers {
    /// The users.
    pub users: BTreeSet<UserId>,
    /// The writer of the note.
    pub by: UserId,
    /// The number of the note; `None` when the users have had the news of it.
    pub note: Option<u64>,
    /// The newest lead of the conversation.
    pub lead: Option<LeadId>,
}

/// The users are subscribers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UsersMentioned;

/// The notes in the conversation mention as many users as they can.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the notes in a conversation mention at most {MENTIONED_MAX} different users; mention one of those, or assign the conversation"
)]
pub struct TooManyMentionedRejection;

impl Command for MentionUsers {
    type Of = Conversation;
    type Reply = UsersMentioned;
    type Rejection = TooManyMentionedRejection;

    /// A note without news takes its draft along.
    const OPTIONAL: bool = true;

    fn decide(
        self,
        state: &Conversation,
        moment: &mut Moment<'_, ConversationEvent>,
    ) -> Result<Decision<ConversationEvent, UsersMentioned>, TooManyMentionedRejection> {
        if state.mentioned.union(&self.users).count() > MENTIONED_MAX {
            return Err(TooManyMentionedRejection);
        }
        if self.users.is_empty() {
            return Ok(Decision::unchanged(UsersMentioned));
        }
        let mention = Mentioned {
            users: self.users,
            by: self.by,
            note: self.note,
            lead: self.lead,
            at: moment.now,
        };
        let event = ConversationEvent::Mentioned(Box::new(mention));
        Ok(Decision::event(event, UsersMentioned))
    }
}

impl Conversation {
    /// The conversation enters the lists of those who are mentioned, and its lead theirs.
    pub(super) fn list_mentioned(&self, mentioned: &Mentioned, entries: &mut IndexEntries) {
        let Some(origin) = &self.origin else { return };
        let account = origin.scope.account();
        let mut readers = self.readers();
        readers.extend(&mentioned.users);
        self.move_in_own_lists(account, self.active_at, &readers, entries);
        for user in &mentioned.users {
            if let Some(lead) = mentioned.lead {
                let row = keys::lead_of_row(account, *user, lead, true);
                entries.put(tables::LEADS_OF, row, Vec::new());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversation::condensed::Condensed;
    use crate::id::ConversationId;
    use crate::time::UnixMillis;
    use switchboard_engine::state::State as _;

    fn mentions(state: &Conversation, users: std::ops::Range<u64>) -> Option<ConversationEvent> {
        let command = MentionUsers {
            users: users.map(UserId).collect(),
            by: UserId(99),
            note: Some(1),
            lead: Some(LeadId(4)),
        };
        let mut moment = Moment {
            now: UnixMillis::new(5),
            random: &mut || [7; 16],
            earlier: &[],
        };
        let decision = command.decide(state, &mut moment).ok()?;
        Some(decision.events.first()?.event.clone())
    }

    #[test]
    fn so_many_users_are_mentioned_and_no_more() {
        let mut state = Conversation::initial(&ConversationId::from_random([7; 16]));
        state.followers.insert(UserId(99));
        let most = u64::try_from(MENTIONED_MAX).unwrap();
        let event = mentions(&state, 0..most).unwrap();
        state.apply(&event);
        assert_eq!(state.mentioned.len(), MENTIONED_MAX);
        assert_eq!(
            state.followers.len(),
            MENTIONED_MAX + 1,
            "they are subscribers"
        );
        assert!(mentions(&state, 0..1).is_some(), "one of them, again");
        assert_eq!(mentions(&state, most..most + 1), None);
    }

    #[test]
    fn what_stands_for_a_mention_has_its_subscribers() {
        let id = ConversationId::from_random([7; 16]);
        let event = mentions(&Conversation::initial(&id), 1..3).unwrap();
        let mut condensed = Condensed::initial(&id);
        condensed.take(&event);
        let follows = [(UserId(1), LeadId(4)), (UserId(2), LeadId(4))];
        assert_eq!(condensed.follows, BTreeSet::from(follows));
        assert_eq!(condensed.state.mentioned.len(), 2);
    }
}
