//! A program writes to a talk in its own name: as a bot.
//!
//! The message has the rights of the user whose token the program has, and the name of the OAuth client that it is; with a
//! token of the user's own, the name of the user. To the channel its writer is the channel's bot, as for everything that no
//! account user wrote. A bot subscribes to nothing, reads nothing, and takes up no closed talk: so a talk that a person
//! closed stays closed whatever programs do.

use std::sync::Arc;

use crate::domain::account::rights::EntityAction;
use crate::domain::account::rights::calculation::Operation;
use crate::domain::chat::outgoing::OutgoingContent;
use crate::domain::conversation::reply::ReplyRejection;
use crate::domain::conversation::{Author, Replied};
use crate::domain::crm::Lead;
use crate::domain::hook_version::HookVersion;
use crate::domain::id::{ChannelId, IdempotencyKey, LeadId};
use crate::domain::list_message::{ListMessage, SentList};
use crate::domain::text::MessageText;
use crate::system::user_access::answerable::Answerable;
use crate::system::user_access::{AnswerRejection, UserAccess};
use crate::wire::account_body::talks::TalkMessage;
use switchboard_runtime::error::{CommandError, UnavailableError};

/// A talk that a bot may write to.
#[derive(Clone, Debug)]
pub(super) struct OpenTalk {
    place: Answerable,
    /// The writer.
    bot: Author,
}

fn unknown_talk() -> AnswerRejection {
    AnswerRejection::Reply(ReplyRejection::UnknownConversation)
}

impl UserAccess {
    /// Writes to the talk of a lead as a bot; a request that is repeated by the same name is the same message. The answer
    /// comes once the message is on disk and queued.
    ///
    /// # Errors
    /// When there is no such talk that the user may see, they may not change its lead, it is closed, its scope cannot
    /// carry the message, or nothing can be stored now.
    pub async fn send_talk_message(
        &self,
        id: LeadId,
        message: TalkMessage,
        request: Option<IdempotencyKey>,
    ) -> Result<Arc<Replied>, CommandError<AnswerRejection>> {
        let lead = self.lead(id).await?;
        let unknown = || CommandError::Rejected(unknown_talk());
        let talk = self.open_talk(&lead.ok_or_else(unknown)?).await?;
        match message {
            TalkMessage::Text(text) => self.write_as_bot(&talk, text, request).await,
            TalkMessage::List(list) => self.write_list(&talk, *list, request).await,
        }
    }

    /// The talk of a lead that the user sees, if a bot may write to it.
    pub(super) async fn open_talk(
        &self,
        lead: &Lead,
    ) -> Result<OpenTalk, CommandError<AnswerRejection>> {
        let unknown = || CommandError::Rejected(unknown_talk());
        let chat = lead.chat.as_ref().ok_or_else(unknown)?;
        let edit = Operation::Leads(EntityAction::Edit);
        if !self.authorize(edit, &Self::of_lead(lead, false)).allowed {
            return Err(CommandError::Rejected(AnswerRejection::Denied));
        }
        if !self.is_newest(lead, chat).await? || !self.is_in_work(lead).await? {
            return Err(CommandError::Rejected(AnswerRejection::TalkClosed));
        }
        Ok(OpenTalk {
            place: self.answerable(chat.conversation).await?,
            bot: self.bot(chat.scope.channel()),
        })
    }

    /// Writes to an open talk as a bot.
    pub(super) async fn write_as_bot(
        &self,
        talk: &OpenTalk,
        text: MessageText,
        request: Option<IdempotencyKey>,
    ) -> Result<Arc<Replied>, CommandError<AnswerRejection>> {
        let content = OutgoingContent::Text { text };
        let mut reply = self.prepare(&talk.place, content, request).await?;
        reply.by = talk.bot.clone();
        self.store_reply(&talk.place, reply).await
    }

    /// Writes a list to an open talk as a bot. A channel that shows no lists gets it as text.
    async fn write_list(
        &self,
        talk: &OpenTalk,
        list: ListMessage,
        request: Option<IdempotencyKey>,
    ) -> Result<Arc<Replied>, CommandError<AnswerRejection>> {
        let entry = self.system.channel(talk.place.scope.channel());
        let has_lists = entry.is_some_and(|entry| entry.channel.settings.lists);
        let version = self.system.connection(&talk.place.scope).await?;
        let has_markup = version.is_some_and(|it| it.version == HookVersion::V2);
        let list = SentList::new(list, has_lists && has_markup);
        // The limits of a list leave no text that a message cannot have.
        let text = list.text().ok_or_else(|| {
            CommandError::Unavailable(UnavailableError::Unfit("the text of the list".to_owned()))
        })?;
        let content = OutgoingContent::Text { text };
        let mut reply = self.prepare(&talk.place, content, request).await?;
        reply.by = talk.bot.clone();
        reply.list = Some(Box::new(list));
        self.store_reply(&talk.place, reply).await
    }

    /// The program that asks, as the bot that it is in chats of this channel.
    fn bot(&self, channel: &ChannelId) -> Author {
        let author = self.author();
        let client = author.client.as_ref();
        Author {
            person: self.system.bot_of(channel),
            name: client.map_or_else(|| author.name.clone(), |client| client.name.clone()),
            is_bot: true,
            ..author
        }
    }
}
