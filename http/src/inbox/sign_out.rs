//! `DELETE /inbox/v1/session`: a user signs out.

use actix_web::http::header;
use actix_web::{HttpResponse, web};

use crate::base::Base;
use crate::extract::caller::SignedInUser;
use crate::extract::cookie;
use crate::openapi::{Asker, Operation, Tag};
use crate::reply::problem::Problem;
use crate::state::AppState;

pub(crate) async fn delete(
    SignedInUser { caller, secret }: SignedInUser,
    state: web::Data<AppState>,
    base: Base,
) -> Result<HttpResponse, Problem> {
    state.system().sign_out(&caller, &secret).await?;
    Ok(HttpResponse::NoContent()
        .insert_header((header::SET_COOKIE, cookie::clear(&base)))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .finish())
}

pub(crate) fn describe() -> Operation {
    Operation::new(
        Tag::Inbox,
        Asker::Session,
        "signOut",
        "Delete the session (sign out).",
    )
    .answers_nothing(204, "The session is over.")
    .refuses(400, "The caller has a bearer token, and no session.")
}
