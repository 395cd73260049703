//! The persons, conversations and messages that the ids of an integration name.

use bytes::Bytes;

use crate::domain::chat::message::PostedMessage;
use crate::domain::conversation::send_message::{Accepted, ImportAuthor, Retry};
use crate::domain::conversation::{Conversation, ConversationEvent, Customer};
use crate::domain::id::{
    ClientConversationId, ClientPersonId, ConversationId, MessageId, PersonId, ScopeId,
};
use crate::domain::keys;
use crate::domain::person::Sender;
use crate::domain::scope::ScopeEvent;
use crate::domain::target::{ConversationRef, PersonRef};
use crate::domain::text::Name;
use crate::system::System;
use crate::system::chat::{ConnectedScope, MessageParties, SendRejection};
use crate::wire::chat_body::stored;
use switchboard_engine::runtime::kernel::decode;
use switchboard_engine::state::{Recorded, State};
use switchboard_runtime::error::{CommandError, UnavailableError};

/// A person that an id names.
struct Named {
    person: PersonId,
    /// The person whom the integration's id meant so far.
    so_far: Option<PersonId>,
    /// The binding after which the integration's id names this person.
    bind: Option<(ClientPersonId, PersonId)>,
    /// True when the person is known by more than the integration's id.
    tied: bool,
}

/// A person whom a request describes.
pub(super) struct ResolvedPerson {
    pub(super) person: PersonId,
    /// The person whom the integration's id meant so far.
    so_far: Option<PersonId>,
    /// The binding after which the integration's id names this person.
    pub(super) bind: Option<(ClientPersonId, PersonId)>,
    pub(super) known: PersonKind,
}

/// The rejection of a description that identifies no person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum PartyRejection {
    /// Our id names no person of this scope.
    #[error("user not found")]
    Unknown,
    /// The integration's id is a customer's, and our id is an account user's or the bot's.
    #[error("this id belongs to a customer")]
    CustomersId,
}

/// The kind of a person.
pub(super) enum PersonKind {
    /// An account user, with the name in the account; without one, the bot of the channel.
    Staff(Option<Name>),
    /// A customer, with what was known of them as far as it was needed.
    Customer(Option<Box<Customer>>),
}

/// The writer of a message, and the customer.
pub(super) struct Parties {
    pub(super) roles: MessageParties,
    pub(super) bind: Vec<(ClientPersonId, PersonId)>,
}

impl System {
    pub(super) async fn meaning_of_conversation(
        &self,
        scope: &ConnectedScope,
        client: &ClientConversationId,
    ) -> Result<ConversationId, UnavailableError> {
        let derived = self.kernel().shared.ids.conversation(scope.id(), client);
        if scope.brief().bound_conversations == 0 {
            return Ok(derived);
        }
        self.kernel()
            .index
            .indexed(scope.brief().depends_on.last)
            .await;
        match self
            .kernel()
            .record(keys::bound_conversation(scope.id(), client))?
        {
            Some(Recorded {
                event: ScopeEvent::ConversationBound { conversation, .. },
                ..
            }) => Ok(conversation),
            _ => Ok(derived),
        }
    }

    /// The conversation that an integration's id means in a scope, as the index has it now. It may not be there.
    pub(in crate::system) fn conversation_meant(
        &self,
        scope: &ScopeId,
        client: &ClientConversationId,
    ) -> Result<ConversationId, UnavailableError> {
        let record = self
            .kernel()
            .record(keys::bound_conversation(scope, client))?;
        Ok(match record.map(|record| record.event) {
            Some(ScopeEvent::ConversationBound { conversation, .. }) => conversation,
            _ => self.kernel().shared.ids.conversation(scope, client),
        })
    }

    /// The person that an integration's id means in a scope, as the index has it now. They may not be there.
    pub(in crate::system) fn person_meant(
        &self,
        scope: &ScopeId,
        client: &ClientPersonId,
    ) -> Result<PersonId, UnavailableError> {
        let record = self.kernel().record(keys::bound_person(scope, client))?;
        Ok(match record.map(|record| record.event) {
            Some(ScopeEvent::PersonBound { person, .. }) => person,
            _ => self.kernel().shared.ids.person(scope, client),
        })
    }

    /// Finds a message that was accepted before its conversation id was bound elsewhere, and is repeated now. It is
    /// still the same message, even if it names other people by now. `now_in`: the conversation that it would go to.
    pub(super) async fn accepted_before_binding(
        &self,
        scope: &ConnectedScope,
        message: &PostedMessage,
        now_in: ConversationId,
        raw: &Bytes,
    ) -> Result<Option<Accepted>, UnavailableError> {
        let client = message.conversation_id.as_ref();
        let derived =
            client.map(|client| self.kernel().shared.ids.conversation(scope.id(), client));
        let Some(conversation) = derived.filter(|derived| *derived != now_in) else {
            return Ok(None);
        };
        self.kernel().caught_up().await;
        let earlier_record = self
            .kernel()
            .record(keys::msgid(conversation, &message.msgid))?;
        Ok(match earlier_record {
            Some(Recorded {
                event: ConversationEvent::Received(received),
                blob,
            }) => {
                let retry = Retry {
                    earlier: blob,
                    now: raw.clone(),
                    same_people: false,
                };
                stored::is_one_message(&retry).then(|| Accepted::before(conversation, &received))
            }
            _ => None,
        })
    }

