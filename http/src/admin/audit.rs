//! `GET /admin/v1/audit`: who did what and when, newest first; with `account_id` only what concerns that account.

use actix_web::HttpResponse;
use serde_json::Value;
use switchboard_actors::domain::audit::{AuditEntry, By, Difference};
use switchboard_actors::domain::id::{AccountId, AuditId, UserId};
use switchboard_actors::system::operator::audit::AuditCursor;

use crate::extract::access::Access;
use crate::extract::operator::Operator;
use crate::extract::query::Query;
use crate::oauth::view::ActingClientView;
use crate::openapi::{Operation, Schema, Seconds};
use crate::reply::list;
use crate::reply::problem::Problem;

pub(crate) async fn list(access: Access<Operator>) -> Result<HttpResponse, Problem> {
    let query = Query::of_list(&access.request, &["account_id"])?;
    let limit = query.entries()?;
    let account = query.parsed::<AccountId>("account_id")?;
    let after = query.cursor(AuditCursor::from_text)?;
    let page = access
        .system()
        .audit(account, after.as_ref(), limit)
        .await?;
    let next = page.next.map(|cursor| cursor.to_text());
    Ok(list::page(
        "entries",
        page.entries.iter().map(Entry::new),
        next,
    ))
}

view! {
    #[schemars(inline)]
    struct Entry<'e>(entry: &'e AuditEntry) {
        id: AuditId = entry.id,
        at: Seconds = entry.at.into(),
        by: Doer<'e> = Doer::new(&entry.by),
        /// As in `channel.pause`.
        action: &'e str = entry.action.as_ref(),
        /// The id of what it was done to.
        object: &'e str = &entry.object,
        account_id: Option<AccountId> = entry.account,
        changes: Vec<Change<'e>> = entry.changes.iter().map(Change::new).collect(),
    }

    #[schemars(inline)]
    struct Doer<'e>(by: &'e By) [let (kind, account_id, user_id, name) = who(by);] {
        #[schemars(extend("enum" = ["operator", "configuration", "service", "user"]))]
        kind: &'static str = kind,
        account_id ?: AccountId = account_id,
        user_id ?: UserId = user_id,
        name ?: &'e str = name,
        /// The OAuth client that acted for the user; not there when the user acted.
        client ?: ActingClientView = by.client().map(ActingClientView::new),
    }

    #[schemars(inline)]
    struct Change<'e>(difference: &'e Difference)
    [let has_values = !(difference.before.is_null() && difference.after.is_null());] {
        field: &'e str = difference.field.as_ref(),
        /// Not there of a secret.
        before ?: &'e Value = has_values.then_some(&difference.before),
        /// Not there of a secret.
        after ?: &'e Value = has_values.then_some(&difference.after),
    }
}

type Who<'e> = (
    &'static str,
    Option<AccountId>,
    Option<UserId>,
    Option<&'e str>,
);

fn who(by: &By) -> Who<'_> {
    match by {
        By::Operator => ("operator", None, None, None),
        By::Configuration => ("configuration", None, None, None),
        By::Service => ("service", None, None, None),
        By::User {
            account,
            user,
            name,
            client: _,
        } => ("user", Some(*account), Some(*user), Some(name.as_str())),
    }
}

pub(crate) fn describe() -> Operation {
    Operation::operator("listAudit", "List the entries of the audit log.")
        .says("Newest first.")
        .query(
            "account_id",
            Schema::uuid().says("Only what concerns this account."),
        )
        .cursor()
        .answers_next::<Entry<'_>>("entries", "A page.")
}
