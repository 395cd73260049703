//! A user marks a conversation as unread.

use crate::domain::conversation::mark_unread::MarkUnread;
use crate::domain::id::ConversationId;
use crate::system::operator::unavailable;
use crate::system::user_access::UserAccess;
use switchboard_engine::runtime::ask::execute;
use switchboard_runtime::error::UnavailableError;

impl UserAccess {
    /// A conversation counts as unread until a user reads it; false when there is none that the user may see.
    ///
    /// # Errors
    /// When nothing can be stored now.
    pub async fn mark_unread(&self, id: ConversationId) -> Result<bool, UnavailableError> {
        if !self.sees(id).await? {
            return Ok(false);
        }
        let command = MarkUnread {
            by: self.caller.user,
            client: self.caller.client.clone(),
        };
        execute(self.system.kernel(), &id, command)
            .await
            .map_err(unavailable)?;
        Ok(true)
    }
}
