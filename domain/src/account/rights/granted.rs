//! All that a role gives, or that a user without a role has.

use serde::{Deserialize, Serialize};

use crate::account::rights::entity::EntityRights;
use crate::account::rights::stage::StageRules;
use crate::account::rights::task::TaskRights;
use crate::crm::Pipeline;

/// The rights that a role gives its holders, or the own rights of a user without a role.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rights {
    /// Over leads; buyers inherit them.
    pub leads: EntityRights,
    /// Over contacts.
    pub contacts: EntityRights,
    /// Over companies.
    pub companies: EntityRights,
    /// Over tasks.
    pub tasks: TaskRights,
    /// To mail.
    pub mail_access: bool,
    /// To lists.
    pub catalog_access: bool,
    /// Over the leads of single stages.
    pub stages: StageRules,
}

impl Rights {
    /// Nothing is allowed, and the unsorted stages of these pipelines are mentioned.
    #[must_use]
    pub fn denied(pipelines: &[Pipeline]) -> Self {
        Self {
            leads: EntityRights::DENIED,
            contacts: EntityRights::DENIED,
            companies: EntityRights::DENIED,
            tasks: TaskRights::DENIED,
            mail_access: false,
            catalog_access: false,
            stages: StageRules::unsorted_denied(pipelines),
        }
    }

    /// Everything is allowed: what an administrator has.
    #[must_use]
    pub fn all() -> Self {
        Self {
            leads: EntityRights::ALL,
            contacts: EntityRights::ALL,
            companies: EntityRights::ALL,
            tasks: TaskRights::ALL,
            mail_access: true,
            catalog_access: true,
            stages: StageRules::default(),
        }
    }
}
