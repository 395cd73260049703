//! What a customer is known by: names, phone numbers, addresses, in all versions that the journal has.

use std::collections::BTreeSet;

use crate::domain::conversation::{ConversationEvent, Customer};
use crate::domain::crm::CrmEvent;
use crate::domain::id::AccountId;
use crate::system::erasures::mask::Masks;
use crate::system::erasures::reading::{Reading, Undecodable};
use crate::system::erasures::subject::Subject;

/// An integration's id of a person is masked when it is at least so long; shorter ones are words.
const CLIENT_ID_MIN: usize = 8;

/// What a customer is known by.
#[derive(Clone, Debug)]
pub(super) struct Names {
    account: AccountId,
    found: BTreeSet<String>,
}

impl Names {
    /// Of a customer of this account, before the first record.
    pub(super) fn of(account: AccountId) -> Self {
        Self {
            account,
            found: BTreeSet::new(),
        }
    }

    /// Takes in what a record says of the customer.
    pub(super) fn look(
        &mut self,
        subject: &Subject,
        record: &Reading<'_>,
    ) -> Result<(), Undecodable> {
        if let Some(conversation) = record.conversation() {
            if subject.conversations.contains(&conversation) {
                self.talk(subject, record.talk()?);
            }
        } else if record.crm_of() == Some(self.account)
            && let CrmEvent::Contact(changed) = record.crm()?
            && subject.contacts.contains(&changed.contact.id)
        {
            let contact = &changed.contact;
            self.add(Some(&contact.name));
            self.add(contact.phone.as_ref());
            self.add(contact.email.as_ref());
        }
        Ok(())
    }

    pub(super) fn masks(&self) -> Masks {
        Masks::of(self.found.iter().map(String::as_str))
    }

    fn talk(&mut self, subject: &Subject, event: &ConversationEvent) {
        match event {
            ConversationEvent::Opened(opened) => self.customers(subject, opened.customer.as_ref()),
            ConversationEvent::Received(received) => {
                let named = received.customer.as_ref();
                self.customers(subject, named.into_iter().chain(received.to.as_deref()));
                let is_customers = subject.persons.contains(&received.from);
                if is_customers && !received.is_imported() {
                    self.add(received.name.clone());
                }
            }
            ConversationEvent::Replied(replied) => self.customers(subject, Some(&replied.to)),
            ConversationEvent::Condensed(condensed) => {
                self.customers(subject, &condensed.people);
            }
            ConversationEvent::Edited(_)
            | ConversationEvent::Reacted(_)
            | ConversationEvent::Reported(_)
            | ConversationEvent::DealOpened
            | ConversationEvent::DealChanged { .. }
            | ConversationEvent::Read(_)
            | ConversationEvent::Marked(_)
            | ConversationEvent::Fetched(_) => {}
        }
    }

    /// Of those who are the customer: in a group chat there are others.
    fn customers<'c>(
        &mut self,
        subject: &Subject,
        customers: impl IntoIterator<Item = &'c Customer>,
    ) {
        for customer in customers {
            if !subject.persons.contains(&customer.person) {
                continue;
            }
            self.add(Some(customer.name.clone()));
            self.add(customer.phone.clone());
            self.add(customer.email.clone());
            self.add(customer.avatar.clone());
            self.add(customer.profile_link.clone());
            let client_id = customer.client_id.clone();
            self.add(client_id.filter(|id| id.as_str().len() >= CLIENT_ID_MIN));
        }
    }

    fn add(&mut self, text: Option<impl ToString>) {
        self.found.extend(text.map(|text| text.to_string()));
    }
}
