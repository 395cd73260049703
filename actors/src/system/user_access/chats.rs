//! The contacts that chats belong to, as a user sees and sets them. A user sees that a chat belongs to a contact if
//! they may see both. They may set it if they may edit the contact and the lead of the chat.

use std::collections::BTreeSet;

use crate::domain::account::rights::EntityAction;
use crate::domain::account::rights::calculation::Operation;
use crate::domain::audit::By;
use crate::domain::crm::ChatLink;
use crate::domain::crm::link_chats::{LinkChat, LinkChats};
use crate::domain::id::{ChatLinkId, ContactId, ConversationId};
use crate::domain::keys;
use crate::domain::tables;
use crate::system::user_access::conversations::thing;
use crate::system::user_access::entity_filter::ListOrder;
use crate::system::user_access::paging::{Listed, PageOptions, PageStart, RowSource};
use crate::system::user_access::{TRIES, UserAccess};
use switchboard_engine::runtime::ask::execute;
use switchboard_runtime::error::{CommandError, UnavailableError};

/// A filter of chats; it has at least one of the two.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChatFilter {
    /// These chats; empty: any.
    pub chats: BTreeSet<ConversationId>,
    /// The chats of these contacts; empty: of any.
    pub contacts: BTreeSet<ContactId>,
}

/// A chat is to belong to a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkWanted {
    /// The chat.
    pub chat: ConversationId,
    /// The contact.
    pub contact: ContactId,
}

/// The parts of an item that are unknown, or that the user may not see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// The place of the item, from 0.
    pub item: usize,
    /// True when its contact is unknown.
    pub contact: bool,
    /// True when its chat is unknown.
    pub chat: bool,
}

/// The rejection of links between chats and contacts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkChatsRejection {
    /// These are not there, or may not be seen.
    #[error("{} of the items name objects that do not exist", .0.len())]
    Unknown(Vec<Unknown>),
    /// The user sees the contact, and may not edit it.
    #[error("you need the right to edit the contact")]
    ContactDenied,
    /// The user sees the chat, and may not edit its lead.
    #[error("you need the right to edit the lead of the chat")]
    ChatDenied,
}

impl UserAccess {
    /// The contacts of chats, of those that the user may see, in the order in which they were linked.
    ///
    /// # Errors
    /// When something cannot be read now.
    pub async fn chats(
        &self,
        filter: &ChatFilter,
        start: PageStart,
        limit: usize,
    ) -> Result<Listed<ChatLink>, UnavailableError> {
        let account = self.caller.account;
        self.system.kernel().caught_up().await;
        let rows = if filter.chats.is_empty() {
            let contacts = filter.contacts.iter();
            RowSource::OfEach {
                table: tables::CHATS_OF,
                prefixes: contacts
                    .map(|contact| keys::contact_prefix(account, *contact))
                    .collect(),
                turned: false,
            }
        } else {
            let mut numbers = BTreeSet::new();
            for chat in &filter.chats {
                let link = self.system.chat_link_of(account, *chat)?;
                numbers.extend(link.map(|link| link.id.0));
            }
            RowSource::Chosen(numbers)
        };
        let options = PageOptions::examine_each(ListOrder::default());
        self.paginate(&rows, options, start, limit, async |number| {
            let link = self.system.chat_link(account, ChatLinkId(number))?;
            let visible_link = link.filter(|link| {
                filter.contacts.is_empty() || filter.contacts.contains(&link.contact)
            });
            let Some(link) = visible_link else {
                return Ok(None);
            };
            let is_visible =
                self.contact(link.contact).await?.is_some() && self.sees(link.conversation).await?;
            Ok(is_visible.then_some(link))
        })
        .await
    }

    /// Gives chats to contacts: all or none, no chat twice. What belongs together already stays as it is.
    ///
    /// # Errors
    /// When something is not there that the user may see, they may not do it, or nothing can be stored now.
    pub async fn link_chats(
        &self,
        wanted: &[LinkWanted],
    ) -> Result<Vec<ChatLink>, CommandError<LinkChatsRejection>> {
        for _ in 0..TRIES {
            let command = LinkChats {
                by: By::from(&self.caller),
                account: self.caller.account,
                links: self.judged(wanted).await?,
            };
            match execute(self.system.kernel(), &self.caller.account, command).await {
                Ok(links) => return Ok(links),
                Err(CommandError::Rejected(_seen_otherwise)) => {}
                Err(CommandError::Unavailable(unavailable)) => return Err(unavailable.into()),
            }
        }
        Err(UnavailableError::Busy.into())
    }

    async fn judged(
        &self,
        wanted: &[LinkWanted],
    ) -> Result<Vec<LinkChat>, CommandError<LinkChatsRejection>> {
        let mut links = Vec::with_capacity(wanted.len());
        let mut unknown = Vec::new();
        let mut denied = None;
        for (item, wanted) in wanted.iter().enumerate() {
            let chat = self.seen(wanted.chat).await?;
            let contact = self.contact(wanted.contact).await?;
            let (contact, lead) = match (contact, chat) {
                (Some(contact), Some(chat)) => (contact, chat.lead),
                (contact, chat) => {
                    unknown.push(Unknown {
                        item,
                        contact: contact.is_none(),
                        chat: chat.is_none(),
                    });
                    continue;
                }
            };
            if !self.may_with(&contact, EntityAction::Edit) {
                denied = denied.or(Some(LinkChatsRejection::ContactDenied));
            }
            // A user who follows a chat gets no right to change anything.
            let thing = thing(lead.as_ref(), false);
            if !self
                .authorize(Operation::Leads(EntityAction::Edit), &thing)
                .allowed
            {
                denied = denied.or(Some(LinkChatsRejection::ChatDenied));
            }
            links.push(LinkChat {
                conversation: wanted.chat,
                contact,
                lead,
            });
        }
        if !unknown.is_empty() {
            return Err(CommandError::Rejected(LinkChatsRejection::Unknown(unknown)));
        }
        match denied {
            Some(denied) => Err(CommandError::Rejected(denied)),
            None => Ok(links),
        }
    }
}
