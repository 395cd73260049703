//! `GET /admin/v1/requests`: the newest ones that are kept, the newest first.

use actix_web::HttpResponse;
use schemars::JsonSchema;
use serde::Serialize;

use crate::admin::requests::view::RequestSummary;
use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::extract::query::Query;
use crate::openapi::{Operation, Schema};
use crate::reply::problem::Problem;
use switchboard_gate::requests::log::RequestFilter;
use switchboard_gate::requests::sender::Surface;

/// `surface`; `channel_id`; `account_id`; `outcome`, which is `refused` or `answered`; `cursor` and `limit`.
pub(crate) async fn list(access: Access<Operator>) -> Result<HttpResponse, Problem> {
    let query = Query::of_list(
        &access.request,
        &["surface", "channel_id", "account_id", "outcome"],
    )?;
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
        surface: surface(&query)?,
        account: query.parsed("account_id")?,
        channel: query.parsed("channel_id")?,
        refused,
        before: query.parsed("cursor")?,
    };
    let log = access.state.request_log();
    let (page, more) = log.list(&filter, limit);
    let last = page.last().filter(|_| more);
    Ok(HttpResponse::Ok().json(Page {
        requests: page.iter().map(|kept| RequestSummary::new(kept)).collect(),
        next: last.map(|kept| kept.id.to_string()),
        is_on: log.is_on(),
        left_out: log.left_out(),
    }))
}

/// The interface that is wanted.
fn surface(query: &Query) -> Result<Option<Surface>, Problem> {
    let Some(word) = query.text("surface") else {
        return Ok(None);
    };
    word.parse().map(Some).map_err(|_unknown| {
        let words = Surface::WORDS.join(", ");
        Problem::BadRequest(format!("surface must be one of {words}, got «{word}»"))
    })
}

#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Page<'k> {
    requests: Vec<RequestSummary<'k>>,
    next: Option<String>,
    /// True if requests are kept at all.
    is_on: bool,
    /// The number not kept since the start, because too many came in a second.
    left_out: u64,
}

pub(crate) fn describe() -> Operation {
    Operation::operator(
        "listRequests",
        "List the recorded requests of programs.",
    )
    .says("Newest first: of the chat interface, of the account interface with a bearer token or without credentials, and of OAuth. Secrets in them are replaced by `***`.")
    .query("surface", Schema::choice(&Surface::NAMES))
    .query("account_id", Schema::uuid())
    .query("channel_id", Schema::text())
    .query("outcome", Schema::words(["refused", "answered"]))
    .cursor()
    .gives::<Page<'_>>(200, "A page.")
}
