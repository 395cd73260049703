//! The values of custom fields in answers about leads and contacts.

use std::borrow::Cow;

use serde::Serialize;
use switchboard_actors::domain::crm::contact_addresses::{AddressLabel, Labelled};
use switchboard_actors::domain::crm::custom_fields::value::{FieldValue, FieldValues};
use switchboard_actors::domain::crm::custom_fields::{CustomField, FieldEnum};
use switchboard_actors::domain::crm::entity::EntityKind;
use switchboard_actors::domain::crm::predefined_field::PredefinedField;
use switchboard_actors::domain::crm::{Contact, Lead};
use switchboard_actors::domain::id::{FieldEnumId, FieldId};
use switchboard_actors::domain::text::Phone;
use switchboard_actors::domain::text::email::Email;

use crate::account::custom_fields::MULTITEXT;
use crate::account::place::Place;

/// The values of a lead's fields; `None` when all are empty.
pub(super) fn lead_values<'v>(lead: &'v Lead, place: &'v Place<'_>) -> Option<Vec<ValuesView<'v>>> {
    let values = own(EntityKind::Leads, &lead.values, place);
    (!values.is_empty()).then_some(values)
}

/// The values of a contact's fields, the predefined ones first; `None` when all are empty.
pub(super) fn contact_values<'v>(
    contact: &'v Contact,
    place: &'v Place<'_>,
) -> Option<Vec<ValuesView<'v>>> {
    let predefined = PredefinedField::ALL.into_iter().filter_map(|field| {
        let id = place.fields.id(field);
        let values: Vec<_> = match field {
            PredefinedField::Phone => {
                let phones = contact.phones.iter();
                let view =
                    |it: &'v Labelled<Phone>| ValueView::labelled(id, it.value.as_str(), it.label);
                phones.map(view).collect()
            }
            PredefinedField::Email => {
                let emails = contact.emails.iter();
                let view =
                    |it: &'v Labelled<Email>| ValueView::labelled(id, it.value.as_str(), it.label);
                emails.map(view).collect()
            }
        };
        let (name, code) = (field.name(), Some(field.code()));
        let is_shown = !values.is_empty();
        is_shown.then(|| ValuesView::new(id, name, code, MULTITEXT, values))
    });
    let own = own(EntityKind::Contacts, &contact.values, place);
    let values: Vec<_> = predefined.chain(own).collect();
    (!values.is_empty()).then_some(values)
}

/// The values of the fields that the account defines, in the order of the fields.
fn own<'v>(
    entity: EntityKind,
    values: &'v FieldValues,
    place: &'v Place<'_>,
) -> Vec<ValuesView<'v>> {
    let pairs = values.in_order(&place.custom_fields, entity);
    pairs
        .into_iter()
        .filter_map(|(field, value)| ValuesView::own(field, value))
        .collect()
}

/// A value as JSON has it.
#[derive(Serialize, schemars::JsonSchema)]
#[serde(untagged)]
#[schemars(inline)]
pub(super) enum ShownValue<'v> {
    /// A text, or a number.
    Text(Cow<'v, str>),
    /// Seconds.
    Whole(i64),
    /// True or false.
    Switch(bool),
}

/// The code of a value that a field offers; null when it has none.
#[derive(Serialize, schemars::JsonSchema)]
#[schemars(inline)]
pub(super) struct EnumCode<'v>(Option<&'v str>);

impl<'v> ValuesView<'v> {
    /// The values of a field; `None` when the field offers none of them any more.
    fn own(field: &'v CustomField, value: &'v FieldValue) -> Option<Self> {
        let settings = &field.settings;
        let plain = |value| vec![ValueView::new(value, None, None)];
        let values = match value {
            FieldValue::Text(text) => plain(ShownValue::Text(text.into())),
            FieldValue::Number(number) => plain(ShownValue::Text(number.to_string().into())),
            FieldValue::Date(seconds) => plain(ShownValue::Whole(*seconds)),
            FieldValue::Switch(on) => plain(ShownValue::Switch(*on)),
            FieldValue::Enums(_) => settings.chosen(value).map(ValueView::chosen).collect(),
        };
        let code = settings.code();
        let name = settings.name.as_str();
        let is_shown = !values.is_empty();
        is_shown.then(|| Self::new(field.id, name, code, settings.kind.as_str(), values))
    }
}

impl<'v> ValueView<'v> {
    /// A phone number or an e-mail address of the field with this number.
    fn labelled(field: FieldId, value: &'v str, label: AddressLabel) -> Self {
        let code = EnumCode(Some(label.code()));
        Self::new(
            ShownValue::Text(value.into()),
            Some(label.number(field)),
            Some(code),
        )
    }

    fn chosen(value: &'v FieldEnum) -> Self {
        let text = ShownValue::Text(value.value.as_str().into());
        Self::new(text, Some(value.id), Some(EnumCode(value.code())))
    }
}

view! {
    #[schemars(inline)]
    pub(super) struct ValuesView<'v>(id: FieldId, name: &'v str, code: Option<&'v str>, kind: &'static str, values: Vec<ValueView<'v>>) {
        field_id: FieldId = id,
        field_name: &'v str = name,
        field_code: Option<&'v str> = code,
        field_type: &'static str = kind,
        #[schemars(extend("const" = false))]
        is_computed: bool = false,
        values: Vec<ValueView<'v>> = values,
    }

    #[schemars(inline)]
    pub(super) struct ValueView<'v>(value: ShownValue<'v>, enum_id: Option<FieldEnumId>, enum_code: Option<EnumCode<'v>>) {
        /// A text; true or false for the type checkbox, Unix time in seconds for the type date. A number is a text.
        value: ShownValue<'v> = value,
        /// The number of the value, where the field offers its values.
        enum_id ?: FieldEnumId = enum_id,
        /// The code of the value, where the field offers its values.
        enum_code ?: EnumCode<'v> = enum_code,
    }
}
