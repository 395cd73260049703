//! An administrator consents to a client.

use crate::domain::audit::By;
use crate::domain::id::{AccountId, OauthClientId};
use crate::domain::oauth::clients::OauthClient;
use crate::domain::oauth::grants::consent::Consent;
use crate::domain::oauth::redirect::CodeChallenge;
use crate::domain::oauth::scope::OauthScopes;
use crate::system::System;
use crate::system::oauth::with_account;
use crate::system::operator::unavailable;
use switchboard_engine::runtime::ask::execute;
use switchboard_runtime::caches::read_cache::Caller;
use switchboard_runtime::error::CommandError;

/// The request of a client for the consent of an administrator.
#[derive(Clone, Debug)]
pub struct ConsentRequest {
    /// The client.
    pub client: OauthClientId,
    /// The redirect address of the request; `None` means that of the client.
    pub redirect_uri: Option<String>,
    /// The proof that the exchange of the code must have.
    pub challenge: Option<CodeChallenge>,
    /// The scopes that the administrator agrees to; `None` means all that the client asks for.
    pub scopes: Option<OauthScopes>,
}

/// The rejection of a consent.
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
        let client = self
            .oauth_client(request.client)
            .ok_or(ConsentRejection::UnknownClient)?;
        if !client.settings.accounts.holds(account) {
            return Err(ConsentRejection::AccountNotAllowed);
        }
        let registered_uri = client.settings.redirect_uri.as_str();
        match &request.redirect_uri {
            Some(given) if given != registered_uri => Err(ConsentRejection::OtherRedirect {
                given: given.clone(),
                expected: registered_uri.to_owned(),
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
    ) -> Result<(OauthClient, String), CommandError<ConsentRejection>> {
        let client = self
            .consentable(caller.account, &request)
            .map_err(CommandError::Rejected)?;
        let scopes = client.settings.scopes();
        let consent = Consent {
            by: By::from(caller),
            user: caller.user,
            client: client.id,
            redirect_uri: client.settings.redirect_uri.clone(),
            challenge: request.challenge,
            scopes: match request.scopes {
                Some(agreed) => agreed.within(&scopes),
                None => scopes,
            },
        };
        let code = execute(self.kernel(), &caller.account, consent)
            .await
            .map_err(unavailable)?;
        Ok((client, with_account(caller.account, code.expose())))
    }
}
