//! The reasons why a user may do something, or may not.

use crate::domain::account::rights::calculation::{AccessDecision, Operation};
use crate::domain::account::users::rule::Resource;
use crate::domain::id::{ContactId, ConversationId, LeadId, UserId};
use crate::system::user_access::UserAccess;
use switchboard_runtime::error::UnavailableError;

/// With what something is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessQuestion {
    /// With an object without a responsible user, or one that does not exist yet.
    Nothing,
    /// With a lead.
    Lead(LeadId),
    /// With a contact.
    Contact(ContactId),
    /// With a conversation, which is judged as its newest lead.
    Conversation(ConversationId),
}

impl UserAccess {
    /// Rules on what `user` wants to do, with the steps that lead there; `None` when the asking user may not see what it
    /// is about.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn explain(
        &self,
        user: UserId,
        operation: Operation,
        question: AccessQuestion,
    ) -> Result<Option<AccessDecision>, UnavailableError> {
        let thing = match question {
            AccessQuestion::Nothing => Some(Resource::UNOWNED),
            AccessQuestion::Lead(id) => match self.lead(id).await? {
                Some(lead) => Some(Self::of_lead(&lead, self.follows(user, id)?)),
                None => None,
            },
            AccessQuestion::Contact(id) => {
                let contact = self.contact(id).await?;
                contact.map(|contact| Self::of_contact(&contact))
            }
            AccessQuestion::Conversation(id) => {
                let visible = self.seen(id).await?;
                visible.map(|visible| visible.as_thing(user))
            }
        };
        Ok(thing.map(|thing| self.users.authorize(user, operation, &thing)))
    }
}
