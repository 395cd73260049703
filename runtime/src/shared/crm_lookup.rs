//! Leads, and the links of chats with their contacts, as they are on disk.

use crate::error::UnavailableError;
use crate::shared::Kernel;
use switchboard_domain::crm::{ChatLink, CrmEvent, Lead};
use switchboard_domain::id::{AccountId, ConversationId, LeadId};
use switchboard_domain::keys;
use switchboard_engine::entries::Key;

/// The lead with this number; `None` when the account has none, or when its chat moved to another one.
pub fn lead(
    kernel: &Kernel,
    account: AccountId,
    id: LeadId,
) -> Result<Option<Lead>, UnavailableError> {
    let lead = lead_at(kernel, keys::lead(account, id))?;
    Ok(lead.filter(|lead| lead.merged_into.is_none()))
}

/// The newest lead that came from a chat; `None` when it never had one.
pub fn lead_of(kernel: &Kernel, chat: ConversationId) -> Result<Option<Lead>, UnavailableError> {
    lead_at(kernel, keys::lead_of(chat))
}

fn lead_at(kernel: &Kernel, key: Key) -> Result<Option<Lead>, UnavailableError> {
    let record = kernel.record::<CrmEvent>(key)?;
    Ok(record.and_then(|record| {
        if let CrmEvent::Lead(changed) = record.event {
            Some(changed.lead)
        } else {
            None
        }
    }))
}

/// The link of a chat with its contact, by a key of the link; `None` when there is no such link.
pub fn chat_link(kernel: &Kernel, key: Key) -> Result<Option<ChatLink>, UnavailableError> {
    let record = kernel.record::<CrmEvent>(key)?;
    Ok(record.and_then(|record| {
        if let CrmEvent::Chat(linked) = record.event {
            Some(linked.link)
        } else {
            None
        }
    }))
}
