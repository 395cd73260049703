//! Filters by the values of custom fields: `filter[custom_fields_values][{id}][]`, `[from]` and `[to]`.

use std::collections::BTreeMap;

use switchboard_actors::domain::crm::custom_fields::value::{FieldValue, Scalar};
use switchboard_actors::domain::crm::custom_fields::{CustomField, CustomFields, FieldType};
use switchboard_actors::domain::crm::entity::EntityKind;
use switchboard_actors::domain::id::{FieldEnumId, FieldId};
use switchboard_actors::system::user_access::ValueFilter;

use super::{Filter, VALUES_MAX};
use crate::extract::query::Query;
use crate::reply::problem::Problem;

/// Returns whether a query filters by values.
pub(crate) fn has_value_filters(query: &Query) -> bool {
    query.parameters(Filter::Values.name()).next().is_some()
}

/// The values that a query wants of the fields of these entries.
pub(crate) fn value_filters(
    query: &Query,
    fields: &CustomFields,
    entity: EntityKind,
) -> Result<BTreeMap<FieldId, ValueFilter>, Problem> {
    let name = Filter::Values.name();
    let parameters: Vec<_> = query.parameters(name).collect();
    if parameters.len() > VALUES_MAX {
        return Err(Problem::BadRequest(format!(
            "{name}: at most {VALUES_MAX} fit into one request, this one has {}",
            parameters.len()
        )));
    }
    let mut filters: BTreeMap<FieldId, ValueFilter> = BTreeMap::new();
    for (rest, text) in parameters {
        let wrong = |why: &str| Problem::BadRequest(format!("{name}{rest}: {why}"));
        let (number, end) = split(rest).unwrap_or_default();
        let id: Option<FieldId> = number.parse().ok();
        let field = id.and_then(|id| fields.get(entity, id)).ok_or_else(|| {
            let word = entity.word();
            wrong(&format!(
                "expected a field that the account has defined for {word}, as GET /api/v4/{word}/custom_fields lists them; query finds phone numbers and e-mail addresses"
            ))
        })?;
        let value = wanted(field, text).map_err(|why| wrong(&format!("{why}, got «{text}»")))?;
        let is_ordered = matches!(field.settings.kind, FieldType::Numeric | FieldType::Date);
        let filter = filters.entry(field.id).or_default();
        match end {
            "[from]" | "[to]" if !is_ordered => {
                return Err(wrong("only fields of the types numeric and date have this"));
            }
            "[from]" => filter.from = Some(value),
            "[to]" => filter.to = Some(value),
            _ => {
                filter.any.insert(value);
            }
        }
        let ends = filter.from.as_ref().zip(filter.to.as_ref());
        if ends.is_some_and(|(from, to)| to < from) {
            return Err(wrong("[from] is greater than [to]"));
        }
    }
    Ok(filters)
}

/// The number in the first brackets, and what follows.
pub(super) fn split(rest: &str) -> Option<(&str, &str)> {
    rest.strip_prefix('[')?.split_once(']')
}

/// The value that a text stands for: of those that a field offers, its number or itself.
fn wanted(field: &CustomField, text: &str) -> Result<FieldValue, String> {
    if text.is_empty() {
        return Err("expected a value".to_owned());
    }
    let settings = &field.settings;
    let id = text.parse().ok().map(FieldEnumId);
    let mut enums = settings.enums.iter();
    match enums.find(|it| Some(it.id) == id) {
        Some(choice) => Ok(FieldValue::choice(choice.id)),
        None => settings.value(&Scalar::Text(text.to_owned())),
    }
}
