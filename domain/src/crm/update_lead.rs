//! Account users change a lead.
//!
//! The caller has read the lead and was authorized for that version of it. If the lead has changed since, the command
//! changes nothing, and the caller reads the lead again. So a right is never exercised on a lead that it does not
//! cover.

use smallvec::smallvec;

use crate::audit::By;
use crate::crm::assignment::AssignmentReason;
use crate::crm::audit::Author;
use crate::crm::custom_fields::value::FieldValuesChange;
use crate::crm::entity::EntityKind;
use crate::crm::fields::Price;
use crate::crm::make_tags;
use crate::crm::sorted::Sorted;
use crate::crm::tag::TagsChange;
use crate::crm::{Contact, ContactChanged, Crm, CrmEvent, Lead, LeadChanged};
use crate::id::{AccountId, PipelineId, StageId, UserId};
use crate::time::UnixMillis;
use crate::{Decision, keys};
use switchboard_engine::entries::Keys;
use switchboard_engine::state::{Command, Moment, Recorded};

/// The changes of a lead; a field that is `None` stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeadChange {
    /// Its name.
    pub name: Option<String>,
    /// The price.
    pub price: Option<Price>,
    /// The stage, with its pipeline.
    pub stage: Option<(PipelineId, StageId)>,
    /// The responsible user; `Some(None)`: no user.
    pub responsible: Option<Option<UserId>>,
    /// A user closes the talk, whose newest message has this number, or undoes that.
    pub talk_closed: Option<Option<u64>>,
    /// The changes of the tags.
    pub tags: TagsChange,
    /// The changes of the values of custom fields.
    pub values: FieldValuesChange,
}

impl LeadChange {
    /// The lead with this change.
    #[must_use]
    pub fn apply_to(&self, lead: &Lead) -> Lead {
        let (pipeline, stage) = self.stage.unwrap_or((lead.pipeline, lead.stage));
        Lead {
            name: self.name.clone().unwrap_or_else(|| lead.name.clone()),
            price: self.price.unwrap_or(lead.price),
            pipeline,
            stage,
            responsible: self.responsible.unwrap_or(lead.responsible),
            talk_closed: self.talk_closed.unwrap_or(lead.talk_closed),
            values: lead.values.with(&self.values),
            ..lead.clone()
        }
    }
}

/// Changes a lead.
#[derive(Clone, Debug)]
pub struct UpdateLead {
    /// The actor, for the audit log.
    pub by: By,
    /// The account.
    pub account: AccountId,
    /// The lead as it was seen.
    pub seen: Lead,
    /// The changes.
    pub change: LeadChange,
    /// The reason of another responsible user.
    pub reason: AssignmentReason,
    /// True when the conversation records the change in the same group: then the lead must be its newest.
    pub noted: bool,
    /// True when a contact without a responsible user gets that of the lead.
    pub with_contact: bool,
}

/// The rejection of a change of an entry that has changed since the caller read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the lead was changed by another request at the same time; read it again")]
pub struct UpdateLeadRejection;

impl Command for UpdateLead {
    type Of = Crm;
    type Reply = Lead;
    type Rejection = UpdateLeadRejection;

    fn required_keys(&self, _state: &Crm) -> Keys {
        let mut required = smallvec![keys::lead(self.account, self.seen.id)];
        required.extend(self.seen.conversation().map(keys::lead_of));
        let contact = self.seen.contact;
        required.extend(contact.map(|contact| keys::contact(self.account, contact)));
        let tags = self.change.tags.names(&self.seen.tags).unwrap_or_default();
        required.extend(make_tags::asked(self.account, EntityKind::Leads, &tags));
        required
    }

    fn decide(
        self,
        state: &Crm,
        moment: &mut Moment<'_, CrmEvent>,
    ) -> Result<Decision<CrmEvent, Lead>, UpdateLeadRejection> {
        let current = lead(moment.earlier(0)).ok_or(UpdateLeadRejection)?;
        let of_chat = moment
            .earlier
            .iter()
            .skip(1)
            .find_map(|record| lead(record.as_ref()));
        let newest = of_chat.is_some_and(|newest| newest.id == current.id);
        if *current != self.seen || (self.noted && !newest) {
            return Err(UpdateLeadRejection);
        }
        let mut lead = self.change.apply_to(current);
        // A stage can be deleted between the look at it and this moment.
        if state.stage(lead.pipeline, lead.stage).is_none() {
            return Err(UpdateLeadRejection);
        }
        if lead.values != current.values {
            lead.values
                .retain_fields(&state.custom_fields, EntityKind::Leads);
        }
        let mut events = Vec::new();
        if let Some(names) = self.change.tags.names(&current.tags) {
            let tags =
                make_tags::of_change(state, EntityKind::Leads, names, moment.earlier, &mut events);
            lead.tags = tags.map_err(|_too_many| UpdateLeadRejection)?;
        }
        lead.sorted = Sorted::by_change(state, current, &lead, moment.now).or(current.sorted);
        let is_other = lead != *current;
        let reason = (lead.responsible != current.responsible).then_some(self.reason);
        if is_other || self.noted {
            lead.updated_at = moment.now;
            let event = LeadChanged {
                lead: lead.clone(),
                before: Some(current.place()),
                contact_before: None,
                by: self.by.user(),
                reason,
                newest,
                followers: std::collections::BTreeSet::new(),
            };
            events.push(CrmEvent::Lead(Box::new(event)).into());
        }
        let author = Author {
            by: self.by,
            account: self.account,
        };
        if is_other {
            events.push(author.changed_lead(current, &lead, reason, moment).into());
        }
        let earlier = moment
            .earlier
            .iter()
            .find_map(|record| contact(record.as_ref()))
            .filter(|_| self.with_contact);
        if let Some((earlier, contact)) =
            earlier.and_then(|earlier| Some((earlier, taken_over(earlier, &lead, moment.now)?)))
        {
            let event = ContactChanged::new(contact.clone(), Some(earlier)).with_actor(&author.by);
            events.push(CrmEvent::Contact(Box::new(event)).into());
            events.push(author.contact(Some(earlier), &contact, moment).into());
        }
        Ok(Decision::events(events, lead))
    }
}

