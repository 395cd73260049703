//! An account user links an unsorted lead of a chat to another lead: the chat moves there with its contact, and the
//! unsorted lead is gone.
//!
//! The caller has read both leads and the contact, and was authorized for those versions of them. If one has changed since,
//! the command does nothing, and the caller reads them again.

use std::collections::BTreeSet;

use smallvec::smallvec;

use crate::audit::By;
use crate::crm::audit::Author;
use crate::crm::link_chats::linked;
use crate::crm::update_lead::{UpdateLeadRejection, contact, lead};
use crate::crm::{ChatLink, ChatLinked, Contact, Crm, CrmEvent, Lead, LeadChanged};
use crate::id::{AccountId, ChatLinkId, UserId};
use crate::time::UnixMillis;
use crate::{Decision, keys};
use switchboard_engine::entries::Keys;
use switchboard_engine::state::{Command, Moment};

/// Links an unsorted lead to another lead.
#[derive(Clone, Debug)]
pub struct LinkUnsorted {
    /// The actor, for the audit log.
    pub by: By,
    /// The account.
    pub account: AccountId,
    /// The unsorted lead as it was seen.
    pub unsorted: Lead,
    /// The lead that gets the chat, as it was seen.
    pub target: Lead,
    /// The contact that the chat belongs to from now on, as it was seen.
    pub contact: Contact,
    /// The users who follow the conversation.
    pub followers: BTreeSet<UserId>,
}

impl Command for LinkUnsorted {
    type Of = Crm;
    type Reply = Lead;
    type Rejection = UpdateLeadRejection;

    fn required_keys(&self, _state: &Crm) -> Keys {
        let mut required = smallvec![
            keys::lead(self.account, self.unsorted.id),
            keys::lead(self.account, self.target.id),
            keys::contact(self.account, self.contact.id),
        ];
        if let Some(conversation) = self.unsorted.conversation() {
            required.push(keys::lead_of(conversation));
            required.push(keys::chat(self.account, conversation));
        }
        required
    }

    fn decide(
        self,
        state: &Crm,
        moment: &mut Moment<'_, CrmEvent>,
    ) -> Result<Decision<CrmEvent, Lead>, UpdateLeadRejection> {
        let conversation = self.unsorted.conversation().ok_or(UpdateLeadRejection)?;
        let is_as_seen = lead(moment.earlier(0)) == Some(&self.unsorted)
            && lead(moment.earlier(1)) == Some(&self.target)
            && contact(moment.earlier(2)) == Some(&self.contact)
            && lead(moment.earlier(3)).map(|newest| newest.id) == Some(self.unsorted.id);
        if !is_as_seen {
            return Err(UpdateLeadRejection);
        }
        let before = linked(moment.earlier(4));
        let next = ChatLinkId(state.chats.saturating_add(1));
        let link = ChatLink {
            id: before.map_or(next, |before| before.id),
            conversation,
            contact: self.contact.id,
        };
        let move_of_chat = ChatLinked {
            link,
            before: before.map(|before| before.contact),
        };
        let author = Author {
            by: self.by.clone(),
            account: self.account,
        };
        let mut events = Vec::new();
        if before != Some(link) {
            events.push(CrmEvent::Chat(move_of_chat).into());
            events.push(
                author
                    .chat(move_of_chat, Some(self.target.id), moment)
                    .into(),
            );
        }
        let [origin, target] = self.changes(moment.now);
        let entry = author.unsorted_link(&origin.lead, &target, moment);
        events.push(entry.into());
        let reply = target.lead.clone();
        // The newest lead of the conversation comes last.
        events.extend([origin, target].map(|it| CrmEvent::Lead(Box::new(it)).into()));
        Ok(Decision::events(events, reply))
    }
}

