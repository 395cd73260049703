//! Account users link leads with their contacts, or unlink them: all of them or none.
//!
//! The caller has read leads and contacts, and was authorized for those versions of them. If one has changed since, the
//! command does nothing, and the caller reads them again.

use std::collections::BTreeSet;

use smallvec::{SmallVec, smallvec};

use crate::audit::By;
use crate::crm::audit::Author;
use crate::crm::update_lead::{UpdateLeadRejection, contact, lead};
use crate::crm::{Contact, Crm, CrmEvent, Lead, LeadChanged};
use crate::id::{AccountId, ContactId};
use crate::time::UnixMillis;
use crate::{Decision, keys};
use switchboard_engine::entries::{Key, Keys};
use switchboard_engine::state::{Command, Moment, Recorded};

/// Links leads with contacts.
#[derive(Clone, Debug)]
pub struct CreateLinks(pub LinkedPairs);

/// Unlinks leads from contacts.
#[derive(Clone, Debug)]
pub struct DeleteLinks(pub LinkedPairs);

/// Leads with contacts.
#[derive(Clone, Debug)]
pub struct LinkedPairs {
    /// The actor, for the audit log.
    pub by: By,
    /// The account.
    pub account: AccountId,
    /// The leads with their contacts; no lead twice.
    pub pairs: Vec<LinkedPair>,
}

/// A lead and a contact.
#[derive(Clone, Debug)]
pub struct LinkedPair {
    /// The lead as it was seen.
    pub lead: Lead,
    /// The contact as it was seen.
    pub contact: Contact,
}

impl LinkedPair {
    fn required_keys(&self, account: AccountId) -> SmallVec<[Key; 3]> {
        let mut keys = smallvec![
            keys::lead(account, self.lead.id),
            keys::contact(account, self.contact.id),
        ];
        keys.extend(self.lead.conversation().map(keys::lead_of));
        keys
    }

    /// The contact of the lead without a link to this one.
    fn other_contact(&self) -> Option<ContactId> {
        self.lead
            .contact
            .filter(|current| *current != self.contact.id)
    }

    /// The change of the lead, which has the contact `after` then; `None` when it has that already.
    fn change(
        &self,
        after: Option<ContactId>,
        records: &[Option<Recorded<CrmEvent>>],
        now: UnixMillis,
    ) -> Result<Option<LeadChanged>, UpdateLeadRejection> {
        let record = |index: usize| records.get(index).and_then(Option::as_ref);
        let current = lead(record(0))
            .filter(|current| **current == self.lead)
            .ok_or(UpdateLeadRejection)?;
        if contact(record(1)) != Some(&self.contact) {
            return Err(UpdateLeadRejection);
        }
        if after == current.contact {
            return Ok(None);
        }
        let newest = lead(record(2)).is_some_and(|newest| newest.id == current.id);
        Ok(Some(LeadChanged {
            lead: Lead {
                contact: after,
                updated_at: now,
                ..current.clone()
            },
            before: Some(current.place()),
            contact_before: current.contact,
            by: None,
            reason: None,
            newest,
            followers: BTreeSet::new(),
        }))
    }
}

impl LinkedPairs {
    fn required_keys(&self) -> Keys {
        let pairs = self.pairs.iter();
        pairs
            .flat_map(|pair| pair.required_keys(self.account))
            .collect()
    }

    /// Gives each lead the contact that `after` returns.
    fn decide(
        self,
        after: impl Fn(&LinkedPair) -> Option<ContactId>,
        moment: &mut Moment<'_, CrmEvent>,
    ) -> Result<Decision<CrmEvent, ()>, UpdateLeadRejection> {
        let author = Author {
            by: self.by,
            account: self.account,
        };
        let mut events = Vec::new();
        let mut remaining = moment.earlier;
        for pair in &self.pairs {
            let count = pair.required_keys(self.account).len();
            let (records, rest) = remaining
                .split_at_checked(count)
                .ok_or(UpdateLeadRejection)?;
            remaining = rest;
            if let Some(mut changed) = pair.change(after(pair), records, moment.now)? {
                changed.by = author.by.user();
                let entry = author.lead(Some(&pair.lead), &changed.lead, moment);
                events.push(CrmEvent::Lead(Box::new(changed)).into());
                events.push(entry.into());
            }
        }
        Ok(Decision::events(events, ()))
    }
}

impl Command for CreateLinks {
    type Of = Crm;
    type Reply = ();
    type Rejection = UpdateLeadRejection;

    fn required_keys(&self, _state: &Crm) -> Keys {
        self.0.required_keys()
    }

    fn decide(
        self,
        _state: &Crm,
        moment: &mut Moment<'_, CrmEvent>,
    ) -> Result<Decision<CrmEvent, ()>, UpdateLeadRejection> {
        self.0.decide(|pair| Some(pair.contact.id), moment)
    }
}

impl Command for DeleteLinks {
    type Of = Crm;
    type Reply = ();
    type Rejection = UpdateLeadRejection;

    fn required_keys(&self, _state: &Crm) -> Keys {
        self.0.required_keys()
    }

    fn decide(
        self,
        _state: &Crm,
        moment: &mut Moment<'_, CrmEvent>,
    ) -> Result<Decision<CrmEvent, ()>, UpdateLeadRejection> {
        self.0.decide(LinkedPair::other_contact, moment)
    }
}
