//! `GET /inbox/v1/counts`: how much waits for the caller.

use actix_web::http::header;
use actix_web::{HttpResponse, web};
use serde_json::{Value, json};
use switchboard_actors::system::desk::{COUNTED_MAX, Count};

use crate::http::extract::caller::AnyUser;
use crate::http::openapi::{Asker, Operation, Schema, Tag, must};
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

pub(crate) async fn get(
    AnyUser(caller): AnyUser,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let desk = state.system().desk(&caller).await?;
    let counts = desk.counts().await?;
    Ok(HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .json(json!({
            "unread": view(counts.unread),
            "failed": view(counts.failed),
            "unsorted": view(counts.unsorted),
        })))
}

fn view(count: Count) -> Value {
    json!({ "count": count.count, "capped": count.capped })
}

pub(crate) fn describe() -> Operation {
    let most = i64::try_from(COUNTED_MAX).unwrap_or(i64::MAX);
    let count = |what: &str| {
        let count = Schema::object([
            must("count", Schema::between(0, most)),
            must(
                "capped",
                Schema::boolean().says("True when counting ended early: there may be more."),
            ),
        ]);
        count.says(what)
    };
    let counts = Schema::object([
        must("unread", count("Conversations with unread messages.")),
        must(
            "failed",
            count("Conversations with a message that has not arrived."),
        ),
        must("unsorted", count("Unsorted deals.")),
    ]);
    Operation::new(
        Tag::Inbox,
        Asker::User,
        "getCounts",
        "Counts what waits for the caller, within the caller's rights.",
    )
    .answers(200, "The counts.", Schema::named("Counts", counts))
}
