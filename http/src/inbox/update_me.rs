//! `PATCH /inbox/v1/me`: users who signed in change their own name, language and notifications.

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::installation::accounts::Lang;
use switchboard_actors::domain::text::UserName;
use switchboard_actors::wire;
use switchboard_actors::wire::inbox_body::notifications::NotificationsBody;

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
    } = body::json(&request, payload, &state).await?;
    let access = state.system().user_access(&caller).await?;
    let result = access
        .update_me(name, lang, notifications.map(Into::into))
        .await;
    result.map_err(|refused| refused.into_error(|_gone| Problem::Unauthorized(None)))?;
    me::answer(HttpResponse::Ok(), &state, &caller, Some(&secret), &base).await
}

wire::body!(
    struct OwnChange {
        name: Option<UserName>,
        lang: Option<Lang>,
        /// They take the place of the present ones as a whole.
        notifications: Option<NotificationsBody>,
    }
);

pub(crate) fn describe() -> Operation {
    Operation::new(
        Tag::Inbox,
        Asker::Session,
        "updateMe",
        "Update the caller's name, language and notifications.",
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
    }))
    .gives::<me::Me<'_>>(200, "The caller as they are now, on disk.")
    .refuses(400, "The caller has a bearer token, and no session.")
}
