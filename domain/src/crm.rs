//! The CRM of an account: its pipelines, its leads, its contacts.
//!
//! The state holds pipelines, definitions of custom fields, and counters. Each lead and contact is a record of its own, so
//! the CRM stays small.

pub mod account_events;
pub mod assignment;
mod audit;
pub mod authorship;
mod before;
mod changes;
pub mod contact_addresses;
pub mod create_complex_leads;
pub mod create_contacts;
pub mod create_leads;
pub mod create_tags;
pub mod custom_fields;
pub mod customer_news;
pub mod entity;
mod erased;
pub mod fields;
pub mod fields_of_users;
pub mod follow_customer;
mod index;
pub mod link_chats;
pub mod link_unsorted;
pub mod links;
pub mod make_tags;
pub mod note;
pub mod notes;
pub mod open_lead;
pub mod pipelines;
pub mod predefined_field;
pub mod self_description;
pub mod sorted;
pub mod source;
pub mod sources;
pub mod submission;
pub mod tag;
pub mod task;
pub mod tasks;
pub mod update_contact;
pub mod update_lead;
pub mod update_owners;

use serde::{Deserialize, Serialize};

pub use self::before::{ContactBefore, LeadPlace};
pub use self::changes::{ChatLinked, ContactChanged, LeadChanged};
pub use self::pipelines::shape::{Pipeline, Stage, StageKind};
use crate::audit::AuditEntry;
use crate::crm::contact_addresses::Addresses;
use crate::crm::custom_fields::value::FieldValues;
use crate::crm::custom_fields::{CustomFieldChanged, CustomFields};
use crate::crm::entity::ErasedEntity;
use crate::crm::fields::Price;
use crate::crm::fields_of_users::FieldsOfUsers;
use crate::crm::note::NoteChanged;
use crate::crm::pipelines::changed::PipelineChanged;
use crate::crm::pipelines::counts::StageCounts;
use crate::crm::pipelines::numbers::LastNumbers;
use crate::crm::sorted::Sorted;
use crate::crm::source::{Source, SourceChanged};
use crate::crm::submission::Submission;
use crate::crm::tag::{Tag, TagAdded, TagCounts};
use crate::crm::task::TaskChanged;
use crate::id::{
    AccountId, ChatLinkId, ContactId, ConversationId, LeadId, PersonId, PipelineId, ScopeId,
    StageId, UserId,
};
use crate::kinds;
use crate::notice::Notice;
use crate::text::email::Email;
use crate::text::{Name, Phone};
use crate::time::UnixMillis;
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::state::State;
use switchboard_engine::stream::StreamKind;

/// The stages «won» and «lost» have these numbers in every pipeline, as the known counterpart has them.
pub const WON: StageId = StageId(142);
/// See [`WON`].
pub const LOST: StageId = StageId(143);

/// The state of the CRM.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Crm {
    /// The account.
    pub account: AccountId,
    /// The pipelines: the main one first, the others in order.
    pub pipelines: Vec<Pipeline>,
    /// The highest numbers of pipelines and stages so far.
    #[serde(default)]
    pub last_numbers: LastNumbers,
    /// The number of leads in each stage.
    pub leads_in: StageCounts,
    /// The number of leads so far: the id of the last one.
    pub leads: u64,
    /// The number of contacts so far: the id of the last one.
    pub contacts: u64,
    /// The number of chats so far that belong to a contact: the id of the last one.
    pub chats: u64,
    /// The numbers of tags so far.
    #[serde(default)]
    pub tags: TagCounts,
    /// The number of notes so far: the id of the last one.
    #[serde(default)]
    pub notes: u64,
    /// The number of tasks so far: the id of the last one.
    #[serde(default)]
    pub tasks: u64,
    /// The number of tasks that are to be done.
    #[serde(default)]
    pub open_tasks: u64,
    /// The sources, by number.
    #[serde(default)]
    pub sources: Vec<Source>,
    /// The number of sources so far: the id of the last one.
    #[serde(default)]
    pub last_source: u64,
    /// The custom fields of leads and contacts.
    #[serde(default, skip_serializing_if = "CustomFields::is_none")]
    pub custom_fields: CustomFields,
}

