//! The owner of an account's saved views.

use crate::shared::Shared;
use switchboard_domain::saved_views::SavedViews;
use switchboard_engine::runtime::directory::Directory;
use switchboard_engine::runtime::owner::Owned;

impl Owned<Shared> for SavedViews {
    fn directory(shared: &Shared) -> &Directory<Self, Shared> {
        &shared.directories.saved_views
    }
}
