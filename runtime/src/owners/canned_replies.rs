//! The owner of an account's canned replies.

use crate::shared::Shared;
use switchboard_domain::canned_replies::CannedReplies;
use switchboard_engine::runtime::directory::Directory;
use switchboard_engine::runtime::owner::Owned;

impl Owned<Shared> for CannedReplies {
    fn directory(shared: &Shared) -> &Directory<Self, Shared> {
        &shared.directories.canned_replies
    }
}
