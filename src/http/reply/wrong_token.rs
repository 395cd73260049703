//! A token or a secret that is sent where the token of an account user is needed.

/// What may be sent by mistake where the token of an account user is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WrongToken {
    Operator,
    ChannelSecret,
    AnotherAccount,
}

impl WrongToken {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Operator => "this is the operator's token, which is for /admin/v1",
            Self::ChannelSecret => {
                "this is the secret of a channel, which signs requests to the chat interface and is never sent"
            }
            Self::AnotherAccount => "this token belongs to another account than the host",
        }
    }
}
