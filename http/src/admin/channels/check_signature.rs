//! `POST /admin/v1/channels/{id}/check-signature`: whether this would be the signature of that body, and what was probably
//! done wrong. Nothing is stored, and nothing leaves the service.

use actix_web::{HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::signature::request::Presented;
use switchboard_actors::wire::operator_body::channels::SignatureCheck;

use crate::admin::channels::{id, id_schema, unknown};
use crate::admin::verdict::SignatureVerdict;
use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::openapi::Operation;
use crate::reply::problem::Problem;

pub(crate) async fn check(
    access: Access<Operator>,
    path: web::Path<String>,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    let id = id(&path)?;
    let check: SignatureCheck = access.json(payload).await?;
    let channel = access.system().channel(&id).ok_or_else(unknown)?;
    let presented = Presented {
        method: &check.method,
        path: check.path.as_deref().unwrap_or_default(),
        query: None,
        host: None,
        content_md5: check.content_md5.as_deref().map(str::as_bytes),
        content_type: check.content_type.as_deref().map(str::as_bytes),
        date: check.date.as_deref().map(str::as_bytes),
        body: check.body.as_bytes(),
    };
    let signature = check.signature.as_bytes();
    let verdict = SignatureVerdict::new(
        &access.state,
        &channel,
        &presented,
        Some(signature),
        access.state.now(),
    );
    Ok(HttpResponse::Ok().json(verdict))
}

pub(crate) fn describe() -> Operation {
    let example = json!({
        "signature": "0b5a4b1d7f5f2a7c1c3f0b6f5c1d2e3f4a5b6c7d",
        "body": "{\"account_id\":\"0a1f2c3d-4e5f-4a6b-8c7d-8e9fa0b1c2d3\"}",
        "method": "POST",
        "path": "/v2/origin/custom/c0ffee00-1111-4222-8333-444455556666/connect",
        "content_type": "application/json",
        "date": "Sat, 21 Nov 2026 12:00:00 +0000",
    });
    Operation::operator(
        "checkSignature",
        "Check a signature and explain the likely mistake.",
    )
    .says("Nothing is stored, and nothing is sent.")
    .path("id", id_schema())
    .takes::<SignatureCheck>(example)
    .gives::<SignatureVerdict<'_>>(200, "The verdict.")
    .refuses(404, "There is no such channel.")
}
