//! The bodies of definitions of custom fields.

use std::collections::BTreeSet;

use crate::account_body::batch::{self, BatchError};
use crate::account_body::items::{self, Item, Items, WithId};
use crate::body;
use crate::body::Body;
use crate::body::value::{List, Number, Whole};
use crate::domain::crm::custom_fields::create::{EnumPlan, NewCustomField};
use crate::domain::crm::custom_fields::update::CustomFieldChange;
use crate::domain::crm::custom_fields::{
    CustomField, CustomFields, ENUMS_MAX, FIELDS_MAX, FieldEnum, FieldType,
};
use crate::domain::crm::entity::EntityKind;
use crate::domain::id::{FieldEnumId, FieldId};
use crate::domain::text::{FieldCode, FieldName};
use crate::domain::violation::ViolationCode;
use crate::json::BodyError;
use crate::json::object::ObjectReader;

/// A place in lists: the domain has the same limit.
type Sort = Whole<0, 1_000_000>;

body!(
    /// A custom field to be created.
    #[body(open)]
    pub struct NewFieldBody {
        #[body(needed)]
        name: Option<FieldName>,
        /// The type of its values. It never changes.
        #[body(needed, key("type"))]
        kind: Option<FieldType>,
        #[body(flatten)]
        others: OtherFieldsBody,
    }

    /// A change of a custom field.
    #[body(open, lenient)]
    pub struct FieldChangeBody {
        name: Option<FieldName>,
        /// Only the type that the field has.
        #[body(key("type"))]
        kind: Option<FieldType>,
        #[body(flatten)]
        others: OtherFieldsBody,
    }

    /// The parts of a custom field beside its name and its type.
    #[body(open)]
    pub struct OtherFieldsBody {
        /// The word by which bodies may name it as field_code; unique among the fields of the entity. Null for none.
        #[body(null)]
        code: Option<FieldCode>,
        /// The place in lists; behind the others if it is left out.
        sort: Option<Sort>,
        /// True when pages are not to offer it for input.
        is_api_only: Option<bool>,
        /// The values that a field of the type select or multiselect offers. They replace those that it has: one with an id
        /// is changed, one that is missing is deleted.
        #[body(null)]
        enums: Option<List<EnumBody, ENUMS_MAX>>,
    }

    /// A value that a field offers.
    #[body(open)]
    pub struct EnumBody {
        /// One that the field has.
        #[body(null)]
        id: Option<Number>,
        /// Unique in the field.
        #[body(needed)]
        value: Option<FieldName>,
        /// The place in lists; the place in the body if it is left out.
        sort: Option<Sort>,
        /// The word by which bodies may name it as enum_code. Null for none.
        #[body(null)]
        code: Option<FieldCode>,
    }
);

/// Reads custom fields to be created.
///
/// # Errors
/// With everything that is wrong with any of them.
pub fn parse_new(body: &[u8]) -> Result<Vec<Item<NewCustomField>>, BatchError> {
    let root = batch::parse(body)?;
    Items::new(&root, "custom_fields", FIELDS_MAX)?.read(take_new)
}

/// Takes a custom field to be created out of an object; reports everything that is wrong.
pub fn take_new(item: &ObjectReader<'_, '_>) -> Option<NewCustomField> {
    let NewFieldBody { name, kind, others } = NewFieldBody::take(item)?;
    let plans = others.enums.as_ref();
    let enums = plans.map(|plans| enums(item, plans, kind, None));
    Some(NewCustomField {
        id: None,
        name: name?,
        kind: kind?,
        code: others.code,
        sort: others.sort.map(number),
        api_only: others.is_api_only.unwrap_or(false),
        enums: enums.unwrap_or_default(),
    })
}

/// Reads the change of a custom field.
///
/// # Errors
/// With everything that is wrong.
pub fn parse_change(body: &[u8], current: &CustomField) -> Result<CustomFieldChange, BodyError> {
    FieldChangeBody::read_as(body, |field, body| Some(change(field, body, current)))
}

