//! The number of an entity in a path. A path without one is an address that exists nowhere, which is another answer than
//! that there is no such entity.

use std::future::{Ready, ready};
use std::str::FromStr;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};

use crate::reply::problem::Problem;

/// A number that no entity ever gets.
const NEVER: u64 = u64::MAX;

/// The number in `{id}`, or in `{uid}`. A `{uid}` that is no number is one of nothing: the counterpart's are texts.
pub(crate) struct Numbered<T>(pub(crate) T);

impl<T: FromStr> FromRequest for Numbered<T> {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let parts = request.match_info();
        let is_number = |given: &&str| given.bytes().all(|byte| byte.is_ascii_digit());
        let never = NEVER.to_string();
        let id = parts.get("id").filter(is_number);
        let uid = parts
            .get("uid")
            .map(|uid| Some(uid).filter(is_number).unwrap_or(&never));
        // Zero and what is too large are numbers of nothing.
        let parse = |number: &str| {
            let number = number.parse();
            number.or_else(|_zero_or_too_large| never.parse()).ok()
        };
        let number = id.or(uid).and_then(parse);
        ready(number.map(Self).ok_or_else(|| nothing_at(request)))
    }
}

/// There is nothing at the address of a request.
pub(crate) fn nothing_at(request: &HttpRequest) -> Problem {
    let (method, path) = (request.method(), request.uri().path());
    Problem::NotFound(format!("there is nothing at {method} {path}"))
}
