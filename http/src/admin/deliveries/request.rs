//! `GET /admin/v1/deliveries/{id}/request`: the callback as it would be sent now, with what was written. It stands apart
//! from the delivery: only who asks for it sees it.

use std::borrow::Cow;

use actix_web::http::header;
use actix_web::{HttpResponse, web};
use switchboard_actors::domain::hook_version::HookVersion;
use switchboard_actors::domain::id::ScopeId;
use switchboard_actors::port::Attempt;
use switchboard_actors::system::deliveries::CallbackRequest;

use crate::admin::deliveries::{id, no_request};
use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::extract::query::Query;
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;

/// `version`, which is `v1` or `v2`; without it what the account speaks.
pub(crate) async fn get(
    access: Access<Operator>,
    path: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let query = Query::of_known(&access.request, &["version"])?;
    let version = match query.text("version") {
        None => None,
        Some(given) => {
            let entry = HookVersion::NAMES.iter().find(|(name, _)| *name == given);
            let (_, version) = entry.ok_or_else(|| {
                Problem::BadRequest(format!("version must be v1 or v2, got «{given}»"))
            })?;
            Some(*version)
        }
    };
    let callback = access.system().callback_request(id(&path)?, version).await;
    Ok(HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .json(RequestView::new(&callback.map_err(no_request)?)))
}

view! {
    #[schemars(inline)]
    struct RequestView<'c>(callback: &'c CallbackRequest) [let attempt = &callback.attempt;] {
        version: HookVersion = callback.version,
        scope_id: &'c ScopeId = &callback.scope,
        #[schemars(extend("const" = "POST"))]
        method: &'static str = "POST",
        url: &'c str = &attempt.url,
        headers: Vec<Header<'static>> = headers(attempt),
        /// The value of X-Signature.
        signature: &'c str = &attempt.signature,
        /// The bytes that are signed.
        body: Cow<'c, str> = String::from_utf8_lossy(&attempt.body),
    }

    #[schemars(inline)]
    struct Header<'h>(name: &'h str, value: String) {
        name: &'h str = name,
        value: String = value,
    }
}

fn headers(attempt: &Attempt) -> Vec<Header<'static>> {
    vec![
        Header::new("Content-Type", "application/json".to_owned()),
        Header::new("X-Signature", attempt.signature.clone()),
        Header::new("webhook-id", attempt.message.to_string()),
        Header::new("webhook-timestamp", attempt.at.secs().to_string()),
        Header::new("X-Delivery-Attempt", attempt.attempt.to_string()),
    ]
}

pub(crate) fn describe() -> Operation {
    Operation::operator(
        "getCallbackRequest",
        "Get the callback request as it would be sent now.",
    )
    .path("id", Schema::uuid().says("The id of the message."))
    .query(
        "version",
        Schema::choice(&HookVersion::NAMES).says("What the account speaks if it is left out."),
    )
    .gives::<RequestView<'_>>(200, "The request.")
    .refuses(400, "The version does not exist.")
    .refuses(404, "There is no such delivery.")
    .refuses(
        409,
        "There is no address to send to, or no form for it in this version.",
    )
}
