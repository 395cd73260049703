//! Ids that were chosen for a world, written as they are ordered.

use crate::world::OwnIds;
use serde_json::{Value, json};
use switchboard_actors::domain::crm::predefined_field::FieldIds;
use switchboard_actors::domain::crm::{Pipeline, StageKind};

/// The fields of an order that has these ids; what is as usual is left out.
pub(super) fn written(ids: &OwnIds) -> Vec<(&'static str, Value)> {
    let usual = FieldIds::default();
    let OwnIds {
        subdomain,
        channel,
        fields,
        pipelines,
        users,
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
    ];
    all.into_iter().flatten().collect()
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
