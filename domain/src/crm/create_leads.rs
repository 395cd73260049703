//! Account users add leads that no chat opened: all of them or none.

use std::collections::BTreeSet;

use crate::Decision;
use crate::audit::By;
use crate::crm::audit::Author;
use crate::crm::custom_fields::value::FieldValues;
use crate::crm::entity::EntityKind;
use crate::crm::fields::Price;
use crate::crm::make_tags::{self, TagMaker, TagsRejection};
use crate::crm::submission::Submission;
use crate::crm::tag::Tag;
use crate::crm::{Crm, CrmEvent, Lead, LeadChanged};
use crate::id::{AccountId, ContactId, LeadId, PipelineId, StageId, UserId};
use crate::text::{Name, TagName};
use crate::time::UnixMillis;
use switchboard_engine::entries::Keys;
use switchboard_engine::state::{Command, Moment, Recorded};

/// Adds leads.
#[derive(Clone, Debug)]
pub struct CreateLeads {
    /// The actor, for the audit log.
    pub by: By,
    /// The account.
    pub account: AccountId,
    /// The leads.
    pub leads: Vec<NewLead>,
}

/// A lead to be added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewLead {
    /// Its name; without one, its number stands for it.
    pub name: Option<Name>,
    /// The price.
    pub price: Price,
    /// The stage, with its pipeline.
    pub stage: (PipelineId, StageId),
    /// The responsible user; `None` for no user.
    pub responsible: Option<UserId>,
    /// The person it is about.
    pub contact: Option<ContactId>,
    /// The names of its tags.
    pub tags: Vec<TagName>,
    /// The values of its custom fields.
    pub values: FieldValues,
    /// The form or the call that it comes from.
    pub submission: Option<Submission>,
}

/// The rejection of leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CreateLeadsRejection {
    /// The account has as many tags as it can have.
    #[error(transparent)]
    TooManyTags(#[from] TagsRejection),
    /// The stage of one of them was deleted since the caller looked.
    #[error("the status of a lead was deleted at the same time; choose another one")]
    StageGone,
}

impl Crm {
    /// The first stage of a pipeline that leads are worked on in.
    #[must_use]
    pub fn first_open(&self, pipeline: PipelineId) -> Option<(PipelineId, StageId)> {
        let pipeline = self.pipeline(pipeline)?;
        let stage = pipeline.open().next()?;
        Some((pipeline.id, stage.id))
    }
}

impl Command for CreateLeads {
    type Of = Crm;
    type Reply = Vec<Lead>;
    type Rejection = CreateLeadsRejection;

    fn required_keys(&self, _state: &Crm) -> Keys {
        let leads = self.leads.iter();
        leads
            .flat_map(|lead| make_tags::asked(self.account, EntityKind::Leads, &lead.tags))
            .collect()
    }

    fn decide(
        self,
        state: &Crm,
        moment: &mut Moment<'_, CrmEvent>,
    ) -> Result<Decision<CrmEvent, Vec<Lead>>, CreateLeadsRejection> {
        let mut events = Vec::new();
        let author = Author {
            by: self.by,
            account: self.account,
        };
        let records = moment.earlier;
        let leads = create(state, self.leads, &author, records, moment, &mut events)?;
        Ok(Decision::events(events, leads))
    }
}

impl NewLead {
    fn into_lead(self, id: LeadId, tags: Vec<Tag>, now: UnixMillis) -> Lead {
        let name = self.name.map(String::from);
        let (pipeline, stage) = self.stage;
        Lead {
            id,
            name: name.unwrap_or_else(|| format!("Lead #{id}")),
            price: self.price,
            pipeline,
            stage,
            responsible: self.responsible,
            contact: self.contact,
            chat: None,
            talk_closed: None,
            submission: self.submission.map(Box::new),
            sorted: None,
            merged_into: None,
            tags,
            values: self.values,
            created_at: now,
            updated_at: now,
        }
    }
}

/// The new leads, with the next numbers. The events gain what creates them and their tags, and the entries of the audit
/// log. `records` are those of the keys of their tags.
pub(super) fn create(
    state: &Crm,
    new: Vec<NewLead>,
    author: &Author,
    records: &[Option<Recorded<CrmEvent>>],
    moment: &mut Moment<'_, CrmEvent>,
    events: &mut Vec<Recorded<CrmEvent>>,
) -> Result<Vec<Lead>, CreateLeadsRejection> {
    if state.pipelines.is_empty() {
        events.push(CrmEvent::Begun(Crm::first_pipelines()).into());
    }
    let is_there = |(pipeline, stage)| state.has_place(pipeline, Some(stage));
    if !new.iter().all(|lead| is_there(lead.stage)) {
        return Err(CreateLeadsRejection::StageGone);
    }
    let mut maker = TagMaker::new(state, EntityKind::Leads, events);
    let mut remaining = records;
    let mut leads = Vec::with_capacity(new.len());
    for (number, mut one) in (state.leads.saturating_add(1)..).zip(new) {
        let names = std::mem::take(&mut one.tags);
        let (of_tags, rest) = remaining
            .split_at_checked(names.len())
            .unwrap_or((remaining, &[]));
        remaining = rest;
        let tags = maker.tags(names, of_tags)?;
        leads.push(one.into_lead(LeadId(number), tags, moment.now));
    }
    events.extend(leads.iter().map(|lead| {
        let event = LeadChanged {
            lead: lead.clone(),
            before: None,
            contact_before: None,
            by: author.by.user(),
            reason: None,
            newest: false,
            followers: BTreeSet::new(),
        };
        CrmEvent::Lead(Box::new(event)).into()
    }));
    for lead in &leads {
        events.push(author.lead(None, lead, moment).into());
    }
    Ok(leads)
}
