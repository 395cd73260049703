//! The bearer token of a request.

use actix_web::HttpRequest;
use actix_web::http::header;

/// The token in `Authorization: Bearer <token>`; `None` when there is none, or there are several.
pub(crate) fn token(request: &HttpRequest) -> Option<&str> {
    let mut headers = request.headers().get_all(header::AUTHORIZATION);
    let (Some(value), None) = (headers.next(), headers.next()) else {
        return None;
    };
    let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
    let token = token.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
}
