//! `POST /inbox/v1/me/password`: users who signed in give themselves another password.

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::account::password::Password;
use switchboard_actors::domain::violation::{Violation, ViolationCode, Violations};
use switchboard_actors::error::{Refused, Unavailable};
use switchboard_actors::system::user_access::{PasswordChange, PasswordRejection};
use switchboard_actors::wire::json::{self as strict, object::Nulls};
use switchboard_network::limits::fair_turns::GivenUp;

use crate::base::Base;
use crate::extract::caller::SignedInUser;
use crate::extract::{body, cookie, origin};
use crate::inbox::me;
use crate::openapi::{Asker, Operation, Schema, Tag, must};
use crate::reply::problem::Problem;
use crate::state::AppState;
use crate::users::password_schema;

pub(crate) async fn post(
    SignedInUser { caller, .. }: SignedInUser,
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
    base: Base,
) -> Result<HttpResponse, Problem> {
    let bytes = body::read_json(&request, payload, state.body_limit()).await?;
    let (current, new) = parse(&bytes)?;
    let address = origin::of(request.head(), &state);
    let change = PasswordChange {
        current,
        new,
        address,
    };
    let turn = state.limits().sign_in(address).await;
    let turn = turn.map_err(|GivenUp| Problem::Unavailable(Unavailable::Busy))?;
    let access = state.system().user_access(&caller).await?;
    let changed = access.change_password(change).await;
    let signed_in = changed.map_err(refused)?;
    drop(turn);
    let secret = signed_in.secret.expose();
    let mut response = HttpResponse::Ok();
    response.insert_header((header::SET_COOKIE, cookie::set(&base, secret)));
    me::answer(response, &state, &signed_in.caller, Some(secret), &base).await
}

fn parse(bytes: &[u8]) -> Result<(String, Password), Problem> {
    strict::read(bytes, Nulls::Refused, |body| {
        body.refuse_unknown(&["current_password", "password"]);
        let current = body.required_string("current_password");
        let new = body.required_parsed("password");
        Some((current?.to_owned(), new?))
    })
    .map_err(Problem::from)
}

fn refused(refused: Refused<PasswordRejection>) -> Problem {
    refused.into_error(|rejection| match rejection {
        // Not 401: the session is good, and a client that got one would sign in again.
        PasswordRejection::Wrong => Problem::Validation(Violations::from(Violation {
            path: "current_password".to_owned(),
            code: ViolationCode::InvalidValue,
            detail: rejection.to_string(),
        })),
        PasswordRejection::TooOften(often) => Problem::TooManyRequests {
            detail: often.to_string(),
            retry_after: often.0,
        },
    })
}

pub(crate) fn describe() -> Operation {
    let body = Schema::object([
        must("current_password", Schema::text()),
        must("password", password_schema()),
    ]);
    let example = json!({ "current_password": "Passw0rd", "password": "aBcde1@345" });
    Operation::new(
        Tag::Inbox,
        Asker::Session,
        "changeMyPassword",
        "Set another password for the caller.",
    )
    .says("All sessions of the user end; the answer begins a new one.")
    .body(body, example)
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
