//! The records about one customer, each as a line of an export: those that an erasure of the customer would erase.

use serde_json::{Map, Value, json};

use crate::CustomerTarget;
use crate::judges::customer::subject::Subject;
use crate::judges::record::{DecodeError, Reading};
use crate::judges::survey::Survey;
use switchboard_domain::crm::entity::ErasedEntity;
use switchboard_engine::store::Record;

/// The survey of a customer's account: it passes over all records before the first line.
pub struct CustomerSurvey {
    customer: CustomerTarget,
    survey: Survey,
}

impl CustomerSurvey {
    /// Begins the survey.
    #[must_use]
    pub fn new(customer: CustomerTarget) -> Self {
        let survey = Survey::new(customer.account);
        Self { customer, survey }
    }

    /// Takes in a record.
    ///
    /// # Errors
    /// When this version cannot decode it.
    pub fn look(&mut self, record: &Record) -> Result<(), DecodeError> {
        self.survey.look(&Reading::new(record))
    }

    /// Ends the survey: the lines of records can be written.
    #[must_use]
    pub fn into_records(self) -> CustomerRecords {
        let subject = Subject::new(&self.customer, &self.survey);
        let customer = self.customer;
        CustomerRecords { customer, subject }
    }
}

/// The records about one customer.
pub struct CustomerRecords {
    customer: CustomerTarget,
    subject: Subject,
}

impl CustomerRecords {
    /// The first line: the ids of the customer's entities.
    #[must_use]
    pub fn head(&self) -> Value {
        json!({
            "kind": "customer",
            "account_id": self.customer.account,
            "contact_ids": self.subject.contacts,
            "person_ids": self.subject.persons,
            "conversation_ids": self.subject.conversations,
            "lead_ids": self.subject.leads,
        })
    }

    /// The line of a record; `None` when the record is not about the customer.
    ///
    /// # Errors
    /// When this version cannot decode the record.
    pub fn line(&self, record: &Record) -> Result<Option<Value>, DecodeError> {
        let reading = Reading::new(record);
        let Some(kind) = self.kind(&reading)? else {
            return Ok(None);
        };
        let mut line = Map::new();
        line.insert("kind".to_owned(), json!(kind));
        line.insert("record".to_owned(), json!(record.seq.0));
        let talk = reading
            .conversation()
            .or_else(|| reading.callback_of())
            .or_else(|| reading.team_of());
        if let Some(talk) = talk {
            line.insert("conversation_id".to_owned(), json!(talk));
        }
        line.insert("event".to_owned(), reading.value()?.clone());
        if talk.is_some()
            && let Ok(body) = serde_json::from_slice::<Value>(&record.blob)
        {
            line.insert("body".to_owned(), body);
        }
        Ok(Some(Value::Object(line)))
    }

    /// The kind of a record about the customer.
    fn kind(&self, record: &Reading<'_>) -> Result<Option<&'static str>, DecodeError> {
        let subject = &self.subject;
        if let Some(id) = record.conversation() {
            return Ok(subject
                .conversations
                .contains(&id)
                .then_some("conversation"));
        }
        if let Some(id) = record.callback_of() {
            return Ok(subject.conversations.contains(&id).then_some("callback"));
        }
        if let Some(id) = record.drafts_of() {
            return Ok(subject.conversations.contains(&id).then_some("draft"));
        }
        if let Some(id) = record.team_notes_of() {
            return Ok(subject.conversations.contains(&id).then_some("team_note"));
        }
        if let Some(id) = record.scheduled_replies_of() {
            let is_hers = subject.conversations.contains(&id);
            return Ok(is_hers.then_some("scheduled_reply"));
        }
        let account = self.customer.account;
        if record.scope().is_some_and(|it| it.account() == account) {
            let is_hers = subject.has_binding(record.binding()?);
            return Ok(is_hers.then_some("binding"));
        }
        if record.crm_of() != Some(account) {
            return Ok(None);
        }
        Ok(subject.entity(record.crm()?).map(|entity| match entity {
            ErasedEntity::Lead(_) => "lead",
            ErasedEntity::Contact(_) => "contact",
            ErasedEntity::Chat(_) => "chat",
            ErasedEntity::Note(_) => "note",
            ErasedEntity::Task(_) => "task",
        }))
    }
}
