//! The messages of a conversation, as a user sees them.

use crate::domain::id::{ConversationId, MessageId};
use crate::system::inbox::{MessageView, Page};
use crate::system::user_access::UserAccess;
use switchboard_runtime::error::UnavailableError;

impl UserAccess {
    /// The messages of a conversation that the user may see, newest first, from before the message `before`. `None` when
    /// there is no such conversation, or it has no such message.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn messages(
        &self,
        id: ConversationId,
        before: Option<MessageId>,
        limit: usize,
    ) -> Result<Option<Page<MessageView, MessageId>>, UnavailableError> {
        if !self.sees(id).await? {
            return Ok(None);
        }
        let account = self.caller.account;
        self.system.messages(account, id, before, limit).await
    }
}
