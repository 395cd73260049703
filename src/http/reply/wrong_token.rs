//! A token or a secret that is sent where the token of an account user is needed.

use std::fmt;

use switchboard_actors::system::oauth::TokenRefusal;

/// What may be sent by mistake where the token of an account user is needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum WrongToken {
    Operator,
    ChannelSecret,
    AnotherAccount,
    /// An access token that is not good, or not good any more.
    Refused(TokenRefusal),
}

impl fmt::Display for WrongToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Operator => "this is the operator's token, which is for /admin/v1",
            Self::ChannelSecret => {
                "this is the secret of a channel, which signs requests to the chat interface and is never sent"
            }
            Self::AnotherAccount => "this token belongs to another account than the host",
            Self::Refused(refusal) => return refusal.fmt(f),
        })
    }
}
