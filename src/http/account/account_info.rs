//! `GET /api/v4/account`: the caller's account; `with=amojo_id` adds its id in the chat service.

use actix_web::{HttpRequest, HttpResponse, web};
use switchboard_actors::Caller;
use switchboard_actors::domain::id::{AccountId, UserId};
use switchboard_actors::domain::installation::accounts::{Account, Lang};

use crate::http::base::Base;
use crate::http::extract::caller::AnyUser;
use crate::http::extract::query::Query;
use crate::http::openapi::{Operation, Schema};
use crate::http::reply::hal::{self, Links};
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

pub(crate) async fn get(
    AnyUser(caller): AnyUser,
    request: HttpRequest,
    state: web::Data<AppState>,
    base: Base,
) -> Result<HttpResponse, Problem> {
    let with = Query::of(&request)?;
    let account = state.system().account(caller.account).ok_or_else(|| {
        Problem::NotFound("the account of this token no longer exists".to_owned())
    })?;
    let with = with.text("with").unwrap_or_default();
    let with_chat_id = with.split(',').any(|word| word == "amojo_id");
    Ok(hal::ok(&AccountInfo::of(
        &base,
        &account,
        &caller,
        with_chat_id,
    )))
}

view! {
    #[schemars(inline)]
    struct AccountInfo<'a>(base: &str, account: &'a Account, caller: &Caller, with_chat_id: bool) {
        id: AccountId = account.id,
        name: &'a str = account.settings.name.as_str(),
        #[schemars(extend("const" = ""))]
        subdomain: &'static str = "",
        current_user_id: UserId = caller.user,
        country: () = (),
        language: Lang = account.settings.lang,
        _links: Links = Links::to(format!("{base}/api/v4/account")),
        /// The account's id in the chat service; with `with=amojo_id`.
        amojo_id ?: AccountId = with_chat_id.then_some(account.id),
    }
}

pub(crate) fn describe() -> Operation {
    Operation::deals("getAccount", "Get the caller's account.")
        .query(
            "with",
            Schema::text().says("Words with commas: `amojo_id`."),
        )
        .gives_hal::<AccountInfo<'_>>(200, "The account.")
        .refuses(404, "The account no longer exists.")
}
