//! An administrator switches users on or off, all of them or none. Administrators are never switched.

use std::fmt;

use crate::Decision;
use crate::account::users::{Users, UsersEvent};
use crate::audit::{AuditEntry, By};
use crate::id::UserId;
use switchboard_engine::state::{Command, Moment};

/// Users to be switched on or off. Repeating is harmless.
#[derive(Clone, Debug)]
pub struct ActivateUsers {
    /// The actor, for the audit log.
    pub by: By,
    /// The users to switch.
    pub users: Vec<UserId>,
    /// True when they may sign in afterwards.
    pub active: bool,
}

/// The rejection, with all users who cannot be switched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ActivateUsersRejection {
    /// The account has no users with these numbers.
    pub unknown: Vec<UserId>,
    /// These are administrators.
    pub administrators: Vec<UserId>,
}

impl fmt::Display for ActivateUsersRejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |users: &[UserId]| {
            let numbers: Vec<String> = users.iter().map(ToString::to_string).collect();
            numbers.join(", ")
        };
        if !self.unknown.is_empty() {
            let unknown = list(&self.unknown);
            write!(
                f,
                "User(s) {unknown} are not associated with provided account."
            )?;
        }
        if !self.administrators.is_empty() {
            let space = if self.unknown.is_empty() { "" } else { " " };
            let administrators = list(&self.administrators);
            write!(
                f,
                "{space}User(s) {administrators} are administrators and can be neither activated nor deactivated."
            )?;
        }
        Ok(())
    }
}

impl std::error::Error for ActivateUsersRejection {}

impl Command for ActivateUsers {
    type Of = Users;
    type Reply = ();
    type Rejection = ActivateUsersRejection;

    fn decide(
        self,
        state: &Users,
        moment: &mut Moment<'_, UsersEvent>,
    ) -> Result<Decision<UsersEvent, ()>, ActivateUsersRejection> {
        let mut rejection = ActivateUsersRejection::default();
        let mut ids = Vec::new();
        for id in self.users {
            match state.get(id) {
                None => rejection.unknown.push(id),
                Some(user) if user.is_admin() => rejection.administrators.push(id),
                Some(user) if user.active != self.active => ids.push(id),
                Some(_) => {}
            }
        }
        if rejection != ActivateUsersRejection::default() {
            return Err(rejection);
        }
        if ids.is_empty() {
            return Ok(Decision::unchanged(()));
        }
        let action = if self.active {
            "user.activate"
        } else {
            "user.deactivate"
        };
        let audit = ids.iter().map(|id| {
            AuditEntry::new(self.by.clone(), action, id, moment)
                .of_account(state.account())
                .change("is_active", !self.active, self.active)
        });
        let event = UsersEvent::Switched {
            audit: audit.collect(),
            client: self.by.client().cloned(),
            users: ids,
            active: self.active,
        };
        Ok(Decision::event(event, ()))
    }
}
