//! `GET /api/v4/account`: the caller's account; `with=amojo_id` adds its id in the chat service.

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::{Value, json};
use switchboard_actors::domain::installation::accounts::Lang;

use crate::http::extract::caller::AnyUser;
use crate::http::extract::query::Query;
use crate::http::openapi::{Asker, Operation, Schema, Tag, may, must};
use crate::http::reply::hal;
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

pub(crate) async fn get(
    AnyUser(caller): AnyUser,
    request: HttpRequest,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let with = Query::of(&request)?;
    let account = state
        .system()
        .account(caller.account)
        .ok_or_else(|| Problem::NotFound("the account of this token is gone".to_owned()))?;
    let mut body = json!({
        "id": account.id,
        "name": account.name,
        "subdomain": "",
        "current_user_id": caller.user,
        "country": null,
        "language": account.lang,
        "_links": { "self": { "href": format!("{}/api/v4/account", state.public_url()) } },
    });
    let wanted = with.text("with").unwrap_or_default();
    if wanted.split(',').any(|word| word == "amojo_id")
        && let Some(body) = body.as_object_mut()
    {
        body.insert("amojo_id".to_owned(), json!(account.id));
    }
    Ok(hal::ok(&body))
}

pub(crate) fn describe() -> Operation {
    let account = Schema::object([
        must("id", Schema::uuid()),
        must("name", Schema::text()),
        must("subdomain", Schema::only("")),
        must("current_user_id", Schema::number()),
        must("country", Schema::only(Value::Null)),
        must("language", Schema::choice(&Lang::NAMES)),
        hal::links(),
        may(
            "amojo_id",
            Schema::uuid().says("The account's id in the chat service; with `with=amojo_id`."),
        ),
    ]);
    Operation::new(
        Tag::Deals,
        Asker::User,
        "getAccount",
        "Tells the caller's account.",
    )
    .query(
        "with",
        Schema::text().says("Words with commas: `amojo_id`."),
    )
    .answers_hal(200, "The account.", account)
    .refuses(404, "The account is gone.")
}
