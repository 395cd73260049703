//! Leads, as a user sees and changes them.

use std::collections::BTreeSet;

use crate::domain::account::rights::EntityAction;
use crate::domain::account::rights::calculation::Operation;
use crate::domain::audit::By;
use crate::domain::conversation::note_lead::NoteLead;
use crate::domain::crm::assignment::AssignmentReason;
use crate::domain::crm::entity::EntityKind;
use crate::domain::crm::update_lead::{LeadChange, UpdateLead, UpdateLeadRejection};
use crate::domain::crm::{Crm, Lead};
use crate::domain::id::{ContactId, LeadId, PipelineId, StageId};
use crate::domain::keys;
use crate::domain::keys::changes::ChangeList;
use crate::domain::tables;
use crate::system::user_access::by_address::FOUND_MAX;
use crate::system::user_access::custom_fields::values_fit;
use crate::system::user_access::entity_filter::EntityFilter;
use crate::system::user_access::paging::{
    Candidates, Listed, PageOptions, PageStart, RowSource, examined_max,
};
use crate::system::user_access::tags::fit_one;
use crate::system::user_access::{CrmRejection, Reach, TRIES, UserAccess};
use switchboard_engine::runtime::ask::execute;
use switchboard_engine::runtime::joint::execute_joint;
use switchboard_runtime::error::{CommandError, UnavailableError};
use switchboard_runtime::owners::conversation::UpdateNewestLead;

/// The lead as it was, what it needs to be done, and what is to be different.
pub(super) type Planned = Result<(EntityAction, LeadChange, bool), CrmRejection>;

