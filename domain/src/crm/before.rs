//! The places of leads and contacts in lists. An event has the places before the change, so that rows are moved.

use serde::{Deserialize, Serialize};

use crate::crm::contact_addresses::Addresses;
use crate::id::{PipelineId, StageId, UserId};
use crate::text::Phone;
use crate::text::email::Email;
use crate::time::UnixMillis;

/// The place of a lead in lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeadPlace {
    /// The pipeline.
    pub pipeline: PipelineId,
    /// The stage.
    pub stage: StageId,
    /// The user who answers for it.
    pub responsible: Option<UserId>,
    /// The number of the newest message when a user closed the talk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub talk_closed: Option<u64>,
    /// The time of the last change.
    pub updated_at: UnixMillis,
}

/// The place of a contact in lists before a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContactBefore {
    /// The responsible user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub responsible: Option<UserId>,
    /// Their phone numbers.
    #[serde(default, skip_serializing_if = "Addresses::is_none")]
    pub phones: Addresses<Phone>,
    /// Their e-mail addresses.
    #[serde(default, skip_serializing_if = "Addresses::is_none")]
    pub emails: Addresses<Email>,
    /// The time of the last change.
    pub updated_at: UnixMillis,
}