/// An opportunity with a customer, in a stage of a pipeline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lead {
    /// Its number.
    pub id: LeadId,
    /// Its name.
    pub name: String,
    /// The price.
    #[serde(default, skip_serializing_if = "Price::is_none")]
    pub price: Price,
    /// The pipeline.
    pub pipeline: PipelineId,
    /// The stage.
    pub stage: StageId,
    /// The responsible user; `None` while there is none.
    pub responsible: Option<UserId>,
    /// The person it is about; `None` while there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contact: Option<ContactId>,
    /// The chat it came from; `None` for a lead that a user added. Only a lead with a chat has a talk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chat: Option<LeadChat>,
    /// The number of the newest message of the chat when a user closed the talk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub talk_closed: Option<u64>,
    /// Its tags.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Tag>,
    /// The values of its custom fields.
    #[serde(default, skip_serializing_if = "FieldValues::is_none")]
    pub values: FieldValues,
    /// The form or the call that it came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub submission: Option<Box<Submission>>,
    /// The decision that ended its time in the unsorted stage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sorted: Option<Sorted>,
    /// The lead that its chat moved to. A lead with one is gone: no list has it, and no request reads it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merged_into: Option<LeadId>,
    /// The time of creation.
    pub created_at: UnixMillis,
    /// The time of the last change.
    pub updated_at: UnixMillis,
}

/// The chat that a lead came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeadChat {
    /// The conversation.
    pub conversation: ConversationId,
    /// Its scope.
    pub scope: ScopeId,
    /// The number of the message that opened the lead. The talk begins with it, the first of a chat with the chat.
    #[serde(default)]
    pub opened_by: u64,
}

impl Lead {
    /// Returns the place of the lead in lists.
    #[must_use]
    pub fn place(&self) -> LeadPlace {
        LeadPlace {
            pipeline: self.pipeline,
            stage: self.stage,
            responsible: self.responsible,
            talk_closed: self.talk_closed,
            updated_at: self.updated_at,
        }
    }

    /// The conversation that it came from.
    #[must_use]
    pub fn conversation(&self) -> Option<ConversationId> {
        self.chat.as_ref().map(|chat| chat.conversation)
    }

    /// Returns whether the talk of the lead is in work: the lead is active, and no user closed the talk, or there was a
    /// loud message or a reply since. `spoken` is the number of the last of these; `None` when they belong to a newer
    /// lead.
    #[must_use]
    pub fn talk_is_in_work(&self, spoken: Option<u64>) -> bool {
        let is_closed = |closed| spoken.is_none_or(|spoken| spoken <= closed);
        self.is_active() && self.chat.is_some() && !self.talk_closed.is_some_and(is_closed)
    }

    /// Returns whether the lead is neither won nor lost.
    #[must_use]
    pub fn is_active(&self) -> bool {
        self.stage != WON && self.stage != LOST
    }
}

/// A person as the account's CRM knows them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contact {
    /// Their number.
    pub id: ContactId,
    /// Their name.
    pub name: Name,
    /// Their phone numbers.
    #[serde(default, skip_serializing_if = "Addresses::is_none")]
    pub phones: Addresses<Phone>,
    /// Their e-mail addresses.
    #[serde(default, skip_serializing_if = "Addresses::is_none")]
    pub emails: Addresses<Email>,
    /// Those of these fields that users have set or emptied.
    #[serde(default, skip_serializing_if = "FieldsOfUsers::is_none")]
    pub of_users: FieldsOfUsers,
    /// The responsible user; `None` while there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub responsible: Option<UserId>,
    /// The person of the chat; `None` for a contact that a user added.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<PersonId>,
    /// The tags.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<Tag>,
    /// The values of the custom fields.
    #[serde(default, skip_serializing_if = "FieldValues::is_none")]
    pub values: FieldValues,
    /// The time of creation.
    pub created_at: UnixMillis,
    /// The time of the last change.
    pub updated_at: UnixMillis,
}

/// The link of a chat to its contact. A contact may have several chats, a chat has one contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatLink {
    /// Its number.
    pub id: ChatLinkId,
    /// The chat.
    pub conversation: ConversationId,
    /// The contact.
    pub contact: ContactId,
}

/// An event of the CRM.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CrmEvent {
    /// The CRM was begun with these pipelines.
    Begun(Vec<Pipeline>),
    /// A lead is new, or is as follows now.
    Lead(Box<LeadChanged>),
    /// A contact is new, or is as follows now.
    Contact(Box<ContactChanged>),
    /// A chat belongs to a contact, or to another one than before.
    Chat(ChatLinked),
    /// A tag is new.
    Tag(TagAdded),
    /// A note is new, or is as follows now.
    Note(Box<NoteChanged>),
    /// A task is new, or is as follows now.
    Task(Box<TaskChanged>),
    /// A source is new, is as follows now, or is gone.
    Source(Box<SourceChanged>),
    /// A custom field is new, is as follows now, or is gone.
    CustomField(Box<CustomFieldChanged>),
    /// A pipeline is new, is as follows now, or is gone.
    Pipeline(Box<PipelineChanged>),
    /// An account user did what the other events of the group say.
    Audited(Box<AuditEntry>),
    /// Something was erased; this stands in its place.
    Erased(ErasedEntity),
}

