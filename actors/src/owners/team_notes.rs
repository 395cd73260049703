//! The owner of the notes of the team in a conversation.

use crate::domain::team_notes::TeamNotes;
use crate::shared::Shared;
use switchboard_engine::runtime::directory::Directory;
use switchboard_engine::runtime::owner::Owned;

impl Owned<Shared> for TeamNotes {
    fn directory(shared: &Shared) -> &Directory<Self, Shared> {
        &shared.directories.team_notes
    }
}
