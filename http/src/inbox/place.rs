//! Places in the inbox: the conversation that an address names, and what is numbered in it.

use std::fmt::Display;

use switchboard_actors::domain::id::ConversationId;

use crate::reply::problem::Problem;

/// The description of a 404 of a conversation.
pub(super) const NO_CONVERSATION: &str = "There is no such conversation that the caller may see.";

/// The answer about a conversation that is not there, or that the caller may not see.
pub(super) fn unknown() -> Problem {
    Problem::NotFound("there is no such conversation".to_owned())
}

/// The conversation that a part of an address names.
pub(super) fn conversation(text: &str) -> Result<ConversationId, Problem> {
    text.parse().map_err(|_not_an_id| unknown())
}

/// A thing with a number in its conversation, such as a note.
pub(super) struct Numbered {
    pub(super) conversation: ConversationId,
    pub(super) number: u64,
}

/// The numbered thing that two parts of an address name; `unknown` says that it is not there.
pub(super) fn numbered(
    parts: &(String, String),
    unknown: impl Display,
) -> Result<Numbered, Problem> {
    let no_number = || Problem::NotFound(unknown.to_string());
    Ok(Numbered {
        conversation: conversation(&parts.0)?,
        number: parts.1.parse().map_err(|_no_number| no_number())?,
    })
}
