//! Groups are created and renamed.

use crate::Decision;
use crate::account::group::{GROUPS_MAX, Group};
use crate::account::users::{Users, UsersEvent};
use crate::audit::{AuditEntry, By};
use crate::id::GroupId;
use crate::text::Name;
use switchboard_engine::state::{Command, Moment};

/// Creates a group.
#[derive(Clone, Debug)]
pub struct CreateGroup {
    /// The actor, for the audit log.
    pub by: By,
    /// Its name; two groups may have the same.
    pub name: Name,
}

/// The rejection of a group: the account has too many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the account has {GROUPS_MAX} groups already")]
pub struct CreateGroupRejection;

impl Command for CreateGroup {
    type Of = Users;
    type Reply = Group;
    type Rejection = CreateGroupRejection;

    fn decide(
        self,
        state: &Users,
        moment: &mut Moment<'_, UsersEvent>,
    ) -> Result<Decision<UsersEvent, Group>, CreateGroupRejection> {
        if state.groups().len() >= GROUPS_MAX {
            return Err(CreateGroupRejection);
        }
        let group = Group {
            id: state.next_group(),
            name: self.name,
        };
        let audit = AuditEntry::new(self.by, "group.create", group.id, moment)
            .of_account(state.account())
            .change("name", None::<&str>, group.name.as_str());
        Ok(Decision::event(event(&group, audit), group))
    }
}

/// Gives a group another name.
#[derive(Clone, Debug)]
pub struct UpdateGroup {
    /// The actor, for the audit log.
    pub by: By,
    /// The group.
    pub id: GroupId,
    /// Its name; two groups may have the same.
    pub name: Name,
}

/// The rejection of an update: the account has no such group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the account has no such group")]
pub struct UpdateGroupRejection;

impl Command for UpdateGroup {
    type Of = Users;
    type Reply = Group;
    type Rejection = UpdateGroupRejection;

    fn decide(
        self,
        state: &Users,
        moment: &mut Moment<'_, UsersEvent>,
    ) -> Result<Decision<UsersEvent, Group>, UpdateGroupRejection> {
        let current = state.groups().get(&self.id).ok_or(UpdateGroupRejection)?;
        let group = Group {
            id: self.id,
            name: self.name,
        };
        if *current == group {
            return Ok(Decision::unchanged(group));
        }
        let audit = AuditEntry::new(self.by, "group.update", group.id, moment)
            .of_account(state.account())
            .change("name", current.name.as_str(), group.name.as_str());
        Ok(Decision::event(event(&group, audit), group))
    }
}

fn event(group: &Group, audit: AuditEntry) -> UsersEvent {
    UsersEvent::Group {
        group: group.clone(),
        audit: Box::new(audit),
    }
}