impl LinkUnsorted {
    /// The unsorted lead, which is gone, and the other one, which has the chat and its contact.
    fn changes(self, now: UnixMillis) -> [LeadChanged; 2] {
        let change = |before: &Lead, lead: Lead| LeadChanged {
            before: Some(before.place()),
            contact_before: before.contact.filter(|_| before.contact != lead.contact),
            by: self.by.user(),
            reason: None,
            newest: lead.merged_into.is_none(),
            followers: BTreeSet::new(),
            lead,
        };
        let origin = Lead {
            merged_into: Some(self.target.id),
            updated_at: now,
            ..self.unsorted.clone()
        };
        let target = Lead {
            chat: self.unsorted.chat.clone(),
            contact: Some(self.contact.id),
            updated_at: now,
            ..self.target.clone()
        };
        let change_of_target = LeadChanged {
            followers: self.followers,
            ..change(&self.target, target)
        };
        [change(&self.unsorted, origin), change_of_target]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crm::ContactChanged;
    use crate::crm::fields_of_users::FieldsOfUsers;
    use crate::crm::tests::{OPEN, lead};
    use crate::id::{ContactId, LeadId};
    use crate::tables;
    use switchboard_engine::entries::IndexEntries;
    use switchboard_engine::state::{Recorded, State as _};

    fn contact(id: u64) -> Contact {
        Contact {
            id: ContactId(id),
            name: "Grace".parse().unwrap(),
            phones: None.into(),
            emails: None.into(),
            of_users: FieldsOfUsers::default(),
            responsible: None,
            person: None,
            tags: Vec::new(),
            values: crate::crm::custom_fields::value::FieldValues::default(),
            created_at: UnixMillis::new(1),
            updated_at: UnixMillis::new(1),
        }
    }

    /// Links lead 1, whose chat belongs to contact 1, to lead 2 of contact 2.
    fn link() -> LinkUnsorted {
        let unsorted = Lead {
            contact: Some(ContactId(1)),
            ..lead(OPEN)
        };
        let target = Lead {
            id: LeadId(2),
            contact: Some(ContactId(2)),
            chat: None,
            ..lead(OPEN)
        };
        LinkUnsorted {
            by: By::Operator,
            account: AccountId::from_random([1; 16]),
            unsorted,
            target,
            contact: contact(2),
            followers: BTreeSet::from([UserId(7)]),
        }
    }

    fn event_of(lead: &Lead) -> CrmEvent {
        let event = LeadChanged {
            lead: lead.clone(),
            before: None,
            contact_before: None,
            by: None,
            reason: None,
            newest: lead.chat.is_some(),
            followers: BTreeSet::new(),
        };
        CrmEvent::Lead(Box::new(event))
    }

    fn decide(command: LinkUnsorted, newest: &Lead) -> Result<Vec<CrmEvent>, UpdateLeadRejection> {
        let link = ChatLink {
            id: ChatLinkId(4),
            conversation: command.unsorted.conversation().unwrap(),
            contact: ContactId(1),
        };
        let contact = ContactChanged::new(command.contact.clone(), None);
        let events = [
            event_of(&command.unsorted),
            event_of(&command.target),
            CrmEvent::Contact(Box::new(contact)),
            event_of(newest),
            CrmEvent::Chat(ChatLinked { link, before: None }),
        ];
        let earlier = events.map(|event| Some(Recorded::from(event)));
        let mut random = || [9; 16];
        let mut moment = Moment {
            now: UnixMillis::new(5),
            random: &mut random,
            earlier: &earlier,
        };
        let crm = Crm::initial(&command.account);
        let decision = command.decide(&crm, &mut moment)?;
        let events = decision.events.into_iter();
        Ok(events.map(|recorded| recorded.event).collect())
    }

    #[test]
    fn the_chat_moves_to_the_other_lead_with_its_followers() {
        let command = link();
        let events = decide(command.clone(), &command.unsorted).unwrap();
        match events.as_slice() {
            [
                CrmEvent::Chat(linked),
                CrmEvent::Audited(_),
                CrmEvent::Audited(_),
                CrmEvent::Lead(origin),
                CrmEvent::Lead(target),
            ] => {
                assert_eq!(
                    (linked.link.id, linked.link.contact),
                    (ChatLinkId(4), ContactId(2))
                );
                assert_eq!(origin.lead.merged_into, Some(LeadId(2)));
                assert!(!origin.newest && target.newest);
                assert_eq!(target.lead.chat, command.unsorted.chat);
                assert_eq!(target.followers, [UserId(7)].into());
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_lead_that_is_gone_is_in_no_list() {
        let command = link();
        let mut entries = IndexEntries::default();
        let account = command.account;
        let mut crm = Crm::initial(&account);
        crm.apply(&event_of(&command.unsorted));
        let place = (command.unsorted.pipeline, command.unsorted.stage);
        assert_eq!(crm.leads_in.in_stage(place.0, place.1), 1);
        let [origin, _] = command.changes(UnixMillis::new(5));
        let event = CrmEvent::Lead(Box::new(origin));
        crm.index(&event, &mut entries);
        crm.apply(&event);
        assert_eq!(crm.leads_in.in_stage(place.0, place.1), 0);
        let rows = entries.rows.iter();
        let removals: BTreeSet<_> = rows.map(|row| (row.table, row.value.is_none())).collect();
        let lists = [
            tables::LEADS_OF,
            tables::LEADS_BY_STAGE,
            tables::LEADS_OF_CONTACT,
            tables::BY_CHANGE,
        ];
        assert_eq!(removals, lists.map(|table| (table, true)).into());
    }

    #[test]
    fn a_lead_that_is_not_the_newest_of_its_chat_is_not_linked() {
        let command = link();
        let newer = Lead {
            id: LeadId(3),
            ..command.unsorted.clone()
        };
        assert_eq!(decide(command, &newer), Err(UpdateLeadRejection));
    }
}
