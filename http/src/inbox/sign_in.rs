//! `POST /inbox/v1/session`: a user signs in.

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::id::AccountId;
use switchboard_actors::error::{CommandError, UnavailableError};
use switchboard_actors::system::credentials::{SignInRejection, SignInRequest};
use switchboard_actors::wire;
use switchboard_network::limits::fair_turns::TurnError;

use crate::base::Base;
use crate::extract::{body, cookie, origin};
use crate::inbox::me;
use crate::openapi::{Asker, Operation, Tag};
use crate::reply::problem::Problem;
use crate::state::AppState;

pub(crate) async fn post(
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
    base: Base,
) -> Result<HttpResponse, Problem> {
    let body: SignIn = body::json(&request, payload, &state).await?;
    let address = origin::client_address(request.head(), &state);
    let sign_in = SignInRequest {
        email: body.email,
        password: body.password,
        account: body.account_id,
        address,
    };
    let turn = state
        .limits()
        .sign_in(address)
        .await
        .map_err(|TurnError| Problem::Unavailable(UnavailableError::Busy))?;
    let signed_in = state.system().sign_in(sign_in).await.map_err(refused)?;
    drop(turn);
    let secret = signed_in.secret.expose();
    let mut response = HttpResponse::Created();
    response.insert_header((header::SET_COOKIE, cookie::set(&base, secret)));
    me::answer(response, &state, &signed_in.caller, Some(secret), &base).await
}

wire::body!(
    struct SignIn {
        email: String,
        #[body(secret)]
        password: String,
        /// Required if several accounts have the address.
        account_id: Option<AccountId>,
    }
);

fn refused(refused: CommandError<SignInRejection>) -> Problem {
    refused.into_error(|rejection| match rejection {
        SignInRejection::Wrong => Problem::WrongCredential(rejection.to_string()),
        SignInRejection::TooOften(often) => Problem::TooManyRequests {
            detail: often.to_string(),
            retry_after: often.0,
        },
    })
}

pub(crate) fn describe() -> Operation {
    let example = json!({ "email": "ada@example.com", "password": "Passw0rd" });
    Operation::new(
        Tag::Inbox,
        Asker::Anyone,
        "signIn",
        "Create a session (sign in).",
    )
    .takes::<SignIn>(example)
    .gives::<me::Me<'_>>(201, "Who signed in.")
    .with_header(
        201,
        "Set-Cookie",
        "The session; HttpOnly, SameSite=Strict. Ends after 12 hours without use.",
    )
    .refuses(
        401,
        "The address or the password is wrong, or `account_id` is required.",
    )
    .refuses(429, "Too many failed attempts.")
    .refuses(
        503,
        "Temporarily unavailable: the request was not processed; retry.",
    )
}
