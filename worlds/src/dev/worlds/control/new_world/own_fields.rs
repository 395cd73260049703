//! The custom fields and the salesbots that a world begins with.

use std::collections::BTreeSet;

use switchboard_actors::domain::crm::custom_fields::FIELDS_MAX;
use switchboard_actors::domain::crm::custom_fields::create::NewCustomField;
use switchboard_actors::domain::crm::entity::EntityKind;
use switchboard_actors::domain::crm::predefined_field::{FieldIds, PredefinedField};
use switchboard_actors::domain::id::{FieldEnumId, FieldId, SalesbotId};
use switchboard_actors::domain::salesbots::SALESBOTS_MAX;
use switchboard_actors::domain::salesbots::salesbot::SalesbotAction;
use switchboard_actors::wire::account_body::custom_fields::take_new;
use switchboard_actors::wire::account_body::salesbots::SalesbotKind;
use switchboard_actors::wire::json::node::Node;
use switchboard_actors::wire::json::object::{ListReader, ObjectReader};

use super::{NUMBERS, number, reject};
use crate::dev::worlds::sender::IN_MEMORY;
use crate::world::{OwnIds, OwnSalesbot};

/// Takes the custom fields and the salesbots out of an order. The other ids are there already.
pub(super) fn take(body: &ObjectReader<'_, '_>, ids: &mut OwnIds) {
    let mut numbers = Numbers::new(ids.fields);
    ids.lead_fields = numbers.fields(body, "lead_fields", EntityKind::Leads);
    ids.contact_fields = numbers.fields(body, "contact_fields", EntityKind::Contacts);
    ids.salesbots = salesbots(body, &ids.lead_fields);
}

/// The numbers that are taken.
struct Numbers {
    fields: BTreeSet<u64>,
    /// Those of the values that fields offer.
    enums: BTreeSet<u64>,
}

impl Numbers {
    /// Those of an account without fields of its own. Its fields use their numbers for what they offer, too.
    fn new(predefined: FieldIds) -> Self {
        let numbers = BTreeSet::from(PredefinedField::ALL.map(|field| predefined.id(field).0));
        Self {
            fields: numbers.clone(),
            enums: numbers,
        }
    }

    fn fields(
        &mut self,
        body: &ObjectReader<'_, '_>,
        key: &str,
        entity: EntityKind,
    ) -> Vec<NewCustomField> {
        let Some(list) = list(body, key, FIELDS_MAX) else {
            return Vec::new();
        };
        let predefined = PredefinedField::of_entity(entity).iter();
        let mut codes: BTreeSet<_> = predefined.map(|field| field.code().to_owned()).collect();
        let items = list.objects().take(FIELDS_MAX);
        items
            .filter_map(|item| self.field(&item, &mut codes))
            .collect()
    }

    fn field(
        &mut self,
        item: &ObjectReader<'_, '_>,
        codes: &mut BTreeSet<String>,
    ) -> Option<NewCustomField> {
        item.refuse_unknown(&["id", "name", "type", "code", "enums"]);
        let id = number(item, item.required_integer("id", NUMBERS), &mut self.fields);
        let mut field = take_new(item);
        if let Some(field) = &mut field {
            self.choose_enums(item, field);
        }
        if let Some(Node::Text(code)) = item.raw("code")
            && !codes.insert(code.to_string())
        {
            reject(
                item,
                "code",
                "another field of the same entity has this code",
            );
        }
        let id = Some(FieldId(id?));
        Some(NewCustomField { id, ..field? })
    }

    /// Gives the values that a field offers the numbers that were chosen for them.
    fn choose_enums(&mut self, item: &ObjectReader<'_, '_>, field: &mut NewCustomField) {
        let Some(list) = item.optional_list("enums") else {
            return;
        };
        // One that is wrong was reported, and left out.
        if list.len() != field.enums.len() {
            return;
        }
        for (value, plan) in list.objects().zip(&mut field.enums) {
            value.refuse_unknown(&["id", "value", "code"]);
            let id = value.optional_integer("id", NUMBERS);
            plan.id = number(&value, id, &mut self.enums).map(FieldEnumId);
        }
    }
}

fn salesbots(body: &ObjectReader<'_, '_>, fields: &[NewCustomField]) -> Vec<OwnSalesbot> {
    let Some(list) = list(body, "salesbots", SALESBOTS_MAX) else {
        return Vec::new();
    };
    let mut numbers = BTreeSet::new();
    let items = list.objects().take(SALESBOTS_MAX);
    items
        .filter_map(|item| salesbot(&item, fields, &mut numbers))
        .collect()
}

