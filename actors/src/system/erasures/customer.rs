//! The judge of a customer: her conversations and their callbacks, her contacts, leads and notes are erased; what else names
//! her is masked.

use std::sync::Arc;

use serde_json::Value;

use crate::domain::conversation::Conversation;
use crate::domain::crm::entity::ErasedEntity;
use crate::domain::crm::{Crm, CrmEvent};
use crate::domain::delivery_queue::StoredQueue;
use crate::domain::erasures::certificate::ErasedCounts;
use crate::domain::erasures::{CustomerTarget, Erasures};
use crate::domain::id::{AccountId, ContactId};
use crate::domain::kinds;
use crate::domain::scope::{Scope, ScopeEvent};
use crate::system::erasures::ErasureFailure;
use crate::system::erasures::judge::{Judge, Scan, change_audit, event, replaced, without_answers};
use crate::system::erasures::mask::{MASK, Masks};
use crate::system::erasures::names::Names;
use crate::system::erasures::subject::Subject;
use crate::system::erasures::survey::{Survey, survey};
use switchboard_engine::state::State;
use switchboard_engine::store::Record;
use switchboard_engine::store::erasure::Verdict;

/// The judge of a customer.
#[derive(Clone, Debug)]
pub(super) struct CustomerJudge {
    account: AccountId,
    basis: Arc<Basis>,
    subject: Subject,
    masks: Masks,
    counts: ErasedCounts,
}

/// What the records say that a judge is made from.
#[derive(Clone, Debug)]
struct Basis {
    target: CustomerTarget,
    survey: Survey,
    names: Names,
}

impl CustomerJudge {
    /// Of this customer, by what all records say.
    pub(super) fn of(target: &CustomerTarget, scan: Scan<'_>) -> Result<Self, ErasureFailure> {
        let survey = survey(target.account, scan)?;
        let subject = Subject::of(target, &survey);
        let mut names = Names::of(target.account);
        for record in scan() {
            names.look(&subject, &record?)?;
        }
        let basis = Basis {
            target: *target,
            survey,
            names,
        };
        Ok(Self::new(basis, subject))
    }

    fn new(basis: Basis, subject: Subject) -> Self {
        let count = |length: usize| u64::try_from(length).unwrap_or(u64::MAX);
        let counts = ErasedCounts {
            conversations: count(subject.conversations.len()),
            contacts: count(subject.contacts.len()),
            leads: count(subject.deals.len()),
            notes: count(subject.notes.len()),
            ..ErasedCounts::default()
        };
        Self {
            account: basis.target.account,
            masks: basis.names.masks(),
            basis: Arc::new(basis),
            subject,
            counts,
        }
    }

    fn scope(&self, record: &Record) -> Result<Verdict, ErasureFailure> {
        let is_hers = match event(record)? {
            ScopeEvent::ConversationBound { conversation, .. } => {
                self.subject.conversations.contains(&conversation)
            }
            ScopeEvent::PersonBound { person, .. } => self.subject.persons.contains(&person),
            ScopeEvent::Connected(_) | ScopeEvent::Disconnected => false,
        };
        Ok(if is_hers {
            Verdict::Erase
        } else {
            Verdict::Keep
        })
    }

    fn crm(&mut self, record: &Record) -> Result<Verdict, ErasureFailure> {
        let subject = &self.subject;
        let stays: CrmEvent = event(record)?;
        let number = match &stays {
            CrmEvent::Deal(changed) if subject.deals.contains(&changed.deal.id) => {
                ErasedEntity::Lead(changed.deal.id)
            }
            CrmEvent::Contact(changed) if subject.contacts.contains(&changed.contact.id) => {
                ErasedEntity::Contact(changed.contact.id)
            }
            CrmEvent::Chat(linked) if subject.conversations.contains(&linked.link.conversation) => {
                ErasedEntity::Chat(linked.link.id)
            }
            CrmEvent::Note(note) if subject.notes.contains(&note.id) => ErasedEntity::Note(note.id),
            CrmEvent::Begun(_)
            | CrmEvent::Deal(_)
            | CrmEvent::Contact(_)
            | CrmEvent::Chat(_)
            | CrmEvent::Tag(_)
            | CrmEvent::Note(_)
            | CrmEvent::Source(_)
            | CrmEvent::Audited(_)
            | CrmEvent::Erased(_) => return self.masked_crm(record, stays),
        };
        replaced(record, &CrmEvent::Erased(number))
    }

