//! `POST /api/v4/leads/pipelines`: creates pipelines, all of them or none.

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::crm::pipelines::PIPELINES_MAX;
use switchboard_actors::wire::account_body::pipelines::{self, NewPipelineBody};

use super::{PipelineMade, refused};
use crate::account::{batch, unkept};
use crate::extract::access::Access;
use crate::extract::caller::Administrator;
use crate::openapi::Operation;
use crate::reply::problem::Problem;

pub(crate) async fn post(
    access: Access<Administrator>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let bytes = access.entities(payload).await?;
    let items = pipelines::parse_new(&bytes)?;
    let user = access.open().await?;
    let result = user.create_pipelines(batch::values(&items)).await;
    let pipelines = result.map_err(|why| why.into_error(refused))?;
    let place = access.place(&user)?;
    Ok(batch::answer(
        "pipelines",
        &pipelines,
        &items,
        |made, name| PipelineMade::new(&place, made, name),
    ))
}

pub(crate) fn describe() -> Operation {
    let example = json!([{
        "name": "Wholesale",
        "is_main": false,
        "sort": 20,
        "request_id": "1",
        "_embedded": { "statuses": [
            { "name": "Offer", "sort": 20, "color": "#fffeb2" },
            { "id": 142, "name": "Paid" },
        ] },
    }]);
    Operation::leads("createPipelines", "Create pipelines with their stages (atomic).")
        .says("The body may also be a single pipeline, or an object of pipelines by number. Each gets an unsorted stage and the two ends; without open stages, those of the first pipeline. Numbers are behind the highest that the account ever had.")
        .takes_items::<NewPipelineBody>(PIPELINES_MAX, example)
        .answers_several::<PipelineMade<'_>>(
            200,
            &unkept::PIPELINES.answer("On disk."),
            "pipelines",
        )
        .refuses(
            403,
            "Only administrators may do this; an account has at most 50 pipelines, and a pipeline at most 100 stages besides the system ones.",
        )
}
