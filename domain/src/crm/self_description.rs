//! The details that customers give of themselves, and the part that reaches their contact.
//!
//! A field that a user has set or emptied is the user's, and stays. Of the others, a phone number and an e-mail address follow
//! the newest that came. A name stays, unless it only stands for one that was not known: a phone number, for example.

use crate::conversation::Customer;
use crate::crm::Contact;
use crate::crm::contact_addresses::Addresses;
use crate::text::Phone;
use crate::text::email::Email;
use crate::text::normal_form::is_invisible;
use crate::text::phone_number::{PhoneNumber, is_number, numbers_in};
use crate::time::UnixMillis;

/// The details that a customer gives of themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelfDescription {
    /// All that the conversation knows of the customer.
    pub customer: Customer,
    /// The phone number, if it is another than the conversation knew.
    pub new_phone: Option<Phone>,
    /// The e-mail address, if it is another than the conversation knew.
    pub new_email: Option<Email>,
}

impl SelfDescription {
    /// Returns the details of a customer whose earlier details, if there are any, were these.
    #[must_use]
    pub fn new(mut customer: Customer, earlier: Option<&Customer>) -> Self {
        let earlier = earlier.filter(|earlier| earlier.person == customer.person);
        let (phone, email) = (customer.phone.clone(), customer.email.clone());
        customer.remember_of(earlier);
        Self {
            customer,
            new_phone: phone.filter(|it| earlier.and_then(|it| it.phone.as_ref()) != Some(it)),
            new_email: email.filter(|it| earlier.and_then(|it| it.email.as_ref()) != Some(it)),
        }
    }

    /// Returns whether the details may change the contact of a customer with these earlier details in the conversation.
    #[must_use]
    pub fn is_news(&self, before: Option<&Customer>) -> bool {
        let is_named = before.is_none_or(|before| {
            before.person == self.customer.person && before.name != self.customer.name
        });
        is_named || self.new_phone.is_some() || self.new_email.is_some()
    }

    /// The contact with what the customer says; `None` when it stays as it is.
    pub(super) fn on(&self, contact: &Contact, now: UnixMillis) -> Option<Contact> {
        let mut after = contact.clone();
        let customer = &self.customer;
        let users = contact.of_users;
        if !users.phone {
            let phone = newest(&self.new_phone, &after.phones, &customer.phone);
            after.phones = phone.into();
        }
        if !users.email {
            let email = newest(&self.new_email, &after.emails, &customer.email);
            after.emails = email.into();
        }
        let name = contact.name.as_str();
        let email = contact.emails.first();
        if !users.name && is_stand_in(name, email) && self.has_name() {
            after.name = customer.name.clone();
        }
        if after == *contact {
            return None;
        }
        after.updated_at = now;
        Some(after)
    }

    /// Returns whether the customer has a name that is more than a number.
    pub(super) fn has_name(&self) -> bool {
        !is_stand_in(self.customer.name.as_str(), self.customer.email.as_ref())
    }
}

/// The address that a contact has when no user set one: the new one, else its own, else that of the conversation.
fn newest<T: Clone>(new: &Option<T>, own: &Addresses<T>, known: &Option<T>) -> Option<T> {
    let own = own.first().or(known.as_ref());
    new.as_ref().or(own).cloned()
}

/// Returns whether a name only stands in for an unknown one.
pub(super) fn is_stand_in(name: &str, email: Option<&Email>) -> bool {
    let is_whole = |name| numbers_in(name).iter().any(PhoneNumber::is_whole);
    is_invisible(name)
        || (is_number(name) && is_whole(name))
        || email.is_some_and(|email| email.as_str() == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crm::custom_fields::value::FieldValues;
    use crate::crm::fields_of_users::FieldsOfUsers;
    use crate::id::{ContactId, PersonId};

    fn customer(name: &str, phone: Option<&str>, email: Option<&str>) -> Customer {
        Customer {
            person: PersonId::from_random([3; 16]),
            client_id: None,
            name: name.parse().unwrap(),
            avatar: None,
            phone: phone.map(|phone| phone.parse().unwrap()),
            email: email.map(|email| email.parse().unwrap()),
            profile_link: None,
        }
    }

    fn contact(name: &str, phone: Option<&str>, of_users: FieldsOfUsers) -> Contact {
        Contact {
            id: ContactId(1),
            name: name.parse().unwrap(),
            phones: phone.map(|phone| phone.parse().unwrap()).into(),
            emails: None.into(),
            of_users,
            responsible: None,
            person: None,
            tags: Vec::new(),
            values: FieldValues::default(),
            created_at: UnixMillis::ZERO,
            updated_at: UnixMillis::ZERO,
        }
    }

    fn phone_after(says: &SelfDescription, before: &Contact) -> Option<String> {
        let after = says.on(before, UnixMillis::new(1));
        let phone = after.and_then(|after| after.phones.first().cloned());
        phone.map(String::from)
    }

    #[test]
    fn what_the_conversation_knew_before_only_fills_an_empty_field() {
        let earlier = customer("Ada", Some("+1"), None);
        let says = SelfDescription::new(customer("Ada", None, None), Some(&earlier));
        assert!(!says.is_news(Some(&earlier)));
        let nobodys = FieldsOfUsers::default();
        assert_eq!(
            phone_after(&says, &contact("Ada", None, nobodys)).as_deref(),
            Some("+1")
        );
        assert_eq!(
            phone_after(&says, &contact("Ada", Some("+2"), nobodys)),
            None
        );
        let says = SelfDescription::new(customer("Ada", Some("+3"), None), Some(&earlier));
        assert!(says.is_news(Some(&earlier)));
        let after = phone_after(&says, &contact("Ada", Some("+2"), nobodys));
        assert_eq!(after.as_deref(), Some("+3"));
        let of_users = FieldsOfUsers {
            phone: true,
            ..nobodys
        };
        for phone in [None, Some("+2")] {
            assert_eq!(phone_after(&says, &contact("Ada", phone, of_users)), None);
        }
    }

    #[test]
    fn only_a_stand_in_gives_way_to_a_name() {
        let email = "ada@example.com".parse().unwrap();
        for name in [
            "+7 900 000-00-01",
            "Tel. 89000000001",
            "\u{200b}",
            "ada@example.com",
        ] {
            assert!(is_stand_in(name, Some(&email)), "{name}");
        }
        for name in ["Ada", "Ada 79000000001", "007", "bo@example.com"] {
            assert!(!is_stand_in(name, Some(&email)), "{name}");
        }
    }
}
