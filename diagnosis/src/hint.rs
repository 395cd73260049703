//! The likely mistake behind a refused request of the chat interface: a code with its details for programs, and a sentence.
//! A page in another language says the same by the code.

use std::borrow::Cow;

use crate::{Mistake, Unexplained};
use schemars::JsonSchema;
use serde::Serialize;
use switchboard_domain::id::ChannelId;

/// The likely mistake of a sender.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Hint {
    /// In the signature.
    Signature(Mistake),
    /// Elsewhere, or not known.
    Other(OtherHint),
}

/// A likely mistake that is not one of the signature, or that only the service can see.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum OtherHint {
    /// A header came more than once.
    HeaderTwice {
        /// Its name.
        name: &'static str,
    },
    /// The channel takes the 2019 generation only.
    PinnedTo2019,
    /// The secret of another channel was used.
    OtherChannel {
        /// Its name.
        channel: String,
    },
    /// No known mistake explains the signature.
    UnexplainedSignature {
        /// The extent of the comparison.
        compared: Unexplained,
    },
    /// The sample that many integrations copy posts to this address.
    DisconnectByDelete,
    /// The vendor's sample for this call has the id of the message in the path.
    ReactWithoutId,
    /// The path takes the service's id of a conversation.
    OwnConversationId,
    /// The path takes the service's id of a message.
    OwnMessageId,
    /// The id of a scope stands where that of a channel does.
    ScopeForChannel,
    /// No channel has the id before the last `_` of a scope id.
    UnknownChannelOfScope,
    /// No channel has this id.
    UnknownChannel,
    /// The account is not connected.
    NotConnected {
        /// The channel.
        channel: ChannelId,
    },
    /// No account has the id of the scope id.
    UnknownAccount,
    /// The channel does not allow the account.
    AccountNotAllowed,
    /// The channel was removed meanwhile.
    ChannelRemoved,
    /// No operation is at the path.
    NoSuchPath {
        /// The suspicious part of the path.
        wrong: Option<PathFault>,
        /// The operation that was probably meant: method and address.
        meant: Option<String>,
    },
}

/// A suspicious part of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PathFault {
    /// Signs that no id has.
    Signs,
    /// A slash at the end.
    SlashAtEnd,
    /// Two slashes.
    EmptyPart,
    /// The id of a scope in place of that of a channel.
    ScopeForChannel,
    /// No UUID after the last `_`.
    AccountId,
    /// No scope id.
    ScopeId,
}

/// As a hint of its own, and within another one.
const SCOPE_FOR_CHANNEL: &str = "this path has the id of a scope: connect and disconnect take the id of the channel alone, the part before the last _";

impl From<Mistake> for Hint {
    fn from(mistake: Mistake) -> Self {
        Self::Signature(mistake)
    }
}

impl From<OtherHint> for Hint {
    fn from(hint: OtherHint) -> Self {
        Self::Other(hint)
    }
}

impl Hint {
    /// The sentence.
    pub fn text(&self) -> Cow<'static, str> {
        match self {
            Self::Signature(mistake) => mistake.hint(),
            Self::Other(hint) => hint.text(),
        }
    }
}

impl OtherHint {
    fn text(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Self::HeaderTwice { name } => {
                return format!("there is more than one {name} header: send one").into();
            }
            Self::PinnedTo2019 => {
                "this channel is set to the 2019 generation (its setting `generation`), and the operation belongs to the current one"
            }
            Self::OtherChannel { channel } => {
                return format!("this is signed with the secret of the channel «{channel}»").into();
            }
            Self::UnexplainedSignature { compared } => compared.hint(),
            Self::DisconnectByDelete => {
                "send the same body with the method DELETE: the vendor's sample for this call names POST by mistake"
            }
            Self::ReactWithoutId => {
                "send this to …/<scope_id>/react, with the id of the message in the body alone, as msgid or id: the vendor's sample has it in the path by mistake"
            }
            Self::OwnConversationId => {
                "the path takes our id of the conversation (a UUID, as in the answers of chats and of sending), not the integration's conversation_id"
            }
            Self::OwnMessageId => {
                "the path takes our id of an account user's message (webhook-id of its callback, message.message.id in version 2), not the integration's msgid"
            }
            Self::ScopeForChannel => SCOPE_FOR_CHANNEL,
            Self::UnknownChannelOfScope => {
                "no channel has the id in this path: a scope id is <channel_id>_<account_id>, as the answer of connect has it"
            }
            Self::UnknownChannel => {
                "no channel has the id in this path: compare it with the id that the operator gave you"
            }
            Self::NotConnected { channel } => {
                return format!(
                    "this account is not connected to the channel: send POST /v2/origin/custom/{channel}/connect with its account_id first"
                )
                .into();
            }
            Self::UnknownAccount => {
                "no account has the id after the last _ of this scope id: a scope id is <channel_id>_<account_id>, as in the response of connect"
            }
            Self::AccountNotAllowed => {
                "this account is not connected, and the channel does not allow it: the operator sets the allowed accounts"
            }
            Self::ChannelRemoved => "the channel was removed",
            Self::NoSuchPath { wrong, meant } => return no_such_path(*wrong, meant.as_deref()),
        })
    }
}

fn no_such_path(wrong: Option<PathFault>, meant: Option<&str>) -> Cow<'static, str> {
    let meant = match meant {
        Some(meant) => format!("did you mean {meant}?"),
        None => "GET /openapi.json lists the addresses".to_owned(),
    };
    match wrong.map(PathFault::text) {
        Some(wrong) => format!("there is no such path: {wrong}; {meant}").into(),
        None => format!("there is no such path; {meant}").into(),
    }
}

impl PathFault {
    fn text(self) -> &'static str {
        match self {
            Self::Signs => {
                "ids in a path have letters, digits, - and _ only, and nothing is escaped"
            }
            Self::SlashAtEnd => "this path ends with a slash",
            Self::EmptyPart => "this path has an empty part",
            Self::ScopeForChannel => SCOPE_FOR_CHANNEL,
            Self::AccountId => {
                "the part of a scope id after the last _ must be the account_id, a UUID"
            }
            Self::ScopeId => {
                "the id of a scope is <channel_id>_<account_id>, as the answer of connect has it"
            }
        }
    }
}
