//! The body of `POST /v2/origin/custom/<scope_id>/react`: a person leaves a reaction on a message.

use crate::domain::chat::reaction::ReactionKind;
use crate::domain::chat::target::{ConversationRef, PersonRef};
use crate::domain::id::{ClientMessageId, MessageId};
use crate::domain::text::Emoji;
use crate::wire::chat_body::Rules;
use crate::wire::chat_body::message_fields::either_missing;
use crate::wire::chat_body::target::{conversation, who};
use crate::wire::json::{self, BodyError};

/// A person leaves a reaction, or takes it back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReactBody {
    /// The conversation.
    pub conversation: ConversationRef,
    /// Our id of the message.
    pub id: Option<MessageId>,
    /// The integration's id of the message.
    pub msgid: Option<ClientMessageId>,
    /// The person who reacts.
    pub user: PersonRef,
    /// Leaves it, or takes it back.
    pub kind: ReactionKind,
    /// The reaction.
    pub emoji: Option<Emoji>,
}

/// Reads the body. Unknown keys are ignored.
///
/// # Errors
/// When it is no JSON, or with everything that is wrong in it.
pub fn parse(body: &[u8]) -> Result<ReactBody, BodyError> {
    json::read(body, Rules::Current.nulls(), |body| {
        let conversation = conversation(body);
        let (id, msgid) = (body.optional_parsed("id"), body.optional_parsed("msgid"));
        if !body.has("id") && !body.has("msgid") {
            either_missing(body, "msgid", "id");
        }
        let user = who(body, "user");
        let kind = body.required_choice("type", &ReactionKind::NAMES);
        let emoji = body.optional_unless_empty("emoji");
        Some(ReactBody {
            conversation: conversation?,
            id,
            msgid,
            user: user?,
            kind: kind?,
            emoji,
        })
    })
}
