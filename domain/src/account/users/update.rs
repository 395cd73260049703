//! The operator changes a user, an administrator one of their account, or users themselves.

use std::sync::Arc;

use crate::Decision;
use crate::account::audit;
use crate::account::password::{Password, PasswordHash};
use crate::account::presence::{Away, Presence};
use crate::account::rights::granted::Rights;
use crate::account::user::{Standing, User};
use crate::account::users::fields::UserFields;
use crate::account::users::{Declared, Users, UsersEvent};
use crate::audit::{AuditEntry, By};
use crate::id::UserId;
use crate::notifications::NotificationSettings;
use switchboard_engine::state::{Command, Moment};

/// A change that an administrator of the account makes of a user; what is `None` stays.
#[derive(Clone, Debug, Default)]
pub struct UserChange {
    /// The fields of the user.
    pub fields: UserFields,
    /// The source of the rights.
    pub standing: Option<Standing>,
    /// Another password, which ends all sessions of the user.
    pub password: Option<Password>,
}

/// Changes a user.
#[derive(Clone, Debug)]
pub struct UpdateUser {
    /// The actor, for the audit log.
    pub by: By,
    /// The user to change.
    pub id: UserId,
    /// The changes.
    pub change: UserFields,
    /// The new source of the rights, when the fields alone do not give it.
    pub standing: Option<Standing>,
    /// The limits of the actor: an administrator of the account has some, the operator has none.
    pub limits: ChangeLimits,
    /// The rights of a user who loses a flag and gets nothing in its place.
    pub denied: Rights,
    /// The hash of another password: it ends all sessions of the user.
    pub password: Option<PasswordHash>,
    /// Other notifications.
    pub notifications: Option<NotificationSettings>,
    /// Another presence.
    pub presence: Option<Presence>,
}

/// The limits of a change of a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeLimits {
    /// Everything may be changed.
    None,
    /// The rights and the password of administrators stay: they are changed by the operator, or by themselves.
    KeepsAdministrators,
}

/// The reason not to change a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UpdateUserRejection {
    /// The account has none with this number.
    #[error("the account has no such user")]
    Unknown,
    /// The account would have no active administrator left.
    #[error("this is the last active administrator of the account; make another one first")]
    LastAdministrator,
    /// The user is an administrator, and an administrator of the account wants to change rights or password.
    #[error("the operator changes the rights and the password of an administrator")]
    Administrator,
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

impl Command for UpdateUser {
    type Of = Users;
    type Reply = Arc<User>;
    type Rejection = UpdateUserRejection;

    fn decide(
        self,
        state: &Users,
        moment: &mut Moment<'_, UsersEvent>,
    ) -> Result<Decision<UsersEvent, Arc<User>>, UpdateUserRejection> {
        let current = state.get(self.id).ok_or(UpdateUserRejection::Unknown)?;
        let change = self.change;
        let loses = change.takes_away(&current.standing);
        let changes_access = change.standing().is_some()
            || loses
            || self.standing.is_some()
            || self.password.is_some();
        if current.is_admin() && changes_access && self.limits == ChangeLimits::KeepsAdministrators
        {
            return Err(UpdateUserRejection::Administrator);
        }
        let standing = change
            .standing()
            .or(self.standing)
            .or_else(|| loses.then(|| Standing::Own(Box::new(self.denied))));
        if let Some(Standing::Role(role)) = &standing
            && !state.roles().contains_key(role)
        {
            return Err(UpdateUserRejection::UnknownRole);
        }
        if let Some(group) = change.group_id
            && !state.groups().contains_key(&group)
        {
            return Err(UpdateUserRejection::UnknownGroup);
        }
        if let Some(email) = &change.email
            && state
                .by_email(email)
                .is_some_and(|other| other.id != self.id)
        {
            return Err(UpdateUserRejection::EmailTaken);
        }
        let active = change.is_active.unwrap_or(current.active);
        // Who is switched off, or has another password, signs in again.
        let ends = (current.active && !active) || self.password.is_some();
        let user = User {
            name: change.name.unwrap_or_else(|| current.name.clone()),
            email: change.email.unwrap_or_else(|| current.email.clone()),
            lang: change.lang.unwrap_or(current.lang),
            standing: standing.unwrap_or_else(|| current.standing.clone()),
            group: change.group_id.unwrap_or(current.group),
            active,
            admitted_by: current.admitted_once(active, self.by.client()),
            sessions_ended: current.sessions_ended.saturating_add(u64::from(ends)),
            password: self.password.or_else(|| current.password.clone()),
            notifications: match self.notifications {
                Some(settings) if settings == NotificationSettings::default() => None,
                Some(settings) => Some(Box::new(settings)),
                None => current.notifications.clone(),
            },
            away: Away::after(current.away, self.presence, moment.now),
            ..current.as_ref().clone()
        };
        let administers = |user: &User| user.active && user.is_admin();
        if administers(current) && !administers(&user) {
            let others = state.iter().filter(|other| other.id != user.id);
            if !others.into_iter().any(|other| administers(other)) {
                return Err(UpdateUserRejection::LastAdministrator);
            }
        }
        if *current.as_ref() == user {
            return Ok(Decision::unchanged(Arc::clone(current)));
        }
        let entry = AuditEntry::new(self.by, "user.update", user.id, moment);
        let audit = audit::of_user(entry.of_account(state.account()), Some(current), &user);
        let reply = Arc::new(user.clone());
        let event = UsersEvent::Declared(Box::new(Declared { user, audit }));
        Ok(Decision::event(event, reply))
    }
}
