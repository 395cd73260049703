//! An account user answers: the message is stored and waits for its callback.

use std::sync::Arc;

use crate::chat::outgoing::OutgoingContent;
use crate::chat::quote::Answered;
use crate::conversation::{Author, Conversation, ConversationEvent, Outgoing, Replied};
use crate::dispatch::delivery_queue::QueueId;
use crate::hook_version::HookVersion;
use crate::id::{ConversationId, IdempotencyKey, LeadId, MessageId};
use crate::installation::channels::settings::WindowHours;
use crate::list_message::SentList;
use crate::notice::Notice;
use crate::templates::sent::SentTemplate;
use crate::time::{UnixMillis, iso};
use crate::{Decision, keys};
use switchboard_engine::entries::Keys;
use switchboard_engine::state::{Command, Moment, Recorded};

/// An account user answers.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The conversation.
    pub conversation: ConversationId,
    /// The author of the reply.
    pub by: Author,
    /// The content of the reply.
    pub content: OutgoingContent,
    /// The message that it answers.
    pub reply_to: Option<Box<Answered>>,
    /// The form of callbacks that the scope has chosen; `None` when the scope is not connected.
    pub version: Option<HookVersion>,
    /// The idempotency key of the request; a repeat is the same message.
    pub request: Option<IdempotencyKey>,
    /// The newest lead of the conversation: who answers follows its chat.
    pub lead: Option<LeadId>,
    /// The outgoing message that failed and is sent again, by its number.
    pub resends: Option<u64>,
    /// The template that it is made of.
    pub template: Option<Box<SentTemplate>>,
    /// The list below its text.
    pub list: Option<Box<SentList>>,
    /// The time window of its scope; `None` when it has none.
    pub window: Option<WindowHours>,
}

/// The answer is stored, or was before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// The message.
    pub replied: Arc<Replied>,
    /// True when the message already existed, and nothing was written.
    pub repeated: bool,
}

/// The reason to reject a reply.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplyRejection {
    /// No customer has written here, and no user has written to one here.
    #[error("there is no such conversation")]
    UnknownConversation,
    /// Nothing can leave through a disconnected scope.
    #[error(
        "the account is not connected to the channel of this conversation any more; connect it again, then repeat"
    )]
    NotConnected,
    /// Version 1 of the callback has only the integration's ids, and there are none yet.
    #[error(
        "the customer has not answered yet, and callbacks of version 1 cannot carry a conversation that was started \
         here; connect the account with hook_api_version v2"
    )]
    NeedsVersion2,
    /// A repeated request must be the same one.
    #[error(
        "this Idempotency-Key was used for another message in this conversation; use a new one"
    )]
    OtherRequest,
    /// The time window of the channel is closed, and the message is no template.
    #[error("{}", closed_window(*.closed_at))]
    WindowClosed {
        /// The time at which it closed; 0 when the customer has never written.
        closed_at: UnixMillis,
    },
}

fn closed_window(closed_at: UnixMillis) -> String {
    let since = match closed_at {
        UnixMillis::ZERO => "the customer has not written yet".to_owned(),
        at => format!("the time window of this channel closed at {}", iso(at)),
    };
    format!("{since}: only a template can be sent until the customer writes")
}

impl Command for Reply {
    type Of = Conversation;
    type Reply = Sent;
    type Rejection = ReplyRejection;

    fn required_keys(&self, state: &Conversation) -> Keys {
        let request = self.request.iter();
        request
            .map(|request| keys::request(state.id, self.by.user, request))
            .collect()
    }

