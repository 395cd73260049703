//! `POST /inbox/v1/me/password`: users who signed in give themselves another password.

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::account::password::Password;
use switchboard_actors::domain::violation::ViolationCode;
use switchboard_actors::error::{CommandError, UnavailableError};
use switchboard_actors::system::user_access::{PasswordChange, PasswordRejection};
use switchboard_actors::wire;

use crate::base::Base;
use crate::extract::caller::SignedInUser;
use crate::extract::{body, cookie, origin};
use crate::inbox::me;
use crate::openapi::{Asker, Operation, Tag};
use crate::reply::problem::Problem;
use crate::state::AppState;
use switchboard_network::limits::fair_turns::TurnError;

pub(crate) async fn post(
    SignedInUser { caller, .. }: SignedInUser,
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
    base: Base,
) -> Result<HttpResponse, Problem> {
    let body: PasswordPair = body::json(&request, payload, &state).await?;
    let address = origin::client_address(request.head(), &state);
    let change = PasswordChange {
        current: body.current_password,
        new: body.password,
        address,
    };
    let turn = state
        .limits()
        .sign_in(address)
        .await
        .map_err(|TurnError| Problem::Unavailable(UnavailableError::Busy))?;
    let access = state.system().user_access(&caller).await?;
    let result = access.update_my_password(change).await;
    let signed_in = result.map_err(refused)?;
    drop(turn);
    let secret = signed_in.secret.expose();
    let mut response = HttpResponse::Ok();
    response.insert_header((header::SET_COOKIE, cookie::set(&base, secret)));
    me::answer(response, &state, &signed_in.caller, Some(secret), &base).await
}

wire::body!(
    struct PasswordPair {
        #[body(secret)]
        current_password: String,
        password: Password,
    }
);

fn refused(refused: CommandError<PasswordRejection>) -> Problem {
    refused.into_error(|rejection| match rejection {
        // Not 401: the session is good, and a client that got one would sign in again.
        PasswordRejection::Wrong => {
            Problem::field("current_password", ViolationCode::InvalidValue, &rejection)
        }
        PasswordRejection::TooOften(often) => Problem::TooManyRequests {
            detail: often.to_string(),
            retry_after: often.0,
        },
    })
}

pub(crate) fn describe() -> Operation {
    let example = json!({ "current_password": "Passw0rd", "password": "aBcde1@345" });
    Operation::new(
        Tag::Inbox,
        Asker::Session,
        "updateMyPassword",
        "Set another password for the caller.",
    )
    .says("All sessions of the user end; the answer begins a new one.")
    .takes::<PasswordPair>(example)
    .gives::<me::Me<'_>>(200, "The caller, with a new session.")
    .with_header(200, "Set-Cookie", "The new session.")
    .refuses(
        400,
        "The caller has a bearer token, or the current password is wrong.",
    )
    .refuses(429, "Too many wrong passwords.")
    .refuses(
        503,
        "Temporarily unavailable: the request was not processed; retry.",
    )
}
