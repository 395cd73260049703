//! A message arrives: a customer's, or one that was written to a customer elsewhere and is imported.
//!
//! A message with `silent` true notifies no user and opens no lead. Without it, the message opens a lead in the unsorted
//! stage, unless the conversation has an open one.

use bytes::Bytes;
use smallvec::smallvec;

use crate::chat::fetch::{AvatarMark, HostMark};
use crate::chat::press::{Press, PressClue};
use crate::conversation::{Conversation, ConversationEvent, Customer, Origin, Received};
use crate::crm::customer_news::CustomerNews;
use crate::crm::follow_customer::FollowCustomer;
use crate::crm::open_lead::OpenLead;
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

/// The author of an imported message: an account user, or the channel's bot.
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
    /// The author, unless it is the customer.
    pub imported: Option<ImportAuthor>,
    /// True when the raw body lacks the name of the customer.
    pub nameless: bool,
    /// The entrance of the integration that the message came through.
    pub source: Option<SourceId>,
    /// The post that it comments.
    pub post: Option<PostId>,
    /// The generation by whose rules the raw body was read.
    pub generation: Generation,
    /// The time of writing, according to the integration.
    pub written_at: UnixMillis,
    /// True when the message notifies users and opens a lead; false for a silent import.
    pub loud: bool,
    /// The server of its file, when that is to be fetched.
    pub media_from: Option<HostMark>,
    /// True when the customer's picture is to be fetched, unless it was fetched before.
    pub look_at_avatar: bool,
    /// The parts of it that may be a press of a button.
    pub clue: Option<Box<PressClue>>,
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
    /// The news for the CRM, which takes them in within the same group: a lead to be opened, or what the customer says of
    /// themselves. Few messages have any, and all of them would be as large.
    pub news: Option<Box<CustomerNews>>,
    /// The contact that a user gave the chat to, when it is not that of the customer.
    pub elsewhere: Option<ContactId>,
    /// True when the message already existed, and nothing was written.
    pub repeated: bool,
    /// The comparison that must precede the response: the msgid already existed, with another body.
    pub retry: Option<Box<Retry>>,
}

/// Two bodies with one msgid. Whether they are one message, only those can say who read bodies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retry {
    /// The body that is stored.
    pub earlier: Bytes,
    /// The body that came now.
    pub now: Bytes,
    /// True when both are known to name the same people.
    pub same_people: bool,
}

/// The reason to reject a customer's message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SendMessageRejection {
    /// The `msgid` exists with other content.
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
        keys_needed.extend(state.pressable(self.clue.as_deref()));
        keys_needed
    }

    fn decide(
        mut self,
        state: &Conversation,
        moment: &mut Moment<'_, ConversationEvent>,
    ) -> Result<Decision<ConversationEvent, Accepted>, SendMessageRejection> {
        if state
            .origin
            .as_ref()
            .is_some_and(|origin| origin.scope != self.scope)
        {
            return Err(SendMessageRejection::UnknownConversation);
        }
        if let Some(earlier) = moment.earlier(0) {
            return self.repeat(earlier).map(Decision::unchanged);
        }
        let pressed = state.press(self.clue.as_deref(), moment);
        let (elsewhere, of_avatar) = match self.may_be_known_elsewhere(state) {
            true => (moment.earlier.get(1..3), 3),
            false => (None, 1),
        };
        let seen_before = self.new_avatar(state).is_some() && moment.earlier(of_avatar).is_some();
        let mut says = SelfDescription::new(self.customer, state.customer.as_ref());
        self.customer = says.customer.clone();
        for record in elsewhere.into_iter().flatten().flatten() {
            let earlier = record.event.customer(self.customer.person);
            says.customer.remember_of(earlier);
        }
        if seen_before || self.new_avatar(state).is_none() {
            self.look_at_avatar = false;
        }
        // An imported message to a customer opens no lead: leads come from customers.
        let opens_lead = self.loud && !state.lead && self.imported.is_none();
        let news = match opens_lead {
            true => Some(CustomerNews::Lead(OpenLead {
                account: self.scope.account(),
                scope: self.scope.clone(),
                conversation: self.conversation,
                message: state.next_number(),
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
        let message = self.received(state, pressed, moment);
        let reply = Accepted {
            conversation,
            sender: message.from,
            receiver: message.to.as_ref().map(|to| to.person),
            message: message.id,
            news: news.map(Box::new),
            elsewhere: None,
            repeated: false,
            retry: None,
        };
        let mut events = vec![Recorded {
            event: ConversationEvent::Received(Box::new(message)),
            blob: raw,
        }];
        if opens_lead {
            events.push(ConversationEvent::LeadOpened.into());
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
        let Some(incoming) = earlier.event.as_received() else {
            return Err(SendMessageRejection::AlreadyExists);
        };
        let differs = earlier.blob != self.raw;
        let writer = self.imported.as_ref();
        let from = writer.map_or(self.customer.person, |writer| writer.person);
        let to = writer.map(|_| self.customer.person);
        let before = incoming.to.as_ref().map(|to| to.person);
        let retry = || {
            Box::new(Retry {
                earlier: earlier.blob.clone(),
                now: self.raw,
                same_people: (incoming.from, before) == (from, to),
            })
        };
        Ok(Accepted {
            retry: differs.then(retry),
            ..Accepted::before(self.conversation, incoming)
        })
    }

    /// Returns whether the event opens a lead for a customer whose phone number or e-mail address only another
    /// conversation may have.
    fn may_be_known_elsewhere(&self, state: &Conversation) -> bool {
        let opens = self.loud && !state.lead && self.imported.is_none();
        let current = state.customer.as_ref();
        let is_known = current.is_some_and(|current| current.person == self.customer.person);
        let is_whole = self.customer.phone.is_some() && self.customer.email.is_some();
        opens && !is_known && !is_whole
    }

    /// Returns whether the customer of this message becomes the customer of the conversation. The receiver of an
    /// imported message does not replace the customer who writes here.
    fn takes_over(&self, state: &Conversation) -> bool {
        let current = state.customer.as_ref();
        self.imported.is_none() || current.is_none_or(|it| it.person == self.customer.person)
    }

    /// The customer's picture, when it differs from the earlier one and is to be fetched.
    fn new_avatar(&self, state: &Conversation) -> Option<AvatarMark> {
        let current = state
            .customer
            .as_ref()
            .and_then(|customer| customer.avatar.as_ref());
        let new = self.customer.avatar.as_ref()?;
        (self.look_at_avatar && current != Some(new) && self.takes_over(state))
            .then(|| AvatarMark::new(self.scope.account(), new))
    }

    fn received(
        self,
        state: &Conversation,
        pressed: Option<Box<Press>>,
        moment: &mut Moment<'_, ConversationEvent>,
    ) -> Received {
        let bound = state
            .origin
            .as_ref()
            .is_some_and(|origin| origin.client_id.is_some());
        let is_new_customer =
            self.takes_over(state) && state.customer.as_ref() != Some(&self.customer);
        let avatar = self.customer.avatar.as_ref();
        let avatar_from = avatar.filter(|_| self.look_at_avatar).map(HostMark::new);
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
            customer: is_new_customer.then_some(self.customer),
            generation: self.generation,
            name,
            to,
            source: self.source.filter(|_| is_other_source),
            post: self.post.filter(|post| state.post.as_ref() != Some(post)),
            media_from: self.media_from,
            avatar_from,
            pressed,
        }
    }
}
