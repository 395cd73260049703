//! `GET /admin/v1/requests`: the newest ones that are kept, the newest first.

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::{Value, json};

use crate::http::admin::requests::view;
use crate::http::extract::operator::Operator;
use crate::http::extract::query::Query;
use crate::http::openapi::{Asker, Operation, Schema, Tag, must};
use crate::http::reply::problem::Problem;
use crate::http::requests::log::RequestFilter;
use crate::http::state::AppState;

/// `channel_id`; `outcome`, which is `refused` or `answered`; `cursor` and `limit`.
pub(crate) async fn list(
    _: Operator,
    request: HttpRequest,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let query = Query::of(&request)?;
    let limit = usize::try_from(query.limit()?).unwrap_or(1);
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
    let log = state.request_log();
    let (page, more) = log.list(&filter, limit);
    let last = page.last().filter(|_| more);
    let requests: Vec<Value> = page.iter().map(|kept| view::summary(kept)).collect();
    Ok(HttpResponse::Ok().json(json!({
        "requests": requests,
        "next": last.map(|kept| kept.id.to_string()),
        "is_on": log.is_on(),
        "left_out": log.left_out(),
    })))
}

pub(crate) fn describe() -> Operation {
    let list = Schema::object([
        must("requests", Schema::list(view::summary_schema())),
        must("next", Schema::text().or_null()),
        must(
            "is_on",
            Schema::boolean().says("Whether requests are kept at all."),
        ),
        must(
            "left_out",
            Schema::count()
                .says("How many were not kept since the start, because too many came in a second."),
        ),
    ]);
    Operation::new(
        Tag::Operator,
        Asker::Operator,
        "listRequests",
        "Lists the newest requests of integrations that are kept, the newest first.",
    )
    .query("channel_id", Schema::text())
    .query("outcome", Schema::words(["refused", "answered"]))
    .cursor()
    .answers(200, "A page.", list)
}