    /// A lead, a note or an entry of the audit log that stays, without what she is known by.
    fn masked_crm(&mut self, record: &Record, event: CrmEvent) -> Result<Verdict, ErasureFailure> {
        let masked = match event {
            CrmEvent::Deal(mut changed) => {
                let is_hers = |contact: &ContactId| self.subject.contacts.contains(contact);
                let name = self.masks.text(&changed.deal.name);
                let contact = changed.deal.contact.filter(|contact| !is_hers(contact));
                let before = changed.contact_before.filter(|contact| !is_hers(contact));
                let is_same = (contact, before) == (changed.deal.contact, changed.contact_before);
                if name.is_none() && is_same {
                    return Ok(Verdict::Keep);
                }
                changed.deal.name = name.unwrap_or(changed.deal.name);
                changed.deal.contact = contact;
                changed.contact_before = before;
                CrmEvent::Deal(changed)
            }
            CrmEvent::Note(mut note) => {
                let Some(text) = self.masks.text(note.text.as_str()) else {
                    return Ok(Verdict::Keep);
                };
                let Ok(text) = text.parse().or_else(|_too_long| MASK.parse()) else {
                    return Ok(Verdict::Erase);
                };
                note.text = text;
                CrmEvent::Note(note)
            }
            CrmEvent::Audited(_) | CrmEvent::Source(_) => return self.masked_audit(record),
            CrmEvent::Begun(_)
            | CrmEvent::Contact(_)
            | CrmEvent::Chat(_)
            | CrmEvent::Tag(_)
            | CrmEvent::Erased(_) => return Ok(Verdict::Keep),
        };
        self.counts.masked = self.counts.masked.saturating_add(1);
        replaced(record, &masked)
    }

    /// The entries of the audit log in an event of any kind, without what she is known by.
    fn masked_audit(&mut self, record: &Record) -> Result<Verdict, ErasureFailure> {
        let mut event: Value = event(record)?;
        let (masks, account) = (&self.masks, self.account.to_string());
        let changed = change_audit(&mut event, &mut |entry| {
            // Entries of other accounts and of the installation know nothing of customers of this one.
            if entry.get("account").and_then(Value::as_str) != Some(account.as_str()) {
                return false;
            }
            let changes = entry.get_mut("changes").and_then(Value::as_array_mut);
            let values = changes.into_iter().flatten();
            let values = values.filter_map(Value::as_object_mut);
            let values = values.flat_map(|change| change.iter_mut());
            let values = values.filter(|(name, _)| matches!(name.as_str(), "before" | "after"));
            values.map(|(_, value)| masks.document(value)).sum::<u64>() > 0
        });
        if changed == 0 {
            return Ok(Verdict::Keep);
        }
        self.counts.masked = self.counts.masked.saturating_add(changed);
        replaced(record, &event)
    }
}

impl Judge for CustomerJudge {
    fn verdict(&mut self, record: &Record) -> Result<Verdict, ErasureFailure> {
        let stream = &record.stream;
        let conversations = &self.subject.conversations;
        if let Some(id) = Conversation::id_of(stream) {
            if !conversations.contains(&id) {
                return Ok(Verdict::Keep);
            }
            let is_message = super::tally::is_message(&event(record)?);
            let messages = self.counts.messages.saturating_add(u64::from(is_message));
            self.counts.messages = messages;
            return Ok(Verdict::Erase);
        }
        if let Some(id) = StoredQueue::id_of(stream) {
            if !conversations.contains(&id) {
                return Ok(Verdict::Keep);
            }
            self.counts.callback_records = self.counts.callback_records.saturating_add(1);
            return Ok(Verdict::Erase);
        }
        if let Some(scope) = Scope::id_of(stream) {
            return if scope.account() == self.account {
                self.scope(record)
            } else {
                Ok(Verdict::Keep)
            };
        }
        if stream.is(kinds::CRM) {
            return if Crm::id_of(stream) == Some(self.account) {
                self.crm(record)
            } else {
                Ok(Verdict::Keep)
            };
        }
        if stream.is(kinds::ENDPOINTS) {
            let channels = &self.subject.channels;
            return without_answers(record, |channel| channels.contains(channel));
        }
        if Erasures::id_of(stream).is_some() {
            return Ok(Verdict::Keep);
        }
        self.masked_audit(record)
    }

    fn counts(&self) -> ErasedCounts {
        self.counts
    }

    fn contact(&self) -> Option<ContactId> {
        self.subject.contacts.first().copied()
    }

    fn copy(&self) -> Box<dyn Judge> {
        Box::new(self.clone())
    }

    fn follow(&mut self, later: Scan<'_>) -> Result<bool, ErasureFailure> {
        let basis = Arc::make_mut(&mut self.basis);
        for record in later() {
            basis.survey.look(&record?)?;
        }
        if Subject::of(&basis.target, &basis.survey) != self.subject {
            return Ok(false);
        }
        for record in later() {
            basis.names.look(&self.subject, &record?)?;
        }
        Ok(basis.names.masks() == self.masks)
    }
}
