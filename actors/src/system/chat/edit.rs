//! An integration edits a message.

use bytes::Bytes;

use crate::domain::chat::edit::MessageEdit;
use crate::domain::chat::fetch::HostMark;
use crate::domain::chat::message::Content;
use crate::domain::conversation::edit::Edit;
use crate::domain::id::{ClientMessageId, ConversationId, MessageId, PersonId};
use crate::system::System;
use crate::system::chat::{ConnectedScope, MessageRejection, map_rejection};
use switchboard_engine::runtime::ask::execute;
use switchboard_runtime::error::CommandError;

/// A message that was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditedMessage {
    /// Its conversation.
    pub conversation: ConversationId,
    /// The writer of the message.
    pub sender: PersonId,
    /// To whom, when it was not the customer who wrote it.
    pub receiver: Option<PersonId>,
    /// The service's id of it.
    pub message: MessageId,
    /// The integration's id of it, if it has one.
    pub msgid: Option<ClientMessageId>,
}

impl System {
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
    ) -> Result<EditedMessage, CommandError<MessageRejection>> {
        let (conversation, message) = self
            .message_in(&scope, &edit.conversation, edit.id, edit.msgid.as_ref())
            .await?;
        let media = edit
            .content
            .as_ref()
            .and_then(Content::media)
            .map(HostMark::new);
        let command = Edit {
            scope: scope.id().clone(),
            message,
            // Without our id the integration's own named the message; with it, it is a new name.
            msgid: edit.msgid.clone().filter(|_| edit.id.is_some()),
            written_at: edit.timestamp,
            content: edit.content.is_some(),
            media_from: media.filter(|_| self.kernel().shared.config.list_fetches),
            status: edit.status,
            raw,
        };
        let edit_reply = execute(self.kernel(), &conversation, command)
            .await
            .map_err(map_rejection)?;
        self.kernel().shared.fetch_wanted.notify_one();
        Ok(EditedMessage {
            conversation,
            sender: edit_reply.sender,
            receiver: edit_reply.receiver,
            message: edit_reply.message,
            msgid: edit.msgid.or(edit_reply.msgid),
        })
    }
}
