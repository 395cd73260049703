//! `PATCH /inbox/v1/me`: users who signed in change their own name, language, notifications and presence.

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;
use switchboard_actors::wire::inbox_body::own_profile::OwnChange;

use crate::base::Base;
use crate::extract::body;
use crate::extract::caller::SignedInUser;
use crate::inbox::me;
use crate::openapi::{Asker, Operation, Tag};
use crate::reply::problem::Problem;
use crate::state::AppState;

pub(crate) async fn patch(
    SignedInUser { caller, secret }: SignedInUser,
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
    base: Base,
) -> Result<HttpResponse, Problem> {
    let OwnChange {
        name,
        lang,
        notifications,
        presence,
    } = body::json(&request, payload, &state).await?;
    let access = state.system().user_access(&caller).await?;
    let result = access
        .update_me(name, lang, notifications.map(Into::into), presence)
        .await;
    result.map_err(|refused| refused.into_error(|_gone| Problem::Unauthorized(None)))?;
    me::answer(HttpResponse::Ok(), &state, &caller, Some(&secret), &base).await
}

pub(crate) fn describe() -> Operation {
    Operation::new(
        Tag::Inbox,
        Asker::Session,
        "updateMe",
        "Update the caller's name, language, notifications and presence.",
    )
    .says("Fields that the body does not name keep their values.")
    .takes::<OwnChange>(json!({
        "name": "Ada Lovelace",
        "lang": "es",
        "notifications": {
            "off": ["new_conversation"],
            "sound": true,
            "quiet_hours": { "from": "22:00", "to": "07:30", "utc_offset": 60 },
        },
        "presence": "here",
    }))
    .gives::<me::Me<'_>>(200, "The caller as they are now, on disk.")
    .refuses(400, "The caller has a bearer token, and no session.")
}
