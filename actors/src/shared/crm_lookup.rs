//! The lead and the contact of a chat, as they are on disk.

use crate::domain::crm::{ChatLink, CrmEvent, Lead};
use crate::domain::id::ConversationId;
use crate::domain::keys;
use crate::error::UnavailableError;
use crate::shared::Kernel;
use switchboard_engine::entries::Key;

/// The newest lead that came from a chat; `None` when it never had one.
pub(crate) fn lead_of(
    kernel: &Kernel,
    chat: ConversationId,
) -> Result<Option<Lead>, UnavailableError> {
    let record = kernel.record::<CrmEvent>(keys::lead_of(chat))?;
    Ok(record.and_then(|record| {
        if let CrmEvent::Lead(changed) = record.event {
            Some(changed.lead)
        } else {
            None
        }
    }))
}

/// The link of a chat with its contact, by a key of the link; `None` when there is no such link.
pub(crate) fn chat_link(kernel: &Kernel, key: Key) -> Result<Option<ChatLink>, UnavailableError> {
    let record = kernel.record::<CrmEvent>(key)?;
    Ok(record.and_then(|record| {
        if let CrmEvent::Chat(linked) = record.event {
            Some(linked.link)
        } else {
            None
        }
    }))
}
