//! The body of `POST /v2/origin/custom/<scope_id>/typing`: a customer is writing.

use crate::body;
use crate::body::Body;
use crate::body::value::Whole;
use crate::chat_body::target::{ConversationIds, KnownPerson};
use crate::json::BodyError;

body!(
    /// A customer is writing.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[body(open, lenient)]
    pub struct TypingBody {
        #[body(flatten)]
        conversation: ConversationIds,
        #[body(schema(KnownPerson::one_id()))]
        sender: KnownPerson,
        /// The time for which the inbox shows it, in milliseconds.
        #[body(default(5_000))]
        duration_ms: Whole<1, 60_000>,
    }
);

/// Reads the body. Unknown keys are ignored.
///
/// # Errors
/// When it is no JSON, or with everything that is wrong in it.
pub fn parse(body: &[u8]) -> Result<TypingBody, BodyError> {
    TypingBody::read(body)
}
