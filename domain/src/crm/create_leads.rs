//! Account users add leads that no chat opened: all of them or none.

use std::collections::BTreeSet;

use crate::Decision;
use crate::audit::By;
use crate::crm::audit::Author;
use crate::crm::custom_fields::value::FieldValues;
use crate::crm::entity::EntityKind;
use crate::crm::fields::Price;
use crate::crm::make_tags::{self, TagMaker, TagsRejection};
use crate::crm::{Crm, CrmEvent, Lead, LeadChanged};
use crate::id::{AccountId, ContactId, LeadId, PipelineId, StageId, UserId};
use crate::text::{Name, TagName};
use switchboard_engine::entries::Keys;
use switchboard_engine::state::{Command, Moment};

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
        if state.pipelines.is_empty() {
            events.push(CrmEvent::Begun(Crm::first_pipelines()).into());
        }
        let is_there = |(pipeline, stage)| state.has_place(pipeline, Some(stage));
        if !self.leads.iter().all(|lead| is_there(lead.stage)) {
            return Err(CreateLeadsRejection::StageGone);
        }
        let mut maker = TagMaker::new(state, EntityKind::Leads, &mut events);
        let mut remaining = moment.earlier;
        let mut leads = Vec::with_capacity(self.leads.len());
        for (number, new) in (state.leads.saturating_add(1)..).zip(self.leads) {
            let (of_tags, rest) = remaining
                .split_at_checked(new.tags.len())
                .unwrap_or((remaining, &[]));
            remaining = rest;
            let name = new.name.map(String::from);
            leads.push(Lead {
                id: LeadId(number),
                name: name.unwrap_or_else(|| format!("Lead #{number}")),
                price: new.price,
                pipeline: new.stage.0,
                stage: new.stage.1,
                responsible: new.responsible,
                contact: new.contact,
                chat: None,
                talk_closed: None,
                tags: maker.tags(new.tags, of_tags)?,
                values: new.values,
                created_at: moment.now,
                updated_at: moment.now,
            });
        }
        events.extend(leads.iter().map(|lead| {
            let event = LeadChanged {
                lead: lead.clone(),
                before: None,
                contact_before: None,
                newest: false,
                followers: BTreeSet::new(),
            };
            CrmEvent::Lead(Box::new(event)).into()
        }));
        let author = Author {
            by: self.by,
            account: self.account,
        };
        for lead in &leads {
            events.push(author.lead(None, lead, moment).into());
        }
        Ok(Decision::events(events, leads))
    }
}
