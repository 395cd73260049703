//! A user sets a reaction on a message. If the channel wants it, the integration gets a callback, which waits in the
//! queue of the conversation like a message.

use crate::domain::chat::reaction::ReactionKind;
use crate::domain::conversation::react::{React, Tell};
use crate::domain::hook_version::HookVersion;
use crate::domain::id::{ConversationId, MessageId, ScopeId};
use crate::domain::text::Emoji;
use crate::system::user_access::UserAccess;
use crate::system::user_access::answerable::{AnswerRejection, Answerable};
use switchboard_engine::runtime::ask::execute;
use switchboard_runtime::error::{CommandError, UnavailableError};
use switchboard_runtime::shared::admission::queue_counts::QueueTarget;
use switchboard_runtime::shared::admission::{Admission, AdmissionError, QueuePermit};

/// A reaction of an account user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserReaction {
    /// The message.
    pub message: MessageId,
    /// Leaves it, or takes it back.
    pub kind: ReactionKind,
    /// The reaction; to take all of one's own back, none.
    pub emoji: Option<Emoji>,
}

impl UserAccess {
    /// Sets a reaction of the user on a message, or removes it. Answers with the id of the callback to the integration;
    /// `None` when no callback is due, or nothing changed.
    ///
    /// # Errors
    /// When there is no such message that the user may see, they may not answer there, the message has too many
    /// reactions, too many callbacks wait, or nothing can be stored now.
    pub async fn react(
        &self,
        id: ConversationId,
        reaction: UserReaction,
    ) -> Result<Option<MessageId>, CommandError<AnswerRejection>> {
        let Answerable {
            conversation,
            scope,
            ..
        } = self.answerable(id).await?;
        let permit = self
            .reaction_permit(&scope, conversation)
            .await
            .map_err(|refused| refused.map(AnswerRejection::TooMuchQueued))?;
        let bot = self.system.bot_of(scope.channel());
        let react = React {
            scope,
            message: reaction.message,
            by: self.author().person,
            kind: reaction.kind,
            emoji: reaction.emoji,
            client: self.caller.client.clone(),
            tell: permit.is_some().then_some(Tell { bot }),
        };
        let reaction_reply = execute(self.system.kernel(), &conversation, react)
            .await
            .map_err(|refused| refused.map(AnswerRejection::Reaction))?;
        // A place that is not needed goes back by being dropped.
        if let (Some(permit), Some(_)) = (permit, reaction_reply) {
            permit.keep();
        }
        Ok(reaction_reply)
    }

    /// A place in the queue, if the channel wants callbacks about reactions and the scope uses a version that has them.
    async fn reaction_permit(
        &self,
        scope: &ScopeId,
        conversation: ConversationId,
    ) -> Result<Option<QueuePermit>, AdmissionError> {
        if !self
            .sends_callbacks(scope, |channel| channel.settings.reaction_callbacks)
            .await?
        {
            return Ok(None);
        }
        let place = QueueTarget {
            scope,
            conversation,
            version: HookVersion::V2,
        };
        Admission::enter(self.system.kernel(), &place)
            .await
            .map(Some)
    }

    /// Returns whether the channel of a scope wants this kind of callback, and the scope uses version 2, the only one that has
    /// it.
    pub(super) async fn sends_callbacks(
        &self,
        scope: &ScopeId,
        wants: fn(&crate::domain::installation::channels::Channel) -> bool,
    ) -> Result<bool, UnavailableError> {
        let channels = self.system.kernel().shared.read_cache.channels();
        if !channels.get(scope.channel()).is_some_and(wants) {
            return Ok(false);
        }
        let connection = self.system.connection(scope).await?;
        Ok(connection.is_some_and(|connection| connection.version == HookVersion::V2))
    }
}
