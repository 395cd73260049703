//! The judge of a customer: it erases her conversations and their callbacks, her contacts, leads, notes and tasks, and masks her
//! names elsewhere.

mod masker;
mod names;
pub mod records;
mod subject;

use std::sync::Arc;

use serde_json::Value;

use crate::certificate::ErasedCounts;
use crate::judges::customer::masker::Masker;
use crate::judges::customer::names::Names;
use crate::judges::customer::subject::Subject;
use crate::judges::hooks::{self, HookSubject};
use crate::judges::judge::{Judge, Look, change_audit, replaced, without_answers};
use crate::judges::masks::Masks;
use crate::judges::record::{DecodeError, Reading};
use crate::judges::survey::{OwnNames, Survey, Surveys};
use crate::{CustomerTarget, Erasures};
use switchboard_domain::crm::CrmEvent;
use switchboard_domain::id::ContactId;
use switchboard_domain::kinds;
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
    /// Begins with nothing but the target.
    pub(super) fn new(target: CustomerTarget) -> Self {
        Self {
            names: Names::new(target.account),
            target,
            subject: Subject::default(),
            masks: Arc::default(),
            own_names: Arc::default(),
            counts: ErasedCounts::default(),
        }
    }

    fn settle_subject(&mut self, survey: &Survey) -> bool {
        let count = |length: usize| u64::try_from(length).unwrap_or(u64::MAX);
        let before = std::mem::replace(&mut self.subject, Subject::new(&self.target, survey));
        self.own_names = Arc::clone(&survey.own_names);
        self.counts = ErasedCounts {
            conversations: count(self.subject.conversations.len()),
            contacts: count(self.subject.contacts.len()),
            leads: count(self.subject.leads.len()),
            notes: count(self.subject.notes.len()),
            tasks: count(self.subject.tasks.len()),
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

    fn scope(&self, record: &Reading<'_>) -> Result<Verdict, DecodeError> {
        Ok(if self.subject.has_binding(record.binding()?) {
            Verdict::Erase
        } else {
            Verdict::Keep
        })
    }

    fn crm(&mut self, record: &Reading<'_>) -> Result<Verdict, DecodeError> {
        let event = record.crm()?;
        if let Some(entity) = self.subject.entity(event) {
            return replaced(record.record(), &CrmEvent::Erased(entity));
        }
        if matches!(
            event,
            CrmEvent::Audited(_)
                | CrmEvent::Source(_)
                | CrmEvent::CustomField(_)
                | CrmEvent::Pipeline(_)
        ) {
            return self.masked_audit(record);
        }
        let masker = Masker {
            masks: &self.masks,
            subject: &self.subject,
            own_names: &self.own_names,
        };
        let Some(masked_event) = masker.masked(event) else {
            return Ok(Verdict::Keep);
        };
        self.counts.masked = self.counts.masked.saturating_add(1);
        replaced(record.record(), &masked_event)
    }

    /// Masks her names in the entries of the audit log in an event of any kind.
    fn masked_audit(&mut self, record: &Reading<'_>) -> Result<Verdict, DecodeError> {
        let mut event = record.value()?.clone();
        let (masks, account) = (&self.masks, self.target.account.to_string());
        let count = change_audit(&mut event, &mut |entry| {
            // Entries of other accounts and of the installation know nothing of customers of this one.
            if entry.get("account").and_then(Value::as_str) != Some(account.as_str()) {
                return false;
            }
            let changes = entry.get_mut("changes").and_then(Value::as_array_mut);
            let fields = (changes.into_iter().flatten())
                .filter_map(Value::as_object_mut)
                .flat_map(|change| change.iter_mut());
            let values = fields.filter(|(name, _)| matches!(name.as_str(), "before" | "after"));
            values.map(|(_, value)| masks.document(value)).sum::<u64>() > 0
        });
        if count == 0 {
            return Ok(Verdict::Keep);
        }
        self.counts.masked = self.counts.masked.saturating_add(count);
        replaced(record.record(), &event)
    }
}

impl Judge for CustomerJudge {
    fn look(&mut self, look: Look, record: &Reading<'_>) -> Result<(), DecodeError> {
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

    fn verdict(&mut self, record: &Reading<'_>) -> Result<Verdict, DecodeError> {
        let stream = record.stream();
        let conversations = &self.subject.conversations;
        if let Some(id) = record.conversation() {
            if !conversations.contains(&id) {
                return Ok(Verdict::Keep);
            }
            let is_message = record.talk()?.is_message();
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
        if let Some(id) = record.team_of() {
            let is_hers = conversations.contains(&id);
            return Ok(if is_hers {
                Verdict::Erase
            } else {
                Verdict::Keep
            });
        }
        let account = self.target.account;
        let is_hers =
            |hook: HookSubject| hook.account == account && self.subject.has_object(hook.object);
        if let Some(verdict) = hooks::verdict(record, is_hers)? {
            return Ok(verdict);
        }
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
