//! A canned reply.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::audit::By;
use crate::canned_replies::{BYTES_MAX, OWN_BYTES_MAX, OWN_MAX, SHARED_BYTES_MAX, SHARED_MAX};
use crate::id::{CannedReplyId, IdempotencyKey, MediaId, UserId};
use crate::text::{CannedReplyName, FileName, MessageText};
use crate::time::UnixMillis;

/// A canned reply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CannedReply {
    /// Its number in the account.
    pub id: CannedReplyId,
    /// The account user who created it.
    pub author: UserId,
    /// The part that its editors change.
    pub settings: CannedReplySettings,
    /// The time of its creation.
    pub created_at: UnixMillis,
    /// The time of the last change.
    pub updated_at: UnixMillis,
    /// The idempotency key of the request that created it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<IdempotencyKey>,
}

/// The part of a canned reply that its editors change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CannedReplySettings {
    /// Its name.
    pub name: CannedReplyName,
    /// The text with its markers.
    pub text: MessageText,
    /// True when all users of the account have it; otherwise its author alone has it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_shared: bool,
    /// The file that goes with the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<CannedReplyFile>,
}

/// The file of a canned reply: an upload of the account, as it was when the file was chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CannedReplyFile {
    /// The id that the upload of the file answered. Records have it as a part of an address (`media/…`), by which an erasure
    /// finds the files that are still needed.
    #[serde(serialize_with = "write_address", deserialize_with = "read_address")]
    pub media: MediaId,
    /// Its name.
    pub name: FileName,
    /// Its size.
    pub bytes: u64,
    /// True when it is sent as a picture.
    pub is_picture: bool,
}

/// The beginning of the address of a file.
const ADDRESS: &str = "media/";

fn write_address<S: Serializer>(media: &MediaId, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{ADDRESS}{media}"))
}

fn read_address<'de, D: Deserializer<'de>>(deserializer: D) -> Result<MediaId, D::Error> {
    let text = String::deserialize(deserializer)?;
    let id = text.strip_prefix(ADDRESS).unwrap_or_default();
    id.parse().map_err(de::Error::custom)
}

/// The changes of a canned reply; a field that is `None` stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CannedReplyChange {
    /// Its name.
    pub name: Option<CannedReplyName>,
    /// The text with its markers.
    pub text: Option<MessageText>,
    /// True when all users of the account have it.
    pub is_shared: Option<bool>,
    /// The file that goes with the text.
    pub file: Option<Option<CannedReplyFile>>,
}

/// The account user who changes or deletes a canned reply.
#[derive(Clone, Debug)]
pub struct CannedReplyEditor {
    /// The actor, for the audit log.
    pub by: By,
    /// The user.
    pub user: UserId,
    /// True for an administrator, who may change shared ones of others.
    pub is_administrator: bool,
}

/// The rejection of a change of canned replies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannedReplyRejection {
    /// The user may see no such canned reply.
    #[error("there is no such canned reply")]
    Unknown,
    /// A user who may not reply writes none.
    #[error(
        "to write canned replies you need the right to edit leads, all of them or those of one stage"
    )]
    Denied,
    /// A shared one is changed by its author and by administrators.
    #[error("only the author of a shared canned reply and administrators may change or delete it")]
    OfAnother,
    /// Another one beside it has the name.
    #[error(
        "there is a canned reply with this name, in whatever case; choose another name, or change that one"
    )]
    NameTaken,
    /// There is no room for it.
    #[error(transparent)]
    Full(CannedRepliesFullError),
    /// A repeated request must be the same one.
    #[error("this Idempotency-Key was used for another canned reply; use a new one")]
    OtherRequest,
}

/// The bound that canned replies have reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannedRepliesFullError {
    /// The account shares as many as it can.
    #[error("an account shares at most {SHARED_MAX} canned replies; delete unused ones")]
    Shared,
    /// The user has as many as one can have.
    #[error("a user has at most {OWN_MAX} canned replies of their own; delete unused ones")]
    Own,
    /// Those that the account shares would take too much room.
    #[error(
        "the shared canned replies of an account take at most {} MiB together; delete unused ones, or shorten them",
        SHARED_BYTES_MAX >> 20
    )]
    SharedBytes,
    /// Those of the user would take too much room.
    #[error(
        "the canned replies of one user take at most {} MiB together; delete unused ones, or shorten them",
        OWN_BYTES_MAX >> 20
    )]
    OwnBytes,
    /// All of the account would take too much room.
    #[error(
        "all canned replies of an account take at most {} MiB together; delete unused ones, or shorten them",
        BYTES_MAX >> 20
    )]
    Bytes,
}

impl CannedReply {
    /// Returns whether this user may see it.
    #[must_use]
    pub fn is_seen_by(&self, user: UserId) -> bool {
        self.settings.is_shared || self.author == user
    }
}

impl CannedReplySettings {
    /// Returns the approximate size of the canned reply in memory, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        const REST: usize = 512;
        let name = self.name.as_str().len().saturating_add(REST);
        self.text.as_str().len().saturating_add(name)
    }
}

impl CannedReplyChange {
    /// The settings with this change.
    #[must_use]
    pub fn apply_to(self, before: &CannedReplySettings) -> CannedReplySettings {
        let before = before.clone();
        CannedReplySettings {
            name: self.name.unwrap_or(before.name),
            text: self.text.unwrap_or(before.text),
            is_shared: self.is_shared.unwrap_or(before.is_shared),
            file: self.file.unwrap_or(before.file),
        }
    }
}
