//! A message arrives: a customer's, or one that was written to a customer elsewhere and is imported.
//!
//! Interface A, rule 3: «When a message has `silent` true, no notification is raised and no deal is created; when
//! `silent` is absent or false, a deal is created in the unsorted stage if none exists and earlier messages of the
//! same `conversation_id` are loaded.»

use bytes::Bytes;
use smallvec::smallvec;

use crate::chat::fetch::{AvatarMark, HostMark};
use crate::conversation::{Conversation, ConversationEvent, Customer, Origin, Received};
use crate::crm::customer_news::CustomerNews;
use crate::crm::follow_customer::FollowCustomer;
use crate::crm::open_deal::OpenDeal;
use crate::crm::self_description::SelfDescription;
use crate::generation::Generation;
use crate::id::{
    ClientConversationId, ClientMessageId, ContactId, ConversationId, MessageId, PersonId, ScopeId,
};
use crate::text::{Name, PostId, SourceId};
use crate::time::UnixMillis;
use crate::{Decision, keys};
use switchboard_engine::entries::Keys;
use switchboard_engine::state::{Command, Moment, Recorded};

/// Who wrote a message that is imported: an account user, or the channel's bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportAuthor {
    /// The writer as the chat knows them.
    pub person: PersonId,
    /// The name.
    pub name: Name,
}

/// A message arrives, with all its ids resolved.
#[derive(Clone, Debug)]
pub struct SendMessage {
    /// The scope it came through.
    pub scope: ScopeId,
    /// The service's id of its conversation.
    pub conversation: ConversationId,
    /// The integration's id of its conversation; `None` when it named ours alone.
    pub client_conversation: Option<ClientConversationId>,
    /// The integration's id of the message.
    pub msgid: ClientMessageId,
    /// The customer: who wrote it, or to whom it was written.
    pub customer: Customer,
    /// Who wrote it, when it was not the customer.
    pub imported: Option<ImportAuthor>,
    /// Whether the raw body lacks the name of the customer.
    pub nameless: bool,
    /// Which entrance of the integration it came through.
    pub source: Option<SourceId>,
    /// The post that it comments.
    pub post: Option<PostId>,
    /// The generation by whose rules the raw body was read.
    pub generation: Generation,
    /// When the integration says it was written.
    pub written_at: UnixMillis,
    /// Whether the message notifies users and wants a deal: false for a silent import.
    pub loud: bool,
    /// The server of its file, when that is to be fetched.
    pub media_from: Option<HostMark>,
    /// Whether to fetch the customer's picture, unless it was fetched before.
    pub look_at_avatar: bool,
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
    /// The service's id of the receiver of an imported message.
    pub receiver: Option<PersonId>,
    /// The service's id of the message.
    pub message: MessageId,
    /// The news for the CRM, which takes them in within the same group: a deal to be opened, or what the customer says of
    /// themselves. Few messages have any, and all of them would be as large.
    pub news: Option<Box<CustomerNews>>,
    /// The contact that a user gave the chat to, when it is not that of the customer.
    pub elsewhere: Option<ContactId>,
    /// Whether it was there before, and nothing was written.
    pub repeated: bool,
    /// What is to be compared before this is an answer: the msgid was there before, with another body.
    pub retry: Option<Box<Retry>>,
}

/// Two bodies with one msgid. Whether they are one message, only those can say who read bodies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retry {
    /// The body that is stored.
    pub earlier: Bytes,
    /// The body that came now.
    pub now: Bytes,
    /// Whether it is known that both name the same people.
    pub same_people: bool,
}

/// Why a customer's message is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SendMessageRejection {
    /// Decision 2, send: the same `msgid` with other content.
    #[error(
        "a message with this msgid exists in this conversation, and its sender, receiver or message is another"
    )]
    AlreadyExists,
    /// The conversation that was named is not one of this scope.
    #[error("there is no such conversation in this account and channel")]
    UnknownConversation,
}

impl Accepted {
    /// The answer that a stored message got.
    #[must_use]
    pub fn before(conversation: ConversationId, received: &Received) -> Self {
        Self {
            conversation,
            sender: received.from,
            receiver: received.to.as_ref().map(|to| to.person),
            message: received.id,
            news: None,
            elsewhere: None,
            repeated: true,
            retry: None,
        }
    }
}

impl Command for SendMessage {
    type Of = Conversation;
    type Reply = Accepted;
    type Rejection = SendMessageRejection;

    fn required_keys(&self, state: &Conversation) -> Keys {
        let mut keys_needed = smallvec![keys::msgid(self.conversation, &self.msgid)];
        if self.may_be_known_elsewhere(state) {
            let person = self.customer.person;
            keys_needed.push(keys::person(&self.scope, person));
            keys_needed.push(keys::expected(&self.scope, person));
        }
        keys_needed.extend(self.new_avatar(state).map(keys::avatar));
        keys_needed
    }

