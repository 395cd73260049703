//! The account's roles change: their owner hands it over, to be stored in one group with its own record.

use std::convert::Infallible;

use crate::Decision;
use crate::account::roles::RolesChange;
use crate::account::users::{RolesTaken, Users, UsersEvent};
use crate::audit::{AuditEntry, By};
use switchboard_engine::state::{Command, Moment};

/// The consequences of a change of the roles. Never rejected: the decision about the roles knew all facts.
#[derive(Clone, Debug)]
pub struct TakeRoles {
    /// The actor, for the audit log.
    pub by: By,
    /// The change of the roles.
    pub change: RolesChange,
}

impl Command for TakeRoles {
    type Of = Users;
    type Reply = ();
    type Rejection = Infallible;

    fn decide(
        self,
        state: &Users,
        moment: &mut Moment<'_, UsersEvent>,
    ) -> Result<Decision<UsersEvent, ()>, Infallible> {
        let audit = match &self.change {
            RolesChange::Set(_) => None,
            // Its owner notes that the role is gone; how many it was taken from is known here.
            RolesChange::Deleted(role) => {
                let holders = state.holders().get(role).map_or(0, Vec::len);
                let entry = AuditEntry::new(self.by, "role.release", role, moment);
                (holders > 0).then(|| {
                    entry
                        .of_account(state.account())
                        .change("holders", holders, 0)
                })
            }
        };
        let event = RolesTaken {
            change: self.change,
            audit,
        };
        Ok(Decision::event(UsersEvent::Roles(Box::new(event)), ()))
    }
}
