//! `POST /inbox/v1/session` signs in, `DELETE /inbox/v1/session` out.

use std::net::{IpAddr, Ipv4Addr};

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, web};
use switchboard_actors::domain::id::AccountId;
use switchboard_actors::error::Refused;
use switchboard_actors::system::credentials::{SignIn, SignInRejection};
use switchboard_actors::wire::json::{self, BodyError, object::Nulls};

use crate::http::extract::caller::SignedInUser;
use crate::http::extract::{body, cookie};
use crate::http::inbox::me;
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

pub(crate) async fn create(
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let bytes = body::read_json(&request, payload, state.body_limit()).await?;
    let (email, password, account) = parse(&bytes)?;
    let address = request
        .peer_addr()
        .map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.ip());
    let sign_in = SignIn {
        email,
        password,
        account,
        address,
    };
    let signed_in = state.system().sign_in(sign_in).await.map_err(refused)?;
    let secret = signed_in.secret.expose();
    let me = me::view(&state, &signed_in.caller, Some(secret)).await?;
    Ok(HttpResponse::Created()
        .insert_header((header::SET_COOKIE, cookie::set(&state, secret)))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .json(me))
}

pub(crate) async fn delete(
    SignedInUser { caller, secret }: SignedInUser,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    state.system().sign_out(&caller, &secret).await?;
    Ok(HttpResponse::NoContent()
        .insert_header((header::SET_COOKIE, cookie::clear(&state)))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .finish())
}

fn parse(bytes: &[u8]) -> Result<(String, String, Option<AccountId>), Problem> {
    json::read(bytes, Nulls::Refused, |body| {
        body.refuse_unknown(&["email", "password", "account_id"]);
        let email = body.required_string("email");
        let password = body.required_string("password");
        let account = body.optional_parsed("account_id");
        Some((email?.to_owned(), password?.to_owned(), account))
    })
    .map_err(|error| match error {
        BodyError::NotJson(why) => Problem::BadRequest(why.to_string()),
        BodyError::Invalid(violations) => Problem::Validation(violations),
    })
}

fn refused(refused: Refused<SignInRejection>) -> Problem {
    match refused {
        Refused::Rejected(rejection @ SignInRejection::Wrong) => {
            Problem::SignInFailed(rejection.to_string())
        }
        Refused::Rejected(SignInRejection::TooOften(often)) => Problem::TooManyRequests {
            detail: often.to_string(),
            retry_after: often.0,
        },
        Refused::Unavailable(unavailable) => unavailable.into(),
    }
}
