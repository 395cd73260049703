//! `POST /admin/v1/deliveries/{id}/edited-replay`: another body in place of the callback, sent once, to see what comes.
//! That the integration refuses it is a fact in a 200, not an error of this request.

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::audit::By;
use switchboard_actors::system::deliveries::EditedReplay;
use switchboard_actors::wire::operator_body::replays::{EditedCallback, HeaderText};

use crate::admin::deliveries::{id, no_request};
use crate::admin::test_outcome::Came;
use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;

pub(crate) async fn send(
    access: Access<Operator>,
    path: web::Path<String>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let id = id(&path)?;
    let body: EditedCallback = access.json(payload).await?;
    let edited = EditedReplay {
        body: body.body.into(),
        signature: body.signature.map(|HeaderText(text)| text),
        version: body.version,
    };
    let came = access
        .system()
        .send_edited_replay(By::Operator, id, edited)
        .await;
    Ok(HttpResponse::Ok().json(Came::new(&came.map_err(no_request)?)))
}

pub(crate) fn describe() -> Operation {
    Operation::operator("sendEditedReplay",
        "Send an edited body once in place of a callback.",
    )
    .says("That the integration refuses it is a fact in a 200, not an error of this request. Nothing that is stored changes.")
    .path("id", Schema::uuid().says("The id of the message."))
    .takes::<EditedCallback>(json!({ "body": "{\"edited\":true}", "version": "v2" }))
    .gives::<Came<'_>>(200, "The outcome.")
    .refuses(404, "There is no such delivery.")
    .refuses(409, "There is no address to send to, or no form for it in this version.")
}
