//! A person leaves a reaction on a message, or takes it back.

use std::sync::Arc;

use smallvec::smallvec;

use crate::chat::outgoing::{Party, ReactedMessage, ReactionChange};
use crate::chat::reaction::{Reaction, ReactionKind};
use crate::conversation::{
    Conversation, ConversationEvent, Customer, Outgoing, Reacted, ReactionCallback,
};
use crate::dispatch::delivery_queue::QueueId;
use crate::id::{MessageId, PersonId, ScopeId};
use crate::notice::Notice;
use crate::oauth::acting_client::ActingClient;
use crate::text::{Emoji, Name};
use crate::{Decision, keys};
use switchboard_engine::entries::Keys;
use switchboard_engine::state::{Command, Moment, Recorded};

/// Leaves a reaction, or takes it back.
#[derive(Clone, Debug)]
pub struct React {
    /// The scope it comes through.
    pub scope: ScopeId,
    /// The message.
    pub message: MessageId,
    /// The person with the reaction.
    pub by: PersonId,
    /// Leaves it, or takes it back.
    pub kind: ReactionKind,
    /// The reaction.
    pub emoji: Option<Emoji>,
    /// The OAuth client that acts for the account user.
    pub client: Option<ActingClient>,
    /// The callback to queue; `None` when the integration itself reported the reaction, or wants no such callbacks.
    pub tell: Option<Tell>,
}

/// A callback to the integration, behind those that its conversation has queued.
#[derive(Clone, Debug)]
pub struct Tell {
    /// The bot of the channel.
    pub bot: PersonId,
}

/// The reason not to change a reaction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReactRejection {
    /// There is no such message, or not in this scope.
    #[error("there is no such message in this scope")]
    MessageNotFound,
    /// A message has room for [`React::MAX`] reactions.
    #[error(
        "there are {} reactions on this message already, and no more than that are kept",
        React::MAX
    )]
    Full,
}

impl React {
    /// The highest number of signs on a message.
    pub const MAX: usize = 100;
}

impl Command for React {
    type Of = Conversation;
    /// The id of the callback, when there is one.
    type Reply = Option<MessageId>;
    type Rejection = ReactRejection;

    fn required_keys(&self, _state: &Conversation) -> Keys {
        smallvec![
            keys::message(self.message),
            keys::reactions(self.message),
            keys::named(self.message),
        ]
    }

    fn decide(
        self,
        state: &Conversation,
        moment: &mut Moment<'_, ConversationEvent>,
    ) -> Result<Decision<ConversationEvent, Option<MessageId>>, ReactRejection> {
        let origin = state.origin.as_ref();
        let here = origin.is_some_and(|origin| origin.scope == self.scope);
        let target = moment.earlier(0);
        if !here || target.and_then(|found| found.event.message_id()) != Some(self.message) {
            return Err(ReactRejection::MessageNotFound);
        }
        let before = match moment.earlier(1) {
            Some(Recorded {
                event: ConversationEvent::Reacted(known),
                ..
            }) => known.reactions.clone(),
            _ => Vec::new(),
        };
        let mut reactions = before.clone();
        match self.kind {
            ReactionKind::React => {
                let reaction = Reaction {
                    by: self.by,
                    emoji: self.emoji.clone(),
                    client: self.client.clone(),
                };
                if !reactions.iter().any(|known| known.is_like(&reaction)) {
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
            return Ok(Decision::unchanged(None));
        }
        let id = self.message;
        let callback = self.callback(state, moment);
        let callback_id = callback.as_ref().map(|callback| callback.id);
        let notice = callback.as_ref().map(|callback| Notice::Queued {
            queue: QueueId {
                scope: callback.scope.clone(),
                conversation: state.id,
            },
            outgoing: Outgoing::Reaction(Arc::new(callback.clone())),
        });
        let reacted = Reacted {
            id,
            at: moment.now,
            reactions,
            callback: callback.map(Box::new),
        };
        Ok(Decision {
            events: vec![ConversationEvent::Reacted(Box::new(reacted)).into()],
            notices: notice.into_iter().collect(),
            reply: callback_id,
        })
    }
}

impl React {
    /// The callback about the reaction. All its content is fixed now.
    fn callback(
        self,
        state: &Conversation,
        moment: &mut Moment<'_, ConversationEvent>,
    ) -> Option<ReactionCallback> {
        let tell = self.tell?;
        let origin = state.origin.as_ref()?;
        let earlier = moment.earlier;
        let msgid = |at: usize| {
            let event = &earlier.get(at)?.as_ref()?.event;
            let edited = event.as_edited().map(|edited| edited.msgid.clone());
            edited.unwrap_or_else(|| Some(event.as_received()?.msgid.clone()))
        };
        let message = moment.earlier(0)?;
        Some(ReactionCallback {
            out: state.outgoing.saturating_add(1),
            id: MessageId::from_random((moment.random)()),
            at: moment.now.max(state.active_at),
            by: self.by,
            reaction: ReactionChange {
                on: self.message,
                msgid: msgid(2).or_else(|| msgid(0)),
                message: Box::new(signed(state, &message.event, tell.bot)?),
                kind: self.kind,
                emoji: self.emoji,
            },
            scope: origin.scope.clone(),
            conversation_client_id: origin.client_id.clone(),
        })
    }
}

/// Returns the sender, the receiver and the time of the message that the reaction is on.
fn signed(
    state: &Conversation,
    message: &ConversationEvent,
    bot: PersonId,
) -> Option<ReactedMessage> {
    let stranger = |id, name: Option<&Name>| Party {
        id,
        client_id: None,
        name: name.cloned(),
    };
    if let Some(replied) = message.as_replied() {
        return Some(ReactedMessage {
            written_at: replied.at,
            sender: stranger(replied.by.person, Some(&replied.by.name)),
            receiver: party(&replied.to),
        });
    }
    let incoming = message.as_received()?;
    let name = incoming.name.as_ref();
    let (sender, receiver) = match &incoming.to {
        Some(to) => (stranger(incoming.from, name), party(to)),
        None => {
            let described = incoming.customer.iter().chain(&state.customer);
            let mut customers = described.filter(|customer| customer.person == incoming.from);
            let sender = customers.next().map(party);
            (
                sender.unwrap_or_else(|| stranger(incoming.from, name)),
                stranger(bot, None),
            )
        }
    };
    Some(ReactedMessage {
        written_at: incoming.written_at,
        sender,
        receiver,
    })
}

fn party(customer: &Customer) -> Party {
    Party {
        id: customer.person,
        client_id: customer.client_id.clone(),
        name: Some(customer.name.clone()),
    }
}
