//! The entities of a customer: the persons and contacts that the account takes for one, and what follows from them.
//!
//! A chat with one customer and the contact that it belongs to are the same customer; so are all chats of a contact. A group
//! chat, in which several customers wrote, makes none of them another one, but it is erased with each of them.

use std::collections::BTreeSet;

use crate::CustomerTarget;
use crate::judges::survey::{Survey, Talk};
use switchboard_domain::crm::CrmEvent;
use switchboard_domain::crm::entity::{EntityKind, ErasedEntity, NoteSubject};
use switchboard_domain::hooks::hook::HookObject;
use switchboard_domain::id::{
    ChannelId, ContactId, ConversationId, LeadId, NoteId, PersonId, TaskId,
};
use switchboard_domain::scope::ScopeEvent;

/// The entities of a customer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Subject {
    pub(super) persons: BTreeSet<PersonId>,
    pub(super) contacts: BTreeSet<ContactId>,
    pub(super) conversations: BTreeSet<ConversationId>,
    pub(super) leads: BTreeSet<LeadId>,
    pub(super) notes: BTreeSet<NoteId>,
    pub(super) tasks: BTreeSet<TaskId>,
    /// The channels that the conversations went through.
    pub(super) channels: BTreeSet<ChannelId>,
}

impl Subject {
    /// Selects the entities of this customer.
    pub(super) fn new(target: &CustomerTarget, survey: &Survey) -> Self {
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

    /// Returns whether an object of hooks is one of them.
    pub(super) fn has_object(&self, object: HookObject) -> bool {
        match object {
            HookObject::Chat(conversation) => self.conversations.contains(&conversation),
            HookObject::Lead(lead) => self.leads.contains(&lead),
            HookObject::Contact(contact) => self.contacts.contains(&contact),
            HookObject::Task(task) => self.tasks.contains(&task),
            HookObject::Template(_) => false,
        }
    }

    /// Returns whether a subject of notes and tasks is one of them.
    fn has_subject(&self, about: NoteSubject) -> bool {
        match about.kind {
            EntityKind::Leads => self.leads.contains(&LeadId(about.id)),
            EntityKind::Contacts => self.contacts.contains(&ContactId(about.id)),
        }
    }

    /// Returns whether an event of a scope is about one of the conversations or persons.
    pub(super) fn has_binding(&self, event: &ScopeEvent) -> bool {
        match event {
            ScopeEvent::ConversationBound { conversation, .. } => {
                self.conversations.contains(conversation)
            }
            ScopeEvent::PersonBound { person, .. } => self.persons.contains(person),
            ScopeEvent::Connected(_) | ScopeEvent::Disconnected => false,
        }
    }

    /// The entity of the customer that an event of the CRM is about; `None` when it is about none.
    pub(super) fn entity(&self, event: &CrmEvent) -> Option<ErasedEntity> {
        let (is_hers, entity) = match event {
            CrmEvent::Lead(changed) => {
                let id = changed.lead.id;
                (self.leads.contains(&id), ErasedEntity::Lead(id))
            }
            CrmEvent::Contact(changed) => {
                let id = changed.contact.id;
                (self.contacts.contains(&id), ErasedEntity::Contact(id))
            }
            CrmEvent::Chat(linked) => {
                let is_hers = self.conversations.contains(&linked.link.conversation);
                (is_hers, ErasedEntity::Chat(linked.link.id))
            }
            CrmEvent::Note(changed) => {
                let id = changed.note.id;
                (self.notes.contains(&id), ErasedEntity::Note(id))
            }
            CrmEvent::Task(changed) => {
                let id = changed.task.id;
                (self.tasks.contains(&id), ErasedEntity::Task(id))
            }
            CrmEvent::Begun(_)
            | CrmEvent::Tag(_)
            | CrmEvent::Source(_)
            | CrmEvent::CustomField(_)
            | CrmEvent::Pipeline(_)
            | CrmEvent::Audited(_)
            | CrmEvent::Erased(_) => return None,
        };
        is_hers.then_some(entity)
    }

    /// Adds those who are the same customer as those who are there; false: there is no other.
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
        for (lead, chat) in &survey.leads {
            if chat.is_some_and(|chat| self.conversations.contains(&chat)) {
                self.leads.insert(*lead);
            }
        }
        for (lead, contact) in &survey.submissions {
            if self.contacts.contains(contact) {
                self.leads.insert(*lead);
            }
        }
        for (note, about) in &survey.notes {
            if self.has_subject(*about) {
                self.notes.insert(*note);
            }
        }
        for (task, subjects) in &survey.tasks {
            if subjects.iter().any(|about| self.has_subject(*about)) {
                self.tasks.insert(*task);
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
    use switchboard_domain::id::AccountId;

    fn person(byte: u8) -> PersonId {
        PersonId::from_random([byte; 16])
    }

    fn chat(byte: u8) -> ConversationId {
        ConversationId::from_random([byte; 16])
    }

    /// Chats 1 and 2 of person 1, chat 3 of person 3, chat 9 with persons 1 and 4; contacts of persons 1, 3 and 4.
    fn survey() -> Survey {
        let account = AccountId::from_random([1; 16]);
        let mut survey = Survey::new(account);
        let scope: switchboard_domain::id::ScopeId = format!("c_{account}").parse().unwrap();
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
                .leads
                .insert(LeadId(contact * 10 + u64::from(id)), Some(chat(id)));
        }
        survey.leads.insert(LeadId(99), None);
        survey.leads.insert(LeadId(77), None);
        survey.submissions.insert(LeadId(77), ContactId(7));
        let about = NoteSubject {
            kind: EntityKind::Leads,
            id: 12,
        };
        survey.notes.insert(NoteId(1), about);
        // A task that was about her lead before is hers, whatever it is about now.
        let other = NoteSubject { id: 99, ..about };
        survey.tasks.insert(TaskId(1), [about, other].into());
        survey.tasks.insert(TaskId(2), [other].into());
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
        let by_contact = Subject::new(&target(Some(1), None), &survey);
        assert_eq!(by_contact, Subject::new(&target(None, Some(1)), &survey));
        assert_eq!(by_contact.persons, [person(1)].into());
        assert_eq!(by_contact.contacts, [ContactId(1)].into());
        assert_eq!(by_contact.conversations, [chat(1), chat(2), chat(9)].into());
        assert_eq!(by_contact.leads, [11, 12, 19].map(LeadId).into());
        assert_eq!(by_contact.notes, [NoteId(1)].into());
        assert_eq!(by_contact.tasks, [TaskId(1)].into());
    }

    /// What a visitor sent in a form is as personal as what they write in a chat.
    #[test]
    fn the_leads_of_forms_go_with_the_contact_who_sent_them() {
        let subject = Subject::new(&target(Some(7), None), &survey());
        assert_eq!(subject.contacts, [ContactId(7)].into());
        assert_eq!(subject.leads, [LeadId(77)].into());
    }

    /// A group chat goes with each of its customers, and makes none of them another one.
    #[test]
    fn a_group_chat_joins_no_customers() {
        let subject = Subject::new(&target(None, Some(4)), &survey());
        assert_eq!(subject.persons, [person(4)].into());
        assert_eq!(subject.contacts, [ContactId(4)].into());
        assert_eq!(subject.conversations, [chat(9)].into());
    }

    #[test]
    fn chats_that_a_user_gave_to_one_contact_are_one_customer() {
        let mut survey = survey();
        survey.links.insert(chat(3), ContactId(7));
        survey.links.insert(chat(1), ContactId(7));
        let subject = Subject::new(&target(Some(7), None), &survey);
        assert_eq!(subject.persons, [person(1), person(3)].into());
        assert_eq!(subject.contacts, [1, 3, 7].map(ContactId).into());
        assert_eq!(
            Subject::new(&target(Some(99), None), &survey),
            Subject::default()
        );
    }
}
