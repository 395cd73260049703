//! `GET /inbox/v1/me`: who is asking, and what they may do.

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::{Value, json};
use switchboard_actors::Caller;
use switchboard_actors::domain::account::credentials::session::csrf_token;
use switchboard_actors::domain::installation::accounts::{Lang, Plan};

use crate::config::program::{BY_CARGO, NAME, named};
use crate::http::extract::caller::AnyUser;
use crate::http::extract::cookie;
use crate::http::openapi::{Asker, Operation, Schema, Tag, must};
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;
use crate::http::users::view::schema as user_schema;
use crate::http::users::view::{UserView, With};

pub(crate) async fn get(
    AnyUser(caller): AnyUser,
    request: HttpRequest,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let by_token = request.headers().contains_key(header::AUTHORIZATION);
    let secret = cookie::session(&request, &state).filter(|_| !by_token);
    let me = view(&state, &caller, secret.as_deref()).await?;
    Ok(HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .json(me))
}

/// The account, the user with their effective rights, and what a page must send along when it changes something.
pub(super) async fn view(
    state: &AppState,
    caller: &Caller,
    secret: Option<&str>,
) -> Result<Value, Problem> {
    let system = state.system();
    let users = system.users(caller.account).await?;
    let user = users.get(caller.user).ok_or(Problem::Unauthorized(None))?;
    let with = With::role_and_group();
    let user = UserView::of(state.public_url(), &users, user, &with, None);
    let account = system.account(caller.account).map(|account| {
        json!({ "id": account.id, "name": account.name, "lang": account.lang, "plan": account.plan })
    });
    Ok(json!({
        "account": account,
        "user": user,
        "chat_id": system.person_of(caller.account, caller.user),
        "csrf_token": secret.map(csrf_token),
        "program": named(),
    }))
}

pub(crate) fn describe() -> Operation {
    Operation::new(
        Tag::Inbox,
        Asker::User,
        "getMe",
        "Tells who is asking, and what they may do.",
    )
    .answers(200, "The caller.", schema())
}

/// Who is asking.
pub(super) fn schema() -> Schema {
    let account = Schema::object([
        must("id", Schema::uuid()),
        must("name", Schema::text()),
        must("lang", Schema::choice(&Lang::NAMES)),
        must("plan", Schema::choice(&Plan::NAMES)),
    ]);
    let me = Schema::object([
        must("account", account.or_null()),
        must("user", user_schema()),
        must(
            "chat_id",
            Schema::uuid().says("The caller's id in the chat service."),
        ),
        must(
            "csrf_token",
            Schema::text()
                .or_null()
                .says("For the header X-CSRF-Token; null without a session."),
        ),
        must(
            "program",
            Schema::words([NAME, BY_CARGO])
                .says("How a command of the program begins where this service was started."),
        ),
    ]);
    Schema::named("Me", me)
}
