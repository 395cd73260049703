//! A user has read a conversation.

use crate::domain::conversation::mark_read::MarkRead;
use crate::domain::id::ConversationId;
use crate::system::operator::unavailable;
use crate::system::user_access::UserAccess;
use switchboard_engine::runtime::ask::execute;
use switchboard_runtime::error::UnavailableError;

impl UserAccess {
    /// The user has read a conversation; false when there is none that they may see.
    ///
    /// # Errors
    /// When nothing can be stored now.
    pub async fn mark_read(&self, id: ConversationId) -> Result<bool, UnavailableError> {
        if !self.sees(id).await? {
            return Ok(false);
        }
        let read = MarkRead {
            by: self.caller.user,
            client: self.caller.client.clone(),
        };
        execute(self.system.kernel(), &id, read)
            .await
            .map_err(unavailable)?;
        Ok(true)
    }
}
