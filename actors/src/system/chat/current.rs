//! What integrations of the current generation do besides: edits, chats without messages, history, typing, reactions.

use std::time::Duration;

use bytes::Bytes;

use crate::actor::typing::Typing;
use crate::domain::chat::edit::MessageEdit;
use crate::domain::chat::fetch::HostMark;
use crate::domain::chat::message::Content;
use crate::domain::chat::person::Sender;
use crate::domain::chat::reaction::ReactionKind;
use crate::domain::chat::target::{ConversationRef, PersonRef};
use crate::domain::conversation::edit::{Edit, EditRejection, message_of};
use crate::domain::conversation::open::{OfAnotherScope, Open};
use crate::domain::conversation::react::{React, ReactRejection};
use crate::domain::conversation::{Conversation, ConversationEvent};
use crate::domain::id::{
    ChannelId, ClientConversationId, ClientMessageId, ConversationId, MessageId, PersonId,
};
use crate::domain::keys;
use crate::domain::scope::Scope;
use crate::domain::scope::bind::Bind;
use crate::domain::text::{Emoji, SourceId};
use crate::error::{Refused, Unavailable};
use crate::system::System;
use crate::system::chat::resolve::{Known, NoParty, customer};
use crate::system::chat::{ConnectedScope, never};
use crate::system::inbox::MessageView;
use crate::system::live::{Audience, LiveEvent, What};
use switchboard_engine::runtime::ask::execute;

/// The most messages that one page of a history holds.
pub const HISTORY_MAX: u64 = 50;

/// A conversation that is wanted before its first message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChatRequest {
    /// The integration's id of it.
    pub conversation_id: ClientConversationId,
    /// Which entrance of the integration it comes through.
    pub source: Option<SourceId>,
    /// Who is on the other side.
    pub user: Sender,
}

/// A conversation that is there now, or was before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenedChat {
    /// The conversation.
    pub conversation: ConversationId,
    /// Who is on the other side.
    pub person: PersonId,
}

/// Why there is no such conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChatRejection {
    /// `user.ref_id` names nobody of this account.
    #[error("user: user not found")]
    UnknownUser,
    /// `user.id` is a customer's, and `user.ref_id` an account user's or the bot's.
    #[error(
        "this is the id of a customer, and user.ref_id that of an account user or the bot: leave id out, or give the id that they have in your system"
    )]
    CustomersId,
    /// Nobody was told how the customer is called.
    #[error("this field is missing: this person was not named before")]
    Nameless,
    /// The conversation cannot be had.
    #[error(transparent)]
    OfAnotherScope(#[from] OfAnotherScope),
}

/// A message that was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditedMessage {
    /// Its conversation.
    pub conversation: ConversationId,
    /// Who wrote it.
    pub sender: PersonId,
    /// To whom, when it was not the customer who wrote it.
    pub receiver: Option<PersonId>,
    /// The service's id of it.
    pub message: MessageId,
    /// The integration's id of it, if it has one.
    pub msgid: Option<ClientMessageId>,
}

/// A sign that somebody leaves or takes back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReactRequest {
    /// Where.
    pub conversation: ConversationRef,
    /// Our id of the message.
    pub id: Option<MessageId>,
    /// The integration's id of the message.
    pub msgid: Option<ClientMessageId>,
    /// Who.
    pub user: PersonRef,
    /// Leaves it, or takes it back.
    pub kind: ReactionKind,
    /// The sign.
    pub emoji: Option<Emoji>,
}

/// Why nothing is done with a message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MessageRejection {
    /// The scope has no such conversation.
    #[error("there is no such conversation in this scope")]
    ConversationNotFound,
    /// The scope has no such message in the conversation.
    #[error("there is no such message in this scope")]
    MessageNotFound,
    /// Our id of a person names nobody of this account.
    #[error("user: user not found")]
    UnknownPerson,
    /// The new version is refused.
    #[error(transparent)]
    Edit(#[from] EditRejection),
    /// The sign is refused.
    #[error(transparent)]
    React(#[from] ReactRejection),
}

/// Why nobody is shown as writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TypingRejection {
    /// The scope has no such conversation.
    #[error("there is no such conversation in this scope")]
    ConversationNotFound,
    /// Our id of a person names nobody of this account.
    #[error("sender: user not found")]
    UnknownPerson,
}

