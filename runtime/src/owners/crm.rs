//! The owner of an account's CRM.

use crate::shared::Shared;
use switchboard_domain::crm::Crm;
use switchboard_engine::runtime::directory::Directory;
use switchboard_engine::runtime::owner::Owned;

impl Owned<Shared> for Crm {
    fn directory(shared: &Shared) -> &Directory<Self, Shared> {
        &shared.directories.crms
    }
}
