//! Keys of what the team writes beside conversations: drafts, notes, canned and scheduled replies.

use crate::drafts::draft::DraftKind;
use crate::id::{AccountId, ConversationId, IdempotencyKey, UserId};
use switchboard_engine::entries::Key;

/// The newest version of an account user's draft.
#[must_use]
pub fn draft(conversation: ConversationId, user: UserId, kind: DraftKind) -> Key {
    Key::new("draft", &(conversation, user, kind))
}

/// The newest version of a note of the team, by its number in the conversation.
#[must_use]
pub fn note(conversation: ConversationId, number: u64) -> Key {
    Key::new("team note", &(conversation, number))
}

/// The newest version of a scheduled reply, by its number in the conversation.
#[must_use]
pub fn scheduled_reply(conversation: ConversationId, number: u64) -> Key {
    Key::new("scheduled reply", &(conversation, number))
}

/// A scheduled reply, by what its writer's program called the request.
#[must_use]
pub fn scheduled_reply_request(
    conversation: ConversationId,
    user: UserId,
    request: &IdempotencyKey,
) -> Key {
    Key::new("scheduled reply request", &(conversation, user, request))
}

/// A note of the team, by what its writer's program called the request.
#[must_use]
pub fn note_request(conversation: ConversationId, user: UserId, request: &IdempotencyKey) -> Key {
    Key::new("team note request", &(conversation, user, request))
}

/// A canned reply, by what its author's program called the request.
#[must_use]
pub fn canned_reply_request(account: AccountId, user: UserId, request: &IdempotencyKey) -> Key {
    Key::new("canned reply request", &(account, user, request))
}
