//! The bodies that add and change leads and contacts: one reader for both.

use std::collections::BTreeSet;

use crate::account_body::batch::{self, BatchError};
use crate::account_body::crm::{self, ContactChangeBody, LeadChangeBody};
use crate::account_body::entries::{
    self, FieldChanges, KnownReferences, LeadFields, NewContactBody, NewLeadBody,
};
use crate::account_body::items::{self, ENTRIES_MAX, Item, Items};
use crate::account_body::placing;
use crate::body::Body;
use crate::domain::crm::create_contacts::NewContact;
use crate::domain::crm::create_leads::NewLead;
use crate::domain::crm::custom_fields::value::FieldValues;
use crate::domain::crm::entity::EntityKind;
use crate::domain::crm::update_contact::ContactChange;
use crate::domain::crm::update_lead::LeadChange;
use crate::domain::crm::{Contact, Lead};
use crate::domain::id::{ContactId, LeadId, UserId};
use crate::domain::text::email::Email;
use crate::domain::text::{Phone, TagName};
use crate::domain::violation::ViolationCode;
use crate::json::object::{Nulls, ObjectReader};
use crate::json::{self, BodyError};

/// An entry that bodies add and change: a lead or a contact.
pub trait Entry: Sized {
    /// Its kind.
    const KIND: EntityKind;
    /// Its number.
    type Id: Copy + Ord;
    /// A new one, as a body describes it.
    type New: Clone;
    /// The difference that a body makes.
    type Change: Clone;

    /// The id with this number.
    fn id(number: u64) -> Self::Id;

    /// Takes a new entry out of an item. The caller is responsible for it unless the item names a user or null.
    fn take_new(
        item: &ObjectReader<'_, '_>,
        known: KnownReferences<'_>,
        caller: UserId,
    ) -> Option<Self::New>;

    /// Takes a change of `current` out of an item. A value that `current` has already is no change.
    fn take_change(
        item: &ObjectReader<'_, '_>,
        known: KnownReferences<'_>,
        current: &Self,
    ) -> Option<Self::Change>;
}

impl Entry for Lead {
    const KIND: EntityKind = EntityKind::Leads;
    type Id = LeadId;
    type New = NewLead;
    type Change = LeadChange;

    fn id(number: u64) -> LeadId {
        LeadId(number)
    }

    fn take_new(
        item: &ObjectReader<'_, '_>,
        known: KnownReferences<'_>,
        caller: UserId,
    ) -> Option<NewLead> {
        let NewLeadBody {
            fields,
            added,
            embedded,
        } = NewLeadBody::take(item)?;
        let (contacts, all) = embedded.map(|it| (it.contacts, it.tags)).unzip();
        let contact = contacts
            .flatten()
            .and_then(|it| entries::contact(item, &it, known));
        let tags = entries::tags_of_new(item, added, all, known)?;
        let lead = new_lead(item, fields, tags, known, caller)?;
        Some(NewLead { contact, ..lead })
    }

    fn take_change(
        item: &ObjectReader<'_, '_>,
        known: KnownReferences<'_>,
        current: &Self,
    ) -> Option<LeadChange> {
        let LeadChangeBody { fields, tags } = LeadChangeBody::take(item)?;
        let LeadFields {
            entry,
            price,
            stage,
            values,
        } = fields;
        let (pipeline, stage_now) = (current.pipeline, Some(current.stage));
        let changes = FieldChanges::read(item, &values, Self::KIND, known);
        Some(LeadChange {
            stage: placing::stage(item, &stage, known.crm, pipeline, stage_now),
            responsible: crm::responsible(item, &entry, current.responsible, known.users),
            name: entry.name.map(String::from),
            price: price.price,
            tags: entries::tags(item, &tags, known, &current.tags),
            values: changes.values,
            ..LeadChange::default()
        })
    }
}

impl Entry for Contact {
    const KIND: EntityKind = EntityKind::Contacts;
    type Id = ContactId;
    type New = NewContact;
    type Change = ContactChange;

    fn id(number: u64) -> ContactId {
        ContactId(number)
    }

    fn take_new(
        item: &ObjectReader<'_, '_>,
        known: KnownReferences<'_>,
        caller: UserId,
    ) -> Option<NewContact> {
        new_contact(item, NewContactBody::take(item)?, known, caller)
    }