impl UserAccess {
    /// The CRM of the account: its pipelines are no secret to its users.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn crm(&self) -> Result<Crm, UnavailableError> {
        self.system.crm(self.caller.account).await
    }

    /// The leads that are wanted and that the user may see: by number, or the newest first when only those of one stage
    /// are wanted, unless the filter says otherwise.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn leads(
        &self,
        filter: &EntityFilter,
        start: PageStart,
        limit: usize,
    ) -> Result<Listed<Lead>, UnavailableError> {
        let examined_max = examined_max(filter);
        self.leads_within(filter, start, limit, examined_max).await
    }

    pub(super) async fn leads_within(
        &self,
        filter: &EntityFilter,
        start: PageStart,
        limit: usize,
        examined_max: usize,
    ) -> Result<Listed<Lead>, UnavailableError> {
        let account = self.caller.account;
        let reach = self.reach_of_leads();
        let (stage, stages) = (filter.stage(), filter.few_stages());
        self.system.kernel().caught_up().await;
        let first = self.leads_by_address(filter)?;
        let candidates = match (reach, stage) {
            (_, _) if !filter.ids.is_empty() => RowSource::Chosen(filter.ids.clone()),
            (_, _) if filter.contacts.len() == 1 => self.rows_of_contacts(&filter.contacts),
            (Reach::Own, _) => self.own(tables::LEADS_OF),
            (Reach::Everything | Reach::Some, None) if stages.len() > 1 => self.of_stages(&stages),
            (Reach::Everything | Reach::Some, None) => {
                RowSource::Numbers(self.system.crm(account).await?.leads)
            }
            (Reach::Everything | Reach::Some, Some((pipeline, stage))) => RowSource::Of {
                table: tables::LEADS_BY_STAGE,
                prefix: keys::stage_prefix(account, pipeline, stage),
                turned: true,
            },
        };
        let rows = if filter.is_by_change() {
            let updated_at = async |number| {
                let lead = self.system.lead(account, LeadId(number)).await?;
                Ok(lead.map(|lead| lead.updated_at))
            };
            self.by_change(candidates, ChangeList::Leads, filter.updated, updated_at)
                .await?
        } else {
            candidates
        };
        let of_stage = stage.map(|(pipeline, stage)| EntityFilter {
            order: filter.order,
            ..EntityFilter::of_stage(pipeline, stage)
        });
        let rows_suffice = filter.takes_all() || of_stage.as_ref() == Some(filter);
        let options = PageOptions {
            newest_first: filter.newest_first(stage.is_some()),
            everything: reach == Reach::Everything && rows_suffice,
            examined_max,
        };
        let candidates = Candidates {
            first: &first,
            rows: &rows,
        };
        self.paginate_from_first(candidates, options, start, limit, async |number| {
            let lead = self.system.lead(account, LeadId(number)).await?;
            match lead.filter(|lead| filter.takes_lead(lead)) {
                Some(lead)
                    if self.sees_lead(&lead)?
                        && self.finds(filter, &lead).await?
                        && (!filter.in_work || self.is_in_work(&lead).await?) =>
                {
                    Ok(Some(lead))
                }
                Some(_) | None => Ok(None),
            }
        })
        .await
    }

    /// The numbers of the leads of the contacts that the phone number or the e-mail address of a filter leads to; none when
    /// there are too many.
    fn leads_by_address(&self, filter: &EntityFilter) -> Result<BTreeSet<u64>, UnavailableError> {
        let contacts = self.contacts_by_address(filter)?;
        if contacts.is_empty() {
            return Ok(BTreeSet::new());
        }
        let contacts = contacts.into_iter().map(ContactId).collect();
        let rows = self.rows_of_contacts(&contacts);
        let numbers = self.few_numbers(&rows, FOUND_MAX)?;
        Ok(numbers.unwrap_or_default())
    }

    /// The rows of the leads of stages.
    fn of_stages(&self, stages: &[(PipelineId, StageId)]) -> RowSource {
        let account = self.caller.account;
        let prefix = |(pipeline, stage): &(_, _)| keys::stage_prefix(account, *pipeline, *stage);
        RowSource::OfEach {
            table: tables::LEADS_BY_STAGE,
            prefixes: stages.iter().map(prefix).collect(),
            turned: true,
        }
    }

    /// The rows of the leads of contacts.
    fn rows_of_contacts(&self, contacts: &BTreeSet<ContactId>) -> RowSource {
        let prefix = |contact: &ContactId| keys::contact_prefix(self.caller.account, *contact);
        RowSource::OfEach {
            table: tables::LEADS_OF_CONTACT,
            prefixes: contacts.iter().map(prefix).collect(),
            turned: false,
        }
    }

    /// Returns whether the search of a filter finds a lead: by its name, or by a contact that the user may see.
    async fn finds(&self, filter: &EntityFilter, lead: &Lead) -> Result<bool, UnavailableError> {
        let contact = match (&filter.query, lead.contact) {
            (Some(_), Some(contact)) => self.contact(contact).await?,
            (_, _) => None,
        };
        Ok(filter.finds_lead(lead, contact.as_ref()))
    }

    /// A lead that the user may see.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn lead(&self, id: LeadId) -> Result<Option<Lead>, UnavailableError> {
        match self.system.lead(self.caller.account, id).await? {
            Some(lead) if self.sees_lead(&lead)? => Ok(Some(lead)),
            Some(_) | None => Ok(None),
        }
    }

    /// Changes a lead.
    ///
    /// # Errors
    /// When there is none that the user may see, they may not change it, or nothing can be stored now.
    pub async fn update_lead(
        &self,
        id: LeadId,
        change: LeadChange,
    ) -> Result<Lead, CommandError<CrmRejection>> {
        self.tags_fit(EntityKind::Leads, &change.tags).await?;
        self.do_with_lead(id, |seen, _| {
            fit_one(&seen.tags, &change.tags)?;
            values_fit(&seen.values.with(&change.values))?;
            Ok((EntityAction::Edit, change.clone(), false))
        })
        .await
    }

    /// Changes several leads, one behind the other; none unless the user may change all of them.
    ///
    /// # Errors
    /// As [`Self::update_lead`]. When a change is not stored now, those before it are.
    pub async fn update_leads(
        &self,
        changes: Vec<(LeadId, LeadChange)>,
    ) -> Result<Vec<Lead>, CommandError<CrmRejection>> {
        for (id, change) in &changes {
            let lead = self
                .lead(*id)
                .await?
                .ok_or(CommandError::Rejected(CrmRejection::Unknown))?;
            self.require_right(EntityAction::Edit, &lead)
                .map_err(CommandError::Rejected)?;
            fit_one(&lead.tags, &change.tags).map_err(CommandError::Rejected)?;
            values_fit(&lead.values.with(&change.values)).map_err(CommandError::Rejected)?;
        }
        let mut outcomes = Vec::with_capacity(changes.len());
        for (id, change) in changes {
            outcomes.push(self.update_lead(id, change).await?);
        }
        Ok(outcomes)
    }

    /// Judges and changes the lead as it is; looks again when it is another at that moment.
    pub(super) async fn do_with_lead(
        &self,
        id: LeadId,
        plan: impl Fn(&Lead, &Crm) -> Planned,
    ) -> Result<Lead, CommandError<CrmRejection>> {
        for _ in 0..TRIES {
            let crm = self.crm().await?;
            let lead = self
                .lead(id)
                .await?
                .ok_or(CommandError::Rejected(CrmRejection::Unknown))?;
            let (action, change, with_contact) =
                plan(&lead, &crm).map_err(CommandError::Rejected)?;
            self.require_right(action, &lead)
                .map_err(CommandError::Rejected)?;
            let is_there = |(pipeline, stage)| crm.stage(pipeline, stage).is_some();
            if change.stage.is_some_and(|stage| !is_there(stage)) {
                return Err(CommandError::Rejected(CrmRejection::StageGone));
            }
            let change = UpdateLead {
                by: By::from(&self.caller),
                account: self.caller.account,
                seen: lead,
                change,
                reason: AssignmentReason::ByHand,
                noted: false,
                with_contact,
            };
            match self.store(change).await {
                Ok(changed) => return Ok(changed),
                Err(CommandError::Rejected(_seen_otherwise)) => {}
                Err(CommandError::Unavailable(unavailable)) => return Err(unavailable.into()),
            }
        }
        Err(UnavailableError::Busy.into())
    }

    /// The user has this right to a lead. A user who follows a chat gets no right to change anything.
    pub(super) fn require_right(
        &self,
        action: EntityAction,
        lead: &Lead,
    ) -> Result<(), CrmRejection> {
        let thing = Self::of_lead(lead, false);
        if self.authorize(Operation::Leads(action), &thing).allowed {
            return Ok(());
        }
        Err(CrmRejection::Denied(action))
    }

    /// Changes a lead, with what its conversation must know of it.
    async fn store(
        &self,
        mut change: UpdateLead,
    ) -> Result<Lead, CommandError<UpdateLeadRejection>> {
        let after = change.change.apply_to(&change.seen);
        let closes_talk = change.change.talk_closed.flatten().is_some();
        let noted = |lead: &Lead| (lead.is_active(), lead.responsible, lead.talk_closed);
        let noticed = closes_talk || noted(&after) != noted(&change.seen);
        let conversation = match change.seen.conversation() {
            Some(conversation) if noticed => {
                let newest = self.system.lead_of(conversation).await?;
                let is_newest = newest.is_some_and(|newest| newest.id == change.seen.id);
                is_newest.then_some(conversation)
            }
            Some(_) | None => None,
        };
        change.noted = conversation.is_some();
        let Some(conversation) = conversation else {
            let account = change.account;
            return execute(self.system.kernel(), &account, change).await;
        };
        let note = NoteLead {
            conversation,
            open: after.is_active(),
            responsible: after.responsible,
            closes_talk,
            talk_closed: after.talk_closed,
        };
        let _accepted = self.system.kernel().gate.enter()?;
        let joint = UpdateNewestLead { note, change };
        execute_joint(self.system.kernel(), &conversation, joint).await
    }
}
