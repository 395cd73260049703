//! A note of the team.

use std::collections::BTreeSet;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::conversation::mention_users::TooManyMentionedRejection;
use crate::id::{IdempotencyKey, UserId};
use crate::oauth::acting_client::ActingClient;
use crate::text::{MessageText, Name};
use crate::time::UnixMillis;

/// The time within which its writer may change a note.
pub const UPDATABLE: Duration = Duration::from_secs(15 * 60);

/// The highest number of users whom one note mentions.
pub const MENTIONS_MAX: usize = 20;

/// A note of the team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TeamNote {
    /// Its number in the conversation, from 1.
    pub number: u64,
    /// Its writer.
    pub by: NoteWriter,
    /// The time of writing.
    pub at: UnixMillis,
    /// The text; `None` once the note was deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<MessageText>,
    /// The time of the last change; `None` when there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<UnixMillis>,
    /// The user who deleted it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deleted_by: Option<UserId>,
    /// The users whom it mentions.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub mentions: BTreeSet<UserId>,
    /// The users whom an earlier version of it mentioned. They have had the news of it.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub unmentioned: BTreeSet<UserId>,
    /// The idempotency key of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<IdempotencyKey>,
}

/// A note is stored, or was the same before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredNote {
    /// The note.
    pub note: TeamNote,
    /// True when it was there before, and nothing was written.
    pub repeated: bool,
    /// The users whom it mentions, and no earlier version of it did.
    pub news: BTreeSet<UserId>,
}

impl StoredNote {
    /// A note that was there before.
    pub(super) fn repeated(note: TeamNote) -> Self {
        Self {
            note,
            repeated: true,
            news: BTreeSet::new(),
        }
    }
}

/// The account user who wrote a note, or a scheduled reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoteWriter {
    /// The user.
    pub user: UserId,
    /// The name at the time.
    pub name: Name,
    /// The OAuth client that acted for the user; `None` when the user wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<ActingClient>,
}

/// The rejection of a change of a note.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TeamNoteRejection {
    /// There is no such note.
    #[error("there is no such note in this conversation")]
    Unknown,
    /// Only its writer changes a note.
    #[error("only the writer of a note may change it; write another one")]
    OfAnother,
    /// Its writer and administrators delete a note.
    #[error("only the writer of a note and administrators may delete it")]
    NotDeletable,
    /// It was written too long ago.
    #[error("a note can be changed for 15 minutes; write another one")]
    TooLate,
    /// It was deleted.
    #[error("the note was deleted")]
    Deleted,
    /// The notes of the conversation mention as many users as they can.
    #[error(transparent)]
    TooManyMentioned(TooManyMentionedRejection),
    /// A repeated request must be the same one.
    #[error("this Idempotency-Key was used for another note in this conversation; use a new one")]
    OtherRequest,
}
