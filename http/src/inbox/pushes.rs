//! `/inbox/v1/me/pushes`: the browsers of a user that are pushed what the user is notified of (Web Push).

use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::id::PushId;
use switchboard_actors::domain::operator::push_key::PushKey;
use switchboard_actors::domain::violation::ViolationCode;
use switchboard_actors::error::UnavailableError;
use switchboard_actors::wire::inbox_body::push::{PushBody, PushView, PushesView};
use switchboard_push::vapid::{VapidKey, VapidKeyError};

use crate::extract::body;
use crate::extract::caller::SignedInUser;
use crate::extract::numbered::Numbered;
use crate::openapi::{Asker, Operation, Schema, Tag};
use crate::reply::problem::Problem;
use crate::state::AppState;

pub(crate) async fn list(
    SignedInUser { caller, secret }: SignedInUser,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let pushes = state.system().user_access(&caller).await?.pushes().await?;
    let key = public_key(&state).await?;
    Ok(HttpResponse::Ok().json(PushesView::new(key, &pushes, &secret)))
}

/// The public key of the service. The first browser that asks for it has it made.
async fn public_key(state: &AppState) -> Result<String, Problem> {
    if let Some(key) = state.system().push_key() {
        return Ok(key.public.clone());
    }
    let new = new_key().map_err(|_no_randomness| Problem::Unavailable(UnavailableError::Busy))?;
    Ok(state.system().keep_push_key(new).await?.public)
}

fn new_key() -> Result<PushKey, VapidKeyError> {
    let secret = VapidKey::generate()?;
    let public = VapidKey::parse(&secret)?.public().to_owned();
    Ok(PushKey { secret, public })
}

pub(crate) async fn create(
    SignedInUser { caller, secret }: SignedInUser,
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let PushBody { endpoint, keys } = body::json(&request, payload, &state).await?;
    if let Err(reason) = state.guard().check(endpoint.url()) {
        return Err(Problem::field(
            "endpoint",
            ViolationCode::InvalidValue,
            &reason,
        ));
    }
    // Without a key nothing could be sent to the browser.
    public_key(&state).await?;
    let access = state.system().user_access(&caller).await?;
    let result = access.create_push(&secret, endpoint, keys.into()).await;
    let push =
        result.map_err(|refused| refused.into_error(|_ended| Problem::Unauthorized(None)))?;
    Ok(HttpResponse::Created().json(PushView::new(&push, &secret)))
}

pub(crate) async fn delete(
    SignedInUser { caller, .. }: SignedInUser,
    Numbered(id): Numbered<PushId>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let access = state.system().user_access(&caller).await?;
    let result = access.delete_push(id).await;
    result.map_err(|refused| refused.into_error(|none| Problem::NotFound(none.to_string())))?;
    Ok(HttpResponse::NoContent().finish())
}

/// An operation for users with a session.
fn with_session(operation: Operation) -> Operation {
    operation.refuses(
        400,
        "The caller has a bearer token, and no session; or the body is wrong.",
    )
}

pub(crate) fn describe_list() -> Operation {
    let summary = "List the browsers that are pushed notifications.";
    with_session(Operation::new(
        Tag::Inbox,
        Asker::Session,
        "listPushes",
        summary,
    ))
    .says("With the public key of the service, to which browsers subscribe.")
    .gives::<PushesView>(200, "The browsers of the caller.")
}

pub(crate) fn describe_create() -> Operation {
    let summary = "Create the subscription of a browser to notifications.";
    with_session(Operation::new(Tag::Inbox, Asker::Session, "createPush", summary))
        .says("The same browser once more takes the place of what it had. An eleventh ends the oldest. The sign-out of the session ends it.")
        .takes::<PushBody>(json!({
            "endpoint": "https://push.example.net/send/8h2K",
            "keys": {
                "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
                "auth": "BTBZMqHH6r4Tts7J_aSIgg",
            },
        }))
        .gives::<PushView>(201, "The subscription, on disk.")
}

pub(crate) fn describe_delete() -> Operation {
    let summary = "Delete the subscription of a browser.";
    with_session(Operation::new(
        Tag::Inbox,
        Asker::Session,
        "deletePush",
        summary,
    ))
    .path("id", Schema::number())
    .answers_nothing(204, "The subscription has ended.")
    .refuses(404, "The caller has no such subscription.")
}
