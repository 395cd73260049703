//! What integrations do: connect, disconnect, post, report.

mod connecting;
mod current;
mod people;
pub(crate) mod resolve;

pub use self::connecting::{ConnectRejection, ConnectRequest};
pub use self::current::{
    ChatRejection, ChatRequest, EditedMessage, HISTORY_MAX, MessageRejection, OpenedChat,
    ReactRequest, TypingRejection,
};

use std::sync::Arc;

use bytes::Bytes;

use crate::actor::conversation::Deliver;
use crate::actor::facts::{KnownChannel, ScopeBrief, ScopeFacts};
use crate::actor::scope::DeliverBound;
use crate::domain::State;
use crate::domain::chat::delivery::DeliveryStatus;
use crate::domain::chat::fetch::HostMark;
use crate::domain::chat::message::{Announce, PostedMessage};
use crate::domain::conversation::receive::{Accepted, Receive, ReceiveRejection, Writer};
use crate::domain::conversation::report::{Report, ReportEffect, ReportRejection};
use crate::domain::conversation::{Conversation, ConversationEvent, Customer};
use crate::domain::id::{ChannelId, ClientPersonId, ConversationId, MessageId, PersonId, ScopeId};
use crate::domain::scope::bind::Bind;
use crate::domain::scope::{Connection, Scope};
use crate::error::{Refused, Unavailable};
use crate::runtime::ask::{ask, execute};
use crate::runtime::shell::Carried;
use crate::store::Seq;
use crate::store::committer::Submitted;
use crate::system::System;
use crate::wire::chat_body::stored;

/// Why a customer's message is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SendRejection {
    /// The scope is not connected: it never was, or it was disconnected.
    #[error("the account is not connected to the channel")]
    NotConnected,
    /// The same `msgid` in this conversation, from somebody else or with another `message`.
    #[error(
        "a message with this msgid exists in this conversation, and its sender, receiver or message is another"
    )]
    AlreadyExists,
    /// `conversation_ref_id` names no conversation of this account and channel.
    #[error("there is no such conversation in this account and channel")]
    UnknownConversation,
    /// `sender.ref_id` names nobody of this account, or a message to a customer comes from nobody known.
    #[error("sender: user not found")]
    UnknownSender,
    /// `sender.id` is a customer's, and `sender.ref_id` an account user's or the bot's.
    #[error(
        "this is the id of a customer, and sender.ref_id that of an account user or the bot: leave id out, or give the id that they have in your system"
    )]
    CustomersId,
    /// An account user or the bot writes to a customer of the same id.
    #[error(
        "the sender has the id of the receiver: leave id out, or give the id that the account user or the bot has in your system"
    )]
    OwnReceiver,
    /// A message of a customer has a receiver.
    #[error(
        "leave receiver out for a message of a customer; of a message to a customer, sender.ref_id has to name the account user or the bot who wrote it"
    )]
    ReceiverOfCustomer,
    /// `receiver.ref_id` names no customer of this account.
    #[error("receiver: user not found")]
    UnknownReceiver,
    /// An account user wrote it, or the bot: then somebody must get it.
    #[error(
        "this field is missing: the sender is an account user or the bot of the channel, so the customer who got the message has to be named"
    )]
    ReceiverMissing,
    /// Nobody was told how the sender is called.
    #[error("this field is missing: this person was not named before")]
    NamelessSender,
    /// Nobody was told how the receiver is called.
    #[error("this field is missing: this person was not named before")]
    NamelessReceiver,
}

/// Why a report is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StatusRejection {
    /// The scope is not connected.
    #[error("the account is not connected to the channel")]
    NotConnected,
    /// There is no such message of an account user in this scope.
    #[error("there is no such message of an account user in this scope")]
    MessageNotFound,
}

impl System {
    /// The channel with this id.
    #[must_use]
    pub fn channel(&self, id: &ChannelId) -> Option<Arc<KnownChannel>> {
        self.env().facts.channel(id)
    }

    /// How the scope is connected, if it is.
    ///
    /// # Errors
    /// When the scope cannot be read now.
    pub async fn connection(&self, scope: &ScopeId) -> Result<Option<Connection>, Unavailable> {
        Ok(self.scope_facts(scope).await?.connection.clone())
    }

    /// Whether the scope is connected.
    ///
    /// # Errors
    /// When the scope cannot be read now.
    pub async fn is_connected(&self, scope: &ScopeId) -> Result<bool, Unavailable> {
        Ok(self.scope(scope).await?.is_connected)
    }

