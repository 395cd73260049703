//! The values of fields, in the shape of the older interface: `custom_fields` with `values` and `enum`.

use std::borrow::Cow;

use crate::domain::crm::Contact;
use crate::domain::crm::contact_addresses::Addresses;
use crate::domain::crm::custom_fields::CustomField;
use crate::domain::crm::custom_fields::value::{FieldValue, FieldValues};
use crate::domain::crm::entity::EntityKind;
use crate::domain::crm::predefined_field::PredefinedField;
use crate::domain::crm::tag::Tag;
use crate::domain::id::{FieldEnumId, FieldId};
use crate::domain::text::Phone;
use crate::domain::text::email::Email;
use crate::webhook_form::context::CrmContext;
use crate::webhook_form::writer::FormWriter;

/// Writes the tags of an entry.
pub(super) fn write_tags(tags: &[Tag], form: &mut FormWriter) {
    form.each("tags", tags, |form, tag| {
        form.put("id", tag.id);
        form.put("name", &tag.name);
    });
}

/// Writes the custom fields of a lead.
pub(super) fn write_lead_values(
    values: &FieldValues,
    context: &CrmContext<'_>,
    form: &mut FormWriter,
) {
    write(own(EntityKind::Leads, values, context), form);
}

/// Writes the fields of a contact, the predefined ones first.
pub(super) fn write_contact_values(
    contact: &Contact,
    context: &CrmContext<'_>,
    form: &mut FormWriter,
) {
    let items = PredefinedField::ALL.into_iter().map(|field| {
        let id = context.field_ids.id(field);
        let values = match field {
            PredefinedField::Phone => labelled(id, &contact.phones, Phone::as_str),
            PredefinedField::Email => labelled(id, &contact.emails, Email::as_str),
        };
        ValuesItem {
            id,
            name: field.name(),
            code: Some(field.code()),
            values,
        }
    });
    let predefined = items.filter(|item| !item.values.is_empty());
    let own = own(EntityKind::Contacts, &contact.values, context);
    write(predefined.chain(own), form);
}

/// The phone numbers or the e-mail addresses of a contact, with their labels.
fn labelled<T>(
    field: FieldId,
    addresses: &Addresses<T>,
    text: impl Fn(&T) -> &str,
) -> Vec<ValueItem<'_>> {
    let items = addresses.iter().map(|it| ValueItem {
        text: text(&it.value).into(),
        choice: Some(it.label.number(field)),
    });
    items.collect()
}

/// The values of the fields that the account defines.
fn own<'v>(
    entity: EntityKind,
    values: &'v FieldValues,
    context: &'v CrmContext<'_>,
) -> impl Iterator<Item = ValuesItem<'v>> {
    let pairs = values.in_order(&context.crm.custom_fields, entity);
    let items = pairs.into_iter();
    items.filter_map(|(field, value)| ValuesItem::own(field, value))
}

fn write<'v>(items: impl Iterator<Item = ValuesItem<'v>>, form: &mut FormWriter) {
    form.each("custom_fields", items, |form, item| {
        form.put("id", item.id);
        form.put("name", item.name);
        form.put_some("code", item.code);
        form.each("values", item.values, |form, value| {
            form.put("value", value.text);
            form.put_some("enum", value.choice);
        });
    });
}

/// A field with its values.
struct ValuesItem<'v> {
    id: FieldId,
    name: &'v str,
    code: Option<&'v str>,
    values: Vec<ValueItem<'v>>,
}

struct ValueItem<'v> {
    text: Cow<'v, str>,
    choice: Option<FieldEnumId>,
}

impl<'v> ValuesItem<'v> {
    /// The values of a field; `None` when the field offers none of them any more.
    fn own(field: &'v CustomField, value: &'v FieldValue) -> Option<Self> {
        let settings = &field.settings;
        let plain = |text| vec![ValueItem { text, choice: None }];
        let values: Vec<_> = match value {
            FieldValue::Text(text) => plain(text.into()),
            FieldValue::Number(number) => plain(number.to_string().into()),
            FieldValue::Date(seconds) => plain(seconds.to_string().into()),
            FieldValue::Switch(on) => plain(u8::from(*on).to_string().into()),
            FieldValue::Enums(_) => settings
                .chosen(value)
                .map(|choice| ValueItem {
                    text: choice.value.as_str().into(),
                    choice: Some(choice.id),
                })
                .collect(),
        };
        let is_shown = !values.is_empty();
        is_shown.then(|| Self {
            id: field.id,
            name: settings.name.as_str(),
            code: settings.code(),
            values,
        })
    }
}
