//! The owner of an account's deal book.

use crate::domain::book::Book;
use crate::world::World;
use switchboard_engine::runtime::directory::Directory;
use switchboard_engine::runtime::owner::Owned;

impl Owned for Book {
    type World = World;

    fn directory(world: &World) -> &Directory<Self> {
        &world.directories.books
    }
}
