//! The fields of a contact in bodies: its phone number and its e-mail address.

use super::{FieldBody, FieldValues};
use crate::domain::crm::custom_field::{CustomField, FieldIds};
use crate::domain::id::FieldId;
use crate::domain::text::Phone;
use crate::domain::text::email::Email;
use crate::domain::violation::ViolationCode;
use crate::wire::body::value::{List, Number};
use crate::wire::json::object::ObjectReader;

/// The fields of a contact in a body: `None` when the body has no such field, `Some(None)` when it is to
/// be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::wire::account_body) struct ContactFields {
    pub(in crate::wire::account_body) phone: Option<Option<Phone>>,
    pub(in crate::wire::account_body) email: Option<Option<Email>>,
}

impl ContactFields {
    pub(in crate::wire::account_body) fn read(
        item: &ObjectReader<'_, '_>,
        body: &FieldValues,
        ids: &FieldIds,
    ) -> Self {
        let mut read = Self::default();
        let fields = body.custom_fields_values.iter().flat_map(List::placed);
        for (place, field) in fields {
            let path = format!("custom_fields_values.{place}");
            if field
                .values
                .as_ref()
                .is_some_and(|values| values.0.len() > 1)
            {
                let detail = "a contact has one phone number and one e-mail address here";
                let code = ViolationCode::InvalidValue;
                item.reject(&format!("{path}.values"), code, detail.to_owned());
            }
            let first = field
                .values
                .as_ref()
                .and_then(|values| values.placed().next());
            let value = first
                .and_then(|(at, value)| Some((at, value.value.as_deref()?)))
                .filter(|(_, text)| !text.is_empty());
            let path_of = |at| format!("{path}.values.{at}.value");
            match which(item, &path, field, ids) {
                Some(CustomField::Phone) => {
                    let phone = value.and_then(|(at, text)| item.parsed(&path_of(at), text));
                    read.phone = Some(phone);
                }
                Some(CustomField::Email) => {
                    let email = value.and_then(|(at, text)| item.parsed(&path_of(at), text));
                    read.email = Some(email);
                }
                None => {}
            }
        }
        read
    }
}

/// Finds the field that `field_id` or `field_code` names.
fn which(
    item: &ObjectReader<'_, '_>,
    path: &str,
    field: &FieldBody,
    ids: &FieldIds,
) -> Option<CustomField> {
    let Some(Number(id)) = field.field_id else {
        return field.field_code;
    };
    let custom_field = ids.field(FieldId(id));
    if custom_field.is_none() {
        let choices = CustomField::ALL.map(|field| format!("{} ({})", ids.id(field), field.code()));
        let detail = format!(
            "expected the id of a field of contacts: {}",
            choices.join(", ")
        );
        let code = ViolationCode::NotSupportedChoice;
        item.reject(&format!("{path}.field_id"), code, detail);
    }
    custom_field
}