    fn take_change(
        item: &ObjectReader<'_, '_>,
        known: KnownReferences<'_>,
        current: &Self,
    ) -> Option<ContactChange> {
        let ContactChangeBody {
            entry,
            values,
            tags,
        } = ContactChangeBody::take(item)?;
        let fields = FieldChanges::read(item, &values, Self::KIND, known);
        Some(ContactChange {
            responsible: crm::responsible(item, &entry, current.responsible, known.users),
            name: entry.name,
            phones: fields.phones,
            emails: fields.emails,
            values: fields.values,
            tags: entries::tags(item, &tags, known, &current.tags),
        })
    }
}

/// The lead that the fields of a body describe, without a contact.
pub(super) fn new_lead(
    item: &ObjectReader<'_, '_>,
    fields: LeadFields,
    tags: Vec<TagName>,
    known: KnownReferences<'_>,
    caller: UserId,
) -> Option<NewLead> {
    let LeadFields {
        entry,
        price,
        stage,
        values,
    } = fields;
    let responsible = entries::responsible(item, &entry, known.users, caller);
    let pipeline = known.crm.pipelines.first();
    let requested_stage =
        pipeline.and_then(|pipeline| placing::stage(item, &stage, known.crm, pipeline.id, None));
    let first = pipeline.and_then(|pipeline| known.crm.first_open(pipeline.id));
    let changes = FieldChanges::read(item, &values, EntityKind::Leads, known);
    Some(NewLead {
        name: entry.name,
        price: price.price.unwrap_or_default(),
        stage: requested_stage.or(first)?,
        responsible,
        contact: None,
        submission: None,
        tags,
        values: FieldValues::default().with(&changes.values),
    })
}

/// The contact that a body describes.
pub(super) fn new_contact(
    item: &ObjectReader<'_, '_>,
    body: NewContactBody,
    known: KnownReferences<'_>,
    caller: UserId,
) -> Option<NewContact> {
    let responsible = entries::responsible(item, &body.entry, known.users, caller);
    let fields = FieldChanges::read(item, &body.values, EntityKind::Contacts, known);
    let tags = entries::tags_of_new(item, body.added, body.embedded, known)?;
    let phones = fields.phones.unwrap_or_default();
    let emails = fields.emails.unwrap_or_default();
    let parts = entries::whole_name(item, [body.first_name, body.last_name]);
    let name = body.entry.name.or(parts).or_else(|| {
        let phone = phones.first().map(Phone::as_str);
        let text = phone.or_else(|| emails.first().map(Email::as_str))?;
        text.parse().ok()
    });
    if name.is_none() && !item.has("name") {
        let detail = "a contact needs a name, a phone number or an e-mail address";
        item.reject("name", ViolationCode::FieldMissing, detail.to_owned());
    }
    Some(NewContact {
        name: name?,
        phones,
        emails,
        responsible,
        tags,
        values: FieldValues::default().with(&fields.values),
    })
}

/// Reads the entries that `caller` adds.
///
/// # Errors
/// With everything that is wrong with any of them.
pub fn parse_new<E: Entry>(
    body: &[u8],
    known: KnownReferences<'_>,
    caller: UserId,
) -> Result<Vec<Item<E::New>>, BatchError> {
    let root = batch::parse(body)?;
    Items::new(&root, E::KIND.word(), ENTRIES_MAX)?.read(|item| E::take_new(item, known, caller))
}

/// Reads a change of the entry `current`.
///
/// # Errors
/// With everything that is wrong.
pub fn parse_change<E: Entry>(
    body: &[u8],
    known: KnownReferences<'_>,
    current: &E,
) -> Result<E::Change, BodyError> {
    json::read(body, Nulls::Absent, |body| {
        E::take_change(body, known, current)
    })
}

/// Reads changes of several entries, each named by its `id`. `current` returns an entry that the caller may see.
///
/// # Errors
/// With everything that is wrong with any of them.
pub fn parse_changes<'e, E: Entry + 'e>(
    body: &[u8],
    known: KnownReferences<'_>,
    current: impl Fn(E::Id) -> Option<&'e E>,
) -> Result<Vec<Item<(E::Id, E::Change)>>, BatchError> {
    let root = batch::parse(body)?;
    Items::new(&root, E::KIND.word(), ENTRIES_MAX)?.read(|item| {
        let find = |id| Some((E::id(id), current(E::id(id))?));
        let (id, current) = items::named(item, E::KIND.singular(), find)?;
        Some((id, E::take_change(item, known, current)?))
    })
}

/// Returns the numbers of the entries that a body changes, to be looked up before it is read.
#[must_use]
pub fn changed_ids(body: &[u8]) -> BTreeSet<u64> {
    let ids = batch::parse(body).and_then(|root| {
        let items = Items::new(&root, "items", ENTRIES_MAX)?;
        Ok(items.nodes().filter_map(entries::id).collect())
    });
    ids.unwrap_or_default()
}
