//! A user closes a conversation: the talk of its newest lead.

use crate::domain::id::ConversationId;
use crate::system::user_access::{ConversationLeadRejection, UserAccess};
use switchboard_runtime::error::CommandError;

impl UserAccess {
    /// Closes the talk of a conversation. The next loud message or answer opens it again.
    ///
    /// # Errors
    /// When there is no such conversation with a lead that the user may edit, it is closed already, or nothing can be stored
    /// now.
    pub async fn close_conversation(
        &self,
        id: ConversationId,
    ) -> Result<(), CommandError<ConversationLeadRejection>> {
        let (lead, _) = self.lead_of_conversation(id).await?;
        let result = self.close_talk(lead.id).await;
        result.map_err(|error| error.map(ConversationLeadRejection::Lead))?;
        Ok(())
    }
}