    pub(super) async fn meaning_of_person(
        &self,
        scope: &ConnectedScope,
        client: &ClientPersonId,
    ) -> Result<PersonId, UnavailableError> {
        let derived = self.kernel().shared.ids.person(scope.id(), client);
        if scope.brief().bound_people == 0 {
            return Ok(derived);
        }
        self.kernel()
            .index
            .indexed(scope.brief().depends_on.last)
            .await;
        match self
            .kernel()
            .record(keys::bound_person(scope.id(), client))?
        {
            Some(Recorded {
                event: ScopeEvent::PersonBound { person, .. },
                ..
            }) if !self.is_wrongly_bound(scope.id(), derived, person)? => Ok(person),
            _ => Ok(derived),
        }
    }

    /// Returns whether a person who wrote, or was written to, was bound to an account user or the bot: that locked them out.
    fn is_wrongly_bound(
        &self,
        scope: &ScopeId,
        derived: PersonId,
        bound_to: PersonId,
    ) -> Result<bool, UnavailableError> {
        Ok(self.has_spoken(scope, derived)? && !self.is_customer(scope, bound_to)?)
    }

    /// The person whom either id means; `None` when there is no id at all.
    async fn named(
        &self,
        scope: &ConnectedScope,
        id: Option<&ClientPersonId>,
        ref_id: Option<PersonId>,
    ) -> Result<Option<Named>, UnavailableError> {
        let id_owner = match id {
            Some(id) => Some(self.meaning_of_person(scope, id).await?),
            None => None,
        };
        let bound = scope.brief().bound_people > 0
            && id.is_some_and(|id| {
                id_owner != Some(self.kernel().shared.ids.person(scope.id(), id))
            });
        Ok(ref_id.or(id_owner).map(|person| Named {
            person,
            so_far: id_owner,
            bind: id
                .filter(|_| id_owner != Some(person))
                .map(|id| (id.clone(), person)),
            tied: ref_id.is_some() || bound,
        }))
    }

    /// The person whom a request describes.
    pub(super) async fn party(
        &self,
        scope: &ConnectedScope,
        said: &Sender,
    ) -> Result<ResolvedPerson, CommandError<PartyRejection>> {
        let identity = self
            .named(scope, said.id.as_ref(), said.ref_id)
            .await?
            .ok_or(CommandError::Rejected(PartyRejection::Unknown))?;
        let Named { person, tied, .. } = identity;
        let party = |known| ResolvedPerson {
            person,
            so_far: identity.so_far,
            bind: identity.bind,
            known,
        };
        if !tied && said.name.is_some() {
            return Ok(party(PersonKind::Customer(None)));
        }
        if said.ref_id.is_some() || said.name.is_none() {
            self.kernel().caught_up().await;
        }
        // Customers are found by their own key, staff never are; an id of the integration's own identifies no staff.
        if tied && !self.is_customer(scope.id(), person)? {
            let staff = self.staff(scope.id(), person).await?;
            let name = staff.ok_or(CommandError::Rejected(PartyRejection::Unknown))?;
            let party = party(PersonKind::Staff(name));
            // Clients open a chat for an account user by the integration's id of that user: that does not make the user
            // a customer.
            return match (party.so_far, &party.bind) {
                (Some(other), Some(_)) if self.has_spoken(scope.id(), other)? => {
                    Err(CommandError::Rejected(PartyRejection::CustomersId))
                }
                _ => Ok(party),
            };
        }
        let earlier = match said.name {
            None => self.customer_of(scope.id(), person)?,
            Some(_) => None,
        };
        Ok(party(PersonKind::Customer(earlier.map(Box::new))))
    }

