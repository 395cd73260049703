//! The operator, known by a bearer token of their own.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};

use crate::http::extract::bearer;
use crate::http::reply::problem::Problem;
use crate::http::state::AppState;

/// The operator's token was right: a handler that takes one cannot be reached without.
pub(crate) struct Operator(());

impl FromRequest for Operator {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let state = request.app_data::<web::Data<AppState>>();
        let right = match (state, bearer::token(request)) {
            (Some(state), Some(token)) => state.system().is_operator(token),
            (Some(_) | None, _) => false,
        };
        ready(if right {
            Ok(Self(()))
        } else {
            Err(Problem::NotTheOperator)
        })
    }
}
