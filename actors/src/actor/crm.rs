//! The owner of an account's CRM.

use crate::domain::crm::Crm;
use crate::world::World;
use switchboard_engine::runtime::directory::Directory;
use switchboard_engine::runtime::owner::Owned;

impl Owned<World> for Crm {
    fn directory(world: &World) -> &Directory<Self, World> {
        &world.directories.crms
    }
}
