//! `POST /admin/v1/deliveries/{id}/edited-replay`: another body in place of the callback, sent once, to see what comes.
//! That the integration refuses it is a fact in a 200, not an error of this request.

use std::str::FromStr;

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::hook_version::HookVersion;
use switchboard_actors::system::deliveries::EditedReplay;
use switchboard_actors::wire::body::value::Found;
use switchboard_actors::wire::{body, body_values};

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
    let body: EditedBody = access.json(payload).await?;
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
    .takes::<EditedBody>(json!({ "body": "{\"edited\":true}", "version": "v2" }))
    .gives::<Came<'_>>(200, "The outcome.")
    .refuses(404, "There is no such delivery.")
    .refuses(409, "There is no address to send to, or no form for it in this version.")
}

body!(
    /// A body that is sent once.
    struct EditedBody {
        /// The body to send in place of the callback.
        body: String,
        /// The value of X-Signature; the right one if it is left out.
        signature: Option<HeaderText>,
        /// The callback version; the account's own if it is left out.
        version: Option<HookVersion>,
    }
);

body_values! {
    HeaderText: Schema::line(255), Found::parsed;
}

/// A text that can stand in a header.
struct HeaderText(String);

/// A text that no header can have.
#[derive(Debug, thiserror::Error)]
#[error("expected at most 255 ASCII characters without spaces")]
struct EditedHeaderError;

impl FromStr for HeaderText {
    type Err = EditedHeaderError;
    fn from_str(text: &str) -> Result<Self, EditedHeaderError> {
        if text.len() <= 255 && text.bytes().all(|byte| byte.is_ascii_graphic()) {
            Ok(Self(text.to_owned()))
        } else {
            Err(EditedHeaderError)
        }
    }
}