    /// Stores a customer's message; `raw` is the body as it was signed. The answer comes once it is on disk, and a
    /// repeat gets the same answer, also when it was stamped anew. A message that is boxed already is not copied on its way.
    ///
    /// # Errors
    /// When the scope is not connected, the message contradicts an earlier one or names what does not exist, or nothing
    /// can be stored now.
    pub async fn receive(
        &self,
        scope: &ScopeId,
        message: impl Into<Box<PostedMessage>>,
        raw: Bytes,
    ) -> Result<Accepted, Refused<SendRejection>> {
        let message = message.into();
        let _accepted = self.env().gate.enter()?;
        let facts = self.scope(scope).await?;
        if !facts.is_connected {
            return Err(Refused::Rejected(SendRejection::NotConnected));
        }
        let known = match &message.conversation_id {
            Some(id) => Some(self.meaning_of_conversation(scope, &facts, id).await?),
            None => None,
        };
        let conversation = message.conversation_ref_id.or(known);
        let conversation =
            conversation.ok_or(Refused::Rejected(SendRejection::UnknownConversation))?;
        if message.conversation_ref_id.is_some() {
            self.check_conversation(scope, conversation).await?;
        }
        // Otherwise the id means what it always did, and there is nothing to look for.
        if (facts.bound_conversations > 0 || message.conversation_ref_id.is_some())
            && let Some(accepted) = self
                .accepted_before_binding(scope, &message, conversation, &raw)
                .await?
        {
            return Ok(accepted);
        }
        let client = message.conversation_id.as_ref();
        let bound = client.filter(|_| known != Some(conversation)).cloned();
        let command = self.command(scope, &facts, message, (conversation, raw));
        let (receive, people) = command.await?;
        let bind = Bind {
            conversation: bound.map(|client| (client, conversation)),
            people,
        };
        let named = receive.media_from.is_some() || receive.look_at_avatar;
        if bind.is_empty() {
            let message = Deliver {
                receive,
                carried: Carried::default(),
                asker: Some(self.env().journal.here()),
            };
            let step = ask::<Conversation, _, _, _>(self.env(), &conversation, message)
                .await
                .map_err(Refused::from)
                .map_err(rejection)?;
            let accepted = step.settled().await?.stored(&self.env().journal).await?;
            self.look_for_files(named);
            return one_message(accepted);
        }
        let message = DeliverBound { bind, receive };
        let step = ask::<Scope, _, _, _>(self.env(), scope, message)
            .await
            .map_err(Refused::from)
            .map_err(rejection)?;
        let outcome = step.settled().await?.stored(&self.env().journal).await?;
        self.look_for_files(named);
        let accepted = outcome.map_err(|refused| rejection(Refused::Rejected(refused)))?;
        one_message(accepted)
    }

    /// The command that a message becomes once everybody in it is known, and the people whom it binds.
    async fn command(
        &self,
        scope: &ScopeId,
        facts: &ScopeBrief,
        message: Box<PostedMessage>,
        (conversation, raw): (ConversationId, Bytes),
    ) -> Result<(Box<Receive>, Vec<(ClientPersonId, PersonId)>), Refused<SendRejection>> {
        let nameless = message.sender.name.is_none();
        let described = (message.sender, message.receiver);
        let parties = self.parties(scope, facts, described).await?;
        let (customer, imported) = parties.roles;
        let listing = self.env().config.list_fetches;
        let media = message.content.media().filter(|_| listing);
        let receive = Receive {
            scope: scope.clone(),
            conversation,
            client_conversation: message.conversation_id,
            msgid: message.msgid,
            media_from: media.map(HostMark::of),
            look_at_avatar: listing && customer.avatar.is_some(),
            customer,
            imported,
            nameless,
            source: message.source,
            post: message.post.map(|post| post.id),
            generation: message.generation,
            written_at: message.timestamp,
            loud: message.announce == Announce::Aloud,
            raw,
        };
        Ok((Box::new(receive), parties.bind))
    }

    /// A message names a file: somebody may look at it now.
    fn look_for_files(&self, named: bool) {
        if named {
            self.env().fetch_wanted.notify_one();
        }
    }

