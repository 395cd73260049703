//! The demand of a follower on a log: that it ends where the node has followed it to.

use super::Follower;
use crate::position::Position;
use crate::shared_log::follow_error::FollowError;
use crate::shared_log::log::SharedLog;

impl Follower {
    /// A log that shows nothing behind the end has its newest entry there, or nothing yet.
    pub(super) fn check_end(&self, log: &mut dyn SharedLog) -> Result<(), FollowError> {
        let position = self.end.position;
        if let Some(behind) = log.span(position.next())? {
            let oldest = behind.first;
            return match oldest > position.next() {
                true => Err(FollowError::Gap { position, oldest }),
                false => Ok(()),
            };
        }
        if position == Position(0) || log.span(position)?.is_some() {
            return Ok(());
        }
        let newest = log.range()?.map(|range| range.newest);
        match newest {
            None => Err(FollowError::Absent { position }),
            Some(newest) if newest >= position => Ok(()),
            Some(newest) => Err(FollowError::Forked {
                position,
                reason: format!("the newest entry is that of place {newest}"),
            }),
        }
    }
}