fn salesbot(
    item: &ObjectReader<'_, '_>,
    fields: &[NewCustomField],
    numbers: &mut BTreeSet<u64>,
) -> Option<OwnSalesbot> {
    item.refuse_unknown(&["id", "name", "kind", "field_id", "url"]);
    let id = number(item, item.required_integer("id", NUMBERS), numbers);
    let name = item.required_parsed("name");
    let kind = item.required_choice("kind", &SalesbotKind::WORDS);
    let field = item.optional_integer("field_id", NUMBERS);
    let url = item.optional_parsed("url");
    let action = match kind? {
        SalesbotKind::SendField => {
            refuse_others(item, "url", "send_field");
            SalesbotAction::SendField(sendable(item, field, fields)?)
        }
        SalesbotKind::AskProgram => {
            refuse_others(item, "field_id", "ask_program");
            SalesbotAction::AskProgram(url.or_else(|| IN_MEMORY.parse().ok())?)
        }
    };
    Some(OwnSalesbot {
        id: SalesbotId(id?),
        name: name?,
        action,
    })
}

/// The field of leads that a salesbot sends.
fn sendable(
    item: &ObjectReader<'_, '_>,
    field: Option<i64>,
    fields: &[NewCustomField],
) -> Option<FieldId> {
    // One that is no number was reported.
    if field.is_some() || !item.has("field_id") {
        let id = field.and_then(|id| id.try_into().ok()).map(FieldId);
        let mut sendable = fields.iter().filter(|field| field.kind.has_text());
        if id.is_some() && sendable.any(|field| field.id == id) {
            return id;
        }
        let why = "expected the id of one of lead_fields that has a text: of the type text, textarea, numeric, select, multiselect or url";
        reject(item, "field_id", why);
    }
    None
}

/// Refuses what a salesbot of this kind does not have.
fn refuse_others(item: &ObjectReader<'_, '_>, key: &str, kind: &str) {
    if item.has(key) {
        let why = format!("a salesbot of the kind {kind} has none; leave it out");
        reject(item, key, why);
    }
}

/// A list with so many items at most.
fn list<'s, 'a>(
    body: &'s ObjectReader<'_, 'a>,
    key: &'s str,
    most: usize,
) -> Option<ListReader<'s, 'a>> {
    let list = body.optional_list(key)?;
    if list.len() > most {
        reject(
            body,
            key,
            format!("a world begins with {most} of them at most"),
        );
    }
    Some(list)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::read_order;

    #[test]
    fn everything_wrong_is_named_at_once() {
        let problems = read_order(&json!({
            "lead_fields": [
                { "id": 7, "name": "Day", "type": "date", "code": "A", "enums": [{ "value": "x" }] },
                { "id": 7, "name": "Size", "type": "select", "code": "A", "sort": 1, "enums": [
                    { "id": 40, "value": "S" }, { "id": 40, "value": "M", "x": 1 },
                ] },
                { "id": 8, "name": "", "type": "moon", "code": 1 },
            ],
            "contact_fields": [{ "id": 1, "name": "Mine", "type": "text", "code": "PHONE" }, { "id": 8, "name": "City", "type": "text" }, 7],
            "salesbots": [
                { "id": 5, "name": "Answer", "kind": "send_field", "field_id": 8 },
                { "id": 5, "name": "Ask", "kind": "ask_program", "url": "ftp://a", "field_id": 7 },
                { "id": 6, "name": "Other", "kind": "send_field", "field_id": "x", "url": "http://a" },
                { "id": 0, "name": "", "kind": "moon", "x": 1 },
            ],
        }))
        .unwrap_err();
        for path in [
            "lead_fields.0.enums: ",
            "lead_fields.1.id: ",
            "lead_fields.1.code: ",
            "lead_fields.1.sort: ",
            "lead_fields.1.enums.1.id: ",
            "lead_fields.1.enums.1.x: ",
            "lead_fields.2.name: ",
            "lead_fields.2.type: ",
            "lead_fields.2.code: ",
            "contact_fields.0.id: ",
            "contact_fields.0.code: ",
            "contact_fields.1.id: ",
            "contact_fields.2: ",
            "salesbots.0.field_id: ",
            "salesbots.1.id: ",
            "salesbots.1.url: ",
            "salesbots.1.field_id: ",
            "salesbots.2.field_id: ",
            "salesbots.2.url: ",
            "salesbots.3.id: ",
            "salesbots.3.name: ",
            "salesbots.3.kind: ",
            "salesbots.3.x: ",
        ] {
            assert!(problems.contains(path), "{path}: {problems}");
        }
        let missing = read_order(&json!({
            "lead_fields": [{}],
            "salesbots": [{ "kind": "send_field" }, {}],
        }))
        .unwrap_err();
        for path in [
            "lead_fields.0.id: ",
            "lead_fields.0.name: ",
            "lead_fields.0.type: ",
            "salesbots.0.id: ",
            "salesbots.0.name: ",
            "salesbots.0.field_id: ",
            "salesbots.1.kind: ",
        ] {
            assert!(missing.contains(path), "{path}: {missing}");
        }
    }
}
