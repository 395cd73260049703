//! A user of an account.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::account::password::PasswordHash;
use crate::account::presence::{Away, Presence};
use crate::account::rights::granted::Rights;
use crate::account::users::token::TokenHash;
use crate::id::{GroupId, RoleId, UserId};
use crate::installation::accounts::Lang;
use crate::notifications::{NotificationKind, NotificationSettings};
use crate::oauth::acting_client::ActingClient;
use crate::text::UserName;
use crate::text::email::Email;
use crate::time::UnixMillis;

/// A user of an account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct User {
    /// The number.
    pub id: UserId,
    /// The full name.
    pub name: UserName,
    /// The e-mail address, unique in the account whatever the case.
    pub email: Email,
    /// The language the user works in.
    pub lang: Lang,
    /// The source of the user's rights.
    pub standing: Standing,
    /// The group.
    pub group: GroupId,
    /// True when the user may sign in. A user who is switched off stays in all lists.
    pub active: bool,
    /// The OAuth client that created the user, or was the last to activate them; `None` when a person or the configuration was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub admitted_by: Option<ActingClient>,
    /// The number of times that all sessions of the user were ended at once. A session is good while this is the number
    /// of its beginning.
    pub sessions_ended: u64,
    /// The hash of the password, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<PasswordHash>,
    /// The last declaration of the user in the configuration, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declared: Option<Box<Declaration>>,
    /// The fixed bearer token, if one was declared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<TokenHash>,
    /// The notifications that the user wants; `None` for the default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notifications: Option<Box<NotificationSettings>>,
    /// The user chose to be away; `None` when they did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub away: Option<Away>,
}

/// The last declaration of a user in the configuration. A start applies only the differences from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Declaration {
    /// The e-mail address, by which the user is known to the configuration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<Email>,
    /// The full name.
    pub name: UserName,
    /// True when the user is an administrator.
    pub is_admin: bool,
    /// The hash of the password.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<PasswordHash>,
}

/// The source of a user's rights. Administrator and free user are flags, not roles; a role replaces the rights of one's
/// own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// Everything is allowed.
    Administrator,
    /// Nothing is allowed.
    Free,
    /// The rights of this role.
    Role(RoleId),
    /// Rights of the user's own.
    Own(Box<Rights>),
}

impl User {
    /// The presence of the user, who has given a sign of late, or not.
    #[must_use]
    pub fn presence(&self, has_sign: bool) -> Presence {
        match self.away {
            Some(away) if away.gives_back => Presence::AwayGiveBack,
            Some(_) => Presence::Away,
            None if has_sign => Presence::Here,
            None => Presence::Away,
        }
    }

    /// The presence that the user chose.
    #[must_use]
    pub fn chosen_presence(&self) -> Presence {
        self.presence(true)
    }

    /// Returns whether the user is an administrator of the account.
    #[must_use]
    pub fn is_admin(&self) -> bool {
        self.standing == Standing::Administrator
    }

    /// Returns whether the user is to have a notification of this kind at this time.
    #[must_use]
    pub fn wants(&self, kind: NotificationKind, now: UnixMillis) -> bool {
        let settings = self.notifications.as_ref();
        self.active && settings.is_none_or(|settings| settings.allows(kind, now))
    }

    /// The e-mail address by which the configuration knows the user, if it declared one.
    #[must_use]
    pub fn declared_email(&self) -> Option<&Email> {
        self.declared.as_ref()?.email.as_ref()
    }

    /// The OAuth client that admitted the user, once a change through `client` has made the user active or inactive.
    #[must_use]
    pub(super) fn admitted_once(
        &self,
        active: bool,
        client: Option<&ActingClient>,
    ) -> Option<ActingClient> {
        let is_admitted = active && !self.active;
        let before = self.admitted_by.as_ref();
        if is_admitted { client } else { before }.cloned()
    }

    /// The role that the user holds.
    #[must_use]
    pub fn role(&self) -> Option<RoleId> {
        match self.standing {
            Standing::Role(role) => Some(role),
            Standing::Administrator | Standing::Free | Standing::Own(_) => None,
        }
    }
}

/// The rank of a user, by the number of their messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Rank {
    /// Fewer than 100 messages.
    Newbie,
    /// Fewer than 1,000.
    Candidate,
    /// More.
    Master,
}

impl Rank {
    /// From this number of messages on, the rank no longer rises.
    pub const MASTER_FROM: usize = 1_000;
    const CANDIDATE_FROM: usize = 100;

    /// The rank of a user who wrote this many messages.
    #[must_use]
    pub fn from_messages(messages: usize) -> Self {
        match messages {
            Self::MASTER_FROM.. => Self::Master,
            Self::CANDIDATE_FROM.. => Self::Candidate,
            _ => Self::Newbie,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_begin_at_100_and_1000_messages() {
        let ranks = [0, 99, 100, 999, 1_000, 10_000].map(Rank::from_messages);
        use Rank::{Candidate, Master, Newbie};
        assert_eq!(
            ranks,
            [Newbie, Newbie, Candidate, Candidate, Master, Master]
        );
    }
}
