//! The responsible user of a conversation is that of its newest lead. Users assign a conversation, take it over and give it back.

use crate::domain::account::rights::EntityAction;
use crate::domain::conversation::assign_group::OtherGroupRejection;
use crate::domain::conversation::snooze_conversation::SnoozeRejection;
use crate::domain::crm::update_lead::LeadChange;
use crate::domain::id::{ConversationId, UserId};
use crate::domain::several::{OwnersChange, Swap};
use crate::system::inbox::ConversationView;
use crate::system::user_access::{CrmRejection, UserAccess};
use switchboard_runtime::error::CommandError;

/// The rejection of a change of a conversation through its newest lead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConversationLeadRejection {
    /// There is no such conversation that the user may see.
    #[error("there is no such conversation")]
    UnknownConversation,
    /// The conversation has no lead.
    #[error(
        "the conversation has no lead, so no user is responsible for it, and there is nothing to close or to snooze; a customer's message that is not silent opens one"
    )]
    NoLead,
    /// The new responsible user is no active user of the account.
    #[error("expected the id of an active user of this account")]
    UnknownUser,
    /// There is no such group.
    #[error("expected the id of a group of this account")]
    UnknownGroup,
    /// The group is another than the caller saw.
    #[error(transparent)]
    OtherGroup(OtherGroupRejection),
    /// The time of a snooze is not one that can be chosen.
    #[error(transparent)]
    Snooze(SnoozeRejection),
    /// The lead refuses it.
    #[error(transparent)]
    Lead(CrmRejection),
}

impl UserAccess {
    /// Changes the responsible user of a conversation, its group, or both in one step.
    ///
    /// # Errors
    /// When there is no such conversation that the user may edit, it has no lead to be responsible for, an owner is another one by
    /// now, or nothing can be stored now.
    pub async fn update_responsible(
        &self,
        id: ConversationId,
        owners: OwnersChange,
    ) -> Result<ConversationView, CommandError<ConversationLeadRejection>> {
        let view = self.conversation(id).await?;
        let unknown = ConversationLeadRejection::UnknownConversation;
        let mut view = view.ok_or(CommandError::Rejected(unknown))?;
        let is_active = |user| self.users.get(user).is_some_and(|user| user.active);
        // A user who has left may stay: that is no change.
        let is_wrong = |change: Swap<UserId>| {
            change.to != change.replaces && change.to.is_some_and(|user| !is_active(user))
        };
        if owners.user.is_some_and(is_wrong) {
            return Err(CommandError::Rejected(
                ConversationLeadRejection::UnknownUser,
            ));
        }
        if let Some(group) = owners.group {
            return self.assign_group(view, owners.user, group).await;
        }
        let Some(change) = owners.user else {
            return Ok(view);
        };
        let no_lead = ConversationLeadRejection::NoLead;
        let lead = view.lead.take().ok_or(CommandError::Rejected(no_lead))?;
        let result = self
            .do_with_lead(lead.id, |lead, _| {
                self.require_right(EntityAction::Edit, lead)?;
                if lead.responsible != change.replaces {
                    return Err(CrmRejection::OtherResponsible(lead.responsible));
                }
                let change = LeadChange {
                    responsible: Some(change.to),
                    ..LeadChange::default()
                };
                Ok((EntityAction::Edit, change, false))
            })
            .await;
        // A refusal names what is stored, so that must be on disk.
        self.system.kernel().caught_up().await;
        let lead = result.map_err(|error| error.map(ConversationLeadRejection::Lead))?;
        // Who gives a lead away may not see it any more: the rest is as it was before.
        view.lead = Some(lead);
        Ok(view)
    }
}
