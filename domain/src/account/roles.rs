//! The roles of an account.
//!
//! Who decides about roles is their owner; who they reach are users. Every change is handed on to the owner of the
//! users, and both records are one group: a role and its holders never disagree.

pub mod create;
pub mod delete;
pub mod update;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Decision;
use crate::account::audit;
use crate::account::role::Role;
use crate::audit::{AuditEntry, By};
use crate::id::{AccountId, RoleId};
use crate::kinds;
use crate::notice::Notice;
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::state::{Moment, State};
use switchboard_engine::stream::StreamKind;

/// The roles of one account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Roles {
    account: AccountId,
    roles: BTreeMap<RoleId, Role>,
    /// The number of the last role that was made: a number is never given again.
    last: u64,
}

/// A change of the roles, with its entries of the audit log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RolesEvent {
    /// The change.
    pub change: RolesChange,
    /// The audit entries.
    pub audit: Vec<AuditEntry>,
}

/// The change of the roles.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RolesChange {
    /// Roles are new, or are as follows now.
    Set(Vec<Role>),
    /// A role was deleted.
    Deleted(RoleId),
}

/// The answer of every command: the roles concerned, and what the owner of the users is to take in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Governed {
    /// The change; `None` when there was nothing to do.
    pub change: Option<RolesChange>,
    /// The roles concerned, as they are now.
    pub roles: Vec<Role>,
}

impl Roles {
    /// The account.
    #[must_use]
    pub fn account(&self) -> AccountId {
        self.account
    }

    /// The role with this number.
    #[must_use]
    pub fn get(&self, id: RoleId) -> Option<&Role> {
        self.roles.get(&id)
    }
}

impl State for Roles {
    type Id = AccountId;
    type Event = RolesEvent;
    type Notice = Notice;

    const KIND: StreamKind = kinds::ROLES;

    fn initial(id: &AccountId) -> Self {
        Self {
            account: *id,
            roles: BTreeMap::new(),
            last: 0,
        }
    }

    fn apply(&mut self, event: &RolesEvent) {
        match &event.change {
            RolesChange::Set(roles) => {
                for role in roles {
                    self.last = self.last.max(role.id.0);
                    self.roles.insert(role.id, role.clone());
                }
            }
            RolesChange::Deleted(id) => {
                self.roles.remove(id);
            }
        }
    }

    fn index(&self, event: &RolesEvent, entries: &mut IndexEntries) {
        for audit in &event.audit {
            audit.index(entries);
        }
    }
}

/// The decision that this happens: each role, as it was and as it is, gets its entry in the audit log.
fn governed(
    state: &Roles,
    change: RolesChange,
    by: By,
    action: &str,
    roles: Vec<Role>,
    moment: &mut Moment<'_, RolesEvent>,
) -> Decision<RolesEvent, Governed> {
    let is_deletion = matches!(change, RolesChange::Deleted(_));
    let audit = roles.iter().map(|role| {
        let entry = AuditEntry::new(by.clone(), action, role.id, moment).of_account(state.account);
        audit::of_role(
            entry,
            state.get(role.id),
            Some(role).filter(|_| !is_deletion),
        )
    });
    let event = RolesEvent {
        audit: audit.collect(),
        change: change.clone(),
    };
    let governed = Governed {
        change: Some(change),
        roles,
    };
    Decision::event(event, governed)
}

#[cfg(test)]
mod tests;
