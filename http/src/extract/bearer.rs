//! The bearer token of a request, and whose it is when it was sent to the wrong interface.

use actix_web::HttpRequest;
use actix_web::http::header;

use switchboard_actors::error::{CommandError, UnavailableError};
use switchboard_actors::system::oauth::BearerTokenError;

use crate::extract::origin;
use crate::reply::token_error::TokenError;
use crate::state::AppState;

/// The token in `Authorization: Bearer <token>`; `None` when there is none, or there are several.
pub fn token(request: &HttpRequest) -> Option<&str> {
    let mut headers = request.headers().get_all(header::AUTHORIZATION);
    let (Some(value), None) = (headers.next(), headers.next()) else {
        return None;
    };
    let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
    let token = token.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
}

/// The kind of a token that belongs to no account user. Only a limited number of tokens is compared for each network
/// address, so that a client cannot use this to guess secrets whose guesses are counted elsewhere.
pub async fn kind(
    request: &HttpRequest,
    state: &AppState,
    token: &str,
) -> Result<Option<TokenError>, UnavailableError> {
    let (system, address) = (
        state.system(),
        origin::client_address(request.head(), state),
    );
    if !state.guesses().may_compare(system, address) {
        return Ok(None);
    }
    if system.is_operator(token) {
        return Ok(Some(TokenError::Operator));
    }
    if system.is_a_secret(token) {
        return Ok(Some(TokenError::ChannelSecret));
    }
    if system.is_a_client_secret(token) {
        return Ok(Some(TokenError::ClientSecret));
    }
    let grant_type = system.grant_type_of(token).await?;
    Ok(grant_type.map(TokenError::ForTokens))
}

/// The kind of a token that is not the operator's, which has been counted as such.
pub(crate) async fn kind_at_the_operator(
    request: &HttpRequest,
    state: &AppState,
    token: &str,
) -> Option<TokenError> {
    match state.system().identify(token).await {
        Err(CommandError::Rejected(BearerTokenError::Unknown)) => {
            kind(request, state, token).await.unwrap_or_default()
        }
        // An access token that is not valid any more is no other kind.
        Ok(_) | Err(CommandError::Rejected(_)) => Some(TokenError::AccountUser),
        Err(CommandError::Unavailable(_)) => None,
    }
}
