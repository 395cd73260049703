//! The beginning of a node whose data directory comes from the archive: the log need not go back to its first entry any more.

use switchboard_engine::store::Seq;

use super::follow_error::FollowError;
use super::log::SharedLog;
use super::lookup::{entry_at, owner_of};
use crate::log_end::LogEnd;
use crate::position::Position;

/// Moves the end of a node that has followed nothing yet to the oldest entry that the log has. `local`: the last record of the
/// local journal, which must have everything before that entry.
pub(super) fn start_from_archive(
    end: &mut LogEnd,
    local: Seq,
    log: &mut dyn SharedLog,
) -> Result<(), FollowError> {
    let oldest = match log.range()? {
        Some(range) if range.oldest > Position(1) => range.oldest,
        Some(_) | None => return Ok(()),
    };
    let header = entry_at(log, oldest)?.header;
    let last = header.last_before();
    if last > local {
        let position = end.position;
        return Err(FollowError::Gap { position, oldest });
    }
    let is_claim = header.claim == oldest;
    *end = LogEnd {
        position: oldest.previous(),
        id: header.before,
        epoch: header.epoch.saturating_sub(u64::from(is_claim)),
        claim: header.claim,
        last,
        owner: owner_of(log, header.claim)?,
    };
    Ok(())
}
