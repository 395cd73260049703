//! The owner of an account's salesbots.

use crate::shared::Shared;
use switchboard_domain::salesbots::Salesbots;
use switchboard_engine::runtime::directory::Directory;
use switchboard_engine::runtime::owner::Owned;

impl Owned<Shared> for Salesbots {
    fn directory(shared: &Shared) -> &Directory<Self, Shared> {
        &shared.directories.salesbots
    }
}
