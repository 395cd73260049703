//! Bodies of the inbox: a snooze, and a change of several conversations; of replies, canned replies and views below.

pub mod canned_reply;
pub mod draft;
pub mod note;
pub mod notifications;
pub mod own_profile;
pub mod push;
pub mod reply;
pub mod saved_view;
pub mod scheduled_reply;

use std::collections::BTreeSet;

use crate::body;
use crate::body::value::{List, Whole};
use crate::body_values;
use crate::domain::conversation::snooze_conversation::check_time;
use crate::domain::id::{ConversationId, GroupId, UndoId, UserId};
use crate::domain::several::{
    CONVERSATIONS_MAX, ChosenConversation, ConversationsChange, Owners, OwnersChange,
    SnoozeRequest, Swap,
};
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
        /// With `assign`: the new responsible user, an active user of the account; null gives the conversations back. It stays as
        /// it is where `group_id` is there alone.
        #[body(null)]
        user_id: Option<UserId>,
        /// With `assign`: the new group of the account; null for none. Without it the groups stay.
        #[body(null)]
        group_id: Option<GroupId>,
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
        /// With `group_id`: the group that the caller saw; null for none.
        #[body(null)]
        replaces_group: Option<GroupId>,
    }

    /// A change of the owners of one conversation.
    pub struct OwnersBody {
        /// The new responsible user, an active user of the account; null gives the conversation back. It may be left out beside
        /// `group_id`.
        #[body(null)]
        user_id: Option<UserId>,
        /// The responsible user that the caller saw; null for none. Needed with `user_id`.
        #[body(null)]
        replaces: Option<UserId>,
        /// The new group of the account; null for none. Without it the group stays.
        #[body(null)]
        group_id: Option<GroupId>,
        /// The group that the caller saw; null for none. Needed with `group_id`.
        #[body(null)]
        replaces_group: Option<GroupId>,
    }
);

impl OwnersBody {
    /// The change that the body asks for; what it lacks is reported.
    pub fn change(self, body: &ObjectReader<'_, '_>) -> Option<OwnersChange> {
        let has = |key: &str| body.raw(key).is_some();
        let of_group = has("group_id") || has("replaces_group");
        let of_user = has("user_id") || has("replaces") || !of_group;
        for (is_asked, keys) in [
            (of_user, ["user_id", "replaces"]),
            (of_group, ["group_id", "replaces_group"]),
        ] {
            if is_asked {
                for key in keys {
                    body.required(key);
                }
            }
        }
        Some(OwnersChange {
            user: of_user.then_some(Swap {
                to: self.user_id,
                replaces: self.replaces,
            }),
            group: of_group.then_some(Swap {
                to: self.group_id,
                replaces: self.replaces_group,
            }),
        })
    }
}

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
                let of_group = body.raw("group_id").is_some();
                let of_user = body.raw("user_id").is_some();
                if !of_group {
                    body.required("user_id");
                }
                Some(ConversationsChange::Assign(Owners {
                    user: of_user.then_some(fields.user_id),
                    group: of_group.then_some(fields.group_id),
                }))
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
        let conversations = list.0.into_iter().map(|item| {
            let conversation = item?;
            Some(ChosenConversation {
                id: conversation.id,
                replaces: conversation.replaces,
                replaces_group: conversation.replaces_group,
            })
        });
        return conversations.collect();
    };
    body.reject("conversations", ViolationCode::InvalidValue, detail);
    None
}
