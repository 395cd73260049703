//! A user ends the snooze of a conversation before its time.

use crate::domain::conversation::Snooze;
use crate::domain::conversation::wake_conversation::WakeConversation;
use crate::domain::id::ConversationId;
use crate::system::operator::unavailable;
use crate::system::user_access::{ConversationLeadRejection, UserAccess};
use switchboard_engine::runtime::ask::execute;
use switchboard_runtime::error::{CommandError, UnavailableError};

impl UserAccess {
    /// Ends the snooze of a conversation, which is as it was before. Nothing changes if it is not snoozed.
    ///
    /// # Errors
    /// When there is no such conversation with a lead that the user may edit, or nothing can be stored now.
    pub async fn wake_conversation(
        &self,
        id: ConversationId,
    ) -> Result<(), CommandError<ConversationLeadRejection>> {
        self.editable_lead(id).await?;
        self.end_snooze(id, None).await?;
        Ok(())
    }

    /// Ends a snooze: the only one that is meant, or any. Returns whether it was there.
    pub(super) async fn end_snooze(
        &self,
        id: ConversationId,
        only: Option<Box<Snooze>>,
    ) -> Result<bool, UnavailableError> {
        let command = WakeConversation::ByUser {
            by: self.caller.user,
            client: self.caller.client.clone(),
            only,
        };
        execute(self.system.kernel(), &id, command)
            .await
            .map_err(unavailable)
    }
}
