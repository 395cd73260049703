//! Clients and grants as people see them: no code and no token, only when each was issued and used.

use switchboard_actors::domain::id::{AccountId, GrantNumber, OauthClientId, TokenId, UserId};
use switchboard_actors::domain::oauth::acting_client::ActingClient;
use switchboard_actors::domain::oauth::clients::OauthClient;
use switchboard_actors::domain::oauth::grants::grant::{
    Code, Grant, LongLivedToken, RefreshToken, UsedBy,
};
use switchboard_actors::domain::oauth::scope::OauthScope;
use switchboard_actors::domain::text::Name;
use switchboard_actors::domain::time::UnixMillis;
use switchboard_actors::system::oauth::AdmittedUser;

use crate::admin::accounts::tokens::TokenView;
use crate::oauth::token_log::{LoggedTokenRequest, TokenOutcome};
use crate::openapi::Seconds;

view! {
    /// The OAuth client that acted for a user, with its name at the time.
    #[schemars(rename = "ActingClient")]
    pub(crate) struct ActingClientView(client: &ActingClient) {
        id: OauthClientId = client.id,
        name: Name = client.name.clone(),
    }

    /// A client that the account may install, or has installed.
    pub(super) struct AvailableClient<'c>(client: &'c OauthClient, grant: Option<&'c Grant>, admitted: usize) {
        id: OauthClientId = client.id,
        name: &'c Name = &client.settings.name,
        /// The browser's address after the consent.
        redirect_uri: &'c str = client.settings.redirect_uri.as_str(),
        /// The scopes that the client asks for.
        scopes: Vec<&'static str> = client.settings.scopes().iter().map(OauthScope::as_str).collect(),
        /// Null if the client is not installed.
        grant: Option<GrantView<'c>> = grant.map(GrantView::new),
        /// Number of active users of the account whom the client created or was the last to activate.
        admitted_users: usize = admitted,
    }

    /// An active user whom an OAuth client created, or was the last to activate.
    #[schemars(rename = "AdmittedUser")]
    pub(crate) struct AdmittedUserView<'u>(admitted: &'u AdmittedUser, now: UnixMillis) [
        let user = admitted.user.as_ref();
    ] {
        id: UserId = user.id,
        name: &'u str = user.name.as_str(),
        email: &'u str = user.email.as_str(),
        /// Number of valid sessions of the user.
        sessions: usize = admitted.sessions,
        /// The bearer tokens of the user that are valid.
        tokens: Vec<TokenView<'u>> = admitted.tokens.iter().map(|token| TokenView::new(token, now)).collect(),
    }

    pub(crate) struct GrantView<'g>(grant: &'g Grant) {
        number: GrantNumber = grant.number,
        since: Seconds = grant.since.into(),
        /// The administrator who consented last.
        user_id: Option<UserId> = grant.user,
        /// The scopes that the administrator granted last.
        scopes: Vec<&'static str> = grant.scopes.iter().map(OauthScope::as_str).collect(),
        /// Newest first.
        codes: Vec<Issued<'g>> = grant.codes.iter().rev().map(Issued::code).collect(),
        /// Newest first.
        refresh_tokens: Vec<Issued<'g>> = grant.refresh_tokens.iter().rev().map(Issued::refresh_token).collect(),
        long_lived_tokens: Vec<LongLived<'g>> = grant.long_lived.iter().map(LongLived::new).collect(),
    }

    #[schemars(inline)]
    struct Issued<'i>(issued: (UnixMillis, UnixMillis), user: UserId, by: Option<&'i UsedBy>) {
        /// For whom the client acts.
        user_id: UserId = user,
        issued_at: Seconds = issued.0.into(),
        expires_at: Seconds = issued.1.into(),
        /// The request that used it; null if it is not used.
        used_by: Option<UsedByView<'i>> = by.map(UsedByView::new),
    }

    #[schemars(inline)]
    struct UsedByView<'u>(by: &'u UsedBy) {
        at: Seconds = by.at.into(),
        user_agent: Option<&'u str> = by.user_agent.as_ref().map(|agent| agent.as_str()),
        address: String = by.address.to_string(),
    }

    #[schemars(inline)]
    pub(super) struct LongLived<'t>(token: &'t LongLivedToken) {
        id: TokenId = token.id,
        name: &'t Name = &token.name,
        /// For whom the client acts.
        user_id: UserId = token.user,
        created_at: Seconds = token.created_at.into(),
        expires_at: Seconds = token.expires_at.into(),
    }

    #[schemars(inline)]
    pub(super) struct LongLivedMade<'t>(made: &'t LongLivedToken, token: &'t str) {
        #[serde(flatten)]
        made: LongLived<'t> = LongLived::new(made),
        /// Shown this once.
        #[schemars(extend("x-secret" = true))]
        token: &'t str = token,
    }

    #[schemars(inline)]
    pub(crate) struct TokenRequestView<'r>(request: &'r LoggedTokenRequest) [
        let (account, hint) = match &request.outcome {
            TokenOutcome::Issued(account) => (Some(*account), None),
            TokenOutcome::Refused(hint) => (None, Some(hint.as_str())),
            TokenOutcome::WrongSecret => (None, Some("The client_secret is wrong.")),
        };
    ] {
        at: Seconds = request.by.at.into(),
        user_agent: Option<&'r str> = request.by.user_agent.as_ref().map(|agent| agent.as_str()),
        address: String = request.by.address.to_string(),
        #[schemars(extend("enum" = ["authorization_code", "refresh_token"]))]
        grant_type: &'static str = request.grant_type.as_str(),
        /// The account that the tokens are for; null if none were issued.
        account_id: Option<AccountId> = account,
        /// The reason why none were issued; null if they were.
        hint: Option<&'r str> = hint,
    }
}

impl<'i> Issued<'i> {
    fn code(code: &'i Code) -> Self {
        let times = (code.issued_at, code.expires_at());
        Self::new(times, code.user, code.used_by.as_ref())
    }

    fn refresh_token(token: &'i RefreshToken) -> Self {
        let times = (token.issued_at, token.expires_at());
        Self::new(times, token.user, token.used_by.as_ref())
    }
}
