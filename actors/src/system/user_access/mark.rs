//! A user marks a conversation: as unread, or its failures as dismissed.

use crate::domain::conversation::Conversation;
use crate::domain::conversation::Mark;
use crate::domain::conversation::mark::MarkConversation;
use crate::domain::id::ConversationId;
use crate::error::{Refused, Unavailable};
use crate::system::operator::unavailable;
use crate::system::user_access::{NotSent, UserAccess};
use switchboard_engine::runtime::ask::execute;

impl UserAccess {
    /// A conversation counts as unread again, until somebody reads it; false when there is none that the user may see.
    ///
    /// # Errors
    /// When nothing can be stored now.
    pub async fn mark_unread(&self, id: ConversationId) -> Result<bool, Unavailable> {
        if !self.sees(id).await? {
            return Ok(false);
        }
        self.mark(id, Mark::Unread).await?;
        Ok(true)
    }

    /// The messages of a conversation that failed so far do not count as failed any more. Their own states stay.
    ///
    /// # Errors
    /// When there is no such conversation that the user may see, they may not answer in it, or nothing can be stored now.
    pub async fn dismiss_failures(&self, id: ConversationId) -> Result<(), Refused<NotSent>> {
        self.may_answer(id).await?;
        self.system.env().caught_up().await;
        if let Some(seen) = self.seen(id).await? {
            let failed = self.system.failures(&seen.state)?;
            self.mark(id, Mark::FailuresDismissed(failed)).await?;
        }
        Ok(())
    }

    async fn mark(&self, id: ConversationId, mark: Mark) -> Result<(), Unavailable> {
        let command = MarkConversation {
            by: self.caller.user,
            client: self.caller.client.clone(),
            mark,
        };
        execute::<Conversation, _>(self.system.env(), &id, command)
            .await
            .map_err(unavailable)
    }
}
