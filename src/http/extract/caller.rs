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

fn caller(request: &HttpRequest) -> Option<Caller> {
    let state = request.app_data::<web::Data<AppState>>()?;
    state.system().caller(bearer::token(request)?)
}
