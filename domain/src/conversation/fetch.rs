//! The result of fetching a file that a message, or its writer, only names.
//!
//! An attempt is noted before it is made: it moves the row to where it is tried again if no result follows. So an attempt
//! during which the process ends counts as well.

use std::convert::Infallible;

use serde::{Deserialize, Serialize};

use crate::chat::fetch::{FetchPlace, FetchResult, FetchSubject, HostMark};
use crate::conversation::{Conversation, ConversationEvent};
use crate::id::ConversationId;
use crate::tables;
use crate::time::UnixMillis;
use crate::{Decision, keys};
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::state::{Command, Moment};

/// The result of an attempt, the beginning of one, or the end of all attempts for a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fetched {
    /// The place in the list of files to fetch; the file leaves it with this event.
    pub place: FetchPlace,
    /// The server of the file.
    pub host: HostMark,
    /// The time of the event.
    pub at: UnixMillis,
    /// The number of attempts, with this one.
    pub attempts: u32,
    /// The result; `None` when an attempt begins, or when no message or person names the file any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<FetchResult>,
    /// The time of the next attempt. For an attempt that begins: the next one if no result follows. `None` for the last
    /// one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again_at: Option<UnixMillis>,
}

/// Notes what was seen, or that an attempt begins.
#[derive(Clone, Debug)]
pub struct NoteFetch {
    /// The place in the list of files to fetch.
    pub place: FetchPlace,
    /// The server of the file.
    pub host: HostMark,
    /// The number of attempts, with this one.
    pub attempts: u32,
    /// The result of the attempt.
    pub seen: Option<FetchResult>,
    /// The time of the next attempt.
    pub again_at: Option<UnixMillis>,
}

impl Command for NoteFetch {
    type Of = Conversation;
    type Reply = ();
    type Rejection = Infallible;

    fn decide(
        self,
        state: &Conversation,
        moment: &mut Moment<'_, ConversationEvent>,
    ) -> Result<Decision<ConversationEvent, ()>, Infallible> {
        if state.origin.is_none() {
            return Ok(Decision::unchanged(()));
        }
        let event = Fetched {
            place: self.place,
            host: self.host,
            at: moment.now,
            attempts: self.attempts,
            seen: self.seen,
            again_at: self.again_at,
        };
        Ok(Decision::event(
            ConversationEvent::Fetched(Box::new(event)),
            (),
        ))
    }
}

impl Fetched {
    /// The row goes, or moves to when it is tried again; what was seen is found from now on.
    pub(super) fn index(&self, conversation: ConversationId, entries: &mut IndexEntries) {
        entries.delete(tables::UNFETCHED, keys::fetch::row(&self.place));
        if let Some(due) = self.again_at {
            let place = FetchPlace {
                due,
                subject: self.place.subject,
            };
            list(conversation, &place, self.host, self.attempts, entries);
        }
        if self.seen.is_some() {
            entries.key(match self.place.subject {
                FetchSubject::Message(message) => keys::fetched(message),
                FetchSubject::Avatar(avatar) => keys::avatar(avatar),
            });
        }
    }
}

/// Puts a file on the list of what is to be fetched.
pub(super) fn list(
    conversation: ConversationId,
    place: &FetchPlace,
    host: HostMark,
    attempts: u32,
    entries: &mut IndexEntries,
) {
    let row = keys::fetch::row(place);
    let about = keys::fetch::about(conversation, host, attempts);
    entries.put(tables::UNFETCHED, row, about);
}
