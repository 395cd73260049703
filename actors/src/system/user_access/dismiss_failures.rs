//! A user dismisses the failed messages of a conversation.

use crate::domain::conversation::dismiss_failures::DismissFailures;
use crate::domain::id::ConversationId;
use crate::system::operator::unavailable;
use crate::system::user_access::{AnswerRejection, UserAccess};
use switchboard_engine::runtime::ask::execute;
use switchboard_runtime::error::CommandError;

impl UserAccess {
    /// The messages of a conversation that failed so far do not count as failed any more. Their own states stay.
    ///
    /// # Errors
    /// When there is no such conversation that the user may see, they may not answer in it, or nothing can be stored now.
    pub async fn dismiss_failures(
        &self,
        id: ConversationId,
    ) -> Result<(), CommandError<AnswerRejection>> {
        self.may_answer(id).await?;
        self.system.kernel().caught_up().await;
        let Some(visible) = self.seen(id).await? else {
            return Ok(());
        };
        let command = DismissFailures {
            by: self.caller.user,
            client: self.caller.client.clone(),
            failed: self.system.failures(&visible.state)?,
        };
        let dismissed = execute(self.system.kernel(), &id, command).await;
        Ok(dismissed.map_err(unavailable)?)
    }
}
