//! The operator changes a user.

use std::sync::Arc;

use crate::domain::Decision;
use crate::domain::account::password::PasswordHash;
use crate::domain::account::told;
use crate::domain::account::user::{Standing, User};
use crate::domain::account::users::{Declared, Users, UsersEvent};
use crate::domain::audit::{AuditEntry, By};
use crate::domain::id::{GroupId, UserId};
use crate::domain::installation::accounts::Lang;
use crate::domain::text::Name;
use crate::domain::text::email::Email;
use switchboard_engine::state::{Command, Moment, Recorded};

/// Changes a user; what is `None` stays.
#[derive(Clone, Debug)]
pub struct ChangeUser {
    /// Who does it.
    pub by: By,
    /// Which user.
    pub id: UserId,
    /// The full name.
    pub name: Option<Name>,
    /// The e-mail address, with which the user signs in from then on.
    pub email: Option<Email>,
    /// The language.
    pub lang: Option<Lang>,
    /// Where the rights come from.
    pub standing: Option<Standing>,
    /// The group.
    pub group: Option<GroupId>,
    /// Whether the user may come in.
    pub active: Option<bool>,
    /// The hash of another password: it ends all sessions of the user.
    pub password: Option<PasswordHash>,
}

impl ChangeUser {
    /// Nothing is to be different.
    #[must_use]
    pub fn nothing(by: By, id: UserId) -> Self {
        Self {
            by,
            id,
            name: None,
            email: None,
            lang: None,
            standing: None,
            group: None,
            active: None,
            password: None,
        }
    }
}

/// Why a user is not changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChangeUserRejection {
    /// The account has none with this number.
    #[error("the account has no such user")]
    Unknown,
    /// Nobody would be left to administer the account.
    #[error("this is the last active administrator of the account; make another one first")]
    LastAdministrator,
    /// Another user of the account has the address, in whatever case.
    #[error("another user of this account has this address")]
    EmailTaken,
    /// The account has no such role.
    #[error("expected the id of a role of this account")]
    UnknownRole,
    /// The account has no such group.
    #[error("expected the id of a group of this account")]
    UnknownGroup,
}

impl Command for ChangeUser {
    type Of = Users;
    type Reply = Arc<User>;
    type Rejection = ChangeUserRejection;

    fn decide(
        self,
        state: &Users,
        _found: &[Option<Recorded<UsersEvent>>],
        moment: &mut Moment<'_>,
    ) -> Result<Decision<UsersEvent, Arc<User>>, ChangeUserRejection> {
        let known = state.get(self.id).ok_or(ChangeUserRejection::Unknown)?;
        if let Some(Standing::Role(role)) = &self.standing
            && !state.roles().contains_key(role)
        {
            return Err(ChangeUserRejection::UnknownRole);
        }
        if let Some(group) = self.group
            && !state.groups().contains_key(&group)
        {
            return Err(ChangeUserRejection::UnknownGroup);
        }
        if let Some(email) = &self.email
            && state
                .by_email(email)
                .is_some_and(|other| other.id != self.id)
        {
            return Err(ChangeUserRejection::EmailTaken);
        }
        let active = self.active.unwrap_or(known.active);
        // Who is switched off, or has another password, signs in again.
        let ends = (known.active && !active) || self.password.is_some();
        let user = User {
            name: self.name.unwrap_or_else(|| known.name.clone()),
            email: self.email.unwrap_or_else(|| known.email.clone()),
            lang: self.lang.unwrap_or(known.lang),
            standing: self.standing.unwrap_or_else(|| known.standing.clone()),
            group: self.group.unwrap_or(known.group),
            active,
            sessions_ended: known.sessions_ended.saturating_add(u64::from(ends)),
            password: self.password.or_else(|| known.password.clone()),
            ..known.as_ref().clone()
        };
        let administers = |user: &User| user.active && user.is_admin();
        if administers(known) && !administers(&user) {
            let others = state.iter().filter(|other| other.id != user.id);
            if !others.into_iter().any(|other| administers(other)) {
                return Err(ChangeUserRejection::LastAdministrator);
            }
        }
        if *known.as_ref() == user {
            return Ok(Decision::unchanged(Arc::clone(known)));
        }
        let entry = AuditEntry::new(self.by, "user.change", user.id, moment);
        let audit = told::of_user(entry.of_account(state.account()), Some(known), &user);
        let reply = Arc::new(user.clone());
        let event = UsersEvent::Declared(Box::new(Declared { user, audit }));
        Ok(Decision::event(event, reply))
    }
}
