//! The body of `POST /v2/origin/custom/<scope_id>/chats`: a conversation before its first message.

use crate::chat_body::Rules;
use crate::chat_body::send::{Part, person, source};
use crate::domain::id::ClientConversationId;
use crate::domain::person::Sender;
use crate::domain::text::SourceId;
use crate::json::{self, BodyError, LenientRead};

/// A conversation is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChatBody {
    /// The integration's id of it.
    pub conversation_id: ClientConversationId,
    /// The entrance of the integration that the chat comes through.
    pub source: Option<SourceId>,
    /// The person on the other side.
    pub user: Sender,
}

/// Reads the body. Unknown keys are ignored.
///
/// # Errors
/// When it is no JSON, or with everything that is wrong in it.
pub fn parse(body: &[u8]) -> Result<ChatBody, BodyError> {
    parse_leniently(body).map(|read| read.value)
}

/// As [`parse`], with the optional details that were left out because of their form.
///
/// # Errors
/// As [`parse`].
pub fn parse_leniently(body: &[u8]) -> Result<LenientRead<ChatBody>, BodyError> {
    json::read_leniently(body, Rules::Current.nulls(), |body| {
        let conversation_id = body.required_parsed("conversation_id");
        let source = source(body);
        let user_object = body.required_object("user");
        let user = user_object.map(|user| person(&user, Rules::Current, Part::OfChat));
        Some(ChatBody {
            conversation_id: conversation_id?,
            source,
            user: user?,
        })
    })
}
