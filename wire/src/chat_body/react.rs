//! The body of `POST /v2/origin/custom/<scope_id>/react`: a person leaves a reaction on a message.

use crate::body;
use crate::body::Body;
use crate::body::value::OrEmpty;
use crate::chat_body::target::{ConversationIds, KnownPerson, MessageIds};
use crate::domain::chat::reaction::ReactionKind;
use crate::domain::text::Emoji;
use crate::json::BodyError;

body!(
    /// A person leaves a reaction, or takes it back.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[body(open, lenient)]
    pub struct ReactBody {
        #[body(flatten)]
        conversation: ConversationIds,
        #[body(flatten)]
        message: MessageIds,
        #[body(schema(KnownPerson::one_id()))]
        user: KnownPerson,
        #[body(key("type"))]
        kind: ReactionKind,
        /// 1 to 32 characters; `unreact` without it removes all reactions of the person.
        emoji: Option<OrEmpty<Emoji>>,
    }
);

/// Reads the body. Unknown keys are ignored.
///
/// # Errors
/// When it is no JSON, or with everything that is wrong in it.
pub fn parse(body: &[u8]) -> Result<ReactBody, BodyError> {
    ReactBody::read(body)
}
