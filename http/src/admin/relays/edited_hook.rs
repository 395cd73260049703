//! `POST /admin/v1/relays/{id}/edited-replay`: another body in place of a hook, sent once, to see what comes. That the target
//! refuses it is a fact in a 200, not an error of this request.

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::audit::By;
use switchboard_actors::system::relays::edited_hook::EditedHook;
use switchboard_actors::wire::operator_body::replays::{EditedHookBody, HeaderText};

use super::{hook_of, id_schema, place, refused, relay};
use crate::admin::test_outcome::Attempted;
use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::openapi::Operation;
use crate::reply::problem::Problem;

pub(crate) async fn send(
    access: Access<Operator>,
    path: web::Path<String>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let relay = relay(&access.state, &path)?;
    let body: EditedHookBody = access.json(payload).await?;
    let place = place(relay, body.target)?;
    let id = hook_of(&access, relay, &body.message_id).await?;
    let edited = EditedHook {
        body: body.body.into(),
        signature: body.signature.map(|HeaderText(text)| text),
    };
    let system = access.system();
    let outcome = system.send_edited_hook(By::Operator, id, place, edited);
    let attempt = outcome.await.map_err(refused)?;
    Ok(HttpResponse::Ok().json(Attempted::new(&attempt)))
}

pub(crate) fn describe() -> Operation {
    Operation::operator(
        "sendEditedHook",
        "Send an edited body once in place of a hook of a relay.",
    )
    .says("That the target refuses it is a fact in a 200, not an error of this request. Nothing that is stored changes.")
    .path("id", id_schema())
    .takes::<EditedHookBody>(
        json!({ "message_id": "8e4d4baa-9e6c-4a88-838a-5f62be227bdc", "body": "{\"edited\":true}" }),
    )
    .gives::<Attempted<'_>>(200, "The outcome.")
    .refuses(404, "There is no such relay, target or hook.")
}
