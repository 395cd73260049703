//! `GET /admin/v1/requests`: the newest ones that are kept, the newest first.

use actix_web::HttpResponse;
use schemars::JsonSchema;
use serde::Serialize;

use crate::http::admin::requests::view::RequestSummary;
use crate::http::extract::access::Access;
use crate::http::extract::operator::Operator;
use crate::http::extract::query::Query;
use crate::http::openapi::{Operation, Schema};
use crate::http::reply::problem::Problem;
use crate::http::requests::log::RequestFilter;

/// `channel_id`; `outcome`, which is `refused` or `answered`; `cursor` and `limit`.
pub(crate) async fn list(access: Access<Operator>) -> Result<HttpResponse, Problem> {
    let query = Query::of_list(&access.request, &["channel_id", "outcome"])?;
    let limit = query.entries()?;
    let refused = match query.text("outcome") {
        None => None,
        Some("refused") => Some(true),
        Some("answered") => Some(false),
        Some(other) => {
            return Err(Problem::BadRequest(format!(
                "outcome must be refused or answered, got «{other}»"
            )));
        }
    };
    let filter = RequestFilter {
        channel: query.parsed("channel_id")?,
        refused,
        before: query.parsed("cursor")?,
    };
    let log = access.state.request_log();
    let (page, more) = log.list(&filter, limit);
    let last = page.last().filter(|_| more);
    Ok(HttpResponse::Ok().json(Page {
        requests: page.iter().map(|kept| RequestSummary::of(kept)).collect(),
        next: last.map(|kept| kept.id.to_string()),
        is_on: log.is_on(),
        left_out: log.left_out(),
    }))
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Page<'k> {
    requests: Vec<RequestSummary<'k>>,
    next: Option<String>,
    /// Whether requests are kept at all.
    is_on: bool,
    /// How many were not kept since the start, because too many came in a second.
    left_out: u64,
}

pub(crate) fn describe() -> Operation {
    Operation::operator(
        "listRequests",
        "List the recorded requests of integrations.",
    )
    .says("Newest first.")
    .query("channel_id", Schema::text())
    .query("outcome", Schema::words(["refused", "answered"]))
    .cursor()
    .gives::<Page<'_>>(200, "A page.")
}
