//! What belongs to a customer: the persons and contacts that the account takes for one, and what follows from them.
//!
//! A chat with one customer and the contact that it belongs to are the same customer; so are all chats of a contact. A group
//! chat, in which several customers wrote, makes none of them another one, but it is erased with each of them.

use std::collections::BTreeSet;

use crate::domain::crm::entity::EntityKind;
use crate::domain::erasures::CustomerTarget;
use crate::domain::id::{ChannelId, ContactId, ConversationId, DealId, NoteId, PersonId};
use crate::system::erasures::survey::{Survey, Talk};

/// What belongs to a customer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Subject {
    pub(super) persons: BTreeSet<PersonId>,
    pub(super) contacts: BTreeSet<ContactId>,
    pub(super) conversations: BTreeSet<ConversationId>,
    pub(super) deals: BTreeSet<DealId>,
    pub(super) notes: BTreeSet<NoteId>,
    /// The channels that the conversations went through.
    pub(super) channels: BTreeSet<ChannelId>,
}

impl Subject {
    /// What belongs to this customer.
    pub(super) fn of(target: &CustomerTarget, survey: &Survey) -> Self {
        let mut subject = Self::default();
        let is_contact = |contact: &ContactId| survey.contacts.contains_key(contact);
        subject
            .contacts
            .extend(target.contact.filter(|contact| is_contact(contact)));
        subject.persons.extend(target.person);
        while subject.grow(survey) {}
        for (id, talk) in &survey.talks {
            if talk.people.iter().any(|it| subject.persons.contains(it)) {
                subject.conversations.insert(*id);
            }
        }
        let talks = survey.talks.iter();
        let hers = talks.filter(|(id, _)| subject.conversations.contains(id));
        subject.channels = hers.map(|(_, talk)| talk.scope.channel().clone()).collect();
        subject.add_what_follows(survey);
        subject
    }

    /// Adds who is the same customer as those who are there; false: there is no other.
    fn grow(&mut self, survey: &Survey) -> bool {
        let before = (self.persons.len(), self.contacts.len());
        for (contact, person) in &survey.contacts {
            if self.contacts.contains(contact) {
                self.persons.extend(*person);
            } else if person.is_some_and(|person| self.persons.contains(&person)) {
                self.contacts.insert(*contact);
            }
        }
        for (chat, contact) in &survey.links {
            let Some(Some(person)) = survey.talks.get(chat).map(only_customer) else {
                continue;
            };
            if self.contacts.contains(contact) {
                self.persons.insert(person);
                self.conversations.insert(*chat);
            } else if self.persons.contains(&person) {
                self.contacts.insert(*contact);
            }
        }
        before != (self.persons.len(), self.contacts.len())
    }

    fn add_what_follows(&mut self, survey: &Survey) {
        for (deal, chat) in &survey.deals {
            if chat.is_some_and(|chat| self.conversations.contains(&chat)) {
                self.deals.insert(*deal);
            }
        }
        for (note, about) in &survey.notes {
            let is_hers = match about.kind {
                EntityKind::Leads => self.deals.contains(&DealId(about.id)),
                EntityKind::Contacts => self.contacts.contains(&ContactId(about.id)),
            };
            if is_hers {
                self.notes.insert(*note);
            }
        }
    }
}

/// The customer of a conversation that only one customer ever was in.
fn only_customer(talk: &Talk) -> Option<PersonId> {
    let mut people = talk.people.iter();
    people.next().copied().filter(|_| people.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::crm::entity::NoteSubject;
    use crate::domain::id::AccountId;

    fn person(byte: u8) -> PersonId {
        PersonId::from_random([byte; 16])
    }

    fn chat(byte: u8) -> ConversationId {
        ConversationId::from_random([byte; 16])
    }

    /// Chats 1 and 2 of person 1, chat 3 of person 3, chat 9 with persons 1 and 4; contacts of persons 1, 3 and 4.
    fn survey() -> Survey {
        let account = AccountId::from_random([1; 16]);
        let mut survey = Survey::of(account);
        let scope: crate::domain::id::ScopeId = format!("c_{account}").parse().unwrap();
        for (id, people) in [(1, vec![1]), (2, vec![1]), (3, vec![3]), (9, vec![1, 4])] {
            let talk = Talk {
                scope: scope.clone(),
                people: people.into_iter().map(person).collect(),
            };
            survey.talks.insert(chat(id), talk);
        }
        for (contact, byte) in [(1, 1), (3, 3), (4, 4)] {
            survey
                .contacts
                .insert(ContactId(contact), Some(person(byte)));
        }
        survey.contacts.insert(ContactId(7), None);
        for (id, contact) in [(1, 1), (2, 1), (3, 3), (9, 1)] {
            survey.links.insert(chat(id), ContactId(contact));
            survey
                .deals
                .insert(DealId(contact * 10 + u64::from(id)), Some(chat(id)));
        }
        survey.deals.insert(DealId(99), None);
        let about = NoteSubject {
            kind: EntityKind::Leads,
            id: 12,
        };
        survey.notes.insert(NoteId(1), about);
        survey
    }

    fn target(contact: Option<u64>, by_person: Option<u8>) -> CustomerTarget {
        CustomerTarget {
            account: AccountId::from_random([1; 16]),
            contact: contact.map(ContactId),
            person: by_person.map(person),
        }
    }

    #[test]
    fn a_contact_and_its_person_are_the_same_customer() {
        let survey = survey();
        let by_contact = Subject::of(&target(Some(1), None), &survey);
        assert_eq!(by_contact, Subject::of(&target(None, Some(1)), &survey));
        assert_eq!(by_contact.persons, [person(1)].into());
        assert_eq!(by_contact.contacts, [ContactId(1)].into());
        assert_eq!(by_contact.conversations, [chat(1), chat(2), chat(9)].into());
        assert_eq!(by_contact.deals, [11, 12, 19].map(DealId).into());
        assert_eq!(by_contact.notes, [NoteId(1)].into());
    }

    /// A group chat goes with each of its customers, and makes none of them another one.
    #[test]
    fn a_group_chat_joins_no_customers() {
        let subject = Subject::of(&target(None, Some(4)), &survey());
        assert_eq!(subject.persons, [person(4)].into());
        assert_eq!(subject.contacts, [ContactId(4)].into());
        assert_eq!(subject.conversations, [chat(9)].into());
    }

    #[test]
    fn chats_that_a_user_gave_to_one_contact_are_one_customer() {
        let mut survey = survey();
        survey.links.insert(chat(3), ContactId(7));
        survey.links.insert(chat(1), ContactId(7));
        let subject = Subject::of(&target(Some(7), None), &survey);
        assert_eq!(subject.persons, [person(1), person(3)].into());
        assert_eq!(subject.contacts, [1, 3, 7].map(ContactId).into());
        assert_eq!(
            Subject::of(&target(Some(99), None), &survey),
            Subject::default()
        );
    }
}
