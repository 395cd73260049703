//! The cookie of a session.
//!
//! `HttpOnly`: no script reads it. `SameSite=Strict`: no request that another site causes carries it. Over HTTPS it is
//! `Secure` and named with `__Host-`, so that no neighbour of the host's name can set one.

use actix_web::HttpRequest;
use actix_web::http::header::{self, HeaderMap};
use switchboard_actors::domain::account::credentials::SESSION_LIFE;

use crate::base::Base;

const NAME: &str = "switchboard_session";
const NAME_OVER_HTTPS: &str = "__Host-switchboard_session";

/// The secret in the cookie of this request; `None` when there is none, or there are several.
pub(crate) fn session(request: &HttpRequest, base: &Base) -> Option<String> {
    let name = name(base);
    let mut secrets = request
        .headers()
        .get_all(header::COOKIE)
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .filter(|(known, _)| *known == name)
        .map(|(_, secret)| secret);
    match (secrets.next(), secrets.next()) {
        (Some(secret), None) if !secret.is_empty() => Some(secret.to_owned()),
        (Some(_) | None, _) => None,
    }
}

/// Returns whether there is a cookie of a session, by either name.
pub(crate) fn names_session(headers: &HeaderMap) -> bool {
    let mut cookies = headers.get_all(header::COOKIE);
    cookies.any(|value| {
        value
            .as_bytes()
            .windows(NAME.len())
            .any(|part| part == NAME.as_bytes())
    })
}

/// The header's value that sets the cookie.
pub(crate) fn set(base: &Base, secret: &str) -> String {
    with(base, secret, SESSION_LIFE.as_secs())
}

/// The header's value that takes the cookie away.
pub(crate) fn clear(base: &Base) -> String {
    with(base, "", 0)
}

fn with(base: &Base, secret: &str, seconds: u64) -> String {
    let name = name(base);
    let secure = if base.is_https() { "; Secure" } else { "" };
    format!("{name}={secret}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}")
}

fn name(base: &Base) -> &'static str {
    if base.is_https() {
        NAME_OVER_HTTPS
    } else {
        NAME
    }
}
