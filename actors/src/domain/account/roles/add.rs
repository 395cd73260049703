//! An administrator adds roles, all of them or none.

use crate::domain::account::rights::granted::Rights;
use crate::domain::account::role::Role;
use crate::domain::account::roles::{Governed, Roles, RolesEvent};
use crate::domain::id::RoleId;
use crate::domain::text::RoleName;
use crate::domain::{Command, Decision, Moment, Recorded};

/// The most roles of one request.
pub const BATCH_MAX: usize = 10;
/// The most roles of one account.
pub const ROLES_MAX: usize = 1_000;

/// Roles to be added.
#[derive(Clone, Debug)]
pub struct AddRoles(pub Vec<NewRole>);

/// A role to be added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRole {
    /// Its name.
    pub name: RoleName,
    /// What it gives its holders.
    pub rights: Rights,
}

/// Why roles cannot be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an account has at most {ROLES_MAX} roles; delete some that nobody needs")]
pub struct TooManyRoles;

impl Command for AddRoles {
    type Of = Roles;
    type Reply = Governed;
    type Rejection = TooManyRoles;

    fn decide(
        self,
        state: &Roles,
        _found: &[Option<Recorded<RolesEvent>>],
        _moment: &mut Moment<'_>,
    ) -> Result<Decision<RolesEvent, Governed>, TooManyRoles> {
        if state.roles.len().saturating_add(self.0.len()) > ROLES_MAX {
            return Err(TooManyRoles);
        }
        let first = state.last.saturating_add(1);
        let roles: Vec<Role> = (first..)
            .zip(self.0)
            .map(|(number, new)| Role {
                id: RoleId(number),
                name: new.name,
                rights: new.rights,
            })
            .collect();
        Ok(Governed::by(RolesEvent::Set(roles.clone()), roles))
    }
}

impl Governed {
    /// The decision that this happens.
    pub(super) fn by(event: RolesEvent, roles: Vec<Role>) -> Decision<RolesEvent, Self> {
        Decision {
            events: vec![event.clone().into()],
            notices: Vec::new(),
            reply: Self {
                event: Some(event),
                roles,
            },
        }
    }
}
