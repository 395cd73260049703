//! Deletes a group that has no users.

use crate::Decision;
use crate::account::group::Group;
use crate::account::users::{Users, UsersEvent};
use crate::audit::{AuditEntry, By};
use crate::id::GroupId;
use switchboard_engine::state::{Command, Moment};

/// Deletes a group.
#[derive(Clone, Debug)]
pub struct DeleteGroup {
    /// The actor, for the audit log.
    pub by: By,
    /// The group to delete.
    pub id: GroupId,
}

/// The reason not to delete a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DeleteGroupRejection {
    /// There is none with this number.
    #[error("the account has no such group")]
    Unknown,
    /// It is the default one.
    #[error(
        "users are put into this group when no other is named, so it stays; give it another name instead"
    )]
    Default,
    /// This many users are in the group. A group decides what its users and others may see, so deletion moves no user
    /// as a side effect.
    #[error("{0} of the account's users are in this group; put them into another one first")]
    InUse(usize),
}

impl Command for DeleteGroup {
    type Of = Users;
    type Reply = ();
    type Rejection = DeleteGroupRejection;

    fn decide(
        self,
        state: &Users,
        moment: &mut Moment<'_, UsersEvent>,
    ) -> Result<Decision<UsersEvent, ()>, DeleteGroupRejection> {
        let group = state
            .groups()
            .get(&self.id)
            .ok_or(DeleteGroupRejection::Unknown)?;
        if group.id == Group::DEFAULT {
            return Err(DeleteGroupRejection::Default);
        }
        match state.iter().filter(|user| user.group == group.id).count() {
            0 => {}
            users => return Err(DeleteGroupRejection::InUse(users)),
        }
        let audit = AuditEntry::new(self.by, "group.delete", group.id, moment)
            .of_account(state.account())
            .change("name", group.name.as_str(), serde_json::Value::Null);
        let event = UsersEvent::GroupDeleted {
            group: group.id,
            audit: Box::new(audit),
        };
        Ok(Decision::event(event, ()))
    }
}
