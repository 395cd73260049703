//! `GET /inbox/v1/setup`: whether the console begins with its first page, on which the operator makes the account and its
//! administrator. No user can sign in before that. A service that only relays begins with its relays instead.

use actix_web::http::header;
use actix_web::{HttpResponse, web};

use crate::openapi::{Asker, Operation, Tag};
use crate::reply::problem::Problem;
use crate::state::AppState;

pub async fn get(state: web::Data<AppState>) -> Result<HttpResponse, Problem> {
    let is_needed = state.system().is_without_users().await?;
    let only_relays = state.system().is_only_relay().await?;
    let no_store = (header::CACHE_CONTROL, "no-store");
    Ok(HttpResponse::Ok().insert_header(no_store).json(Setup {
        is_needed,
        only_relays,
    }))
}

fields! {
    struct Setup {
        /// True when no user can sign in yet: there is no account, or the only one has no user.
        is_needed: bool,
        /// True when the service only relays: it has a relay, and neither an account nor a channel.
        only_relays: bool,
    }
}

pub(crate) fn describe() -> Operation {
    Operation::new(
        Tag::Inbox,
        Asker::Anyone,
        "getSetup",
        "Get whether the service needs its first user.",
    )
    .gives::<Setup>(200, "Whether it does.")
}