    /// Stores what an integration reports on an account user's message. Reports that go back change nothing.
    ///
    /// # Errors
    /// When the scope is not connected or has no such message, or nothing can be stored now.
    pub async fn report(
        &self,
        scope: &ScopeId,
        message: MessageId,
        status: DeliveryStatus,
    ) -> Result<ReportEffect, Refused<StatusRejection>> {
        if !self.scope(scope).await?.is_connected {
            return Err(Refused::Rejected(StatusRejection::NotConnected));
        }
        const NOT_FOUND: Refused<StatusRejection> =
            Refused::Rejected(StatusRejection::MessageNotFound);
        let Some((conversation, event)) = self.message_record(message).await? else {
            return Err(NOT_FOUND);
        };
        let mine = match event {
            ConversationEvent::Replied(replied) => &replied.scope == scope,
            ConversationEvent::Received(received) => {
                let state = self.look::<Conversation>(&conversation).await?;
                received.is_imported() && state.is_some_and(|state| state.is_of(scope))
            }
            ConversationEvent::Opened(_)
            | ConversationEvent::Edited(_)
            | ConversationEvent::Reacted(_)
            | ConversationEvent::Reported(_)
            | ConversationEvent::DealOpened
            | ConversationEvent::DealChanged { .. }
            | ConversationEvent::Read(_)
            | ConversationEvent::Fetched(_) => false,
        };
        if !mine {
            return Err(NOT_FOUND);
        }
        let command = Report {
            scope: scope.clone(),
            message,
            status,
        };
        execute::<Conversation, _>(self.env(), &conversation, command)
            .await
            .map_err(|refused| match refused {
                Refused::Rejected(ReportRejection::MessageNotFound) => NOT_FOUND,
                Refused::Unavailable(unavailable) => Refused::Unavailable(unavailable),
            })
    }

    /// What is on disk of a scope, as far as requests need it.
    pub(crate) async fn scope(&self, id: &ScopeId) -> Result<ScopeBrief, Unavailable> {
        let env = self.env();
        if let Some(brief) = env.facts.scope_brief(id)
            && matches!(env.journal.decided(brief.rests_on), Some(Ok(())))
        {
            return Ok(brief);
        }
        Ok(self.scope_facts(id).await?.brief())
    }

    /// What is on disk of a scope: as its owner published it, or read from the store when nobody has asked for it yet
    /// and when what was published could not be written.
    pub(crate) async fn scope_facts(&self, id: &ScopeId) -> Result<Arc<ScopeFacts>, Unavailable> {
        let env = self.env();
        let published = env.facts.scope(id);
        if let Some(facts) = &published {
            let Submitted { last, generation } = facts.rests_on;
            if env.journal.durable(last, generation).await.is_ok() {
                return Ok(Arc::clone(facts));
            }
        }
        let loaded = env.load::<Scope>(id.clone()).await?;
        let generation = env.journal.generation();
        let never_was = loaded.is_none();
        let (scope, last) = loaded.unwrap_or_else(|| (Scope::blank(id), Seq(0)));
        let facts = ScopeFacts::of(&scope, Submitted { last, generation });
        if never_was && published.is_none() {
            // What never was is not kept, so asking for strangers costs no memory.
            return Ok(Arc::new(facts));
        }
        Ok(env.facts.keep_scope(id.clone(), published.as_ref(), facts))
    }
}

/// The customer of a message, and who wrote it if the customer did not.
pub(crate) type Roles = (Customer, Option<Writer>);

fn rejection(refused: Refused<ReceiveRejection>) -> Refused<SendRejection> {
    match refused {
        Refused::Rejected(ReceiveRejection::AlreadyExists) => {
            Refused::Rejected(SendRejection::AlreadyExists)
        }
        Refused::Rejected(ReceiveRejection::UnknownConversation) => {
            Refused::Rejected(SendRejection::UnknownConversation)
        }
        Refused::Unavailable(unavailable) => Refused::Unavailable(unavailable),
    }
}

/// A repeat is an answer only if it repeats what was said.
fn one_message(mut accepted: Accepted) -> Result<Accepted, Refused<SendRejection>> {
    match accepted.retry.take() {
        Some(retry) if !stored::is_one_message(&retry) => {
            Err(Refused::Rejected(SendRejection::AlreadyExists))
        }
        Some(_) | None => Ok(accepted),
    }
}

fn never<R: std::error::Error>(refused: Refused<std::convert::Infallible>) -> Refused<R> {
    match refused {
        Refused::Rejected(never) => match never {},
        Refused::Unavailable(unavailable) => Refused::Unavailable(unavailable),
    }
}

#[cfg(test)]
mod tests;
