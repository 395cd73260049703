//! `GET /admin/v1/audit`: who did what and when, newest first; with `account_id` only what concerns that account.

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::{Value, json};
use switchboard_actors::domain::audit::{AuditEntry, By, Difference};
use switchboard_actors::domain::id::AccountId;
use switchboard_actors::system::operator::audit::AuditCursor;

use crate::http::extract::operator::Operator;
use crate::http::extract::query::Query;
use crate::http::openapi::{Asker, Operation, Schema, Tag, may, must};
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

pub(crate) async fn list(
    _: Operator,
    request: HttpRequest,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let query = Query::of(&request)?;
    let limit = usize::try_from(query.limit()?).unwrap_or(1);
    let account = query.parsed::<AccountId>("account_id")?;
    let after = match query.text("cursor") {
        None => None,
        Some(text) => Some(AuditCursor::from_text(text).ok_or_else(|| {
            Problem::BadRequest(
                "cursor must be the «next» of an earlier page of this list".to_owned(),
            )
        })?),
    };
    let page = state.system().audit(account, after.as_ref(), limit).await?;
    let entries: Vec<Value> = page.entries.iter().map(view).collect();
    let next = page.next.map(|cursor| cursor.to_text());
    Ok(HttpResponse::Ok().json(json!({ "entries": entries, "next": next })))
}

fn view(entry: &AuditEntry) -> Value {
    let changes: Vec<Value> = entry.changes.iter().map(difference).collect();
    json!({
        "id": entry.id,
        "at": entry.at.secs(),
        "by": by(&entry.by),
        "action": entry.action,
        "object": entry.object,
        "account_id": entry.account,
        "changes": changes,
    })
}

fn by(by: &By) -> Value {
    match by {
        By::Operator => json!({ "kind": "operator" }),
        By::Configuration => json!({ "kind": "configuration" }),
        By::Service => json!({ "kind": "service" }),
        By::User {
            account,
            user,
            name,
        } => json!({ "kind": "user", "account_id": account, "user_id": user, "name": name }),
    }
}

fn difference(difference: &Difference) -> Value {
    let Difference {
        field,
        before,
        after,
    } = difference;
    if before.is_null() && after.is_null() {
        json!({ "field": field })
    } else {
        json!({ "field": field, "before": before, "after": after })
    }
}

pub(crate) fn describe() -> Operation {
    let by = Schema::object([
        must(
            "kind",
            Schema::words(["operator", "configuration", "service", "user"]),
        ),
        may("account_id", Schema::uuid()),
        may("user_id", Schema::number()),
        may("name", Schema::text()),
    ]);
    let change = Schema::object([
        must("field", Schema::text()),
        may("before", Schema::any().says("Not there of a secret.")),
        may("after", Schema::any().says("Not there of a secret.")),
    ]);
    let entry = Schema::object([
        must("id", Schema::uuid()),
        must("at", Schema::seconds()),
        must("by", by),
        must("action", Schema::text().says("As in `channel.pause`.")),
        must(
            "object",
            Schema::text().says("The id of what it was done to."),
        ),
        must("account_id", Schema::uuid().or_null()),
        must("changes", Schema::list(change)),
    ]);
    let list = Schema::object([
        must("entries", Schema::list(entry)),
        must("next", Schema::text().or_null()),
    ]);
    let summary = "Lists who did what and when, newest first.";
    Operation::new(Tag::Operator, Asker::Operator, "listAudit", summary)
        .query(
            "account_id",
            Schema::uuid().says("Only what concerns this account."),
        )
        .cursor()
        .answers(200, "A page.", list)
}
