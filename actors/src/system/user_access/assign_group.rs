//! Users assign a conversation to a group, alone or with a responsible user.

use std::sync::Arc;

use crate::domain::account::rights::EntityAction;
use crate::domain::account::rights::calculation::Operation;
use crate::domain::audit::By;
use crate::domain::conversation::assign_group::{AssignGroup, LeadOwner};
use crate::domain::crm::Lead;
use crate::domain::crm::assignment::AssignmentReason;
use crate::domain::crm::update_lead::{LeadChange, UpdateLead};
use crate::domain::crm::update_owners::UpdateOwners;
use crate::domain::drafts::delete_sent::DeleteSentDraft;
use crate::domain::id::{ConversationId, GroupId, UserId};
use crate::domain::several::Swap;
use crate::system::inbox::ConversationView;
use crate::system::user_access::conversations::thing;
use crate::system::user_access::{ConversationLeadRejection, CrmRejection, TRIES, UserAccess};
use switchboard_engine::runtime::joint::execute_joint;
use switchboard_runtime::error::{CommandError, UnavailableError};
use switchboard_runtime::owners::assign_owners::{AlongWithOwners, AssignOwners, OwnersRejection};

impl UserAccess {
    /// Assigns a conversation that the user may see to a group, and to a user if one is named.
    pub(super) async fn assign_group(
        &self,
        mut view: ConversationView,
        user: Option<Swap<UserId>>,
        group: Swap<GroupId>,
    ) -> Result<ConversationView, CommandError<ConversationLeadRejection>> {
        let groups = self.users.groups();
        if group.to.is_some_and(|id| !groups.contains_key(&id)) {
            let unknown = ConversationLeadRejection::UnknownGroup;
            return Err(CommandError::Rejected(unknown));
        }
        let (kernel, conversation) = (self.system.kernel(), view.state.id);
        let _accepted = kernel.gate.enter()?;
        for _ in 0..TRIES {
            let lead = self.system.lead_of(conversation).await?;
            let update = self
                .owner_update(lead, user)
                .map_err(CommandError::Rejected)?;
            let command = AssignGroup {
                by: self.caller.user,
                client: self.caller.client.clone(),
                group,
                users: Arc::clone(&self.users),
                lead: update.as_ref().map(|update| LeadOwner {
                    open: update.seen.is_active(),
                    responsible: update.change.responsible.flatten(),
                }),
            };
            let along = self.along(conversation, update, None);
            let result =
                execute_joint(kernel, &conversation, AssignOwners { command, along }).await;
            // A refusal names what is stored, so that must be on disk.
            kernel.caught_up().await;
            match result {
                Ok((_outcome, changed)) => {
                    view.state.group = group.to;
                    view.lead = changed.or(view.lead);
                    return Ok(view);
                }
                Err(CommandError::Rejected(OwnersRejection::Lead(_seen_otherwise))) => {}
                Err(CommandError::Rejected(OwnersRejection::Conversation(other))) => {
                    let rejection = ConversationLeadRejection::OtherGroup(other);
                    return Err(CommandError::Rejected(rejection));
                }
                Err(CommandError::Unavailable(unavailable)) => return Err(unavailable.into()),
            }
        }
        Err(UnavailableError::Busy.into())
    }

    /// The change of the lead that another responsible user is; `None` when that stays. The user must have the right to edit the
    /// lead in any case.
    fn owner_update(
        &self,
        lead: Option<Lead>,
        user: Option<Swap<UserId>>,
    ) -> Result<Option<UpdateLead>, ConversationLeadRejection> {
        let edit = EntityAction::Edit;
        let thing = thing(lead.as_ref(), false);
        if !self.authorize(Operation::Leads(edit), &thing).allowed {
            return Err(ConversationLeadRejection::Lead(CrmRejection::Denied(edit)));
        }
        let Some(swap) = user else {
            return Ok(None);
        };
        let lead = lead.ok_or(ConversationLeadRejection::NoLead)?;
        if lead.responsible != swap.replaces {
            let other = CrmRejection::OtherResponsible(lead.responsible);
            return Err(ConversationLeadRejection::Lead(other));
        }
        let is_other = swap.to != swap.replaces;
        Ok(is_other.then(|| self.assignment(lead, swap.to, AssignmentReason::ByHand)))
    }

    /// The change that makes a user responsible for the newest lead of a conversation.
    pub(super) fn assignment(
        &self,
        seen: Lead,
        user: Option<UserId>,
        reason: AssignmentReason,
    ) -> UpdateLead {
        UpdateLead {
            by: By::from(&self.caller),
            account: self.caller.account,
            seen,
            change: LeadChange {
                responsible: Some(user),
                ..LeadChange::default()
            },
            reason,
            noted: true,
            with_contact: false,
        }
    }

    /// The changes that are stored with one of a conversation: it changes its lead, its group or both.
    pub(super) fn along(
        &self,
        conversation: ConversationId,
        update: Option<UpdateLead>,
        draft: Option<DeleteSentDraft>,
    ) -> AlongWithOwners {
        let owners = UpdateOwners {
            by: By::from(&self.caller),
            account: self.caller.account,
            update,
            group: None,
        };
        AlongWithOwners {
            conversation,
            owners,
            draft,
        }
    }
}
