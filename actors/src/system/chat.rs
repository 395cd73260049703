//! What integrations do: connect, disconnect, post, report.

mod references;

use std::sync::Arc;

use bytes::Bytes;

use crate::actor::conversation::Deliver;
use crate::actor::facts::{KnownChannel, ScopeFacts};
use crate::actor::scope::DeliverBound;
use crate::domain::State;
use crate::domain::chat::delivery::DeliveryStatus;
use crate::domain::chat::message::{Announce, CustomerMessage};
use crate::domain::conversation::receive::{Accepted, Receive, ReceiveRejection};
use crate::domain::conversation::report::{Report, ReportEffect, ReportRejection};
use crate::domain::conversation::{Conversation, ConversationEvent, Customer};
use crate::domain::id::{AccountId, ChannelId, ConversationId, MessageId, PersonId, ScopeId};
use crate::domain::keys;
use crate::domain::scope::bind::Bind;
use crate::domain::scope::connect::Connect;
use crate::domain::scope::disconnect::Disconnect;
use crate::domain::scope::{Connection, Scope};
use crate::error::{Refused, Unavailable};
use crate::runtime::ask::{ask, execute};
use crate::runtime::env::decode;
use crate::runtime::shell::Carried;
use crate::store::Seq;
use crate::store::committer::Submitted;
use crate::system::System;

/// What an account chooses when it connects; what it leaves out gets the default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectRequest {
    /// The account.
    pub account: AccountId,
    /// The name of the scope; the channel's name when left out.
    pub title: Option<String>,
    /// The form of callbacks.
    pub version: crate::domain::chat::channel::HookVersion,
}

/// Why an account cannot be connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConnectRejection {
    /// The channel is not known.
    #[error("there is no such channel")]
    UnknownChannel,
    /// The account is not known.
    #[error("there is no account with this id")]
    UnknownAccount,
    /// The channel's list of accounts does not hold this one.
    #[error("the channel is not open to this account")]
    AccountNotAllowed,
}