impl System {
    /// The bot of a channel: whom integrations name as the writer of what no account user wrote.
    #[must_use]
    pub fn bot_of(&self, channel: &ChannelId) -> PersonId {
        self.env().world.ids.bot(channel)
    }

    /// Makes a conversation before its first message; one that is there already stays as it is.
    ///
    /// # Errors
    /// When the request names somebody who does not exist, or nothing can be stored now.
    pub async fn open_chat(
        &self,
        scope: ConnectedScope,
        request: ChatRequest,
    ) -> Result<OpenedChat, Refused<ChatRejection>> {
        let conversation = self
            .meaning_of_conversation(&scope, &request.conversation_id)
            .await?;
        let party = self.party(&scope, &request.user).await;
        let party = party.map_err(|refused| match refused {
            Refused::Rejected(NoParty::Unknown) => Refused::Rejected(ChatRejection::UnknownUser),
            Refused::Rejected(NoParty::CustomersId) => {
                Refused::Rejected(ChatRejection::CustomersId)
            }
            Refused::Unavailable(unavailable) => unavailable.into(),
        })?;
        let customer = match party.known {
            Known::Staff(_) => None,
            Known::Customer(known) => Some(
                customer(party.person, request.user, known)
                    .ok_or(Refused::Rejected(ChatRejection::Nameless))?,
            ),
        };
        if let Some(bound) = party.bind {
            let bind = Bind {
                conversation: None,
                people: vec![bound],
            };
            execute::<Scope, _>(self.env(), scope.id(), bind)
                .await
                .map_err(never)?;
        }
        let open = Open {
            scope: scope.id().clone(),
            client_conversation: request.conversation_id,
            customer,
            source: request.source,
        };
        let conversation = execute::<Conversation, _>(self.env(), &conversation, open)
            .await
            .map_err(rejected)?;
        Ok(OpenedChat {
            conversation,
            person: party.person,
        })
    }

    /// Stores the new version of a message; `raw` is the body as it was signed. Repeats, and versions that were
    /// overtaken by newer ones, change nothing.
    ///
    /// # Errors
    /// When the scope has no such message, the version is refused, or nothing can be stored now.
    pub async fn edit(
        &self,
        scope: ConnectedScope,
        edit: MessageEdit,
        raw: Bytes,
    ) -> Result<EditedMessage, Refused<MessageRejection>> {
        let target = (&edit.conversation, edit.id, edit.msgid.as_ref());
        let (conversation, message) = self.message_in(&scope, target).await?;
        let media = edit.content.as_ref().and_then(Content::media);
        let media = media.map(HostMark::of);
        let command = Edit {
            scope: scope.id().clone(),
            message,
            // Without our id the integration's own named the message; with it, it is a new name.
            msgid: edit.msgid.clone().filter(|_| edit.id.is_some()),
            written_at: edit.timestamp,
            content: edit.content.is_some(),
            media_from: media.filter(|_| self.env().world.config.list_fetches),
            status: edit.status,
            raw,
        };
        let changed = execute::<Conversation, _>(self.env(), &conversation, command)
            .await
            .map_err(rejected)?;
        self.env().world.fetch_wanted.notify_one();
        Ok(EditedMessage {
            conversation,
            sender: changed.sender,
            receiver: changed.receiver,
            message: changed.message,
            msgid: edit.msgid.or(changed.msgid),
        })
    }

