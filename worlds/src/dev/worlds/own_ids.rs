//! Ids that were chosen for a world, written as they are ordered.

use crate::dev::worlds::sender::IN_MEMORY;
use crate::world::{OwnIds, OwnSalesbot};
use serde_json::{Value, json};
use switchboard_actors::domain::crm::custom_fields::create::NewCustomField;
use switchboard_actors::domain::crm::predefined_field::FieldIds;
use switchboard_actors::domain::crm::{Pipeline, StageKind};
use switchboard_actors::domain::salesbots::salesbot::SalesbotAction;
use switchboard_actors::domain::text::FieldCode;

/// The fields of an order that has these ids; what is as usual is left out.
pub(super) fn written(ids: &OwnIds) -> Vec<(&'static str, Value)> {
    let usual = FieldIds::default();
    let OwnIds {
        subdomain,
        channel,
        fields,
        pipelines,
        users,
        lead_fields,
        contact_fields,
        salesbots,
    } = ids;
    let field = |name, number, is_usual: bool| (!is_usual).then(|| (name, json!(number)));
    let users: Vec<_> = users
        .iter()
        .map(|(name, id)| json!({ "name": name, "id": id.0 }))
        .collect();
    let pipelines: Vec<_> = pipelines.iter().map(pipeline).collect();
    let list = |name, list: Vec<Value>| (!list.is_empty()).then_some((name, Value::Array(list)));
    let all = [
        subdomain
            .as_ref()
            .map(|it| ("subdomain", json!(it.as_str()))),
        channel
            .as_ref()
            .map(|it| ("channel_id", json!(it.as_str()))),
        field(
            "phone_field_id",
            fields.phone.0,
            fields.phone == usual.phone,
        ),
        field(
            "email_field_id",
            fields.email.0,
            fields.email == usual.email,
        ),
        list("pipelines", pipelines),
        list("users", users),
        list(
            "lead_fields",
            lead_fields.iter().map(custom_field).collect(),
        ),
        list(
            "contact_fields",
            contact_fields.iter().map(custom_field).collect(),
        ),
        list("salesbots", salesbots.iter().map(salesbot).collect()),
    ];
    all.into_iter().flatten().collect()
}

/// A custom field, without what was left out.
fn custom_field(field: &NewCustomField) -> Value {
    let enums = field.enums.iter().map(|it| {
        let (id, code) = (
            it.id.map(|id| id.0),
            it.code.as_ref().map(FieldCode::as_str),
        );
        with_given(json!({ "value": it.value.as_str() }), id, code)
    });
    let fields = json!({ "name": field.name.as_str(), "type": field.kind.as_str() });
    let (id, code) = (field.id.map(|id| id.0), field.code.as_ref());
    let mut written = with_given(fields, id, code.map(FieldCode::as_str));
    if !field.enums.is_empty()
        && let Some(fields) = written.as_object_mut()
    {
        fields.insert("enums".to_owned(), enums.collect());
    }
    written
}

fn with_given(mut object: Value, id: Option<u64>, code: Option<&str>) -> Value {
    let given = [("id", id.map(Value::from)), ("code", code.map(Value::from))];
    if let Some(fields) = object.as_object_mut() {
        let given = given
            .into_iter()
            .filter_map(|(name, value)| Some((name.to_owned(), value?)));
        fields.extend(given);
    }
    object
}

fn salesbot(bot: &OwnSalesbot) -> Value {
    let (id, name) = (bot.id.0, bot.name.as_str());
    match &bot.action {
        SalesbotAction::SendField(field) => {
            json!({ "id": id, "name": name, "kind": "send_field", "field_id": field.0 })
        }
        SalesbotAction::AskProgram(address) if address.as_str() == IN_MEMORY => {
            json!({ "id": id, "name": name, "kind": "ask_program" })
        }
        SalesbotAction::AskProgram(address) => {
            json!({ "id": id, "name": name, "kind": "ask_program", "url": address.as_str() })
        }
    }
}

fn pipeline(pipeline: &Pipeline) -> Value {
    let of = |kind| pipeline.stages.iter().filter(move |it| it.kind == kind);
    let unsorted = of(StageKind::Unsorted).next().map(|stage| stage.id.0);
    let stages = of(StageKind::Open).map(|stage| json!({ "id": stage.id.0, "name": stage.name }));
    json!({
        "id": pipeline.id.0,
        "name": pipeline.name,
        "unsorted_id": unsorted,
        "stages": stages.collect::<Vec<_>>(),
    })
}
