//! The number of an entity in a path. A path without one is an address that exists nowhere, which is another answer than
//! that there is no such entity.

use std::future::{Ready, ready};
use std::str::FromStr;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};

use crate::http::reply::problem::Problem;

/// A number that no entity ever gets.
const NEVER: u64 = u64::MAX;

/// The number in `{id}`, or in `{uid}`.
pub(crate) struct Numbered<T>(pub(crate) T);

impl<T: FromStr> FromRequest for Numbered<T> {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let given = request.match_info();
        let given = given.get("id").or_else(|| given.get("uid"));
        // Zero and what is too large are numbers of nothing.
        let is_number = |given: &&str| given.bytes().all(|byte| byte.is_ascii_digit());
        let number = given.filter(is_number).and_then(|given| {
            let never = NEVER.to_string();
            given
                .parse()
                .or_else(|_zero_or_too_large| never.parse())
                .ok()
        });
        ready(number.map(Self).ok_or_else(|| nothing_at(request)))
    }
}

/// There is nothing at the address of a request.
pub(crate) fn nothing_at(request: &HttpRequest) -> Problem {
    let (method, path) = (request.method(), request.uri().path());
    Problem::NotFound(format!("there is nothing at {method} {path}"))
}
