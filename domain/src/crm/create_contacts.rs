//! Account users add contacts who wrote in no chat: all of them or none.

use crate::Decision;
use crate::audit::By;
use crate::crm::audit::Author;
use crate::crm::contact_addresses::Addresses;
use crate::crm::custom_fields::value::FieldValues;
use crate::crm::entity::EntityKind;
use crate::crm::fields_of_users::FieldsOfUsers;
use crate::crm::make_tags::{self, TagMaker, TagsRejection};
use crate::crm::tag::Tag;
use crate::crm::{Contact, ContactChanged, Crm, CrmEvent};
use crate::id::{AccountId, ContactId, UserId};
use crate::text::email::Email;
use crate::text::{Name, Phone, TagName};
use crate::time::UnixMillis;
use switchboard_engine::entries::Keys;
use switchboard_engine::state::{Command, Moment, Recorded};

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
    /// Their phone numbers.
    pub phones: Addresses<Phone>,
    /// Their e-mail addresses.
    pub emails: Addresses<Email>,
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
        let author = Author {
            by: self.by,
            account: self.account,
        };
        let records = moment.earlier;
        let contacts = create(state, self.contacts, &author, records, moment, &mut events)?;
        Ok(Decision::events(events, contacts))
    }
}

impl NewContact {
    fn into_contact(self, id: ContactId, tags: Vec<Tag>, now: UnixMillis) -> Contact {
        let of_users = FieldsOfUsers {
            name: false,
            phone: !self.phones.is_none(),
            email: !self.emails.is_none(),
        };
        Contact {
            id,
            of_users,
            name: self.name,
            phones: self.phones,
            emails: self.emails,
            responsible: self.responsible,
            person: None,
            tags,
            values: self.values,
            created_at: now,
            updated_at: now,
        }
    }
}

/// The new contacts, with the next numbers. The events gain what creates them and their tags, and the entries of the audit
/// log. `records` are those of the keys of their tags.
pub(super) fn create(
    state: &Crm,
    new: Vec<NewContact>,
    author: &Author,
    records: &[Option<Recorded<CrmEvent>>],
    moment: &mut Moment<'_, CrmEvent>,
    events: &mut Vec<Recorded<CrmEvent>>,
) -> Result<Vec<Contact>, TagsRejection> {
    let mut maker = TagMaker::new(state, EntityKind::Contacts, events);
    let mut remaining = records;
    let mut contacts = Vec::with_capacity(new.len());
    for (number, mut one) in (state.contacts.saturating_add(1)..).zip(new) {
        let names = std::mem::take(&mut one.tags);
        let (of_tags, rest) = remaining
            .split_at_checked(names.len())
            .unwrap_or((remaining, &[]));
        remaining = rest;
        let tags = maker.tags(names, of_tags)?;
        contacts.push(one.into_contact(ContactId(number), tags, moment.now));
    }
    events.extend(contacts.iter().map(|contact| {
        let event = ContactChanged::new(contact.clone(), None).with_actor(&author.by);
        CrmEvent::Contact(Box::new(event)).into()
    }));
    for contact in &contacts {
        events.push(author.contact(None, contact, moment).into());
    }
    Ok(contacts)
}
