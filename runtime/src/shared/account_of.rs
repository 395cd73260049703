//! The account of a conversation, which never changes.

use crate::error::UnavailableError;
use crate::shared::Kernel;
use switchboard_domain::conversation::Conversation;
use switchboard_domain::id::{AccountId, ConversationId};

/// The account of a conversation; `None` when there is no such conversation.
pub async fn account_of(
    kernel: &Kernel,
    conversation: ConversationId,
) -> Result<Option<AccountId>, UnavailableError> {
    let feed = &kernel.shared.feed;
    if let Some(account) = feed.known_account(conversation) {
        return Ok(Some(account));
    }
    let conversation_state = kernel.load::<Conversation>(conversation).await?;
    let origin = conversation_state.and_then(|(state, _)| state.origin);
    let account = origin.map(|origin| origin.scope.account());
    if let Some(account) = account {
        feed.remember_account(conversation, account);
    }
    Ok(account)
}
