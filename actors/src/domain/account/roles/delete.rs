//! An administrator deletes a role. Its holders keep the rights that it gave them, as rights of their own.

use crate::domain::account::roles::{Governed, Roles, RolesEvent};
use crate::domain::id::RoleId;
use crate::domain::{Command, Decision, Moment, Recorded};

/// A role to be deleted.
#[derive(Clone, Copy, Debug)]
pub struct DeleteRole(pub RoleId);

/// The account has no such role: it never had, or it was deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no such role")]
pub struct UnknownRole;

impl Command for DeleteRole {
    type Of = Roles;
    type Reply = Governed;
    type Rejection = UnknownRole;

    fn decide(
        self,
        state: &Roles,
        _found: &[Option<Recorded<RolesEvent>>],
        _moment: &mut Moment<'_>,
    ) -> Result<Decision<RolesEvent, Governed>, UnknownRole> {
        let role = state.get(self.0).ok_or(UnknownRole)?;
        Ok(Governed::by(
            RolesEvent::Deleted(role.id),
            vec![role.clone()],
        ))
    }
}
