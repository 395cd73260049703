//! The owner of an account's templates.

use crate::shared::Shared;
use switchboard_domain::templates::Templates;
use switchboard_engine::runtime::directory::Directory;
use switchboard_engine::runtime::owner::Owned;

impl Owned<Shared> for Templates {
    fn directory(shared: &Shared) -> &Directory<Self, Shared> {
        &shared.directories.templates
    }
}
