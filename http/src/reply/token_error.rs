//! A token or a secret that is sent where another one is needed: that of an account user, or the operator's.

use std::fmt;

use switchboard_actors::domain::oauth::grants::rejection::GrantType;
use switchboard_actors::system::oauth::BearerTokenError;

/// A token sent by mistake where another one is needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TokenError {
    Operator,
    /// A token of an account user, or of an OAuth client that acts for one.
    AccountUser,
    ChannelSecret,
    ClientSecret,
    /// A text that gets tokens.
    ForTokens(GrantType),
    AnotherAccount,
    /// An access token that is not good, or not good any more.
    Refused(BearerTokenError),
}

impl fmt::Display for TokenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Operator => "this is the operator's token, which is for /admin/v1",
            Self::AccountUser => {
                "this is the token of an account user, which is for /api/v4 and /inbox/v1"
            }
            Self::ChannelSecret => {
                "this is the secret of a channel, which signs requests to the chat interface and is never sent"
            }
            Self::ClientSecret => {
                "this is the secret of an OAuth client, which POST /oauth2/access_token takes as client_secret"
            }
            Self::ForTokens(GrantType::RefreshToken) => {
                "this is a refresh token: send it to POST /oauth2/access_token with grant_type=refresh_token, and use the access token of the answer"
            }
            Self::ForTokens(GrantType::Code) => {
                "this is an authorization code: send it to POST /oauth2/access_token with grant_type=authorization_code, and use the access token of the answer"
            }
            Self::AnotherAccount => "this token belongs to another account than the host",
            Self::Refused(refusal) => return refusal.fmt(f),
        })
    }
}
