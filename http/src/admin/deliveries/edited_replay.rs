//! `POST /admin/v1/deliveries/{id}/edited-replay`: another body in place of the callback, sent once, to see what comes.
//! That the integration refuses it is a fact in a 200, not an error of this request.

use std::str::FromStr;

use actix_web::{HttpRequest, HttpResponse, web};
use bytes::Bytes;
use serde_json::json;
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::chat::channel::HookVersion;
use switchboard_actors::system::deliveries::EditedReplay;
use switchboard_actors::wire::json;
use switchboard_actors::wire::json::object::Nulls;

use crate::admin::deliveries::{id, no_request};
use crate::admin::test_outcome::Came;
use crate::extract::body;
use crate::extract::operator::Operator;
use crate::openapi::{Operation, Schema, may, must};
use crate::reply::problem::Problem;
use crate::state::AppState;

pub(crate) async fn send(
    _: Operator,
    path: web::Path<String>,
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let id = id(&path)?;
    let bytes = body::read_json(&request, payload, state.body_limit()).await?;
    let edited = edited(&bytes)?;
    let came = state
        .system()
        .send_edited_replay(By::Operator, id, edited)
        .await;
    Ok(HttpResponse::Ok().json(Came::of(&came.map_err(no_request)?)))
}

pub(crate) fn describe() -> Operation {
    let body = Schema::object([
        must(
            "body",
            Schema::text().says("The body to send in place of the callback."),
        ),
        may(
            "signature",
            Schema::line(255).says("The value of X-Signature; the right one if it is left out."),
        ),
        may(
            "version",
            Schema::choice(&HookVersion::NAMES).says("What the account speaks if it is left out."),
        ),
    ]);
    Operation::operator("sendEditedReplay",
        "Send an edited body once in place of a callback.",
    )
    .says("That the integration refuses it is a fact in a 200, not an error of this request. Nothing that is stored changes.")
    .path("id", Schema::uuid().says("The id of the message."))
    .body(body, json!({ "body": "{\"edited\":true}", "version": "v2" }))
    .gives::<Came<'_>>(200, "The outcome.")
    .refuses(404, "There is no such delivery.")
    .refuses(409, "There is no address to send to, or no form for it in this version.")
}

/// `body`; `signature` if it is not to be the right one; `version` as in `request`.
fn edited(bytes: &[u8]) -> Result<EditedReplay, Problem> {
    let edited = json::read(bytes, Nulls::Refused, |object| {
        object.refuse_unknown(&["body", "signature", "version"]);
        let body = object.required_string("body");
        let signature = object.optional_parsed("signature");
        let version = object.optional_choice("version", &HookVersion::NAMES);
        Some(EditedReplay {
            body: Bytes::copy_from_slice(body?.as_bytes()),
            signature: signature.map(|HeaderText(text)| text),
            version,
        })
    });
    edited.map_err(Problem::from)
}

/// What can stand in a header.
struct HeaderText(String);

/// A text that no header can have.
#[derive(Debug, thiserror::Error)]
#[error("expected at most 255 ASCII characters without spaces")]
struct InvalidHeader;

impl FromStr for HeaderText {
    type Err = InvalidHeader;
    fn from_str(text: &str) -> Result<Self, InvalidHeader> {
        if text.len() <= 255 && text.bytes().all(|byte| byte.is_ascii_graphic()) {
            Ok(Self(text.to_owned()))
        } else {
            Err(InvalidHeader)
        }
    }
}
