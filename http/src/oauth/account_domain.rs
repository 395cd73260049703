//! `GET /oauth2/account/subdomain` and `GET /oauth2/account/current/subdomain`: the host of an account, for a client whose
//! address for it is no longer true. The first takes an access token, the second a refresh token.

use actix_web::http::header::{self, HeaderName};
use actix_web::{HttpRequest, HttpResponse, web};
use switchboard_actors::domain::account::throttle::ThrottleError;
use switchboard_actors::domain::id::AccountNumber;
use switchboard_actors::domain::installation::accounts::Account;

use crate::extract::caller::AnyUser;
use crate::extract::origin;
use crate::oauth::account_host::AccountDomain;
use crate::openapi::{Asker, Operation, Schema, Tag};
use crate::reply::problem::Problem;
use crate::state::AppState;

/// The header with a refresh token.
static REFRESH_TOKEN: HeaderName = HeaderName::from_static("x-refresh-token");

pub(crate) async fn get(
    AnyUser(caller): AnyUser,
    request: HttpRequest,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let account = state
        .system()
        .account(caller.account)
        .ok_or(Problem::Unauthorized(None))?;
    Ok(shown(&account, &request, &state))
}

pub(crate) async fn get_current(
    request: HttpRequest,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let mut tokens = request.headers().get_all(&REFRESH_TOKEN);
    let token = match (tokens.next().map(|token| token.to_str()), tokens.next()) {
        (Some(Ok(token)), None) => token.trim(),
        (_, _) => {
            return Err(Problem::WrongCredential(
                "send the refresh token of the account in one header X-Refresh-Token".to_owned(),
            ));
        }
    };
    let address = origin::client_address(request.head(), &state);
    let guesses = state.guesses();
    let result = guesses
        .account_of_refresh_token(state.system(), address, token)
        .await
        .map_err(|often| Problem::TooManyRequests {
            detail: format!(
                "too many requests with wrong refresh tokens from your address; {often}"
            ),
            retry_after: wait(often),
        })?;
    let account = result.map_err(|refused| {
        refused.into_error(|refusal| Problem::WrongCredential(refusal.to_string()))
    })?;
    Ok(shown(&account, &request, &state))
}

fn wait(ThrottleError(wait): ThrottleError) -> std::time::Duration {
    wait
}

fn shown(account: &Account, request: &HttpRequest, state: &AppState) -> HttpResponse {
    let domain = AccountDomain::from_request(request.head(), state);
    HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .json(AccountDomainView::new(account, &domain))
}

view! {
    #[schemars(rename = "AccountDomain")]
    struct AccountDomainView<'d>(account: &Account, domain: &'d AccountDomain) {
        id: AccountNumber = account.number,
        subdomain: String = account.subdomain().to_string(),
        /// The host of the account, as the client may ask it.
        domain: String = domain.host(account),
        /// The last label of the host; empty of an IP address.
        top_level_domain: &'d str = domain.top_level(),
    }
}

pub(crate) fn describe() -> Operation {
    Operation::new(
        Tag::Oauth,
        Asker::User,
        "getAccountDomain",
        "Get the host of the caller's account.",
    )
    .gives::<AccountDomainView<'_>>(200, "The host.")
}

pub(crate) fn describe_current() -> Operation {
    let token = Schema::text()
        .secret()
        .says("A refresh token, which stays valid. Required.");
    Operation::new(
        Tag::Oauth,
        Asker::Anyone,
        "getCurrentAccountDomain",
        "Get the host of the account that a refresh token is for.",
    )
    .says("The claim `api_domain` of access tokens names the host that clients of the counterpart ask.")
    .header("X-Refresh-Token", token)
    .gives::<AccountDomainView<'_>>(200, "The host.")
    .refuses(401, "No client has this refresh token, or it was used, expired, or its user is deactivated.")
    .refuses(429, "Too many requests with wrong refresh tokens from this address.")
}
