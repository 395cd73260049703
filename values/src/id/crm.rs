//! The numbers of what a CRM holds.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::id::IdError;
use crate::schema::schema_of;

number_id! {
    /// A lead.
    LeadId,
    /// A contact: a person as the account's CRM knows them.
    ContactId,
    /// The number of a link between a chat and a contact.
    ChatLinkId,
    /// A pipeline of leads.
    PipelineId,
    /// A stage of a pipeline.
    StageId,
    /// A tag of leads, or of contacts.
    TagId,
    /// A note about a lead or a contact.
    NoteId,
    /// A task.
    TaskId,
    /// A source of an account.
    SourceNumber,
    /// A custom field.
    FieldId,
    /// A value that a custom field offers.
    FieldEnumId,
}