    fn decide(
        self,
        state: &Conversation,
        moment: &mut Moment<'_, ConversationEvent>,
    ) -> Result<Decision<ConversationEvent, Sent>, ReplyRejection> {
        let (Some(origin), Some(customer)) = (&state.origin, &state.customer) else {
            return Err(ReplyRejection::UnknownConversation);
        };
        if let Some(earlier) = moment.earlier(0) {
            return self.repeat(earlier);
        }
        let version = self.version.ok_or(ReplyRejection::NotConnected)?;
        let unbound = origin.client_id.is_none() || customer.client_id.is_none();
        if version == HookVersion::V1 && unbound {
            return Err(ReplyRejection::NeedsVersion2);
        }
        if let Some(closed_at) = self.closed_window(state, moment.now) {
            return Err(ReplyRejection::WindowClosed { closed_at });
        }
        let replied = Arc::new(Replied {
            number: state.next_number(),
            out: state.outgoing.saturating_add(1),
            id: MessageId::from_random((moment.random)()),
            at: moment.now.max(state.active_at),
            by: self.by,
            content: self.content,
            scope: origin.scope.clone(),
            to: customer.clone(),
            conversation_client_id: origin.client_id.clone(),
            request: self.request,
            source: state.source.clone(),
            reply_to: self.reply_to,
            post: state.post.clone(),
            lead: self.lead,
            resends: self.resends,
            template: self.template,
            list: self.list,
        });
        let notices = vec![Notice::Queued {
            queue: QueueId {
                scope: origin.scope.clone(),
                conversation: state.id,
            },
            outgoing: Outgoing::Message(Arc::clone(&replied)),
        }];
        Ok(Decision {
            events: vec![ConversationEvent::Replied(Box::new(replied.as_ref().clone())).into()],
            notices,
            reply: Sent {
                replied,
                repeated: false,
            },
        })
    }
}

fn answers(reply_to: &Option<Box<Answered>>) -> Option<MessageId> {
    reply_to.as_ref().map(|answered| answered.id)
}

impl Reply {
    /// Returns the time at which the window closed that the message needs; `None` when it needs none: programs write at any
    /// time, and templates are sent at any time.
    fn closed_window(&self, state: &Conversation, now: UnixMillis) -> Option<UnixMillis> {
        let is_bound = self.by.person_user().is_some() && self.template.is_none();
        let hours = self.window.filter(|_| is_bound)?;
        let is_closed = state.is_outside_window(hours, now);
        is_closed.then(|| state.window_closes_at(hours))
    }

    /// Returns whether a message has the content of this one. One of a template is not compared by its text: the values of
    /// its markers are others by now.
    fn is_content_of(&self, replied: &Replied) -> bool {
        let template_of = |sent: &Option<Box<SentTemplate>>| sent.as_ref().map(|it| it.id);
        match (template_of(&self.template), template_of(&replied.template)) {
            (Some(own), Some(other)) => own == other,
            (None, None) => self
                .is_list_of(replied)
                .unwrap_or(replied.content == self.content),
            (Some(_), None) | (None, Some(_)) => false,
        }
    }

    /// Returns whether a message has the list of this one, whatever the channel shows of it; `None` when neither has one.
    fn is_list_of(&self, replied: &Replied) -> Option<bool> {
        let list_of = |sent: &Option<Box<SentList>>| sent.as_ref().map(|it| it.list.clone());
        let (own, other) = (list_of(&self.list), list_of(&replied.list));
        (own.is_some() || other.is_some()).then(|| own == other)
    }

    /// The same request again: the same answer, and nothing is written.
    fn repeat(
        self,
        earlier: &Recorded<ConversationEvent>,
    ) -> Result<Decision<ConversationEvent, Sent>, ReplyRejection> {
        let is_same = |replied: &&Replied| {
            self.is_content_of(replied)
                && replied.by.is_bot == self.by.is_bot
                && replied.resends == self.resends
                && answers(&replied.reply_to) == answers(&self.reply_to)
        };
        let Some(replied) = earlier.event.as_replied().filter(is_same) else {
            return Err(ReplyRejection::OtherRequest);
        };
        Ok(Decision::unchanged(Sent {
            replied: Arc::new(replied.clone()),
            repeated: true,
        }))
    }
}
