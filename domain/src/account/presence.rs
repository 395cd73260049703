//! The presence of an account user: whether conversations are assigned to them. It is one for all devices of the user.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::time::UnixMillis;
use crate::words;

/// The time without any sign on any device after which a user is away.
pub const IDLE_AFTER: Duration = Duration::from_secs(600);
/// The time after which a user who is away and gives back loses what waits.
pub const GIVE_BACK_AFTER: Duration = Duration::from_secs(900);
/// The time after a start in which no user counts as absent: streams of events are opened again first.
pub const START_GRACE: Duration = Duration::from_secs(30);

words! {
    /// The presence of a user.
    pub enum Presence {
        /// The user takes conversations.
        Here = "here",
        /// The user takes no conversations, and keeps those that they have.
        Away = "away",
        /// The user takes no conversations, and gives back those that wait for an answer.
        AwayGiveBack = "away_give_back",
    }
}

/// A user chose to be away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Away {
    /// The time of the choice.
    pub since: UnixMillis,
    /// True when the user gives back what waits.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub gives_back: bool,
}

impl Away {
    /// The absence of a user after a choice of theirs. A repetition changes nothing.
    #[must_use]
    pub fn after(present: Option<Self>, choice: Option<Presence>, now: UnixMillis) -> Option<Self> {
        let gives_back = match choice {
            None => return present,
            Some(Presence::Here) => return None,
            Some(Presence::Away) => false,
            Some(Presence::AwayGiveBack) => true,
        };
        let same = present.filter(|away| away.gives_back == gives_back);
        let new = Self {
            since: now,
            gives_back,
        };
        Some(same.unwrap_or(new))
    }

    /// The time from which on the user has nothing that waits; `None` when they keep it.
    #[must_use]
    pub fn gives_back_at(self) -> Option<UnixMillis> {
        self.gives_back.then(|| self.since.plus(GIVE_BACK_AFTER))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_choice_keeps_its_time() {
        let at = UnixMillis::from_secs;
        let after = |present, choice| Away::after(present, Some(choice), at(60));
        let away = Away::after(None, Some(Presence::AwayGiveBack), at(10));
        assert_eq!(away.unwrap().gives_back_at(), Some(at(910)));
        assert_eq!(after(away, Presence::AwayGiveBack), away);
        let plain = after(away, Presence::Away).unwrap();
        assert_eq!((plain.since, plain.gives_back_at()), (at(60), None));
        assert_eq!(after(away, Presence::Here), None);
        assert_eq!(Away::after(away, None, at(60)), away);
    }
}
