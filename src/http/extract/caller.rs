//! The account user who is asking, known by a bearer token.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};
use switchboard_actors::Caller;

use crate::http::extract::bearer;
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

/// An account user with a valid token: a handler that takes one cannot be reached without.
pub(crate) struct AnyUser(pub(crate) Caller);

impl FromRequest for AnyUser {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(caller(request).map(Self).ok_or(Problem::Unauthorized))
    }
}

/// An administrator of an account with a valid token.
pub(crate) struct Administrator(pub(crate) Caller);

impl FromRequest for Administrator {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(match caller(request) {
            None => Err(Problem::Unauthorized),
            Some(caller) if caller.is_admin => Ok(Self(caller)),
            Some(_) => Err(Problem::Forbidden(
                "Insufficient rights to call this method: it is for administrators of the account"
                    .to_owned(),
            )),
        })
    }
}

fn caller(request: &HttpRequest) -> Option<Caller> {
    let state = request.app_data::<web::Data<AppState>>()?;
    state.system().caller(bearer::token(request)?)
}
