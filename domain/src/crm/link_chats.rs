//! Account users assign chats to contacts: all of them or none. The newest lead of a chat, while it is worked on, goes
//! along to the contact.
//!
//! The caller has read contacts and leads, and was authorized for those versions of them. If one has changed since, the
//! command does nothing, and the caller reads them again.

use std::collections::BTreeSet;

use crate::audit::By;
use crate::crm::audit::Author;
use crate::crm::update_lead::{UpdateLeadRejection, contact, lead};
use crate::crm::{ChatLink, ChatLinked, Contact, Crm, CrmEvent, Lead, LeadChanged};
use crate::id::{AccountId, ChatLinkId, ConversationId};
use crate::{Decision, keys};
use switchboard_engine::entries::Keys;
use switchboard_engine::state::{Command, Moment, Recorded};

/// Gives chats to contacts.
#[derive(Clone, Debug)]
pub struct LinkChats {
    /// The author of the change.
    pub by: By,
    /// The account.
    pub account: AccountId,
    /// The chats with their contacts; no chat twice.
    pub links: Vec<LinkChat>,
}

/// Gives a chat to a contact.
#[derive(Clone, Debug)]
pub struct LinkChat {
    /// The chat.
    pub conversation: ConversationId,
    /// The contact as it was seen.
    pub contact: Contact,
    /// The newest lead of the chat as it was seen.
    pub lead: Option<Lead>,
}

impl Command for LinkChats {
    type Of = Crm;
    type Reply = Vec<ChatLink>;
    type Rejection = UpdateLeadRejection;

    fn required_keys(&self, _state: &Crm) -> Keys {
        let links = self.links.iter();
        links
            .flat_map(|link| {
                [
                    keys::chat(self.account, link.conversation),
                    keys::contact(self.account, link.contact.id),
                    keys::lead_of(link.conversation),
                ]
            })
            .collect()
    }

    fn decide(
        self,
        state: &Crm,
        moment: &mut Moment<'_, CrmEvent>,
    ) -> Result<Decision<CrmEvent, Vec<ChatLink>>, UpdateLeadRejection> {
        let mut events = Vec::new();
        let mut reply = Vec::with_capacity(self.links.len());
        let mut last = state.chats;
        let author = Author {
            by: self.by,
            account: self.account,
        };
        for (wanted, earlier) in self.links.iter().zip(moment.earlier.chunks(3)) {
            let record = |index: usize| earlier.get(index).and_then(Option::as_ref);
            let newest = lead(record(2));
            let is_as_seen =
                contact(record(1)) == Some(&wanted.contact) && newest == wanted.lead.as_ref();
            if !is_as_seen {
                return Err(UpdateLeadRejection);
            }
            let before = linked(record(0));
            let link = ChatLink {
                id: before.map_or_else(
                    || {
                        last = last.saturating_add(1);
                        ChatLinkId(last)
                    },
                    |before| before.id,
                ),
                conversation: wanted.conversation,
                contact: wanted.contact.id,
            };
            reply.push(link);
            let moves =
                newest.filter(|lead| lead.is_active() && lead.contact != Some(link.contact));
            let linked = ChatLinked {
                link,
                before: before.map(|before| before.contact),
            };
            if before != Some(link) {
                events.push(CrmEvent::Chat(linked).into());
            }
            if before != Some(link) || moves.is_some() {
                let moved = moves.map(|lead| lead.id);
                events.push(author.chat(linked, moved, moment).into());
            }
            if let Some(lead) = moves {
                let event = LeadChanged {
                    lead: Lead {
                        contact: Some(link.contact),
                        updated_at: moment.now,
                        ..lead.clone()
                    },
                    before: Some(lead.place()),
                    contact_before: lead.contact,
                    by: author.by.user(),
                    reason: None,
                    newest: true,
                    followers: BTreeSet::new(),
                };
                events.push(CrmEvent::Lead(Box::new(event)).into());
            }
        }
        Ok(Decision::events(events, reply))
    }
}

pub(super) fn linked(record: Option<&Recorded<CrmEvent>>) -> Option<ChatLink> {
    match &record?.event {
        CrmEvent::Chat(linked) => Some(linked.link),
        CrmEvent::Begun(_)
        | CrmEvent::Lead(_)
        | CrmEvent::Contact(_)
        | CrmEvent::Tag(_)
        | CrmEvent::Note(_)
        | CrmEvent::Task(_)
        | CrmEvent::Source(_)
        | CrmEvent::CustomField(_)
        | CrmEvent::Pipeline(_)
        | CrmEvent::Audited(_)
        | CrmEvent::Erased(_) => None,
    }
}