    fn decide(
        mut self,
        state: &Conversation,
        found: &[Option<Recorded<ConversationEvent>>],
        moment: &mut Moment<'_>,
    ) -> Result<Decision<ConversationEvent, Accepted>, SendMessageRejection> {
        if state
            .origin
            .as_ref()
            .is_some_and(|origin| origin.scope != self.scope)
        {
            return Err(SendMessageRejection::UnknownConversation);
        }
        if let Some(Some(earlier)) = found.first() {
            return self.repeat(earlier).map(Decision::unchanged);
        }
        let (elsewhere, of_avatar) = match self.may_be_known_elsewhere(state) {
            true => (found.get(1..3), found.get(3)),
            false => (None, found.get(1)),
        };
        let mut says = SelfDescription::new(self.customer, state.customer.as_ref());
        self.customer = says.customer.clone();
        for record in elsewhere.into_iter().flatten().flatten() {
            let earlier = record.event.customer(self.customer.person);
            says.customer.remember_of(earlier);
        }
        let seen_before = matches!(of_avatar, Some(Some(_)));
        if seen_before || self.new_avatar(state).is_none() {
            self.look_at_avatar = false;
        }
        // An imported message to a customer opens no deal: deals come from customers.
        let wanted = self.loud && !state.deal && self.imported.is_none();
        let news = match wanted {
            true => Some(CustomerNews::Deal(OpenDeal {
                account: self.scope.account(),
                scope: self.scope.clone(),
                conversation: self.conversation,
                says,
                source: self.source.clone().or_else(|| state.source.clone()),
                followers: state.followers.clone(),
            })),
            false => {
                FollowCustomer::if_news(&self.scope, state, says).map(CustomerNews::Description)
            }
        };
        let conversation = self.conversation;
        let raw = std::mem::take(&mut self.raw);
        let received = self.received(state, moment);
        let reply = Accepted {
            conversation,
            sender: received.from,
            receiver: received.to.as_ref().map(|to| to.person),
            message: received.id,
            news: news.map(Box::new),
            elsewhere: None,
            repeated: false,
            retry: None,
        };
        let mut events = vec![Recorded {
            event: ConversationEvent::Received(Box::new(received)),
            blob: raw,
        }];
        if wanted {
            events.push(ConversationEvent::DealOpened.into());
        }
        Ok(Decision::events(events, reply))
    }
}

impl SendMessage {
    /// «Retrying is safe»: the same bytes are the same message; other bytes may be.
    fn repeat(
        self,
        earlier: &Recorded<ConversationEvent>,
    ) -> Result<Accepted, SendMessageRejection> {
        let Some(received) = earlier.event.as_received() else {
            return Err(SendMessageRejection::AlreadyExists);
        };
        let differs = earlier.blob != self.raw;
        let writer = self.imported.as_ref();
        let from = writer.map_or(self.customer.person, |writer| writer.person);
        let to = writer.map(|_| self.customer.person);
        let before = received.to.as_ref().map(|to| to.person);
        let retry = || {
            Box::new(Retry {
                earlier: earlier.blob.clone(),
                now: self.raw,
                same_people: (received.from, before) == (from, to),
            })
        };
        Ok(Accepted {
            retry: differs.then(retry),
            ..Accepted::before(self.conversation, received)
        })
    }

    /// Whether a deal may be opened for a customer whose phone number or e-mail address only another conversation knows.
    fn may_be_known_elsewhere(&self, state: &Conversation) -> bool {
        let opens = self.loud && !state.deal && self.imported.is_none();
        let known = state.customer.as_ref();
        let is_known = known.is_some_and(|known| known.person == self.customer.person);
        let is_whole = self.customer.phone.is_some() && self.customer.email.is_some();
        opens && !is_known && !is_whole
    }

    /// Whether the customer of this message becomes the customer of the conversation. The receiver of an imported
    /// message does not replace the customer who writes here.
    fn takes_over(&self, state: &Conversation) -> bool {
        let known = state.customer.as_ref();
        self.imported.is_none() || known.is_none_or(|it| it.person == self.customer.person)
    }

    /// The customer's picture, when it differs from the earlier one and is to be fetched.
    fn new_avatar(&self, state: &Conversation) -> Option<AvatarMark> {
        let known = state.customer.as_ref();
        let known = known.and_then(|customer| customer.avatar.as_ref());
        let new = self.customer.avatar.as_ref()?;
        (self.look_at_avatar && known != Some(new) && self.takes_over(state))
            .then(|| AvatarMark::of(self.scope.account(), new))
    }

    fn received(self, state: &Conversation, moment: &mut Moment<'_>) -> Received {
        let bound = state
            .origin
            .as_ref()
            .is_some_and(|origin| origin.client_id.is_some());
        let changed = self.takes_over(state) && state.customer.as_ref() != Some(&self.customer);
        let avatar = self.customer.avatar.as_ref();
        let avatar_from = avatar.filter(|_| self.look_at_avatar).map(HostMark::of);
        let is_other_source = self.source.is_some() && self.source != state.source;
        let nameless = || self.nameless.then(|| self.customer.name.clone());
        let (from, name, to) = match self.imported {
            Some(writer) => {
                let to = Box::new(self.customer.clone());
                (writer.person, Some(writer.name), Some(to))
            }
            None => (self.customer.person, nameless(), None),
        };
        let client_id = self.client_conversation.filter(|_| !bound);
        Received {
            number: state.next_number(),
            id: MessageId::from_random((moment.random)()),
            msgid: self.msgid,
            at: moment.now.max(state.active_at),
            written_at: self.written_at,
            loud: self.loud,
            from,
            origin: client_id.map(|client| Origin {
                scope: self.scope,
                client_id: Some(client),
            }),
            customer: changed.then_some(self.customer),
            generation: self.generation,
            name,
            to,
            source: self.source.filter(|_| is_other_source),
            post: self.post.filter(|post| state.post.as_ref() != Some(post)),
            media_from: self.media_from,
            avatar_from,
        }
    }
}
