//! A contact is changed by account users; as with leads, only if it still is what was seen.

use smallvec::smallvec;

use crate::audit::By;
use crate::crm::audit::Author;
use crate::crm::contact_addresses::Addresses;
use crate::crm::custom_fields::value::FieldValuesChange;
use crate::crm::entity::EntityKind;
use crate::crm::fields_of_users::FieldsOfUsers;
use crate::crm::make_tags;
use crate::crm::tag::TagsChange;
use crate::crm::update_lead::{UpdateLeadRejection, contact};
use crate::crm::{Contact, ContactBefore, ContactChanged, Crm, CrmEvent};
use crate::id::{AccountId, UserId};
use crate::text::email::Email;
use crate::text::{Name, Phone};
use crate::{Decision, keys};
use switchboard_engine::entries::Keys;
use switchboard_engine::state::{Command, Moment};

/// The changes of a contact; a field that is `None` stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContactChange {
    /// The name.
    pub name: Option<Name>,
    /// The responsible user; `Some(None)`: no user.
    pub responsible: Option<Option<UserId>>,
    /// All phone numbers.
    pub phones: Option<Addresses<Phone>>,
    /// All e-mail addresses.
    pub emails: Option<Addresses<Email>>,
    /// The changes of the tags.
    pub tags: TagsChange,
    /// The changes of the values of custom fields.
    pub values: FieldValuesChange,
}

impl ContactChanged {
    /// A contact that a user did not change, and the same one before; `None` when it is new.
    #[must_use]
    pub fn new(contact: Contact, before: Option<&Contact>) -> Self {
        let before = before.map(|before| ContactBefore {
            responsible: before.responsible,
            phones: before.phones.clone(),
            emails: before.emails.clone(),
            updated_at: before.updated_at,
        });
        Self {
            contact,
            before,
            by: None,
        }
    }

    /// The same change by this actor.
    #[must_use]
    pub fn with_actor(self, by: &By) -> Self {
        Self {
            by: by.user(),
            ..self
        }
    }
}

/// Changes a contact.
#[derive(Clone, Debug)]
pub struct UpdateContact {
    /// The actor, for the audit log.
    pub by: By,
    /// The account.
    pub account: AccountId,
    /// The contact as it was seen.
    pub seen: Contact,
    /// The changes.
    pub change: ContactChange,
}

impl Command for UpdateContact {
    type Of = Crm;
    type Reply = Contact;
    type Rejection = UpdateLeadRejection;

    fn required_keys(&self, _state: &Crm) -> Keys {
        let mut required: Keys = smallvec![keys::contact(self.account, self.seen.id)];
        let tags = self.change.tags.names(&self.seen.tags).unwrap_or_default();
        required.extend(make_tags::asked(self.account, EntityKind::Contacts, &tags));
        required
    }

    fn decide(
        self,
        state: &Crm,
        moment: &mut Moment<'_, CrmEvent>,
    ) -> Result<Decision<CrmEvent, Contact>, UpdateLeadRejection> {
        let current = contact(moment.earlier(0))
            .filter(|current| **current == self.seen)
            .ok_or(UpdateLeadRejection)?;
        let mut contact = Contact {
            name: self.change.name.unwrap_or_else(|| current.name.clone()),
            responsible: self.change.responsible.unwrap_or(current.responsible),
            phones: self.change.phones.unwrap_or_else(|| current.phones.clone()),
            emails: self.change.emails.unwrap_or_else(|| current.emails.clone()),
            values: current.values.with(&self.change.values),
            ..current.clone()
        };
        if contact.values != current.values {
            contact
                .values
                .retain_fields(&state.custom_fields, EntityKind::Contacts);
        }
        let mut events = Vec::new();
        if let Some(names) = self.change.tags.names(&current.tags) {
            let tags = make_tags::of_change(
                state,
                EntityKind::Contacts,
                names,
                moment.earlier,
                &mut events,
            );
            contact.tags = tags.map_err(|_too_many| UpdateLeadRejection)?;
        }
        contact.of_users = current.of_users.and(FieldsOfUsers {
            name: current.name != contact.name,
            phone: current.phones != contact.phones,
            email: current.emails != contact.emails,
        });
        if contact == *current {
            return Ok(Decision::unchanged(contact));
        }
        contact.updated_at = moment.now;
        let event = ContactChanged::new(contact.clone(), Some(current)).with_actor(&self.by);
        events.push(CrmEvent::Contact(Box::new(event)).into());
        let author = Author {
            by: self.by,
            account: self.account,
        };
        events.push(author.contact(Some(current), &contact, moment).into());
        Ok(Decision::events(events, contact))
    }
}