/// Why a customer's message is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SendRejection {
    /// The scope is not connected: it never was, or it was disconnected.
    #[error("the account is not connected to the channel")]
    NotConnected,
    /// The same `msgid` in this conversation, with other content.
    #[error("a message with this msgid exists in this conversation, and its content is another")]
    AlreadyExists,
    /// `conversation_ref_id` names no conversation of this account and channel.
    #[error("there is no such conversation in this account and channel")]
    UnknownConversation,
    /// `sender.ref_id` names nobody of this account.
    #[error("sender: user not found")]
    UnknownSender,
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

    /// Connects an account to a channel. Repeating is the normal case: the last title and version win.
    ///
    /// # Errors
    /// When channel or account are unknown, the channel is not open to the account, or nothing can be stored now.
    pub async fn connect(
        &self,
        channel: &ChannelId,
        request: ConnectRequest,
    ) -> Result<(ScopeId, Connection), Refused<ConnectRejection>> {
        let channels = self.env().facts.channels();
        let channel = channels
            .get(channel)
            .ok_or(Refused::Rejected(ConnectRejection::UnknownChannel))?;
        if self.env().facts.accounts().get(request.account).is_none() {
            return Err(Refused::Rejected(ConnectRejection::UnknownAccount));
        }
        if !channel.accounts.holds(request.account) {
            return Err(Refused::Rejected(ConnectRejection::AccountNotAllowed));
        }
        let scope = ScopeId::new(channel.id.clone(), request.account);
        let title = request.title.unwrap_or_else(|| channel.name.clone());
        let command = Connect {
            connection: Connection {
                title,
                version: request.version,
            },
        };
        let connection = execute::<Scope, _>(self.env(), &scope, command)
            .await
            .map_err(never)?;
        Ok((scope, connection))
    }

    /// Disconnects an account from a channel; nothing happens when it is not connected.
    ///
    /// # Errors
    /// When nothing can be stored now.
    pub async fn disconnect(&self, scope: &ScopeId) -> Result<(), Unavailable> {
        match execute::<Scope, _>(self.env(), scope, Disconnect).await {
            Ok(()) => Ok(()),
            Err(Refused::Unavailable(unavailable)) => Err(unavailable),
            Err(Refused::Rejected(never)) => match never {},
        }
    }

    /// How the scope is connected, if it is.
    ///
    /// # Errors
    /// When the scope cannot be read now.
    pub async fn connection(&self, scope: &ScopeId) -> Result<Option<Connection>, Unavailable> {
        Ok(self.scope(scope).await?.connection.clone())
    }

    /// Whether the scope is connected.
    ///
    /// # Errors
    /// When the scope cannot be read now.
    pub async fn is_connected(&self, scope: &ScopeId) -> Result<bool, Unavailable> {
        Ok(self.scope(scope).await?.connection.is_some())
    }

    /// Stores a customer's message; `raw` is the body as it was signed. The answer comes once it is on disk, and a
    /// repeat of the same bytes gets the same answer.
    ///
    /// # Errors
    /// When the scope is not connected, the message contradicts an earlier one or names what does not exist, or nothing
    /// can be stored now.
    pub async fn receive(
        &self,
        scope: &ScopeId,
        message: CustomerMessage,
        raw: Bytes,
    ) -> Result<Accepted, Refused<SendRejection>> {
        let _accepted = self.env().gate.enter()?;
        let facts = self.scope(scope).await?;
        if facts.connection.is_none() {
            return Err(Refused::Rejected(SendRejection::NotConnected));
        }
        let known_conversation = self
            .meaning_of_conversation(scope, &facts, &message.conversation_id)
            .await?;
        let known_person = self
            .meaning_of_person(scope, &facts, &message.sender.id)
            .await?;
        let conversation = message.conversation_ref_id.unwrap_or(known_conversation);
        let person = message.sender.ref_id.unwrap_or(known_person);
        let bind = Bind {
            conversation: (conversation != known_conversation)
                .then(|| (message.conversation_id.clone(), conversation)),
            person: (person != known_person).then(|| (message.sender.id.clone(), person)),
        };
        self.check_references(scope, &message).await?;
        let derived = self.env().ids.conversation(scope, &message.conversation_id);
        if conversation != derived
            && let Some(accepted) = self
                .accepted_before_binding(derived, &message.msgid, &raw)
                .await?
        {
            return Ok(accepted);
        }
        let receive = resolved(scope, message, conversation, person, raw);
        if bind.conversation.is_none() && bind.person.is_none() {
            let message = Deliver {
                receive,
                carried: Carried::default(),
                asker: Some(self.env().journal.here()),
            };
            let step = ask::<Conversation, _, _, _>(self.env(), &conversation, message)
                .await
                .map_err(Refused::from)
                .map_err(rejection)?;
            return Ok(step.settled().await?.stored(&self.env().journal).await?);
        }
        let message = DeliverBound { bind, receive };
        let step = ask::<Scope, _, _, _>(self.env(), scope, message)
            .await
            .map_err(Refused::from)
            .map_err(rejection)?;
        let outcome = step.settled().await?.stored(&self.env().journal).await?;
        outcome.map_err(|refused| rejection(Refused::Rejected(refused)))
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
        if self.scope(scope).await?.connection.is_none() {
            return Err(Refused::Rejected(StatusRejection::NotConnected));
        }
        const NOT_FOUND: Refused<StatusRejection> =
            Refused::Rejected(StatusRejection::MessageNotFound);
        self.env().caught_up().await;
        let Some(position) = self
            .env()
            .index
            .find(keys::message(message))
            .map_err(Unavailable::Damaged)?
        else {
            return Err(NOT_FOUND);
        };
        let record = self
            .env()
            .reader
            .read(position)
            .map_err(Unavailable::Damaged)?;
        let Some(conversation) = Conversation::id_of(&record.stream) else {
            return Err(NOT_FOUND);
        };
        if !matches!(decode(&record)?, ConversationEvent::Replied(replied) if &replied.scope == scope)
        {
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

    /// What is on disk of a scope: as its owner published it, or read from the store when nobody has asked for it yet
    /// and when what was published could not be written.
    pub(crate) async fn scope(&self, id: &ScopeId) -> Result<Arc<ScopeFacts>, Unavailable> {
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

pub(crate) fn resolved(
    scope: &ScopeId,
    message: CustomerMessage,
    conversation: ConversationId,
    person: PersonId,
    raw: Bytes,
) -> Receive {
    let sender = message.sender;
    Receive {
        scope: scope.clone(),
        conversation,
        client_conversation: message.conversation_id,
        msgid: message.msgid,
        customer: Customer {
            person,
            client_id: Some(sender.id),
            name: sender.name,
            avatar: Some(sender.avatar),
            phone: sender.profile.phone,
            email: sender.profile.email,
            profile_link: sender.profile_link,
        },
        written_at: message.timestamp,
        loud: message.announce == Announce::Aloud,
        raw,
    }
}

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

fn never<R: std::error::Error>(refused: Refused<std::convert::Infallible>) -> Refused<R> {
    match refused {
        Refused::Rejected(never) => match never {},
        Refused::Unavailable(unavailable) => Refused::Unavailable(unavailable),
    }
}
