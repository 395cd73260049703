//! The operations of integrations: connect, disconnect, send, edit, report, react. A file for each.

mod connect;
mod connected;
mod disconnect;
mod edit;
mod follow_elsewhere;
mod history;
mod open_chat;
mod people;
mod react;
mod report_delivery;
pub(crate) mod resolve;
mod send_message;
mod typing;

pub use self::connect::{ConnectRejection, ConnectRequest};
pub use self::connected::{ConnectedScope, ConnectedScopeError};
pub use self::edit::EditedMessage;
pub use self::history::HISTORY_MAX;
pub use self::open_chat::{ChatRejection, ChatRequest, OpenedChat};
pub use self::react::ReactRequest;
pub use self::send_message::SendRejection;
pub use self::typing::TypingRejection;

use std::sync::Arc;

use crate::domain::conversation::edit::EditRejection;
use crate::domain::conversation::react::ReactRejection;
use crate::domain::conversation::send_message::ImportAuthor;
use crate::domain::conversation::{ConversationEvent, Customer};
use crate::domain::id::{ChannelId, ClientMessageId, ConversationId, MessageId, PersonId};
use crate::domain::keys;
use crate::domain::target::ConversationRef;
use crate::system::System;
use switchboard_runtime::caches::read_cache::KnownChannel;
use switchboard_runtime::error::CommandError;

/// The rejection of an operation on a message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MessageRejection {
    /// The scope has no such conversation.
    #[error("there is no such conversation in this scope")]
    ConversationNotFound,
    /// The scope has no such message in the conversation.
    #[error("there is no such message in this scope")]
    MessageNotFound,
    /// Our id of a person names no person of this account.
    #[error("user: user not found")]
    UnknownPerson,
    /// The new version is refused.
    #[error(transparent)]
    Edit(#[from] EditRejection),
    /// The reaction is refused.
    #[error(transparent)]
    React(#[from] ReactRejection),
}

/// The customer of a message, and who wrote it if the customer did not.
pub(crate) type MessageParties = (Customer, Option<ImportAuthor>);

impl System {
    /// The channel with this id.
    #[must_use]
    pub fn channel(&self, id: &ChannelId) -> Option<Arc<KnownChannel>> {
        self.kernel().shared.read_cache.channel(id)
    }

    /// The bot of a channel: whom integrations name as the writer of what no account user wrote.
    #[must_use]
    pub fn bot_of(&self, channel: &ChannelId) -> PersonId {
        self.kernel().shared.ids.bot(channel)
    }

    /// Finds a message of a conversation by either id; ours decides when both are given.
    async fn message_in(
        &self,
        scope: &ConnectedScope,
        place: &ConversationRef,
        id: Option<MessageId>,
        msgid: Option<&ClientMessageId>,
    ) -> Result<(ConversationId, MessageId), CommandError<MessageRejection>> {
        let conversation = self
            .place(scope, place)
            .await?
            .ok_or(CommandError::Rejected(
                MessageRejection::ConversationNotFound,
            ))?;
        let message_id = match (id, msgid) {
            (Some(id), _) => {
                let earlier = self.message_record(id).await?;
                earlier.filter(|(of, _)| *of == conversation).map(|_| id)
            }
            (None, Some(msgid)) => {
                let earlier = self
                    .kernel()
                    .record::<ConversationEvent>(keys::msgid(conversation, msgid))?;
                earlier.and_then(|earlier| earlier.event.message_id())
            }
            (None, None) => None,
        };
        let message =
            message_id.ok_or(CommandError::Rejected(MessageRejection::MessageNotFound))?;
        Ok((conversation, message))
    }
}

fn map_rejection<A: std::error::Error, B: std::error::Error + From<A>>(
    refused: CommandError<A>,
) -> CommandError<B> {
    refused.map(B::from)
}

fn infallible<R: std::error::Error>(
    refused: CommandError<std::convert::Infallible>,
) -> CommandError<R> {
    refused.map(|never| match never {})
}
