//! Somebody leaves a sign on a message, or takes it back.

use crate::domain::chat::reaction::{Reaction, ReactionKind};
use crate::domain::conversation::{Conversation, ConversationEvent, Reacted};
use crate::domain::id::{MessageId, PersonId, ScopeId};
use crate::domain::index::Key;
use crate::domain::notice::Notice;
use crate::domain::text::Emoji;
use crate::domain::{Command, Decision, Moment, Recorded, keys};

/// Somebody leaves a sign, or takes it back.
#[derive(Clone, Debug)]
pub struct React {
    /// The scope it comes through.
    pub scope: ScopeId,
    /// The message.
    pub message: MessageId,
    /// Who.
    pub by: PersonId,
    /// Leaves it, or takes it back.
    pub kind: ReactionKind,
    /// The sign.
    pub emoji: Option<Emoji>,
}

/// Why there is no such sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReactRejection {
    /// There is no such message, or not in this scope.
    #[error("there is no such message in this scope")]
    MessageNotFound,
    /// A message has room for [`React::MAX`] signs.
    #[error(
        "there are {} reactions on this message already, and no more than that are kept",
        React::MAX
    )]
    Full,
}

impl React {
    /// How many signs a message has room for.
    pub const MAX: usize = 100;
}

impl Command for React {
    type Of = Conversation;
    type Reply = ();
    type Rejection = ReactRejection;

    fn asks(&self, _state: &Conversation) -> Vec<Key> {
        vec![keys::message(self.message), keys::reactions(self.message)]
    }

    fn decide(
        self,
        state: &Conversation,
        found: &[Option<Recorded<ConversationEvent>>],
        moment: &mut Moment<'_>,
    ) -> Result<Decision<ConversationEvent, ()>, ReactRejection> {
        let origin = state.origin.as_ref();
        let here = origin.is_some_and(|origin| origin.scope == self.scope);
        if !here || !matches!(found.first(), Some(Some(_))) {
            return Err(ReactRejection::MessageNotFound);
        }
        let before = match found.get(1) {
            Some(Some(Recorded {
                event: ConversationEvent::Reacted(known),
                ..
            })) => known.reactions.clone(),
            _ => Vec::new(),
        };
        let mut reactions = before.clone();
        match self.kind {
            ReactionKind::React => {
                let reaction = Reaction {
                    by: self.by,
                    emoji: self.emoji,
                };
                if !reactions.contains(&reaction) {
                    reactions.push(reaction);
                }
            }
            ReactionKind::Unreact => reactions.retain(|known| {
                known.by != self.by || (self.emoji.is_some() && known.emoji != self.emoji)
            }),
        }
        if reactions.len() > Self::MAX {
            return Err(ReactRejection::Full);
        }
        if reactions == before {
            return Ok(Decision::unchanged(()));
        }
        let reacted = Reacted {
            id: self.message,
            at: moment.now,
            reactions,
        };
        Ok(Decision {
            events: vec![ConversationEvent::Reacted(Box::new(reacted)).into()],
            notices: vec![Notice::Changed {
                account: self.scope.account(),
                conversation: state.id,
                message: self.message,
            }],
            reply: (),
        })
    }
}
