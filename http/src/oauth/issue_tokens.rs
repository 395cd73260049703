//! `POST /oauth2/access_token`: a client gets an access token and a refresh token for an authorization code, or for its
//! refresh token. RFC 6749, 4.1.3, 5 and 6, in the counterpart's form.

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;
use switchboard_actors::domain::account::throttle::ThrottleError;
use switchboard_actors::domain::id::OauthClientId;
use switchboard_actors::domain::oauth::grants::grant::{UsedBy, UserAgent};
use switchboard_actors::domain::oauth::grants::rejection::GrantType;
use switchboard_actors::domain::signature::SharedSecret;
use switchboard_actors::system::oauth::{IssuedTokens, SentGrant, TokenRequest};
use switchboard_actors::wire::body;
use switchboard_actors::wire::body::Body;
use switchboard_actors::wire::json::object::ObjectReader;

use crate::extract::body::read_json_or_form;
use crate::extract::origin;
use crate::oauth::account_host::AccountDomain;
use crate::oauth::token_log::{LoggedTokenRequest, TokenOutcome};
use crate::openapi::{Asker, Operation, Schema, Seconds, Tag};
use crate::reply::problem::{NoTokens, Problem};
use crate::requests::observed;
use crate::state::AppState;

/// The content of a request: the client, and the grant that it sends.
struct ClientGrant {
    client: OauthClientId,
    secret: SharedSecret,
    grant: SentGrant,
}

pub(crate) async fn post(
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let bytes = read_json_or_form(&request, payload, state.body_limit()).await?;
    let client_grant = TokenBody::read_as(&bytes, client_grant)?;
    let by = used_by(&request, &state);
    check_client(&state, &client_grant, &by)?;
    observed::note_client(&request, client_grant.client);
    let (client, grant_type) = (client_grant.client, grant_type(&client_grant.grant));
    let request = TokenRequest {
        client,
        grant: client_grant.grant,
        by: by.clone(),
        base_domain: AccountDomain::from_request(request.head(), &state).name,
    };
    let result = state.system().issue_tokens(request).await;
    let tokens = result.map_err(|refused| {
        refused.into_error(|rejection| {
            Problem::NoTokens(NoTokens {
                error: "invalid_grant",
                hint: rejection.to_string(),
            })
        })
    });
    let outcome = match &tokens {
        Ok(tokens) => Some(TokenOutcome::Issued(tokens.account)),
        Err(Problem::NoTokens(why)) => Some(TokenOutcome::Refused(why.hint.clone())),
        Err(_) => None,
    };
    if let Some(outcome) = outcome {
        let logged = LoggedTokenRequest {
            by,
            grant_type,
            outcome,
        };
        state.token_log().keep(client, logged);
    }
    Ok(HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .json(Tokens::new(&tokens?, state.now().into())))
}

/// Refuses a client that is unknown or has another secret. The answer does not say which of both is wrong.
fn check_client(state: &AppState, client_grant: &ClientGrant, by: &UsedBy) -> Result<(), Problem> {
    let client = state.guesses().client(
        state.system(),
        by.address,
        client_grant.client,
        &client_grant.secret,
    );
    match client {
        Ok(Some(_)) => Ok(()),
        Ok(None) => {
            if state.system().oauth_client(client_grant.client).is_some() {
                let logged = LoggedTokenRequest {
                    by: by.clone(),
                    grant_type: grant_type(&client_grant.grant),
                    outcome: TokenOutcome::WrongSecret,
                };
                state.token_log().keep(client_grant.client, logged);
            }
            Err(Problem::NoTokens(NoTokens {
                error: NoTokens::INVALID_CLIENT,
                hint: "There is no client with this client_id and client_secret. Compare both with those that the operator gave you.".to_owned(),
            }))
        }
        Err(ThrottleError(wait)) => Err(Problem::TooManyRequests {
            detail: format!(
                "too many requests with a wrong client_secret from your address; {}",
                ThrottleError(wait)
            ),
            retry_after: wait,
        }),
    }
}

