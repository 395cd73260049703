//! The body of `POST /v2/origin/custom/<scope_id>/typing`: a customer is writing.

use std::time::Duration;

use crate::domain::chat::target::{ConversationRef, PersonRef};
use crate::wire::chat_body::Rules;
use crate::wire::chat_body::target::{conversation, who};
use crate::wire::json::{self, BodyError};

/// The time for which a customer counts as writing when the body has none.
const DEFAULT_MS: i64 = 5_000;
/// The longest time that can be said.
const LONGEST_MS: i64 = 60_000;

/// A customer is writing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypingBody {
    /// The conversation.
    pub conversation: ConversationRef,
    /// The person who is writing.
    pub sender: PersonRef,
    /// For how long it is to be shown.
    pub lasts: Duration,
}

/// Reads the body. Unknown keys are ignored.
///
/// # Errors
/// When it is no JSON, or with everything that is wrong in it.
pub fn parse(body: &[u8]) -> Result<TypingBody, BodyError> {
    json::read(body, Rules::Current.nulls(), |body| {
        let conversation = conversation(body);
        let sender = who(body, "sender");
        let lasts = body.optional_integer("duration_ms", 1..=LONGEST_MS);
        let lasts = u64::try_from(lasts.unwrap_or(DEFAULT_MS)).unwrap_or_default();
        Some(TypingBody {
            conversation: conversation?,
            sender: sender?,
            lasts: Duration::from_millis(lasts),
        })
    })
}
