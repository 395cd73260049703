//! The names, phone numbers and addresses of a customer, in all versions that the journal has.

use std::collections::BTreeSet;

use crate::judges::customer::subject::Subject;
use crate::judges::masks::Masks;
use crate::judges::record::{DecodeError, Reading};
use switchboard_domain::conversation::{ConversationEvent, Customer};
use switchboard_domain::crm::CrmEvent;
use switchboard_domain::id::AccountId;

/// An integration's id of a person is masked when it is at least so long; shorter ones are words.
const CLIENT_ID_MIN: usize = 8;

/// The names, phone numbers and addresses of a customer.
#[derive(Clone, Debug)]
pub(super) struct Names {
    account: AccountId,
    texts: BTreeSet<String>,
}

impl Names {
    /// Begins with no name of a customer of this account.
    pub(super) fn new(account: AccountId) -> Self {
        Self {
            account,
            texts: BTreeSet::new(),
        }
    }

    /// Takes in a record.
    pub(super) fn look(
        &mut self,
        subject: &Subject,
        record: &Reading<'_>,
    ) -> Result<(), DecodeError> {
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
            contact.phones.values().for_each(|it| self.add(Some(it)));
            contact.emails.values().for_each(|it| self.add(Some(it)));
        }
        Ok(())
    }

    pub(super) fn masks(&self) -> Masks {
        Masks::new(self.texts.iter().map(String::as_str))
    }

    fn talk(&mut self, subject: &Subject, event: &ConversationEvent) {
        self.customers(subject, event.customers());
        if let Some(incoming) = event.as_received()
            && subject.persons.contains(&incoming.from)
            && !incoming.is_imported()
        {
            self.add(incoming.name.clone());
        }
    }

    /// Adds those who are the customer: in a group chat there are others.
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
        self.texts.extend(text.map(|text| text.to_string()));
    }
}