/// The contact, with the lead's responsible user.
fn taken_over(known: &Contact, lead: &Lead, now: UnixMillis) -> Option<Contact> {
    if known.responsible.is_some() || lead.responsible.is_none() {
        return None;
    }
    Some(Contact {
        responsible: lead.responsible,
        updated_at: now,
        ..known.clone()
    })
}

pub(super) fn lead(record: Option<&Recorded<CrmEvent>>) -> Option<&Lead> {
    match &record?.event {
        CrmEvent::Lead(changed) => Some(&changed.lead),
        CrmEvent::Begun(_)
        | CrmEvent::Contact(_)
        | CrmEvent::Chat(_)
        | CrmEvent::Tag(_)
        | CrmEvent::Note(_)
        | CrmEvent::Task(_)
        | CrmEvent::Source(_)
        | CrmEvent::CustomField(_)
        | CrmEvent::Pipeline(_)
        | CrmEvent::Audited(_)
        | CrmEvent::Erased(_) => None,
    }
}

pub(super) fn contact(record: Option<&Recorded<CrmEvent>>) -> Option<&Contact> {
    match &record?.event {
        CrmEvent::Contact(changed) => Some(&changed.contact),
        CrmEvent::Begun(_)
        | CrmEvent::Lead(_)
        | CrmEvent::Chat(_)
        | CrmEvent::Tag(_)
        | CrmEvent::Note(_)
        | CrmEvent::Task(_)
        | CrmEvent::Source(_)
        | CrmEvent::CustomField(_)
        | CrmEvent::Pipeline(_)
        | CrmEvent::Audited(_)
        | CrmEvent::Erased(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crm::fields_of_users::FieldsOfUsers;
    use crate::crm::tests::{OPEN, lead};
    use crate::id::ContactId;
    use switchboard_engine::state::State as _;

    fn contact(responsible: Option<UserId>) -> Contact {
        Contact {
            values: crate::crm::custom_fields::value::FieldValues::default(),
            id: ContactId(1),
            name: "Grace".parse().unwrap(),
            phones: None.into(),
            emails: None.into(),
            of_users: FieldsOfUsers::default(),
            responsible,
            person: None,
            tags: Vec::new(),
            created_at: UnixMillis::new(1),
            updated_at: UnixMillis::new(1),
        }
    }

    /// Webhooks have nothing but the record.
    #[test]
    fn a_record_names_its_user_and_the_talk_before() {
        let account = AccountId::from_random([1; 16]);
        let crm = Crm {
            pipelines: Crm::first_pipelines(),
            ..Crm::initial(&account)
        };
        let seen = lead(StageId(2));
        let creation = LeadChanged {
            lead: seen.clone(),
            before: None,
            contact_before: None,
            by: None,
            reason: None,
            newest: true,
            followers: std::collections::BTreeSet::new(),
        };
        let record = Some(Recorded::from(CrmEvent::Lead(Box::new(creation))));
        let earlier = [record.clone(), record];
        let mut moment = Moment {
            now: UnixMillis::new(9),
            random: &mut || [9; 16],
            earlier: &earlier,
        };
        let update = UpdateLead {
            by: By::User {
                account,
                user: UserId(5),
                name: "Ada".parse().unwrap(),
                client: None,
            },
            account,
            seen,
            change: LeadChange {
                talk_closed: Some(Some(3)),
                ..LeadChange::default()
            },
            reason: AssignmentReason::ByHand,
            noted: false,
            with_contact: false,
        };
        let decision = update.decide(&crm, &mut moment).unwrap();
        let event = &decision.events.first().unwrap().event;
        let CrmEvent::Lead(changed) = event else {
            panic!("{event:?}");
        };
        assert_eq!(changed.by, Some(UserId(5)));
        let before = changed.before.unwrap();
        assert_eq!(
            (before.talk_closed, changed.lead.talk_closed),
            (None, Some(3))
        );
    }

    #[test]
    fn a_contact_without_a_user_gets_that_of_its_lead() {
        let (lead, now) = (lead(OPEN), UnixMillis::new(9));
        let contact = taken_over(&contact(None), &lead, now).unwrap();
        assert_eq!(contact.responsible, lead.responsible);
        assert_eq!(contact.updated_at, now);
    }

    #[test]
    fn a_contact_keeps_its_user_and_gets_none_from_a_free_lead() {
        let now = UnixMillis::new(9);
        assert_eq!(
            taken_over(&contact(Some(UserId(5))), &lead(OPEN), now),
            None
        );
        let free = Lead {
            responsible: None,
            ..lead(OPEN)
        };
        assert_eq!(taken_over(&contact(None), &free, now), None);
    }
}