impl State for Crm {
    type Id = AccountId;
    type Event = CrmEvent;
    type Notice = Notice;

    const KIND: StreamKind = kinds::CRM;

    fn initial(id: &AccountId) -> Self {
        Self {
            account: *id,
            pipelines: Vec::new(),
            last_numbers: LastNumbers::default(),
            leads_in: StageCounts::default(),
            leads: 0,
            contacts: 0,
            chats: 0,
            tags: TagCounts::default(),
            notes: 0,
            tasks: 0,
            open_tasks: 0,
            sources: Vec::new(),
            last_source: 0,
            custom_fields: CustomFields::default(),
        }
    }

    fn apply(&mut self, event: &CrmEvent) {
        match event {
            CrmEvent::Begun(pipelines) => {
                self.last_numbers.count(pipelines);
                self.pipelines.clone_from(pipelines);
            }
            CrmEvent::Lead(changed) => {
                self.leads = self.leads.max(changed.lead.id.0);
                self.leads_in.count(changed);
            }
            CrmEvent::Contact(changed) => {
                self.contacts = self.contacts.max(changed.contact.id.0);
            }
            CrmEvent::Chat(linked) => self.chats = self.chats.max(linked.link.id.0),
            CrmEvent::Tag(added) => self.tags.count(added),
            CrmEvent::Note(changed) => self.notes = self.notes.max(changed.note.id.0),
            CrmEvent::Task(changed) => {
                self.tasks = self.tasks.max(changed.task.id.0);
                changed.count_open(&mut self.open_tasks);
            }
            CrmEvent::Source(changed) => {
                changed.apply(&mut self.sources, &mut self.last_source);
            }
            CrmEvent::CustomField(changed) => self.custom_fields.apply(changed),
            CrmEvent::Pipeline(changed) => {
                self.last_numbers.count(changed.now.iter());
                changed.apply(&mut self.pipelines);
            }
            CrmEvent::Audited(_) => {}
            CrmEvent::Erased(erased) => self.count_erased(*erased),
        }
    }

    fn index(&self, event: &CrmEvent, entries: &mut IndexEntries) {
        let account = self.account;
        match event {
            CrmEvent::Begun(_) | CrmEvent::Erased(_) => {}
            CrmEvent::Lead(changed) => changed.index(account, entries),
            CrmEvent::Contact(changed) => changed.index(account, entries),
            CrmEvent::Chat(linked) => linked.index(account, entries),
            CrmEvent::Tag(added) => added.index(account, entries),
            CrmEvent::Note(changed) => changed.index(account, entries),
            CrmEvent::Task(changed) => changed.index(account, entries),
            CrmEvent::Source(changed) => changed.audit.index(entries),
            CrmEvent::CustomField(changed) => changed.audit.index(entries),
            CrmEvent::Pipeline(changed) => changed.audit.index(entries),
            CrmEvent::Audited(entry) => entry.index(entries),
        }
    }
}

impl Crm {
    /// The pipelines of an account that has none: one, with the stages that the known counterpart begins with.
    #[must_use]
    pub fn first_pipelines() -> Vec<Pipeline> {
        vec![Pipeline::new(
            PipelineId(1),
            "Sales".to_owned(),
            StageId(1),
            pipelines::FIRST_STAGES.map(|(id, name)| (StageId(id), name.to_owned())),
        )]
    }

    /// The stage with these numbers.
    #[must_use]
    pub fn stage(&self, pipeline: PipelineId, stage: StageId) -> Option<&Stage> {
        self.pipeline(pipeline)?.stage(stage)
    }

    /// Returns whether leads in this stage wait for a decision.
    #[must_use]
    pub fn is_unsorted(&self, pipeline: PipelineId, stage: StageId) -> bool {
        let stage = self.stage(pipeline, stage);
        stage.is_some_and(|stage| stage.kind == StageKind::Unsorted)
    }

    /// The pipeline with this number.
    #[must_use]
    pub fn pipeline(&self, id: PipelineId) -> Option<&Pipeline> {
        self.pipelines.iter().find(|pipeline| pipeline.id == id)
    }

    /// Returns the place where leads from conversations arrive: the unsorted stage of the default pipeline.
    #[must_use]
    pub fn arrival(&self) -> Option<(PipelineId, StageId)> {
        let pipeline = self.pipelines.first()?;
        let unsorted = pipeline.unsorted()?;
        Some((pipeline.id, unsorted.id))
    }
}

#[cfg(test)]
pub(crate) mod tests;
