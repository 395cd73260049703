//! The judge of a customer: her conversations and their callbacks, her contacts, leads and notes are erased; what else names
//! her is masked.

use std::sync::Arc;

use serde_json::Value;

use crate::domain::crm::CrmEvent;
use crate::domain::crm::entity::ErasedEntity;
use crate::domain::erasures::certificate::ErasedCounts;
use crate::domain::erasures::{CustomerTarget, Erasures};
use crate::domain::id::ContactId;
use crate::domain::kinds;
use crate::domain::scope::ScopeEvent;
use crate::system::erasures::judge::{Judge, Look, change_audit, replaced, without_answers};
use crate::system::erasures::mask::Masks;
use crate::system::erasures::masker::Masker;
use crate::system::erasures::names::Names;
use crate::system::erasures::reading::{Reading, Undecodable};
use crate::system::erasures::subject::Subject;
use crate::system::erasures::survey::{OwnNames, Survey, Surveys};
use switchboard_engine::state::State as _;
use switchboard_engine::store::erasure::Verdict;

/// The judge of a customer.
#[derive(Clone, Debug)]
pub(super) struct CustomerJudge {
    target: CustomerTarget,
    names: Names,
    subject: Subject,
    masks: Arc<Masks>,
    own_names: Arc<OwnNames>,
    counts: ErasedCounts,
}

impl CustomerJudge {
    /// Of this customer.
    pub(super) fn new(target: CustomerTarget) -> Self {
        Self {
            names: Names::of(target.account),
            target,
            subject: Subject::default(),
            masks: Arc::default(),
            own_names: Arc::default(),
            counts: ErasedCounts::default(),
        }
    }

    fn settle_subject(&mut self, survey: &Survey) -> bool {
        let count = |length: usize| u64::try_from(length).unwrap_or(u64::MAX);
        let before = std::mem::replace(&mut self.subject, Subject::of(&self.target, survey));
        self.own_names = Arc::clone(&survey.own_names);
        self.counts = ErasedCounts {
            conversations: count(self.subject.conversations.len()),
            contacts: count(self.subject.contacts.len()),
            leads: count(self.subject.deals.len()),
            notes: count(self.subject.notes.len()),
            ..self.counts
        };
        before == self.subject
    }

    fn settle_masks(&mut self) -> bool {
        let masks = self.names.masks();
        let is_same = masks == *self.masks;
        self.masks = Arc::new(masks);
        is_same
    }

    fn scope(&self, record: &Reading<'_>) -> Result<Verdict, Undecodable> {
        let is_hers = match record.binding()? {
            ScopeEvent::ConversationBound { conversation, .. } => {
                self.subject.conversations.contains(conversation)
            }
            ScopeEvent::PersonBound { person, .. } => self.subject.persons.contains(person),
            ScopeEvent::Connected(_) | ScopeEvent::Disconnected => false,
        };
        Ok(if is_hers {
            Verdict::Erase
        } else {
            Verdict::Keep
        })
    }

    fn crm(&mut self, record: &Reading<'_>) -> Result<Verdict, Undecodable> {
        let subject = &self.subject;
        let number = match record.crm()? {
            CrmEvent::Deal(changed) if subject.deals.contains(&changed.deal.id) => {
                ErasedEntity::Lead(changed.deal.id)
            }
            CrmEvent::Contact(changed) if subject.contacts.contains(&changed.contact.id) => {
                ErasedEntity::Contact(changed.contact.id)
            }
            CrmEvent::Chat(linked) if subject.conversations.contains(&linked.link.conversation) => {
                ErasedEntity::Chat(linked.link.id)
            }
            CrmEvent::Note(changed) if subject.notes.contains(&changed.note.id) => {
                ErasedEntity::Note(changed.note.id)
            }
            CrmEvent::Audited(_) | CrmEvent::Source(_) => return self.masked_audit(record),
            stays @ (CrmEvent::Begun(_)
            | CrmEvent::Deal(_)
            | CrmEvent::Contact(_)
            | CrmEvent::Chat(_)
            | CrmEvent::Tag(_)
            | CrmEvent::Note(_)
            | CrmEvent::Erased(_)) => {
                let masker = Masker {
                    masks: &self.masks,
                    subject,
                    own_names: &self.own_names,
                };
                let Some(masked) = masker.masked(stays) else {
                    return Ok(Verdict::Keep);
                };
                self.counts.masked = self.counts.masked.saturating_add(1);
                return replaced(record.record(), &masked);
            }
        };
        replaced(record.record(), &CrmEvent::Erased(number))
    }

    /// The entries of the audit log in an event of any kind, without what she is known by.
    fn masked_audit(&mut self, record: &Reading<'_>) -> Result<Verdict, Undecodable> {
        let mut event = record.value()?.clone();
        let (masks, account) = (&self.masks, self.target.account.to_string());
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
        replaced(record.record(), &event)
    }
}

impl Judge for CustomerJudge {
    fn look(&mut self, look: Look, record: &Reading<'_>) -> Result<(), Undecodable> {
        match look {
            Look::First => Ok(()),
            Look::Second => self.names.look(&self.subject, record),
        }
    }

    fn settle(&mut self, look: Look, surveys: &Surveys) -> bool {
        match look {
            Look::First => {
                let survey = surveys.get(self.target.account);
                survey.is_none_or(|survey| self.settle_subject(survey))
            }
            Look::Second => self.settle_masks(),
        }
    }

    fn verdict(&mut self, record: &Reading<'_>) -> Result<Verdict, Undecodable> {
        let stream = record.stream();
        let conversations = &self.subject.conversations;
        if let Some(id) = record.conversation() {
            if !conversations.contains(&id) {
                return Ok(Verdict::Keep);
            }
            let is_message = super::tally::is_message(record.talk()?);
            let messages = self.counts.messages.saturating_add(u64::from(is_message));
            self.counts.messages = messages;
            return Ok(Verdict::Erase);
        }
        if let Some(id) = record.callback_of() {
            if !conversations.contains(&id) {
                return Ok(Verdict::Keep);
            }
            self.counts.callback_records = self.counts.callback_records.saturating_add(1);
            return Ok(Verdict::Erase);
        }
        let account = self.target.account;
        if let Some(scope) = record.scope() {
            return if scope.account() == account {
                self.scope(record)
            } else {
                Ok(Verdict::Keep)
            };
        }
        if stream.is(kinds::CRM) {
            return if record.crm_of() == Some(account) {
                self.crm(record)
            } else {
                Ok(Verdict::Keep)
            };
        }
        if stream.is(kinds::ENDPOINTS) {
            let channels = &self.subject.channels;
            return without_answers(record.record(), |channel| channels.contains(channel));
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
}
