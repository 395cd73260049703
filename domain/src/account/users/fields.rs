//! The fields of a user that the operator sets. Each is declared only here. Bodies, their schema, the options of the
//! command line, the keys of `config.toml` and the audit log follow from it.

use serde::Serialize;

use crate::account::user::{Standing, User};
use crate::field::{FieldValue, Given, Shape, given, number_fields, text_fields, unfit};
use crate::id::{GroupId, RoleId, UserId};
use crate::installation::accounts::Lang;
use crate::text::UserName;
use crate::text::email::Email;

given! {
    /// The fields of a user that the operator sets. A field that is `None` stays, or gets its default.
    pub struct UserFields {
        name: UserName, "The full name: letters, digits, spaces and . @ - _; no link.", like "Ada";
        email: Email,
            "The e-mail address; unique in the account, whatever the case of its letters.",
            like "ada@example.com";
        lang: Lang, "The language; the account's if it is left out.", when [New, Update];
        is_admin: bool = false, "Whether the user is an administrator.";
        is_free: bool = false, "Whether the user is a free user.", when [New, Update];
        is_active: bool = true, "Whether the user can sign in.", when [Update];
        role_id: RoleId, "The role.", when [New, Update];
        group_id: GroupId, "The group.", when [New, Update];
        id: ChosenUserId,
            "The user's number in the account interface; the next one if it is left out. It never changes.",
            when [Declared];
    }
}

text_fields! {
    UserName: Shape::Line(50);
    Email: Shape::Text;
}

number_fields!(RoleId, GroupId);

/// A number that was chosen for a user: one that every reader of JSON takes for a whole number of 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct ChosenUserId(pub UserId);

impl ChosenUserId {
    /// The largest.
    pub const MOST: i64 = 2_147_483_647;
}

impl FieldValue for ChosenUserId {
    const SHAPE: Shape = Shape::Whole(1, Self::MOST);

    fn given(given: Given<'_>) -> Result<Self, String> {
        let Given::Whole(number) = given else {
            return unfit(Self::SHAPE);
        };
        u64::try_from(number)
            .ok()
            .filter(|it| (1..=Self::MOST.unsigned_abs()).contains(it))
            .map(|number| Self(UserId(number)))
            .ok_or_else(|| format!("write a whole number from 1 to {}", Self::MOST))
    }
}

impl UserFields {
    /// The fields of a user who is there.
    #[must_use]
    pub(crate) fn from_user(user: &User) -> Self {
        Self {
            id: Some(ChosenUserId(user.id)),
            name: Some(user.name.clone()),
            email: Some(user.email.clone()),
            lang: Some(user.lang),
            is_admin: Some(user.is_admin()),
            is_free: Some(user.standing == Standing::Free),
            is_active: Some(user.active),
            role_id: user.role(),
            group_id: Some(user.group),
        }
    }

    /// Returns the source of the rights by these fields; `None` when they do not set it.
    #[must_use]
    pub fn standing(&self) -> Option<Standing> {
        if self.is_admin == Some(true) {
            return Some(Standing::Administrator);
        }
        if self.is_free == Some(true) {
            return Some(Standing::Free);
        }
        self.role_id.map(Standing::Role)
    }

    /// Returns whether a flag of the user is taken away.
    pub(crate) fn takes_away(&self, standing: &Standing) -> bool {
        match standing {
            Standing::Administrator => self.is_admin == Some(false),
            Standing::Free => self.is_free == Some(false),
            Standing::Role(_) | Standing::Own(_) => false,
        }
    }
}