/// Reads the changes of several custom fields, each named by its `id`.
///
/// # Errors
/// With everything that is wrong with any of them.
pub fn parse_changes(
    body: &[u8],
    fields: &CustomFields,
    entity: EntityKind,
) -> Result<Vec<Item<(FieldId, CustomFieldChange)>>, BatchError> {
    let root = batch::parse(body)?;
    let mut ids = BTreeSet::new();
    Items::new(&root, "custom_fields", FIELDS_MAX)?.read(|item| {
        let id = FieldId(WithId::take(item)?.id.0);
        let Some(current) = fields.get(entity, id) else {
            let word = entity.word();
            let detail =
                format!("expected the id of a custom field of {word} that is not predefined");
            item.reject("id", ViolationCode::NotSupportedChoice, detail);
            return None;
        };
        items::once(item, "id", "custom field", id, &mut ids);
        let body = FieldChangeBody::take(item)?;
        Some((id, change(item, body, current)))
    })
}

fn change(
    field: &ObjectReader<'_, '_>,
    body: FieldChangeBody,
    current: &CustomField,
) -> CustomFieldChange {
    let settings = &current.settings;
    if body.kind.is_some_and(|kind| kind != settings.kind) {
        let detail = format!(
            "the type of a custom field does not change; this one is {}",
            settings.kind.as_str()
        );
        field.reject("type", ViolationCode::InvalidValue, detail);
    }
    let others = body.others;
    let plans = others.enums.as_ref();
    CustomFieldChange {
        name: body.name,
        code: match others.code {
            None if field.is_null("code") => Some(None),
            code => code.map(Some),
        },
        sort: others.sort.map(number),
        api_only: others.is_api_only,
        enums: plans.map(|plans| enums(field, plans, Some(settings.kind), Some(&settings.enums))),
    }
}

/// Reads the values that a field offers. A field that there is has the values `current`; their numbers count only there.
fn enums(
    field: &ObjectReader<'_, '_>,
    plans: &List<EnumBody, ENUMS_MAX>,
    kind: Option<FieldType>,
    current: Option<&[FieldEnum]>,
) -> Vec<EnumPlan> {
    if kind.is_some_and(|kind| !kind.has_enums()) && !plans.0.is_empty() {
        let detail = "only fields of the types select and multiselect offer values".to_owned();
        field.reject("enums", ViolationCode::InvalidValue, detail);
        return Vec::new();
    }
    if plans.0.len() > ENUMS_MAX {
        let detail = format!("expected at most {ENUMS_MAX} values");
        field.reject("enums", ViolationCode::InvalidValue, detail);
        return Vec::new();
    }
    let (mut ids, mut values, mut codes) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let reject = |place: usize, key: &str, detail: &str| {
        let path = format!("enums.{place}.{key}");
        field.reject(&path, ViolationCode::InvalidValue, detail.to_owned());
    };
    let plan = |(place, plan): (usize, &EnumBody)| {
        let id = plan.id.map(|Number(id)| FieldEnumId(id));
        let own_id = id.filter(|_| current.is_some());
        if let Some(id) = own_id {
            let is_own = current.is_some_and(|enums| enums.iter().any(|it| it.id == id));
            if !is_own {
                reject(place, "id", "expected the id of a value of this field");
            } else if !ids.insert(id) {
                reject(place, "id", "the value is named twice");
            }
        }
        let value = plan.value.clone()?;
        if !values.insert(value.clone()) {
            reject(place, "value", "the field would offer this value twice");
        }
        if let Some(code) = &plan.code
            && !codes.insert(code.clone())
        {
            reject(place, "code", "another value of the field has this code");
        }
        Some(EnumPlan {
            id: own_id,
            value,
            sort: plan.sort.map(number),
            code: plan.code.clone(),
        })
    };
    plans.placed().filter_map(plan).collect()
}

fn number(sort: Sort) -> u32 {
    u32::try_from(sort.count()).unwrap_or(u32::MAX)
}
