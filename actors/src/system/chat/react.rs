//! A person reacts to a message, as the integration reports.

use crate::domain::chat::reaction::ReactionKind;
use crate::domain::conversation::react::React;
use crate::domain::id::{ClientMessageId, MessageId};
use crate::domain::target::{ConversationRef, PersonRef};
use crate::domain::text::Emoji;
use crate::system::System;
use crate::system::chat::{ConnectedScope, MessageRejection, map_rejection};
use switchboard_engine::runtime::ask::execute;
use switchboard_runtime::error::CommandError;

/// A reaction that a person sets or removes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReactRequest {
    /// The conversation.
    pub conversation: ConversationRef,
    /// Our id of the message.
    pub id: Option<MessageId>,
    /// The integration's id of the message.
    pub msgid: Option<ClientMessageId>,
    /// The person who reacts.
    pub user: PersonRef,
    /// Leaves it, or takes it back.
    pub kind: ReactionKind,
    /// The reaction.
    pub emoji: Option<Emoji>,
}

impl System {
    /// Stores that a person set a reaction on a message, or removed it.
    ///
    /// # Errors
    /// When the scope has no such message, the request names a person who does not exist, or nothing can be stored now.
    pub async fn react(
        &self,
        scope: ConnectedScope,
        request: ReactRequest,
    ) -> Result<(), CommandError<MessageRejection>> {
        let msgid = request.msgid.as_ref();
        let (conversation, message) = self
            .message_in(&scope, &request.conversation, request.id, msgid)
            .await?;
        let by = self
            .person(&scope, &request.user)
            .await?
            .ok_or(CommandError::Rejected(MessageRejection::UnknownPerson))?;
        let command = React {
            scope: scope.id().clone(),
            message,
            by,
            kind: request.kind,
            emoji: request.emoji,
            client: None,
            tell: None,
        };
        execute(self.kernel(), &conversation, command)
            .await
            .map(drop)
            .map_err(map_rejection)
    }
}
