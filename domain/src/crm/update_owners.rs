//! The CRM's part of a change of the owners of a conversation: the lead with its responsible user, and the audit log.

use crate::Decision;
use crate::audit::{AuditEntry, By};
use crate::crm::assignment::AssignmentReason;
use crate::crm::update_lead::{UpdateLead, UpdateLeadRejection};
use crate::crm::{Crm, CrmEvent, Lead};
use crate::id::{AccountId, ConversationId, GroupId};
use serde_json::Value;
use switchboard_engine::entries::Keys;
use switchboard_engine::state::{Command, Moment};

/// The owners of a conversation change.
#[derive(Clone, Debug)]
pub struct UpdateOwners {
    /// The actor, for the audit log.
    pub by: By,
    /// The account.
    pub account: AccountId,
    /// The change of the lead.
    pub update: Option<UpdateLead>,
    /// The change of the group.
    pub group: Option<GroupChanged>,
}

/// A conversation has another group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupChanged {
    /// The conversation.
    pub conversation: ConversationId,
    /// The earlier group.
    pub before: Option<GroupId>,
    /// The group from then on.
    pub after: Option<GroupId>,
}

impl Command for UpdateOwners {
    type Of = Crm;
    type Reply = Option<Lead>;
    type Rejection = UpdateLeadRejection;

    fn required_keys(&self, state: &Crm) -> Keys {
        let update = self.update.as_ref();
        update.map_or_else(Keys::default, |update| update.required_keys(state))
    }

    fn decide(
        self,
        state: &Crm,
        moment: &mut Moment<'_, CrmEvent>,
    ) -> Result<Decision<CrmEvent, Option<Lead>>, UpdateLeadRejection> {
        let (mut events, mut lead) = (Vec::new(), None);
        if let Some(update) = self.update {
            let decision = update.decide(state, moment)?;
            events.extend(decision.events);
            lead = Some(decision.reply);
        }
        if let Some(group) = self.group {
            let number = |group: Option<GroupId>| group.map(|group| group.0);
            let reason = AssignmentReason::ByHand.as_str();
            let entry = AuditEntry::new(self.by, "conversation.update", group.conversation, moment)
                .of_account(self.account)
                .change("group_id", number(group.before), number(group.after))
                .change("reason", Value::Null, reason);
            events.push(CrmEvent::Audited(Box::new(entry)).into());
        }
        Ok(Decision::events(events, lead))
    }
}
