//! What deals and contacts are found by in lists: an event has it as it was before a change, so that rows are moved.

use serde::{Deserialize, Serialize};

use crate::id::{PipelineId, StageId, UserId};
use crate::text::Phone;
use crate::text::email::Email;
use crate::time::UnixMillis;

/// What a deal is found by in lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DealPlace {
    /// The pipeline.
    pub pipeline: PipelineId,
    /// The stage.
    pub stage: StageId,
    /// The user who answers for it.
    pub responsible: Option<UserId>,
    /// When it last changed.
    pub updated_at: UnixMillis,
}

/// What a contact was found by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContactBefore {
    /// Who answered for them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub responsible: Option<UserId>,
    /// Their phone number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phone: Option<Phone>,
    /// Their e-mail address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<Email>,
    /// When they last changed.
    pub updated_at: UnixMillis,
}
