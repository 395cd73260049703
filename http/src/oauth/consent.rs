//! `POST /inbox/v1/oauth-clients/{id}/consent`: an administrator who signed in grants a client access, or denies it. The
//! answer is where the browser goes next.

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, web};
use serde_json::json;
use switchboard_actors::Caller;
use switchboard_actors::domain::id::OauthClientId;
use switchboard_actors::domain::oauth::redirect::{CodeChallenge, PkceText};
use switchboard_actors::domain::violation::ViolationCode;
use switchboard_actors::system::oauth::ConsentRequest;
use switchboard_actors::wire::json::object::{Nulls, ObjectReader};
use switchboard_actors::wire::json::read;

use crate::extract::body::read_json;
use crate::extract::caller::SignedInAdministrator;
use crate::oauth::account_host::AccountDomain;
use crate::oauth::{id, refused};
use crate::openapi::{Asker, Operation, Schema, Tag, Url, may, must};
use crate::reply::problem::Problem;
use crate::state::AppState;

/// The longest `state` that is passed on.
const STATE_MAX: usize = 1_024;

/// What an administrator decided, with the parameters of the request for the consent.
struct Decided {
    grant: bool,
    redirect_uri: Option<String>,
    state: Option<String>,
    challenge: Option<CodeChallenge>,
    from_widget: bool,
}

pub(crate) async fn post(
    SignedInAdministrator(caller): SignedInAdministrator,
    path: web::Path<String>,
    request: HttpRequest,
    payload: web::Payload,
    state: web::Data<AppState>,
) -> Result<HttpResponse, Problem> {
    let client = id(&path)?;
    let bytes = read_json(&request, payload, state.body_limit()).await?;
    let decided = read(&bytes, Nulls::Absent, parse)?;
    let domain = AccountDomain::of_consent(request.head(), &state);
    let location = redirect(&state, &caller, client, decided, &domain).await?;
    Ok(HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .json(Decision::of(location)))
}

/// Where the browser goes: to the client, with the code or with the denial.
async fn redirect(
    state: &AppState,
    caller: &Caller,
    client: OauthClientId,
    decided: Decided,
    domain: &AccountDomain,
) -> Result<String, Problem> {
    let system = state.system();
    let request = ConsentRequest {
        client,
        redirect_uri: decided.redirect_uri,
        challenge: decided.challenge,
    };
    let (given, id) = (decided.state.as_deref(), client.to_string());
    let with_state = given.map(|given| ("state", given));
    if !decided.grant {
        let client = system.consentable(caller.account, &request);
        let client = client.map_err(|rejection| refused(&rejection))?;
        let denied = [("error", "access_denied")].into_iter().chain(with_state);
        let denied: Vec<_> = denied.collect();
        return Ok(client.settings.redirect_uri.with(&denied));
    }
    let account = system.account(caller.account);
    let account = account.ok_or(Problem::Unauthorized(None))?;
    let consented = system.consent(caller, request).await;
    let (client, code) =
        consented.map_err(|refusal| refusal.into_error(|rejection| refused(&rejection)))?;
    let host = domain.host(&account);
    let granted = [("code", code.as_str())].into_iter().chain(with_state);
    let granted = granted.chain([
        ("referer", host.as_str()),
        ("platform", domain.platform()),
        ("client_id", id.as_str()),
    ]);
    let from_widget = decided.from_widget.then_some(("from_widget", "1"));
    let granted: Vec<_> = granted.chain(from_widget).collect();
    Ok(client.settings.redirect_uri.with(&granted))
}

fn parse(body: &ObjectReader<'_, '_>) -> Option<Decided> {
    body.refuse_unknown(&[
        "grant",
        "redirect_uri",
        "state",
        "code_challenge",
        "code_challenge_method",
        "from_widget",
    ]);
    let text = |name| body.optional_string(name).map(str::to_owned);
    let state = text("state");
    if state.as_ref().is_some_and(|state| state.len() > STATE_MAX) {
        let detail = format!("at most {STATE_MAX} bytes");
        body.reject("state", ViolationCode::InvalidValue, detail);
    }
    let grant = body.required_bool("grant");
    let challenge = body.optional_parsed::<PkceText>("code_challenge");
    let methods = [("plain", false), ("S256", true)];
    let is_hash = body.optional_choice("code_challenge_method", &methods);
    if is_hash.is_some() && !body.has("code_challenge") {
        let detail = "this field is missing; code_challenge_method is there".to_owned();
        body.reject("code_challenge", ViolationCode::FieldMissing, detail);
    }
    let challenge = challenge.map(|challenge| match is_hash {
        Some(true) => CodeChallenge::Sha256(challenge),
        // RFC 7636, 4.3: without a method, the challenge is the verifier.
        Some(false) | None => CodeChallenge::Plain(challenge),
    });
    Some(Decided {
        grant: grant?,
        redirect_uri: text("redirect_uri"),
        state,
        challenge,
        from_widget: body.optional_bool("from_widget").unwrap_or(false),
    })
}

view! {
    #[schemars(inline)]
    struct Decision(location: String) {
        /// Where the browser goes: the redirect address of the client, with `code` or `error` and the other parameters.
        location: Url<String> = location.into(),
    }
}

pub(crate) fn describe() -> Operation {
    let body = Schema::object([
        must(
            "grant",
            Schema::boolean().says("Whether the administrator agrees."),
        ),
        may(
            "redirect_uri",
            Schema::text().says("The one of the request; that of the client if it is left out."),
        ),
        may(
            "state",
            Schema::text().says("At most 1,024 bytes; the redirect repeats it."),
        ),
        may(
            "code_challenge",
            Schema::text().says("PKCE: 43 to 128 characters."),
        ),
        may(
            "code_challenge_method",
            Schema::words(CodeChallenge::METHODS).default_is("plain"),
        ),
        may(
            "from_widget",
            Schema::boolean()
                .default_is(false)
                .says("Whether the client is installed from inside the account."),
        ),
    ]);
    Operation::new(
        Tag::Oauth,
        Asker::SignedInAdministrator,
        "consent",
        "Accept or decline the access of an OAuth client to the account.",
    )
    .says("The code in the redirect is valid for 20 minutes, once.")
    .path("id", Schema::uuid())
    .body(body, json!({ "grant": true, "state": "af0ifjsldkj" }))
    .gives::<Decision>(200, "The decision is on disk.")
    .refuses(403, "The client is not offered to the account.")
    .refuses(404, "There is no such client.")
}
