//! The OAuth client of a world: an integration that acts for an account user because an administrator has agreed.

use std::net::{IpAddr, Ipv4Addr};

use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::oauth::clients::OauthClient;
use switchboard_actors::domain::oauth::clients::create::CreateOauthClient;
use switchboard_actors::domain::oauth::clients::settings::OauthClientSettings;
use switchboard_actors::domain::oauth::grants::grant::{UsedBy, UserAgent};
use switchboard_actors::domain::oauth::grants::rejection::TokenRejection;
use switchboard_actors::domain::oauth::grants::revoke::RevokeGrantRejection;
use switchboard_actors::domain::oauth::redirect::RedirectUri;
use switchboard_actors::error::{CommandError, UnavailableError};
use switchboard_actors::system::oauth::{
    ConsentRejection, ConsentRequest, IssuedTokens, SentGrant, TokenRequest,
};

use crate::fixtures;
use crate::world::{PersonError, User, World};

/// The name of the test's program in the header `User-Agent`, unless the test says otherwise.
const AGENT: &str = "integration/1.0";

impl World {
    /// The OAuth client of this world. The first call registers it.
    ///
    /// # Panics
    /// When nothing can be stored now.
    #[track_caller]
    pub fn oauth_client(&self) -> OauthClient {
        self.oauth_client_at(fixtures::redirect_uri())
    }

    /// As [`World::oauth_client`]; a client that is registered now gets this redirect address.
    ///
    /// # Panics
    /// As [`World::oauth_client`].
    #[track_caller]
    pub fn oauth_client_at(&self, redirect_uri: RedirectUri) -> OauthClient {
        let clients = self.run(async |system| system.oauth_clients());
        if let Some(client) = clients.into_iter().next() {
            return client;
        }
        let create = CreateOauthClient {
            by: By::Operator,
            id: None,
            secret: None,
            settings: OauthClientSettings::new(fixtures::oauth_client_name(), redirect_uri),
        };
        let result = self.run(async |system| system.create_oauth_client(create).await);
        self.expect("the OAuth client can be registered", result)
    }

    /// The integration exchanges an authorization code for tokens.
    ///
    /// # Errors
    /// Which rule it breaks, or that no answer came.
    #[track_caller]
    pub fn exchanges(&self, code: &str) -> Result<IssuedTokens, PersonError<TokenRejection>> {
        let redirect = self.oauth_client().settings.redirect_uri;
        let grant = SentGrant::Code {
            code: code.to_owned(),
            redirect_uri: redirect.as_str().to_owned(),
            verifier: None,
        };
        self.asks_for_tokens(AGENT, "exchanges a code", grant)
    }

    /// The integration uses a refresh token.
    ///
    /// # Errors
    /// As [`World::exchanges`].
    #[track_caller]
    pub fn refreshes(&self, token: &str) -> Result<IssuedTokens, PersonError<TokenRejection>> {
        self.refreshes_as(AGENT, token)
    }

    /// A program that calls itself so uses a refresh token. A later use of the same one is refused, and the refusal names
    /// this program.
    ///
    /// # Errors
    /// As [`World::exchanges`].
    #[track_caller]
    pub fn refreshes_as(
        &self,
        agent: &str,
        token: &str,
    ) -> Result<IssuedTokens, PersonError<TokenRejection>> {
        let grant = SentGrant::RefreshToken(token.to_owned());
        self.asks_for_tokens(agent, "uses a refresh token", grant)
    }

    #[track_caller]
    fn asks_for_tokens(
        &self,
        agent: &str,
        what: &str,
        grant: SentGrant,
    ) -> Result<IssuedTokens, PersonError<TokenRejection>> {
        let client = self.oauth_client().id;
        self.request(agent, what, async |system| {
            let by = UsedBy {
                at: system.now(),
                user_agent: UserAgent::from_header(agent),
                address: IpAddr::V4(Ipv4Addr::LOCALHOST),
            };
            let base_domain = "127.0.0.1".to_owned();
            let request = TokenRequest {
                client,
                grant,
                by,
                base_domain,
            };
            system.issue_tokens(request).await
        })
    }
}

impl User<'_> {
    /// Consents to the OAuth client of the world; gives the authorization code. It is valid for 20 minutes, once.
    ///
    /// # Panics
    /// When nothing can be stored now.
    #[track_caller]
    pub fn consents(self) -> String {
        let consented = self.try_consents();
        let what = format!("{} can consent", self.name);
        self.world.expect(&what, consented)
    }

    /// Consents to the OAuth client of the world, which may fail.
    ///
    /// # Errors
    /// Why there is no consent, or that no answer came.
    #[track_caller]
    pub fn try_consents(self) -> Result<String, PersonError<ConsentRejection>> {
        self.declare();
        let request = ConsentRequest {
            client: self.world.oauth_client().id,
            redirect_uri: None,
            challenge: None,
            scopes: None,
        };
        let (who, token) = (format!("user {}", self.name), self.token());
        let what = "consents to the OAuth client";
        self.world.request(&who, what, async |system| {
            let Some(caller) = system.caller(&token).await? else {
                return Err(CommandError::Unavailable(UnavailableError::Interrupted));
            };
            let consented = system.consent(&caller, request).await;
            consented.map(|(_, code)| code)
        })
    }

    /// Uninstalls the OAuth client of the world: from now on all of its codes and tokens are refused.
    ///
    /// # Errors
    /// When it is not installed, or nothing can be stored now.
    #[track_caller]
    pub fn try_uninstalls(self) -> Result<(), PersonError<RevokeGrantRejection>> {
        self.declare();
        let (account, client) = (self.world.account(), self.world.oauth_client().id);
        let (who, token) = (format!("user {}", self.name), self.token());
        let what = "uninstalls the OAuth client";
        self.world.request(&who, what, async |system| {
            let caller = system.caller(&token).await?;
            let by = caller.as_ref().map_or(By::Service, By::from);
            system.revoke_grant(by, account, client).await
        })
    }
}
