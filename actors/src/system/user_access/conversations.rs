//! Conversations, as a user sees them.

mod search;

pub(crate) use self::search::SEARCHES_MAX;
pub use self::search::{
    ConversationFilter, ConversationPage, FoundConversation, SearchBudget, Searched,
};

use crate::domain::account::rights::EntityAction;
use crate::domain::account::rights::calculation::Operation;
use crate::domain::account::users::rule::Resource;
use crate::domain::conversation::Conversation;
use crate::domain::crm::Lead;
use crate::domain::id::{ConversationId, UserId};
use crate::system::inbox::ConversationView;
use crate::system::user_access::UserAccess;
use switchboard_runtime::error::UnavailableError;

/// A conversation that the user may see.
pub(super) struct VisibleConversation {
    /// The state of the conversation.
    pub(super) state: Conversation,
    /// Its newest lead.
    pub(super) lead: Option<Lead>,
}

impl VisibleConversation {
    /// The resource that rules judge when `user` wants to see something of the conversation.
    pub(super) fn as_thing(&self, user: UserId) -> Resource {
        thing(self.lead.as_ref(), self.state.followers.contains(&user))
    }
}

impl UserAccess {
    /// A conversation that the user may see.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn conversation(
        &self,
        id: ConversationId,
    ) -> Result<Option<ConversationView>, UnavailableError> {
        // Most of what may not be seen is found out without reading the conversation itself.
        let lead = self.system.lead_of(id).await?;
        let surely = match &lead {
            Some(lead) if !self.sees_lead(lead)? => return Ok(None),
            Some(_) => true,
            None => false,
        };
        let view = self.system.conversation(self.caller.account, id).await?;
        let Some(mut view) = view else {
            return Ok(None);
        };
        view.state.group = view.state.group_among(&self.users);
        if surely && view.lead == lead {
            return Ok(Some(view));
        }
        let follows = view.state.followers.contains(&self.caller.user);
        let thing = thing(view.lead.as_ref(), follows);
        let is_visible = self
            .authorize(Operation::Leads(EntityAction::View), &thing)
            .allowed;
        Ok(Some(view).filter(|_| is_visible))
    }

    /// Returns whether there is such a conversation that the user may see.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn sees(&self, id: ConversationId) -> Result<bool, UnavailableError> {
        Ok(self.seen(id).await?.is_some())
    }

    /// A conversation that the user may see, and no more of it than it takes to judge what they want there.
    pub(super) async fn seen(
        &self,
        id: ConversationId,
    ) -> Result<Option<VisibleConversation>, UnavailableError> {
        let lead = self.system.lead_of(id).await?;
        if let Some(lead) = &lead
            && !self.sees_lead(lead)?
        {
            return Ok(None);
        }
        let account = self.caller.account;
        let state = self.system.conversation_state(account, id).await?;
        let visible = state.map(|state| VisibleConversation { state, lead });
        Ok(visible.filter(|visible| {
            let thing = visible.as_thing(self.caller.user);
            visible.lead.is_some()
                || self
                    .authorize(Operation::Leads(EntityAction::View), &thing)
                    .allowed
        }))
    }
}

pub(super) fn thing(lead: Option<&Lead>, subscriber: bool) -> Resource {
    match lead {
        Some(lead) => UserAccess::of_lead(lead, subscriber),
        None => Resource {
            subscriber,
            ..Resource::UNOWNED
        },
    }
}
