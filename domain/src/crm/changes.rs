//! The changes of leads, contacts and chats, as their events have them.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::crm::assignment::AssignmentReason;
use crate::crm::{ChatLink, Contact, ContactBefore, Lead, LeadPlace};
use crate::id::{ContactId, UserId};

/// A chat belongs to a contact, or to another one than before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatLinked {
    /// The chat after the change.
    pub link: ChatLink,
    /// The contact that it belonged to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<ContactId>,
}

/// A lead is new, or is as follows now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeadChanged {
    /// The lead.
    pub lead: Lead,
    /// The earlier place in lists; `None` for a new lead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<LeadPlace>,
    /// The contact before, if it was another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contact_before: Option<ContactId>,
    /// The user who changed it; `None` when a customer's message did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<UserId>,
    /// The reason why another user is responsible now; `None` when that has not changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<AssignmentReason>,
    /// True for the newest lead of its conversation.
    pub newest: bool,
    /// The users who follow the conversation that it was opened for.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub followers: BTreeSet<UserId>,
}

/// A contact is new, or is as follows now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContactChanged {
    /// The contact.
    pub contact: Contact,
    /// The earlier places in lists; `None` for a new contact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<ContactBefore>,
    /// The user who changed it; `None` when a customer's message did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<UserId>,
}
