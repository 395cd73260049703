//! The users whom a note in a conversation can mention.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::domain::account::rights::EntityAction;
use crate::domain::account::rights::calculation::Operation;
use crate::domain::account::user::User;
use crate::domain::id::{ConversationId, UserId};
use crate::system::user_access::UserAccess;
use switchboard_runtime::error::UnavailableError;

/// A user whom a note can mention.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MentionableUser {
    /// The user.
    pub user: Arc<User>,
    /// True when the user may see the conversation now.
    pub may_view: bool,
}

impl UserAccess {
    /// The active users whom the user may choose to mention in a conversation that they may see, by number: all who may see it
    /// now, and others whose names the user may read. `None` when there is no such conversation.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn mentionable_users(
        &self,
        id: ConversationId,
    ) -> Result<Option<Vec<MentionableUser>>, UnavailableError> {
        let Some(visible) = self.seen(id).await? else {
            return Ok(None);
        };
        let names: BTreeSet<UserId> = self.colleagues().map(|user| user.id).collect();
        let view = Operation::Leads(EntityAction::View);
        let users = self.users.iter().filter(|user| user.active);
        let choices = users.map(|user| MentionableUser {
            user: Arc::clone(user),
            may_view: self
                .users
                .authorize(user.id, view, &visible.as_thing(user.id))
                .allowed,
        });
        let is_chosen = |it: &MentionableUser| it.may_view || names.contains(&it.user.id);
        Ok(Some(choices.filter(is_chosen).collect()))
    }
}