    /// Finds the parties of a message. Everything that a message refers to must exist in the same scope.
    pub(super) async fn parties(
        &self,
        scope: &ConnectedScope,
        sender: Sender,
        receiver: Option<Sender>,
    ) -> Result<Parties, CommandError<SendRejection>> {
        use SendRejection as R;
        let rejection = CommandError::Rejected;
        let author = self
            .party(scope, &sender)
            .await
            .map_err(|refused| match refused {
                CommandError::Rejected(PartyRejection::Unknown) => rejection(R::UnknownSender),
                CommandError::Rejected(PartyRejection::CustomersId) => rejection(R::CustomersId),
                CommandError::Unavailable(unavailable) => unavailable.into(),
            })?;
        let (receiver, name) = match (receiver, author.known) {
            (None, PersonKind::Customer(known)) => {
                let customer = customer(author.person, sender, known);
                return Ok(Parties {
                    roles: (customer.ok_or(rejection(R::NamelessSender))?, None),
                    bind: author.bind.into_iter().collect(),
                });
            }
            (None, PersonKind::Staff(_)) => return Err(rejection(R::ReceiverMissing)),
            (Some(_), PersonKind::Customer(_)) if sender.ref_id.is_some() => {
                return Err(rejection(R::UnknownSender));
            }
            (Some(_), PersonKind::Customer(_)) => return Err(rejection(R::ReceiverOfCustomer)),
            (Some(receiver), PersonKind::Staff(name)) => (receiver, name),
        };
        if sender.id.is_some() && sender.id == receiver.id {
            return Err(rejection(R::OwnReceiver));
        }
        let getter = self
            .party(scope, &receiver)
            .await
            .map_err(|refused| match refused {
                CommandError::Rejected(PartyRejection::Unknown | PartyRejection::CustomersId) => {
                    rejection(R::UnknownReceiver)
                }
                CommandError::Unavailable(unavailable) => unavailable.into(),
            })?;
        if author.so_far == Some(getter.person) {
            return Err(rejection(R::OwnReceiver));
        }
        let PersonKind::Customer(known) = getter.known else {
            return Err(rejection(R::UnknownReceiver));
        };
        let customer = customer(getter.person, receiver, known);
        let name = name.or(sender.name).or_else(|| "Bot".parse().ok());
        let writer = ImportAuthor {
            person: author.person,
            name: name.ok_or(rejection(R::NamelessSender))?,
        };
        let customer = customer.ok_or(rejection(R::NamelessReceiver))?;
        Ok(Parties {
            roles: (customer, Some(writer)),
            bind: author.bind.into_iter().chain(getter.bind).collect(),
        })
    }

    /// The person whom the ids identify; when our id is given, it must name a person of this scope.
    pub(super) async fn person(
        &self,
        scope: &ConnectedScope,
        person: &PersonRef,
    ) -> Result<Option<PersonId>, UnavailableError> {
        let identity = self.named(scope, person.id.as_ref(), person.ref_id).await?;
        let Some(identity) = identity else {
            return Ok(None);
        };
        if person.ref_id.is_some() {
            self.kernel().caught_up().await;
            if !self.is_customer(scope.id(), identity.person)?
                && self.staff(scope.id(), identity.person).await?.is_none()
            {
                return Ok(None);
            }
        }
        Ok(Some(identity.person))
    }

    /// The conversation that is meant, if this scope has it.
    pub(super) async fn place(
        &self,
        scope: &ConnectedScope,
        place: &ConversationRef,
    ) -> Result<Option<ConversationId>, UnavailableError> {
        let conversation = match (place.ref_id, &place.id) {
            (Some(conversation), _) => conversation,
            (None, Some(id)) => self.meaning_of_conversation(scope, id).await?,
            (None, None) => return Ok(None),
        };
        self.kernel().caught_up().await;
        let state = self.look::<Conversation>(&conversation).await?;
        Ok(state
            .filter(|state| state.is_of(scope.id()))
            .map(|state| state.id))
    }

    /// Returns whether `conversation_ref_id` names a conversation of this scope.
    pub(super) async fn check_conversation(
        &self,
        scope: &ConnectedScope,
        conversation: ConversationId,
    ) -> Result<(), CommandError<SendRejection>> {
        self.kernel().caught_up().await;
        let loaded_state = self.kernel().load::<Conversation>(conversation).await?;
        if loaded_state.is_some_and(|(state, _)| state.is_of(scope.id())) {
            return Ok(());
        }
        Err(CommandError::Rejected(SendRejection::UnknownConversation))
    }

    /// The record of a message, and its conversation, by our id of it.
    pub(in crate::system) async fn message_record(
        &self,
        message: MessageId,
    ) -> Result<Option<(ConversationId, ConversationEvent)>, UnavailableError> {
        self.kernel().caught_up().await;
        let Some(position) = self.kernel().index.find(keys::message(message))? else {
            return Ok(None);
        };
        let record = self.kernel().reader.read(position)?;
        let Some(conversation) = Conversation::id_of(&record.stream) else {
            return Ok(None);
        };
        Ok(Some((conversation, decode(&record)?)))
    }
}

/// The customer as described now, completed by the earlier description; `None` when no name is known.
pub(crate) fn customer(
    person: PersonId,
    sender: Sender,
    earlier: Option<Box<Customer>>,
) -> Option<Customer> {
    let name = sender
        .name
        .or_else(|| earlier.as_ref().map(|earlier| earlier.name.clone()))?;
    let mut customer = Customer {
        person,
        client_id: sender.id,
        name,
        avatar: sender.avatar,
        phone: sender.profile.phone,
        email: sender.profile.email,
        profile_link: sender.profile_link,
    };
    if let Some(earlier) = &earlier {
        customer.remember(earlier);
    }
    Some(customer)
}
