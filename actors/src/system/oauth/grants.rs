//! What administrators grant to OAuth clients, and take back.

use std::time::Duration;

use crate::actor::read_cache::Caller;
use crate::domain::audit::By;
use crate::domain::id::{AccountId, OauthClientId, ScopeId, TokenId};
use crate::domain::oauth::access_token::NewAccessToken;
use crate::domain::oauth::clients::OauthClient;
use crate::domain::oauth::grants::Grants;
use crate::domain::oauth::grants::consent::Consent;
use crate::domain::oauth::grants::grant::LongLivedToken;
use crate::domain::oauth::grants::long_lived::{
    CreateLongLived, RevokeLongLived, TooManyLongLived, UnknownLongLived,
};
use crate::domain::oauth::grants::revoke::{NotInstalled, RevokeGrant};
use crate::domain::oauth::redirect::CodeChallenge;
use crate::domain::text::Name;
use crate::error::{Refused, Unavailable};
use crate::system::System;
use crate::system::oauth::with_account;
use crate::system::operator::unavailable;
use switchboard_engine::runtime::ask::execute;
use switchboard_engine::state::State;

/// What a client asks an administrator for.
#[derive(Clone, Debug)]
pub struct ConsentRequest {
    /// The client.
    pub client: OauthClientId,
    /// The redirect address of the request; `None` means that of the client.
    pub redirect_uri: Option<String>,
    /// What the exchange of the code must prove.
    pub challenge: Option<CodeChallenge>,
}

/// Why no consent is possible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConsentRejection {
    /// There is no such client.
    #[error("there is no OAuth client with this client_id")]
    UnknownClient,
    /// The client is for other accounts.
    #[error(
        "this OAuth client is not offered to your account; the operator decides which accounts may install it"
    )]
    AccountNotAllowed,
    /// The redirect address is not that of the client.
    #[error(
        "redirect_uri is «{given}», and the client has registered «{expected}»; both must be the same text"
    )]
    OtherRedirect {
        /// That of the request.
        given: String,
        /// That of the client.
        expected: String,
    },
}

impl System {
    /// The client of a request for a consent, if an administrator of the account may consent to it.
    ///
    /// # Errors
    /// Why not.
    pub fn consentable(
        &self,
        account: AccountId,
        request: &ConsentRequest,
    ) -> Result<OauthClient, ConsentRejection> {
        let client = self.oauth_client(request.client);
        let client = client.ok_or(ConsentRejection::UnknownClient)?;
        if !client.settings.accounts.holds(account) {
            return Err(ConsentRejection::AccountNotAllowed);
        }
        let expected = client.settings.redirect_uri.as_str();
        match &request.redirect_uri {
            Some(given) if given != expected => Err(ConsentRejection::OtherRedirect {
                given: given.clone(),
                expected: expected.to_owned(),
            }),
            Some(_) | None => Ok(client),
        }
    }

    /// An administrator consents; gives the client and the authorization code, which is in this answer and in no other.
    /// Whether the caller is an administrator, the caller of this function has checked.
    ///
    /// # Errors
    /// When the client may not be installed, the redirect address is another one, or nothing can be stored now.
    pub async fn consent(
        &self,
        caller: &Caller,
        request: ConsentRequest,
    ) -> Result<(OauthClient, String), Refused<ConsentRejection>> {
        let client = self.consentable(caller.account, &request);
        let client = client.map_err(Refused::Rejected)?;
        let consent = Consent {
            by: By::from(caller),
            user: caller.user,
            client: client.id,
            redirect_uri: client.settings.redirect_uri.clone(),
            challenge: request.challenge,
        };
        let made = execute::<Grants, _>(self.env(), &caller.account, consent).await;
        let made = made.map_err(unavailable)?;
        Ok((client, with_account(caller.account, made.expose())))
    }

    /// What an account granted, once that is on disk.
    ///
    /// # Errors
    /// When it cannot be read now.
    pub async fn grants(&self, account: AccountId) -> Result<Grants, Unavailable> {
        let known = self.look::<Grants>(&account).await?;
        Ok(known.unwrap_or_else(|| Grants::blank(&account)))
    }

    /// The accounts that granted anything to this client, with what they granted, by account.
    #[must_use]
    pub fn grants_to(&self, client: OauthClientId) -> Vec<Grants> {
        let all = self.env().world.read_cache.oauth.all_grants();
        let granted = all.iter().filter(|grants| grants.get(client).is_some());
        granted.map(|grants| Grants::clone(grants)).collect()
    }

    /// An account uninstalls a client. The account is disconnected from the client's channel before, so that repeating a
    /// request that was interrupted does the rest.
    ///
    /// # Errors
    /// When the client is not installed, or nothing can be stored now.
    pub async fn revoke_grant(
        &self,
        by: By,
        account: AccountId,
        client: OauthClientId,
    ) -> Result<(), Refused<NotInstalled>> {
        if self.grants(account).await?.get(client).is_none() {
            return Err(Refused::Rejected(NotInstalled));
        }
        let settings = self.oauth_client(client).map(|client| client.settings);
        if let Some(channel) = settings.as_ref().and_then(|it| it.channel.clone()) {
            self.disconnect(&ScopeId::new(channel, account)).await?;
        }
        let has_hook = settings.is_some_and(|settings| settings.uninstall_hook.is_some());
        let revoke = RevokeGrant {
            by,
            client,
            has_hook,
        };
        execute::<Grants, _>(self.env(), &account, revoke).await?;
        self.env().world.hook_wanted.notify_one();
        Ok(())
    }

    /// An administrator creates a long-lived token of a client, good for `life`; its text is in this answer and in no
    /// other. The client must be one that [`Self::consentable`] gave.
    ///
    /// # Errors
    /// When the client has too many, or nothing can be stored now.
    pub async fn create_long_lived(
        &self,
        caller: &Caller,
        client: OauthClientId,
        name: Name,
        life: Duration,
        base_domain: String,
    ) -> Result<(LongLivedToken, String), Refused<TooManyLongLived>> {
        let create = CreateLongLived {
            by: By::from(caller),
            user: caller.user,
            client,
            name,
            expires_at: self.now().plus(life),
        };
        let (grant, token) = execute::<Grants, _>(self.env(), &caller.account, create).await?;
        let text = self.sign_access_token(
            caller.account,
            NewAccessToken {
                client,
                user: caller.user,
                grant,
                long_lived: Some(token.id),
                base_domain,
                issued_at: token.created_at,
                expires_at: token.expires_at,
            },
        )?;
        Ok((token, text))
    }

    /// An administrator revokes a long-lived token.
    ///
    /// # Errors
    /// When there is none, or nothing can be stored now.
    pub async fn revoke_long_lived(
        &self,
        by: By,
        account: AccountId,
        client: OauthClientId,
        token: TokenId,
    ) -> Result<(), Refused<UnknownLongLived>> {
        let revoke = RevokeLongLived { by, client, token };
        execute::<Grants, _>(self.env(), &account, revoke).await
    }
}
