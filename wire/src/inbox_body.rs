//! Bodies of the inbox: a snooze, and a change of several conversations.

pub mod notifications;
pub mod reply;

use std::collections::BTreeSet;

use crate::body;
use crate::body::value::{List, Whole};
use crate::body_values;
use crate::domain::conversation::several::{
    CONVERSATIONS_MAX, ChosenConversation, ConversationsChange, SnoozeRequest,
};
use crate::domain::conversation::snooze_conversation::check_time;
use crate::domain::id::{ConversationId, UndoId, UserId};
use crate::domain::time::UnixMillis;
use crate::domain::violation::ViolationCode;
use crate::json::object::ObjectReader;
use crate::schema::Schema;

/// The last second that a snooze can name: in the year 9999.
const LAST_SECOND: i64 = 253_402_300_799;

/// The end of a snooze in a body, in seconds since 1970.
type SnoozeSecond = Whole<0, LAST_SECOND>;

const ACTIONS: [(&str, SeveralAction); 4] = [
    ("close", SeveralAction::Close),
    ("assign", SeveralAction::Assign),
    ("snooze", SeveralAction::Snooze),
    ("undo", SeveralAction::Undo),
];

/// An action on several conversations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeveralAction {
    /// Closes them.
    Close,
    /// Assigns them, or gives them back.
    Assign,
    /// Snoozes them.
    Snooze,
    /// Undoes an earlier action.
    Undo,
}

body_values! {
    SeveralAction: Schema::choice(&ACTIONS), |found| found.choice(&ACTIONS);
}

body!(
    /// A snooze of one conversation.
    pub struct SnoozeBody {
        /// The conversation is open again at this time, in seconds since 1970: in the future, at most a year ahead.
        until: SnoozeSecond,
        /// True when the customer's next message that is not silent opens it earlier.
        #[body(default(true))]
        wake_on_message: bool,
    }

    /// A change of several conversations.
    pub struct ConversationsBody {
        action: SeveralAction,
        /// The conversations: 1 to 250, each once. Not with `undo`.
        conversations: Option<List<ChosenBody, CONVERSATIONS_MAX>>,
        /// With `assign`: the new responsible user, an active user of the account; null gives the conversations back.
        #[body(null)]
        user_id: Option<UserId>,
        /// With `snooze`: the conversations are open again at this time, in seconds since 1970: in the future, at most a year
        /// ahead.
        until: Option<SnoozeSecond>,
        /// With `snooze`: true when the customer's next message that is not silent opens a conversation earlier.
        #[body(default(true))]
        wake_on_message: bool,
        /// With `undo`: the `undo` of the answer to the change.
        undo: Option<UndoId>,
    }

    /// A conversation of them.
    pub struct ChosenBody {
        id: ConversationId,
        /// With `assign`: the responsible user that the caller saw; null for none.
        #[body(null)]
        replaces: Option<UserId>,
    }
);

impl From<SnoozeBody> for SnoozeRequest {
    fn from(body: SnoozeBody) -> Self {
        Self {
            until: end(body.until),
            wakes_on_message: body.wake_on_message,
        }
    }
}

/// The request that a [`ConversationsBody`] makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeveralRequest {
    /// Changes these conversations.
    Change(Vec<ChosenConversation>, ConversationsChange),
    /// Undoes the change of this name.
    Undo(UndoId),
}

impl SeveralRequest {
    /// Reads the request of a body, and reports what its action lacks.
    pub fn from_body(
        body: &ObjectReader<'_, '_>,
        fields: ConversationsBody,
        now: UnixMillis,
    ) -> Option<Self> {
        let change = match fields.action {
            SeveralAction::Undo => {
                body.required("undo");
                return fields.undo.map(Self::Undo);
            }
            SeveralAction::Close => Some(ConversationsChange::Close),
            SeveralAction::Assign => {
                body.required("user_id");
                Some(ConversationsChange::Assign(fields.user_id))
            }
            SeveralAction::Snooze => {
                body.required("until");
                let until = fields.until.map(end);
                if let Some(why) = until.and_then(|until| check_time(until, now).err()) {
                    body.reject("until", ViolationCode::InvalidValue, why.to_string());
                }
                until.map(|until| {
                    ConversationsChange::Snooze(SnoozeRequest {
                        until,
                        wakes_on_message: fields.wake_on_message,
                    })
                })
            }
        };
        body.required("conversations");
        let conversations = conversations(body, fields.conversations?)?;
        Some(Self::Change(conversations, change?))
    }
}

fn end(second: SnoozeSecond) -> UnixMillis {
    UnixMillis::from_secs(u64::try_from(second.get()).unwrap_or_default())
}

/// The conversations, if there are neither too few nor too many, and each is there once.
fn conversations(
    body: &ObjectReader<'_, '_>,
    list: List<ChosenBody, CONVERSATIONS_MAX>,
) -> Option<Vec<ChosenConversation>> {
    let count = list.0.len();
    let ids: BTreeSet<_> = list.placed().map(|(_, chosen)| chosen.id).collect();
    let detail = if count == 0 || count > CONVERSATIONS_MAX {
        format!("expected 1 to {CONVERSATIONS_MAX} conversations, found {count}")
    } else if ids.len() < list.placed().count() {
        "a conversation is there twice; name each once".to_owned()
    } else {
        let conversations = list.0.into_iter().map(|chosen| {
            let ChosenBody { id, replaces } = chosen?;
            Some(ChosenConversation { id, replaces })
        });
        return conversations.collect();
    };
    body.reject("conversations", ViolationCode::InvalidValue, detail);
    None
}
