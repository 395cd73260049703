//! `POST /v2/origin/custom/<scope_id>/<msgid>/delivery_status`: what became of an account user's message.

use actix_web::HttpResponse;
use serde_json::json;
use switchboard_actors::domain::conversation::report_delivery::ReportRejection;
use switchboard_actors::domain::id::{MessageId, ScopeId};
use switchboard_actors::wire::chat_body;

use crate::chat::fields::scope_id;
use crate::extract::signed::SignedBody;
use crate::openapi::{Operation, Schema, may};
use crate::reply::chat_error::ChatError;
use crate::state::AppState;
use switchboard_diagnosis::hint::OtherHint;

pub(super) async fn report_delivery(
    state: &AppState,
    scope: ScopeId,
    message: MessageId,
    body: SignedBody,
) -> Result<HttpResponse, ChatError> {
    let scope = state.system().connected(scope).await?;
    let report = chat_body::delivery_status::parse(body.bytes(), body.rules(), message)?;
    state
        .system()
        .report_delivery(scope, message, report.status)
        .await
        .map_err(|refused| {
            refused.into_error(
                |ReportRejection::MessageNotFound| ChatError::MessageNotFound {
                    hint: Some(OtherHint::OwnMessageId.into()),
                },
            )
        })?;
    Ok(HttpResponse::Ok().finish())
}

pub(super) fn describe() -> Operation {
    let message = Schema::uuid().says("Our id of the message, as in the callback.");
    let body = Schema::object([
        may("msgid", Schema::uuid().says("The message of the path; needed in the 2019 generation.")),
        may("delivery_status", describe_status()),
        may("status_code", describe_status().says("The same by another name; current generation only.")),
        may(
            "error_code",
            Schema::whole().says(
                "With -1: 901 the user deleted the conversation, 902 the integration is off, 903 internal error, \
                 904 the conversation cannot be created, 905 see `error`. Otherwise ignored.",
            ),
        ),
        may("error", Schema::text().says("Shown to the account user, 1 to 1,024 characters; needed with 905.")),
    ])
    .needing_one_of(&["delivery_status", "status_code"]);
    let example = json!({ "msgid": "6cbab3d5-c4c1-46ff-b710-ad59ad10805f", "delivery_status": 1 });
    Operation::chat(
        "reportDelivery",
        "Report the delivery status of an account user's message.",
    )
    .says("A step back, such as from read to delivered, is answered with 200 and changes nothing.")
    .path("scope_id", scope_id())
    .path("msgid", message)
    .body(body, example)
    .answers_nothing(200, "Noted.")
}

/// The numbers of a status.
pub(super) fn describe_status() -> Schema {
    Schema::between(-1, 2).says("1 delivered, 2 read, -1 error.")
}
