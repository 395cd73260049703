//! `POST /inbox/v1/oauth-clients/{id}/consent`: an administrator who signed in grants a client access, or denies it. The
//! answer is where the browser goes next.

use std::str::FromStr;

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;
use switchboard_actors::Caller;
use switchboard_actors::domain::id::OauthClientId;
use switchboard_actors::domain::oauth::redirect::{CodeChallenge, PkceText};
use switchboard_actors::domain::oauth::scope::{OauthScope, OauthScopes};
use switchboard_actors::domain::violation::ViolationCode;
use switchboard_actors::system::oauth::ConsentRequest;
use switchboard_actors::wire;
use switchboard_actors::wire::body::value::Found;
use switchboard_actors::wire::json::object::ObjectReader;

use crate::extract::body;
use crate::extract::caller::SignedInAdministrator;
use crate::oauth::account_host::AccountDomain;
use crate::oauth::{id, refused};
use crate::openapi::{Asker, Operation, Schema, Tag, Url};
use crate::reply::problem::Problem;
use crate::state::AppState;

/// The longest `state` that is passed on.
const STATE_MAX: usize = 1_024;

wire::body!(
    /// The decision of an administrator, with the parameters of the request for the consent.
    #[body(lenient, check(check_challenge(code_challenge_method)))]
    struct ConsentBody {
        /// True if the administrator agrees.
        grant: bool,
        /// The one of the request; that of the client if it is left out.
        redirect_uri: Option<String>,
        /// At most 1,024 bytes; the redirect repeats it.
        state: Option<ClientState>,
        /// PKCE: 43 to 128 characters.
        #[body(secret)]
        code_challenge: Option<PkceText>,
        code_challenge_method: Option<Method>,
        /// Those of the scopes that the administrator saw and grants; all that the client asks for if it is left out.
        scopes: Option<ScopeList>,
        /// True if the client is installed from inside the account.
        #[body(default(false))]
        from_widget: bool,
    }
);

pub(crate) async fn post(
    SignedInAdministrator(caller): SignedInAdministrator,
    path: web::Path<String>,
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let client = id(&path)?;
    let decision: ConsentBody = body::json(&request, payload, &state).await?;
    let domain = AccountDomain::for_consent(request.head(), &state);
    let location = redirect(&state, &caller, client, decision, &domain).await?;
    Ok(HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .json(Decision::new(location)))
}

/// The next address of the browser: that of the client, with the code or with the denial.
async fn redirect(
    state: &AppState,
    caller: &Caller,
    client: OauthClientId,
    decision: ConsentBody,
    domain: &AccountDomain,
) -> Result<String, Problem> {
    let system = state.system();
    let request = ConsentRequest {
        client,
        challenge: decision.challenge(),
        redirect_uri: decision.redirect_uri,
        scopes: decision.scopes.map(|ScopeList(scopes)| scopes),
    };
    let id = client.to_string();
    let client_state = decision.state.as_ref();
    let with_state = client_state.map(|ClientState(text)| ("state", text.as_str()));
    if !decision.grant {
        let client = system
            .consentable(caller.account, &request)
            .map_err(|rejection| refused(&rejection))?;
        let parameters = [("error", "access_denied")].into_iter().chain(with_state);
        return Ok(client
            .settings
            .redirect_uri
            .with(&parameters.collect::<Vec<_>>()));
    }
    let account = system
        .account(caller.account)
        .ok_or(Problem::Unauthorized(None))?;
    let consent = system.consent(caller, request).await;
    let (client, code) =
        consent.map_err(|refusal| refusal.into_error(|rejection| refused(&rejection)))?;
    let host = domain.host(&account);
    let parameters: Vec<_> = [("code", code.as_str())]
        .into_iter()
        .chain(with_state)
        .chain([
            ("referer", host.as_str()),
            ("platform", domain.platform()),
            ("client_id", id.as_str()),
        ])
        .chain(decision.from_widget.then_some(("from_widget", "1")))
        .collect();
    Ok(client.settings.redirect_uri.with(&parameters))
}

const METHODS: [(&str, Method); 2] = [("plain", Method::Plain), ("S256", Method::Sha256)];

wire::body_values! {
    Method: Schema::choice(&METHODS).default_is("plain"), |found| found.choice(&METHODS);
    ClientState: Schema::text(), Found::parsed;
    ScopeList: Schema::few(Schema::words(OauthScope::WORDS), 0, OauthScope::ALL.len()), |found| {
        let scopes = found.choices(&OauthScope::NAMES, 0..=OauthScope::ALL.len())?;
        Some(Self(scopes.into_iter().collect()))
    };
}

/// The way from a verifier to its challenge.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Method {
    Plain,
    Sha256,
}

/// The scopes that an administrator grants.
struct ScopeList(OauthScopes);

/// The text that a client passes through the browser.
struct ClientState(String);

impl FromStr for ClientState {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        if text.len() > STATE_MAX {
            return Err(format!("at most {STATE_MAX} bytes"));
        }
        Ok(Self(text.to_owned()))
    }
}

fn check_challenge(body: &ObjectReader<'_, '_>, method: &Option<Option<Method>>) {
    if method.flatten().is_some() && !body.has("code_challenge") {
        let detail = "this field is missing; code_challenge_method is there".to_owned();
        body.reject("code_challenge", ViolationCode::FieldMissing, detail);
    }
}

impl ConsentBody {
    fn challenge(&self) -> Option<CodeChallenge> {
        let challenge = self.code_challenge.clone()?;
        Some(match self.code_challenge_method {
            Some(Method::Sha256) => CodeChallenge::Sha256(challenge),
            // RFC 7636, 4.3: without a method, the challenge is the verifier.
            Some(Method::Plain) | None => CodeChallenge::Plain(challenge),
        })
    }
}

view! {
    #[schemars(inline)]
    struct Decision(location: String) {
        /// The redirect address of the client, with `code` or `error` and the other parameters.
        location: Url<String> = location.into(),
    }
}

pub(crate) fn describe() -> Operation {
    Operation::new(
        Tag::Oauth,
        Asker::SignedInAdministrator,
        "consent",
        "Accept or decline the access of an OAuth client to the account.",
    )
    .says("The code in the redirect is valid for 20 minutes, once.")
    .path("id", Schema::uuid())
    .takes::<ConsentBody>(json!({ "grant": true, "state": "af0ifjsldkj" }))
    .gives::<Decision>(200, "The decision is on disk.")
    .refuses(403, "The client is not offered to the account.")
    .refuses(404, "There is no such client.")
}
