//! The body of `POST /api/v4/contacts/chats`.

use std::collections::BTreeSet;

use crate::account_body::batch::{self, BatchError, Called};
use crate::account_body::items;
use crate::body;
use crate::body::Body;
use crate::domain::id::{ContactId, ConversationId};

/// The number of chats that one request gives to contacts.
pub const LINKS_MAX: usize = 250;

body!(
    /// A chat that is to belong to a contact.
    #[body(open)]
    pub struct NewLink {
        #[body(needed)]
        contact_id: Option<ContactId>,
        /// Named once in a body.
        #[body(needed)]
        chat_id: Option<ConversationId>,
        #[body(flatten)]
        called: Called,
    }
);

/// A chat is to belong to a contact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkBody {
    /// The contact.
    pub contact: ContactId,
    /// The chat.
    pub chat: ConversationId,
    /// The client's id of the item; without one, its place in the body, from 0.
    pub request_id: String,
}

/// Reads which chats are to belong to which contacts, each chat once.
///
/// # Errors
/// With everything that is wrong with any of the items.
pub fn parse(body: &[u8]) -> Result<Vec<LinkBody>, BatchError> {
    let root = batch::parse(body)?;
    let items = batch::items(&root, "chats", LINKS_MAX)?;
    let mut chats = BTreeSet::new();
    let mut bodies = batch::read_items(items, |item| {
        let NewLink {
            contact_id,
            chat_id: chat,
            called,
        } = NewLink::take(item)?;
        if let Some(chat) = chat {
            items::once(item, "chat_id", "chat", chat, &mut chats);
        }
        Some(LinkBody {
            contact: contact_id?,
            chat: chat?,
            request_id: called.name().unwrap_or_default(),
        })
    })?;
    for (place, body) in bodies.iter_mut().enumerate() {
        if body.request_id.is_empty() {
            body.request_id = place.to_string();
        }
    }
    Ok(bodies)
}
