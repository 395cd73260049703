//! Account users add contacts who wrote in no chat: all of them or none.

use crate::Decision;
use crate::audit::By;
use crate::crm::audit::Author;
use crate::crm::custom_fields::value::FieldValues;
use crate::crm::entity::EntityKind;
use crate::crm::fields_of_users::FieldsOfUsers;
use crate::crm::make_tags::{self, TagMaker, TagsRejection};
use crate::crm::{Contact, ContactChanged, Crm, CrmEvent};
use crate::id::{AccountId, ContactId, UserId};
use crate::text::email::Email;
use crate::text::{Name, Phone, TagName};
use switchboard_engine::entries::Keys;
use switchboard_engine::state::{Command, Moment};

/// Adds contacts.
#[derive(Clone, Debug)]
pub struct CreateContacts {
    /// The actor, for the audit log.
    pub by: By,
    /// The account.
    pub account: AccountId,
    /// The contacts.
    pub contacts: Vec<NewContact>,
}

/// A contact to be added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewContact {
    /// Their name.
    pub name: Name,
    /// Their phone number.
    pub phone: Option<Phone>,
    /// Their e-mail address.
    pub email: Option<Email>,
    /// The responsible user; `None` for no user.
    pub responsible: Option<UserId>,
    /// The names of the tags.
    pub tags: Vec<TagName>,
    /// The values of the custom fields.
    pub values: FieldValues,
}

impl Command for CreateContacts {
    type Of = Crm;
    type Reply = Vec<Contact>;
    type Rejection = TagsRejection;

    fn required_keys(&self, _state: &Crm) -> Keys {
        let contacts = self.contacts.iter();
        contacts
            .flat_map(|contact| make_tags::asked(self.account, EntityKind::Contacts, &contact.tags))
            .collect()
    }

    fn decide(
        self,
        state: &Crm,
        moment: &mut Moment<'_, CrmEvent>,
    ) -> Result<Decision<CrmEvent, Vec<Contact>>, TagsRejection> {
        let mut events = Vec::new();
        let mut maker = TagMaker::new(state, EntityKind::Contacts, &mut events);
        let mut remaining = moment.earlier;
        let mut contacts = Vec::with_capacity(self.contacts.len());
        for (number, new) in (state.contacts.saturating_add(1)..).zip(self.contacts) {
            let (of_tags, rest) = remaining
                .split_at_checked(new.tags.len())
                .unwrap_or((remaining, &[]));
            remaining = rest;
            let of_users = FieldsOfUsers {
                name: false,
                phone: new.phone.is_some(),
                email: new.email.is_some(),
            };
            contacts.push(Contact {
                id: ContactId(number),
                of_users,
                name: new.name,
                phone: new.phone,
                email: new.email,
                responsible: new.responsible,
                person: None,
                tags: maker.tags(new.tags, of_tags)?,
                values: new.values,
                created_at: moment.now,
                updated_at: moment.now,
            });
        }
        events.extend(contacts.iter().map(|contact| {
            let event = ContactChanged::new(contact.clone(), None);
            CrmEvent::Contact(Box::new(event)).into()
        }));
        let author = Author {
            by: self.by,
            account: self.account,
        };
        for contact in &contacts {
            events.push(author.contact(None, contact, moment).into());
        }
        Ok(Decision::events(events, contacts))
    }
}
