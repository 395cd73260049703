//! The token of a salesbot's question: by it the program that is asked knows that the question is from here.

use std::time::Duration;

use serde::Serialize;

use crate::id::{AccountNumber, OauthClientId, UserId};
use crate::oauth::access_token::signed;
use crate::oauth::clients::OauthClient;
use crate::time::UnixMillis;

/// The time for which a program may take the token for valid.
pub const LIFE: Duration = Duration::from_secs(1_800);

/// The question that a token is for.
#[derive(Clone, Debug)]
pub struct NewQuestionToken {
    /// The address of the account.
    pub account_link: String,
    /// The account.
    pub account: AccountNumber,
    /// Its subdomain.
    pub subdomain: String,
    /// The administrator who defined the salesbot.
    pub user: UserId,
    /// The id of the question, the same in every attempt.
    pub id: String,
    /// The time of the attempt.
    pub at: UnixMillis,
}

/// The claims of the counterpart's tokens that expire soon.
#[derive(Serialize)]
struct Claims<'c> {
    iss: &'c str,
    aud: String,
    jti: &'c str,
    iat: u64,
    nbf: u64,
    exp: u64,
    account_id: AccountNumber,
    subdomain: &'c str,
    client_uuid: OauthClientId,
    user_id: UserId,
}

impl NewQuestionToken {
    /// The token, signed with the secret of the client (HS256).
    #[must_use]
    pub fn sign(&self, client: &OauthClient) -> String {
        let claims = Claims {
            iss: &self.account_link,
            aud: client.settings.redirect_uri.origin(),
            jti: &self.id,
            iat: self.at.secs(),
            nbf: self.at.secs(),
            exp: self.at.plus(LIFE).secs(),
            account_id: self.account,
            subdomain: &self.subdomain,
            client_uuid: client.id,
            user_id: self.user,
        };
        signed(&claims, client.mac())
    }
}
