//! The summary of a shared log, for people.

use switchboard_engine::store::Seq;
use switchboard_engine::time::UnixMillis;

use super::follow_error::FollowError;
use super::log::{LogRange, SharedLog};
use super::lookup::{entry_at, owner_of};
use crate::entry::{Claimant, Content};
use crate::position::Position;

/// A shared log at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The process that made the newest claim.
    pub owner: Option<Claimant>,
    /// The node that is to begin the log, as long as none has claimed it.
    pub first: Option<String>,
    /// True when that node has released the log since.
    pub released: bool,
    /// The number of claims.
    pub epoch: u64,
    /// From where to where it has entries.
    pub range: LogRange,
    /// The last record that it has.
    pub last: Seq,
    /// The time at which the newest entry was made, by the clock of its maker.
    pub time: UnixMillis,
}

/// Reads the newest entry of a log, and the claim that it belongs to. `None`: the log is empty.
///
/// # Errors
/// When the log cannot be read, or has an entry that this version cannot read.
pub fn summary(log: &mut dyn SharedLog) -> Result<Option<Summary>, FollowError> {
    let Some(range) = log.range()? else {
        return Ok(None);
    };
    let newest = entry_at(log, range.newest)?.header;
    let first = newest.content.order().map(str::to_owned);
    let owner = match first {
        Some(_) => None,
        None => owner_of(log, newest.claim)?,
    };
    Ok(Some(Summary {
        owner,
        first,
        released: newest.content == Content::Release,
        epoch: newest.epoch,
        range,
        last: newest.last,
        time: newest.time,
    }))
}

/// The newest entry of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Newest {
    /// Its position.
    pub position: Position,
    /// The time at which it was made, by the clock of its maker.
    pub time: UnixMillis,
}

/// Reads the newest entry behind a position; `None`: there is none.
///
/// # Errors
/// When the log cannot be read, or has an entry that this version cannot read.
pub fn newest(log: &mut dyn SharedLog, after: Position) -> Result<Option<Newest>, FollowError> {
    let Some(span) = log.span(after.next())? else {
        return Ok(None);
    };
    let position = span.newest;
    let time = entry_at(log, position)?.header.time;
    Ok(Some(Newest { position, time }))
}
