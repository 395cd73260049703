//! An integration reads the messages of a conversation.

use crate::domain::conversation::Conversation;
use crate::domain::id::ConversationId;
use crate::system::System;
use crate::system::chat::ConnectedScope;
use crate::system::inbox::MessageView;
use switchboard_runtime::error::UnavailableError;

/// The most messages that one page of a history holds.
pub const HISTORY_MAX: u64 = 50;

impl System {
    /// The messages of a conversation of this scope, newest first, behind the first `offset` of them. `None` when the
    /// scope has no such conversation.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn history(
        &self,
        scope: ConnectedScope,
        conversation: ConversationId,
        offset: u64,
        limit: u64,
    ) -> Result<Option<Vec<MessageView>>, UnavailableError> {
        self.kernel().caught_up().await;
        let state = self.look::<Conversation>(&conversation).await?;
        let Some(state) = state.filter(|state| state.is_of(scope.id())) else {
            return Ok(None);
        };
        let newest = state.messages.saturating_sub(offset);
        let oldest = newest.saturating_sub(limit.min(HISTORY_MAX));
        let mut messages = Vec::new();
        for number in (oldest..newest).rev() {
            messages.extend(self.numbered(conversation, number.saturating_add(1))?);
        }
        Ok(Some(messages))
    }
}
