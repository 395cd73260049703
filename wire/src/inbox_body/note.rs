//! The body of a note of the team.

use std::collections::BTreeSet;

use crate::domain::account::users::Users;
use crate::domain::id::UserId;
use crate::domain::team_notes::note::MENTIONS_MAX;
use crate::domain::violation::ViolationCode;
use crate::inbox_body::reply::DraftNumber;
use crate::json::object::ObjectReader;
use crate::schema::Schema;
use crate::{body, body_values};

body!(
    /// A new note.
    pub struct NoteBody {
        /// 1 to 65,536 bytes.
        text: String,
        /// The ids of the users whom the note mentions: at most 20 active users of the account, each once. They are subscribers of the
        /// conversation from then on, and each receives the event `mention`.
        mentions: Option<Mentions>,
        /// The `number` of the caller's draft of the kind `note` that the note was. The draft is deleted with it, in one step.
        draft: Option<DraftNumber>,
    }

    /// A change of a note.
    pub struct NoteChange {
        /// 1 to 65,536 bytes.
        text: String,
        /// The ids of the users whom the note mentions from then on; without it they stay. Only those whom no earlier version
        /// mentioned receive the event `mention`.
        mentions: Option<Mentions>,
    }
);

/// The users whom a note mentions, as its body has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mentions(Vec<u64>);

body_values! {
    Mentions: Schema::few(Schema::number(), 0, MENTIONS_MAX), |found| found.numbers().map(Self);
}

impl Mentions {
    /// The users, if there are not too many, each is there once and is an active user of the account.
    #[must_use]
    pub fn users(self, body: &ObjectReader<'_, '_>, users: &Users) -> Option<BTreeSet<UserId>> {
        let ids: BTreeSet<UserId> = self.0.iter().map(|number| UserId(*number)).collect();
        let is_active = |id: &&UserId| users.get(**id).is_some_and(|user| user.active);
        let strangers: Vec<String> = ids
            .iter()
            .filter(|id| !is_active(id))
            .map(ToString::to_string)
            .collect();
        let (code, detail) = if self.0.len() > MENTIONS_MAX {
            let detail = format!(
                "expected at most {MENTIONS_MAX} users, found {}",
                self.0.len()
            );
            (ViolationCode::InvalidValue, detail)
        } else if ids.len() < self.0.len() {
            let detail = "a user is there twice; name each once".to_owned();
            (ViolationCode::InvalidValue, detail)
        } else if !strangers.is_empty() {
            let detail = format!(
                "expected ids of active users of this account, found {}",
                strangers.join(", ")
            );
            (ViolationCode::NotSupportedChoice, detail)
        } else {
            return Some(ids);
        };
        body.reject("mentions", code, detail);
        None
    }
}