fn used_by(request: &HttpRequest, state: &AppState) -> UsedBy {
    let value = request.headers().get(header::USER_AGENT);
    let agent = value.and_then(|agent| agent.to_str().ok());
    UsedBy {
        at: state.now(),
        user_agent: agent.and_then(UserAgent::from_header),
        address: origin::client_address(request.head(), state),
    }
}

fn grant_type(grant: &SentGrant) -> GrantType {
    match grant {
        SentGrant::Code { .. } => GrantType::Code,
        SentGrant::RefreshToken(_) => GrantType::RefreshToken,
    }
}

body!(
    #[body(open, lenient, check(check_grant(grant_type)))]
    struct TokenBody {
        client_id: OauthClientId,
        #[body(schema(Schema::text()))]
        client_secret: SharedSecret,
        grant_type: GrantType,
        /// Required with authorization_code.
        #[body(secret)]
        code: Option<String>,
        /// Required with authorization_code: exactly that of the consent.
        redirect_uri: Option<String>,
        /// Required if the consent had a code_challenge.
        #[body(secret)]
        code_verifier: Option<String>,
        /// Required with refresh_token.
        #[body(secret)]
        refresh_token: Option<String>,
    }
);

fn check_grant(body: &ObjectReader<'_, '_>, grant: &Option<GrantType>) {
    let fields: &[&str] = match grant {
        Some(GrantType::Code) => &["code", "redirect_uri"],
        Some(GrantType::RefreshToken) => &["refresh_token"],
        None => &[],
    };
    for name in fields {
        body.required(name);
    }
}

fn client_grant(body: &ObjectReader<'_, '_>, sent: TokenBody) -> Option<ClientGrant> {
    let grant = match sent.grant_type {
        GrantType::Code => SentGrant::Code {
            // Some libraries send an empty one when there is none.
            verifier: body.optional_unless_empty("code_verifier"),
            redirect_uri: sent.redirect_uri?,
            code: sent.code?,
        },
        GrantType::RefreshToken => SentGrant::RefreshToken(sent.refresh_token?),
    };
    Some(ClientGrant {
        client: sent.client_id,
        secret: sent.client_secret,
        grant,
    })
}

view! {
    #[schemars(inline)]
    struct Tokens<'t>(tokens: &'t IssuedTokens, now: Seconds) {
        #[schemars(extend("enum" = ["Bearer"]))]
        token_type: &'static str = "Bearer",
        /// The lifetime of the access token, in seconds.
        expires_in: u64 = tokens.expires_in.as_secs(),
        /// The service's time.
        server_time: Seconds = now,
        /// A JSON Web Token.
        #[schemars(extend("x-secret" = true))]
        access_token: &'t str = &tokens.access_token,
        /// Valid once, and for 90 days.
        #[schemars(extend("x-secret" = true))]
        refresh_token: &'t str = &tokens.refresh_token,
    }
}

pub(crate) fn describe() -> Operation {
    let example = json!({
        "client_id": "0a1f2c3d-4e5f-4a6b-8c7d-8e9fa0b1c2d3",
        "client_secret": "5a44c5dff55f3c15a4cce8d7c4cc27e207c7e189",
        "grant_type": "authorization_code",
        "code": "def50200…",
        "redirect_uri": "https://example.com/oauth/callback",
    });
    Operation::new(
        Tag::Oauth,
        Asker::Anyone,
        "issueTokens",
        "Get an access token and a refresh token.",
    )
    .says("The body may be a form. A code is valid once, for 20 minutes; a refresh token once, for 90 days.")
    .takes::<TokenBody>(example)
    .gives::<Tokens<'_>>(200, "The tokens.")
    .refuses(
        400,
        "The code or the refresh token is unknown, used, expired, or of another client; `hint` says which rule the request breaks, and which request used it before.",
    )
    .refuses(401, "There is no client with this id and secret.")
    .refuses(429, "Too many requests with a wrong secret from this address.")
    .refuses(
        503,
        "Temporarily unavailable: the request was not processed; retry.",
    )
}
