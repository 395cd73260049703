//! What integrations do: connect, disconnect, post, report.

mod connected;
mod connecting;
mod current;
mod people;
pub(crate) mod resolve;

pub use self::connected::{ConnectedScope, NotConnected};
pub use self::connecting::{ConnectRejection, ConnectRequest};
pub use self::current::{
    ChatRejection, ChatRequest, EditedMessage, HISTORY_MAX, MessageRejection, OpenedChat,
    ReactRequest, TypingRejection,
};

use std::sync::Arc;

use bytes::Bytes;

use crate::actor::conversation::Deliver;
use crate::actor::facts::KnownChannel;
use crate::actor::scope::DeliverBound;
use crate::domain::chat::delivery::DeliveryStatus;
use crate::domain::chat::fetch::HostMark;
use crate::domain::chat::message::{Announce, PostedMessage};
use crate::domain::conversation::receive::{Accepted, Receive, ReceiveRejection, Writer};
use crate::domain::conversation::report::{Report, ReportEffect, ReportRejection};
use crate::domain::conversation::{Conversation, ConversationEvent, Customer};
use crate::domain::id::{ChannelId, ClientPersonId, ConversationId, MessageId, PersonId};
use crate::domain::scope::bind::Bind;
use crate::error::Refused;
use crate::system::System;
use crate::wire::chat_body::stored;
use switchboard_engine::runtime::ask::execute;
use switchboard_engine::runtime::joint::execute_joint;

/// Why a customer's message is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SendRejection {
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
    /// There is no such message of an account user in this scope.
    #[error("there is no such message of an account user in this scope")]
    MessageNotFound,
}

impl System {
    /// The channel with this id.
    #[must_use]
    pub fn channel(&self, id: &ChannelId) -> Option<Arc<KnownChannel>> {
        self.env().world.facts.channel(id)
    }

    /// Stores a customer's message; `raw` is the body as it was signed. The answer comes once it is on disk, and a
    /// repeat gets the same answer, also when it was stamped anew. A message that is boxed already is not copied on its way.
    ///
    /// # Errors
    /// When the message contradicts an earlier one or names what does not exist, or nothing can be stored now.
    pub async fn receive(
        &self,
        scope: ConnectedScope,
        message: impl Into<Box<PostedMessage>>,
        raw: Bytes,
    ) -> Result<Accepted, Refused<SendRejection>> {
        let message = message.into();
        let _accepted = self.env().gate.enter()?;
        let known = match &message.conversation_id {
            Some(id) => Some(self.meaning_of_conversation(&scope, id).await?),
            None => None,
        };
        let conversation = message.conversation_ref_id.or(known);
        let conversation =
            conversation.ok_or(Refused::Rejected(SendRejection::UnknownConversation))?;
        if message.conversation_ref_id.is_some() {
            self.check_conversation(&scope, conversation).await?;
        }
        // Otherwise the id means what it always did, and there is nothing to look for.
        if (scope.facts().bound_conversations > 0 || message.conversation_ref_id.is_some())
            && let Some(accepted) = self
                .accepted_before_binding(&scope, &message, conversation, &raw)
                .await?
        {
            return Ok(accepted);
        }
        let client = message.conversation_id.as_ref();
        let bound = client.filter(|_| known != Some(conversation)).cloned();
        let command = self.command(&scope, message, (conversation, raw));
        let (receive, people) = command.await?;
        let bind = Bind {
            conversation: bound.map(|client| (client, conversation)),
            people,
        };
        let named = receive.media_from.is_some() || receive.look_at_avatar;
        let deliver = Deliver(receive);
        let accepted = if bind.is_empty() {
            execute_joint(self.env(), &conversation, deliver).await
        } else {
            execute_joint(self.env(), scope.id(), DeliverBound { bind, deliver }).await
        };
        let accepted = accepted.map_err(|refused| refused.map(rejection))?;
        self.look_for_files(named);
        one_message(accepted)
    }

    /// The command that a message becomes once everybody in it is known, and the people whom it binds.
    async fn command(
        &self,
        scope: &ConnectedScope,
        message: Box<PostedMessage>,
        (conversation, raw): (ConversationId, Bytes),
    ) -> Result<(Box<Receive>, Vec<(ClientPersonId, PersonId)>), Refused<SendRejection>> {
        let nameless = message.sender.name.is_none();
        let described = (message.sender, message.receiver);
        let parties = self.parties(scope, described).await?;
        let (customer, imported) = parties.roles;
        let listing = self.env().world.config.list_fetches;
        let media = message.content.media().filter(|_| listing);
        let receive = Receive {
            scope: scope.id().clone(),
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
            self.env().world.fetch_wanted.notify_one();
        }
    }

    /// Stores what an integration reports on an account user's message. Reports that go back change nothing.
    ///
    /// # Errors
    /// When the scope has no such message, or nothing can be stored now.
    pub async fn report(
        &self,
        scope: ConnectedScope,
        message: MessageId,
        status: DeliveryStatus,
    ) -> Result<ReportEffect, Refused<StatusRejection>> {
        const NOT_FOUND: Refused<StatusRejection> =
            Refused::Rejected(StatusRejection::MessageNotFound);
        let Some((conversation, event)) = self.message_record(message).await? else {
            return Err(NOT_FOUND);
        };
        let mine = match event {
            ConversationEvent::Replied(replied) => replied.scope == *scope.id(),
            ConversationEvent::Received(received) => {
                let state = self.look::<Conversation>(&conversation).await?;
                received.is_imported() && state.is_some_and(|state| state.is_of(scope.id()))
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
            scope: scope.id().clone(),
            message,
            status,
        };
        execute::<Conversation, _>(self.env(), &conversation, command)
            .await
            .map_err(|refused| {
                refused.map(|ReportRejection::MessageNotFound| StatusRejection::MessageNotFound)
            })
    }
}

/// The customer of a message, and who wrote it if the customer did not.
pub(crate) type Roles = (Customer, Option<Writer>);

fn rejection(refused: ReceiveRejection) -> SendRejection {
    match refused {
        ReceiveRejection::AlreadyExists => SendRejection::AlreadyExists,
        ReceiveRejection::UnknownConversation => SendRejection::UnknownConversation,
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
    refused.map(|never| match never {})
}

#[cfg(test)]
mod tests;
