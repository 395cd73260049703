//! Groups are made and renamed.

use crate::Decision;
use crate::account::group::{GROUPS_MAX, Group};
use crate::account::users::{Users, UsersEvent};
use crate::audit::{AuditEntry, By};
use crate::id::GroupId;
use crate::text::Name;
use switchboard_engine::state::{Command, Moment};

/// Makes a group, or gives one another name.
#[derive(Clone, Debug)]
pub struct SetGroup {
    /// The actor, for the audit log.
    pub by: By,
    /// The group to rename; `None` creates one.
    pub id: Option<GroupId>,
    /// Its name; two groups may have the same.
    pub name: Name,
}

/// The reason not to create or rename a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetGroupRejection {
    /// There is none with this number.
    #[error("the account has no such group")]
    Unknown,
    /// There are too many.
    #[error("the account has {GROUPS_MAX} groups already")]
    Full,
}

impl Command for SetGroup {
    type Of = Users;
    type Reply = Group;
    type Rejection = SetGroupRejection;

    fn decide(
        self,
        state: &Users,
        moment: &mut Moment<'_, UsersEvent>,
    ) -> Result<Decision<UsersEvent, Group>, SetGroupRejection> {
        let groups = state.groups();
        let current = match self.id {
            Some(id) => Some(groups.get(&id).ok_or(SetGroupRejection::Unknown)?),
            None if groups.len() >= GROUPS_MAX => return Err(SetGroupRejection::Full),
            None => None,
        };
        let group = Group {
            id: current.map_or_else(|| state.next_group(), |group| group.id),
            name: self.name,
        };
        if current == Some(&group) {
            return Ok(Decision::unchanged(group));
        }
        let action = if current.is_some() {
            "group.change"
        } else {
            "group.create"
        };
        let before = current.map(|group| group.name.as_str());
        let audit = AuditEntry::new(self.by, action, group.id, moment)
            .of_account(state.account())
            .change("name", before, group.name.as_str());
        let event = UsersEvent::Group {
            group: group.clone(),
            audit: Box::new(audit),
        };
        Ok(Decision::event(event, group))
    }
}
