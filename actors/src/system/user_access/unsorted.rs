//! Unsorted leads: a user lists, accepts and declines them.

use std::collections::BTreeSet;

use crate::domain::account::rights::EntityAction;
use crate::domain::crm::update_lead::LeadChange;
use crate::domain::crm::{Crm, LOST, Lead};
use crate::domain::id::{ConversationId, LeadId, PipelineId, StageId, UserId};
use crate::system::inbox::{ConversationView, MessageView};
use crate::system::user_access::entity_filter::{EntityFilter, ListOrder, OrderKey};
use crate::system::user_access::paging::{EXAMINED_MAX, Listed, PageStart};
use crate::system::user_access::{CrmRejection, UserAccess};
use switchboard_runtime::error::{CommandError, UnavailableError};

/// A conversation whose customer waits until a user accepts the lead.
#[derive(Clone, Debug)]
pub struct WaitingConversation {
    /// The conversation.
    pub view: ConversationView,
    /// The newest message that the customer wrote, if one is among the newest ones.
    pub last_of_customer: Option<MessageView>,
}

impl UserAccess {
    /// The leads in the unsorted stages of all pipelines, of those that the filter takes; the newest first unless it says
    /// otherwise.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn unsorted(
        &self,
        filter: &EntityFilter,
        start: PageStart,
        limit: usize,
    ) -> Result<Listed<Lead>, UnavailableError> {
        self.unsorted_within(filter, start, limit, EXAMINED_MAX)
            .await
    }

    /// As [`Self::unsorted`], with so many looks at most.
    pub(super) async fn unsorted_within(
        &self,
        filter: &EntityFilter,
        start: PageStart,
        limit: usize,
        examined_max: usize,
    ) -> Result<Listed<Lead>, UnavailableError> {
        let crm = self.crm().await?;
        let unsorted = crm.pipelines.iter().filter_map(|pipeline| {
            let stage = pipeline.unsorted()?.id;
            let is_wanted = filter.takes_stage(pipeline.id, stage);
            is_wanted.then_some((pipeline.id, Some(stage)))
        });
        let stages: BTreeSet<_> = unsorted.collect();
        if stages.is_empty() {
            return Ok(Listed::default());
        }
        let newest_first = ListOrder {
            key: OrderKey::Number,
            descending: true,
        };
        let filter = EntityFilter {
            stages,
            order: filter.order.or(Some(newest_first)),
            ..filter.clone()
        };
        self.leads_within(&filter, start, limit, examined_max).await
    }

    /// A lead in an unsorted stage that the user may see.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn unsorted_lead(&self, id: LeadId) -> Result<Option<Lead>, UnavailableError> {
        let crm = self.crm().await?;
        let lead = self.lead(id).await?;
        Ok(lead.filter(|lead| unsorted(lead, &crm).is_ok()))
    }

    /// A conversation that the user may see, with the newest message that its customer wrote.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn waiting_conversation(
        &self,
        id: ConversationId,
    ) -> Result<Option<WaitingConversation>, UnavailableError> {
        let Some(view) = self.conversation(id).await? else {
            return Ok(None);
        };
        let last_of_customer = self.system.last_of_customer(&view.state)?;
        Ok(Some(WaitingConversation {
            view,
            last_of_customer,
        }))
    }

    /// Takes a lead out of the unsorted stage: into another stage, with a user who answers for it and for its contact.
    ///
    /// # Errors
    /// As [`Self::update_lead`], and when the lead is not unsorted any more.
    pub async fn accept_unsorted(
        &self,
        id: LeadId,
        stage: Option<(PipelineId, StageId)>,
        responsible: Option<UserId>,
    ) -> Result<Lead, CommandError<CrmRejection>> {
        let responsible = responsible.unwrap_or(self.caller.user);
        self.do_with_lead(id, |lead, crm| {
            let stage = stage.or_else(|| crm.first_open(lead.pipeline));
            let change = LeadChange {
                stage,
                responsible: Some(Some(responsible)),
                ..LeadChange::default()
            };
            unsorted(lead, crm).map(|()| (EntityAction::Edit, change, true))
        })
        .await
    }

    /// Declines an unsorted lead: it is lost, and the next loud message opens another.
    ///
    /// # Errors
    /// When there is none that the user may see, they may not take it away, it is not unsorted any more, or nothing can
    /// be stored now.
    pub async fn decline_unsorted(&self, id: LeadId) -> Result<Lead, CommandError<CrmRejection>> {
        self.do_with_lead(id, |lead, crm| {
            let change = LeadChange {
                stage: Some((lead.pipeline, LOST)),
                ..LeadChange::default()
            };
            unsorted(lead, crm).map(|()| (EntityAction::Delete, change, false))
        })
        .await
    }
}

pub(super) fn unsorted(lead: &Lead, crm: &Crm) -> Result<(), CrmRejection> {
    if crm.is_unsorted(lead.pipeline, lead.stage) {
        Ok(())
    } else {
        Err(CrmRejection::NotUnsorted)
    }
}
