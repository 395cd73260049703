//! The owner of an account's CRM.

use crate::domain::crm::Crm;
use crate::world::World;
use switchboard_engine::runtime::directory::Directory;
use switchboard_engine::runtime::owner::Owned;

impl Owned for Crm {
    type World = World;

    fn directory(world: &World) -> &Directory<Self> {
        &world.directories.crms
    }
}
