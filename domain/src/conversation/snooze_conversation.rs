//! An account user snoozes a conversation.

use std::time::Duration;

use crate::Decision;
use crate::conversation::{Conversation, ConversationEvent, Snooze};
use crate::id::UserId;
use crate::oauth::acting_client::ActingClient;
use crate::time::UnixMillis;
use switchboard_engine::state::{Command, Moment};

/// The longest snooze: a year, of which one day may be a leap day.
pub const LONGEST: Duration = Duration::from_secs(366 * 86_400);

/// An account user snoozes a conversation. It takes the place of an earlier snooze.
#[derive(Clone, Debug)]
pub struct SnoozeConversation {
    /// The user.
    pub by: UserId,
    /// The OAuth client that acts for the user.
    pub client: Option<ActingClient>,
    /// The end of the snooze.
    pub until: UnixMillis,
    /// True when the customer's next loud message ends it earlier.
    pub wakes_on_message: bool,
    /// The snooze whose place it takes.
    pub replaces: Replaces,
}

/// The snooze whose place another one takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replaces {
    /// Any, or none.
    Any,
    /// This one, or none; another one stays.
    Only(Option<Box<Snooze>>),
}

/// A snooze that was stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredSnooze {
    /// The snooze.
    pub snooze: Snooze,
    /// The earlier one; `None` when there was none.
    pub before: Option<Box<Snooze>>,
}

/// Checks the end of a snooze.
///
/// # Errors
/// When it is not in the future, or more than [`LONGEST`] away.
pub fn check_time(until: UnixMillis, now: UnixMillis) -> Result<(), SnoozeRejection> {
    if until <= now {
        return Err(SnoozeRejection::Past);
    }
    if until > now.plus(LONGEST) {
        return Err(SnoozeRejection::TooFar);
    }
    Ok(())
}

/// The rejection of a snooze.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SnoozeRejection {
    /// Its end is not in the future.
    #[error("the time has passed; choose a time in the future, in seconds since 1970")]
    Past,
    /// Its end is too far away.
    #[error("the time is more than a year ahead; choose an earlier one, in seconds since 1970")]
    TooFar,
    /// Another snooze is there than the caller saw.
    #[error("a colleague changed the snooze meanwhile; it stays as it is now")]
    Changed,
}

impl Command for SnoozeConversation {
    type Of = Conversation;
    type Reply = StoredSnooze;
    type Rejection = SnoozeRejection;

    fn decide(
        self,
        state: &Conversation,
        moment: &mut Moment<'_, ConversationEvent>,
    ) -> Result<Decision<ConversationEvent, StoredSnooze>, SnoozeRejection> {
        check_time(self.until, moment.now)?;
        if let Replaces::Only(seen) = &self.replaces
            && *seen != state.snooze
        {
            return Err(SnoozeRejection::Changed);
        }
        let before = state.snooze.clone();
        let snooze = Snooze {
            by: self.by,
            client: self.client,
            at: moment.now,
            until: self.until,
            wakes_on_message: self.wakes_on_message,
        };
        // The same snooze again is a repeat.
        if let Some(present) = state.snooze.as_deref()
            && *present
                == (Snooze {
                    at: present.at,
                    ..snooze.clone()
                })
        {
            let snooze = present.clone();
            return Ok(Decision::unchanged(StoredSnooze { snooze, before }));
        }
        let event = ConversationEvent::Snoozed(Box::new(snooze.clone()));
        Ok(Decision::event(event, StoredSnooze { snooze, before }))
    }
}
