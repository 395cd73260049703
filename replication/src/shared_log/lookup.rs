//! Single entries of a log, by their positions.

use std::time::Duration;

use super::follow_error::FollowError;
use super::log::{LogError, SharedLog, Stored};
use crate::entry::Claimant;
use crate::entry::{Entry, EntryHeader};
use crate::position::Position;

/// The process that made the claim at this position, if it is one.
pub(super) fn owner_of(
    log: &mut dyn SharedLog,
    claim: Position,
) -> Result<Option<Claimant>, FollowError> {
    let content = entry_at(log, claim)?.header.content;
    Ok(content.claim().map(|claim| claim.claimant.clone()))
}

/// The entry at a position that has one.
pub(super) fn entry_at(log: &mut dyn SharedLog, position: Position) -> Result<Entry, FollowError> {
    stored_at(log, position)?.decode()
}

/// The bytes at a position that has an entry.
pub(super) fn stored_at(log: &mut dyn SharedLog, position: Position) -> Result<Stored, LogError> {
    let entries = log.read(position.previous(), Duration::ZERO)?;
    let entry = entries.into_iter().find(|it| it.position == position);
    entry.ok_or_else(|| LogError(format!("it does not show the entry at place {position}")))
}

impl Stored {
    /// The entry that it is.
    pub(super) fn decode(&self) -> Result<Entry, FollowError> {
        let position = self.position;
        Entry::decode(&self.bytes).map_err(|error| FollowError::unreadable(position, error))
    }

    /// The name of its maker, as far as it says so.
    pub(super) fn maker(&self) -> String {
        let header = EntryHeader::decode(&self.bytes);
        let claim = header.as_ref().ok().and_then(|it| it.content.claim());
        claim.map_or_else(
            || format!("the maker of the entry at place {}", self.position),
            |claim| claim.claimant.to_string(),
        )
    }
}
