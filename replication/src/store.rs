//! A store: objects under keys, in a directory or an object store.

mod bounds;
mod directory;
mod installation;
mod keys;
pub mod location;
mod object;
mod objects;
pub mod probe;

pub use self::directory::Directory;
pub(crate) use self::installation::Installations;
pub use self::keys::IDENTITY;
pub(crate) use self::keys::{ENTRIES, ERASURES, LOG, NODES, REACHED, VOLUMES};
pub use self::object::ObjectStorage;
pub(crate) use self::objects::create_once;
pub use self::objects::{Created, Listed, Store, StoreError};