    /// Stores that somebody left a sign on a message, or took it back.
    ///
    /// # Errors
    /// When the scope has no such message, the request names somebody who does not exist, or nothing can be stored now.
    pub async fn react(
        &self,
        scope: ConnectedScope,
        request: ReactRequest,
    ) -> Result<(), Refused<MessageRejection>> {
        let target = (&request.conversation, request.id, request.msgid.as_ref());
        let (conversation, message) = self.message_in(&scope, target).await?;
        let by = self.person(&scope, &request.user).await?;
        let by = by.ok_or(Refused::Rejected(MessageRejection::UnknownPerson))?;
        let command = React {
            scope: scope.id().clone(),
            message,
            by,
            kind: request.kind,
            emoji: request.emoji,
            tell: None,
        };
        execute::<Conversation, _>(self.env(), &conversation, command)
            .await
            .map(drop)
            .map_err(rejected)
    }

    /// Notes that somebody is writing in a conversation, for a while, and tells whoever listens. Nothing is stored.
    ///
    /// # Errors
    /// When the scope has no such conversation, or our id names somebody who does not exist.
    pub async fn typing(
        &self,
        scope: ConnectedScope,
        conversation: &ConversationRef,
        person: &PersonRef,
        lasts: Duration,
    ) -> Result<(), Refused<TypingRejection>> {
        let conversation = self.place(&scope, conversation).await?;
        let conversation =
            conversation.ok_or(Refused::Rejected(TypingRejection::ConversationNotFound))?;
        let person = self.person(&scope, person).await?;
        let person = person.ok_or(Refused::Rejected(TypingRejection::UnknownPerson))?;
        let now = self.now();
        let until = now.plus(lasts);
        let typing = Typing { person, until };
        self.env()
            .world
            .facts
            .typing
            .note(conversation, typing, now);
        self.env().world.feed.tell(LiveEvent {
            number: None,
            audience: Audience::Account(scope.id().account()),
            what: What::CustomerTyping(conversation, typing),
        });
        Ok(())
    }

    /// The messages of a conversation of this scope, newest first, behind the first `offset` of them. `None` when the
    /// scope has no such conversation.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn history(
        &self,
        scope: ConnectedScope,
        conversation: ConversationId,
        offset: u64,
        limit: u64,
    ) -> Result<Option<Vec<MessageView>>, Unavailable> {
        self.env().caught_up().await;
        let state = self.look::<Conversation>(&conversation).await?;
        let Some(state) = state.filter(|state| state.is_of(scope.id())) else {
            return Ok(None);
        };
        let newest = state.messages.saturating_sub(offset);
        let oldest = newest.saturating_sub(limit.min(HISTORY_MAX));
        let mut messages = Vec::new();
        for number in (oldest..newest).rev() {
            messages.extend(self.numbered(conversation, number.saturating_add(1))?);
        }
        Ok(Some(messages))
    }

    /// The message that is meant, in the conversation that is meant, by either id; ours decides when both are given.
    async fn message_in(
        &self,
        scope: &ConnectedScope,
        (place, id, msgid): (
            &ConversationRef,
            Option<MessageId>,
            Option<&ClientMessageId>,
        ),
    ) -> Result<(ConversationId, MessageId), Refused<MessageRejection>> {
        let conversation = self.place(scope, place).await?;
        let conversation =
            conversation.ok_or(Refused::Rejected(MessageRejection::ConversationNotFound))?;
        let found = match (id, msgid) {
            (Some(id), _) => {
                let known = self.message_record(id).await?;
                known.filter(|(of, _)| *of == conversation).map(|_| id)
            }
            (None, Some(msgid)) => {
                let known = self
                    .env()
                    .record::<ConversationEvent>(keys::msgid(conversation, msgid))?;
                known.and_then(|known| message_of(&known.event))
            }
            (None, None) => None,
        };
        let message = found.ok_or(Refused::Rejected(MessageRejection::MessageNotFound))?;
        Ok((conversation, message))
    }
}

fn rejected<A: std::error::Error, B: std::error::Error + From<A>>(
    refused: Refused<A>,
) -> Refused<B> {
    refused.map(B::from)
}
