//! `GET /api/v4/leads/pipelines`: the pipelines of the caller's account with their stages.

use actix_web::{HttpResponse, web};
use serde_json::{Value, json};
use switchboard_actors::domain::book::{Pipeline, StageKind};

use crate::http::extract::caller::AnyUser;
use crate::http::openapi::{Asker, Operation, Schema, Tag, must};
use crate::http::reply::hal;
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

pub(crate) async fn list(
    AnyUser(caller): AnyUser,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let desk = state.system().desk(&caller).await?;
    let book = desk.book().await?;
    let base = state.public_url();
    let pipelines: Vec<Value> = book
        .pipelines
        .iter()
        .enumerate()
        .map(|(place, pipeline)| view(base, place, pipeline))
        .collect();
    Ok(hal::ok(&json!({
        "_total_items": pipelines.len(),
        "_links": { "self": { "href": format!("{base}/api/v4/leads/pipelines") } },
        "_embedded": { "pipelines": pipelines },
    })))
}

fn view(base: &str, place: usize, pipeline: &Pipeline) -> Value {
    let href = format!("{base}/api/v4/leads/pipelines/{}", pipeline.id);
    let stages: Vec<Value> = pipeline
        .stages
        .iter()
        .enumerate()
        .map(|(sort, stage)| {
            json!({
                "id": stage.id,
                "name": stage.name,
                "sort": sort.saturating_add(1).saturating_mul(10),
                "is_editable": stage.kind == StageKind::Open,
                "pipeline_id": pipeline.id,
                // 1 is the system stage «unsorted», 0 every other one.
                "type": u8::from(stage.kind == StageKind::Unsorted),
            })
        })
        .collect();
    json!({
        "id": pipeline.id,
        "name": pipeline.name,
        "sort": place.saturating_add(1),
        "is_main": place == 0,
        "is_unsorted_on": true,
        "is_archive": false,
        "_links": { "self": { "href": href } },
        "_embedded": { "statuses": stages },
    })
}

pub(crate) fn describe() -> Operation {
    let stage = Schema::object([
        must("id", Schema::number()),
        must("name", Schema::text()),
        must("sort", Schema::count()),
        must("is_editable", Schema::boolean()),
        must("pipeline_id", Schema::number()),
        must(
            "type",
            Schema::between(0, 1).says("1 is the system stage «unsorted», 0 every other one."),
        ),
    ]);
    let pipeline = Schema::object([
        must("id", Schema::number()),
        must("name", Schema::text()),
        must("sort", Schema::count()),
        must("is_main", Schema::boolean()),
        must("is_unsorted_on", Schema::only(true)),
        must("is_archive", Schema::only(false)),
        hal::links(),
        hal::embedded("statuses", stage),
    ]);
    let list = Schema::object([
        must("_total_items", Schema::count()),
        hal::links(),
        hal::embedded("pipelines", pipeline),
    ]);
    Operation::new(
        Tag::Deals,
        Asker::User,
        "listPipelines",
        "Lists the pipelines of the account with their stages.",
    )
    .answers_hal(200, "The pipelines.", list)
}
