//! The operator declares a user: known by the e-mail address, made or changed.

use crate::Decision;
use crate::account::audit;
use crate::account::emails::Emails;
use crate::account::group::Group;
use crate::account::password::{Password, PasswordHash};
use crate::account::rights::granted::Rights;
use crate::account::user::{Declaration, Standing, User};
use crate::account::users::{Declared, TokenHash, Users, UsersEvent};
use crate::audit::{AuditEntry, By};
use crate::id::UserId;
use crate::installation::accounts::Lang;
use crate::text::UserName;
use crate::text::email::Email;
use switchboard_engine::state::{Command, Moment};

/// The operator's declaration of a user.
#[derive(Clone, Debug)]
pub struct DeclareUser {
    /// The number; `None`: the next one.
    pub id: Option<UserId>,
    /// The full name.
    pub name: UserName,
    /// The e-mail address.
    pub email: Email,
    /// True when the user is an administrator.
    pub is_admin: bool,
    /// The password; `None` leaves it as it is.
    pub password: Option<Password>,
    /// The hash of a fixed bearer token.
    pub token: Option<TokenHash>,
}

/// The configuration declares a user. Who is new is as declared; of who is there, what is declared otherwise than the last
/// time is taken over, and all else stays as it became since. A password is declared otherwise when its hash is given.
#[derive(Clone, Debug)]
pub struct Declare {
    /// The actor, for the audit log.
    pub by: By,
    /// The number; `None`: the next one.
    pub id: Option<UserId>,
    /// The full name.
    pub name: UserName,
    /// The e-mail address.
    pub email: Email,
    /// The language of a user who is new.
    pub lang: Lang,
    /// True when the user is an administrator.
    pub is_admin: bool,
    /// The hash of the password; `None` leaves the password as it is.
    pub password: Option<PasswordHash>,
    /// The hash of a fixed bearer token.
    pub token: Option<TokenHash>,
    /// The rights of a user who is new, or who is no longer an administrator.
    pub denied: Rights,
}

/// A user cannot have the number that is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeclareUserRejection {
    /// Another user has it.
    #[error("another user of the account has the number {0} already")]
    NumberTaken(UserId),
    /// The user has another one, which stays.
    #[error("the user has the number {0} already, and a number never changes")]
    NumberDiffers(UserId),
}

impl Users {
    /// The number of a user who is declared with this e-mail address, and perhaps with a number.
    ///
    /// # Errors
    /// When the user cannot have that number.
    pub fn number_of(
        &self,
        email: &Email,
        chosen: Option<UserId>,
    ) -> Result<UserId, DeclareUserRejection> {
        let id = self.declared_as(email).map(|user| user.id);
        match (id, chosen) {
            (None, None) => Ok(self.next_id()),
            (Some(id), None) => Ok(id),
            (Some(id), Some(chosen)) if id == chosen => Ok(id),
            (Some(id), Some(_)) => Err(DeclareUserRejection::NumberDiffers(id)),
            (None, Some(chosen)) if self.get(chosen).is_some() => {
                Err(DeclareUserRejection::NumberTaken(chosen))
            }
            (None, Some(chosen)) => Ok(chosen),
        }
    }
}

impl Command for Declare {
    type Of = Users;
    type Reply = UserId;
    type Rejection = DeclareUserRejection;

    fn decide(
        self,
        state: &Users,
        moment: &mut Moment<'_, UsersEvent>,
    ) -> Result<Decision<UsersEvent, UserId>, DeclareUserRejection> {
        let current = state.declared_as(&self.email).map(AsRef::as_ref);
        let id = state.number_of(&self.email, self.id)?;
        let last = current.and_then(|user| user.declared.as_deref());
        let declaration = Declaration {
            email: Some(self.email.clone()),
            name: self.name.clone(),
            is_admin: self.is_admin,
            password: self
                .password
                .clone()
                .or_else(|| last.and_then(|last| last.password.clone())),
        };
        let unchanged = current.filter(|_| last.is_some_and(|last| last.is_admin == self.is_admin));
        let standing = match current.map(|user| &user.standing) {
            Some(standing) if unchanged.is_some() => standing.clone(),
            _ if self.is_admin => Standing::Administrator,
            None | Some(Standing::Administrator) => Standing::Own(Box::new(self.denied)),
            Some(standing @ (Standing::Free | Standing::Role(_) | Standing::Own(_))) => {
                standing.clone()
            }
        };
        let renamed = last.is_none_or(|last| last.name != self.name);
        let name = match current {
            Some(user) if !renamed => user.name.clone(),
            Some(_) | None => self.name,
        };
        // Declared as before: the address is what it became since, unless it is only written otherwise.
        let renamed = current.filter(|user| {
            user.declared_email().map(Emails::folded) == Some(Emails::folded(&self.email))
                && Emails::folded(&user.email) != Emails::folded(&self.email)
        });
        let user = User {
            id,
            name,
            email: renamed.map_or(self.email, |user| user.email.clone()),
            lang: current.map_or(self.lang, |user| user.lang),
            standing,
            group: current.map_or(Group::DEFAULT, |user| user.group),
            active: match unchanged {
                Some(user) => user.active,
                None => self.is_admin || current.is_none_or(|user| user.active),
            },
            admitted_by: unchanged.and_then(|user| user.admitted_by.clone()),
            sessions_ended: current
                .map_or(0, |user| user.sessions_ended)
                .saturating_add(u64::from(current.is_some() && self.password.is_some())),
            password: self
                .password
                .or_else(|| current.and_then(|user| user.password.clone())),
            declared: Some(Box::new(declaration)),
            token: self.token,
            notifications: current.and_then(|user| user.notifications.clone()),
            away: current.and_then(|user| user.away),
        };
        if current == Some(&user) {
            return Ok(Decision::unchanged(id));
        }
        let action = if current.is_some() {
            "user.update"
        } else {
            "user.create"
        };
        let entry = AuditEntry::new(self.by, action, id, moment).of_account(state.account());
        let declared = Declared {
            audit: audit::of_user(entry, current, &user),
            user,
        };
        Ok(Decision::event(
            UsersEvent::Declared(Box::new(declared)),
            id,
        ))
    }
}
