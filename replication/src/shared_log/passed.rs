//! The nodes that have the log up to a position, as far as they say so.

use super::log::{LogError, SharedLog};
use crate::position::Position;

/// Returns whether every node but this one that has left its word at the log has the log up to this position.
///
/// # Errors
/// When the log cannot be read now.
pub fn have_passed(
    log: &mut dyn SharedLog,
    this_node: &str,
    position: Position,
) -> Result<bool, LogError> {
    let reports = log.reports()?;
    let mut others = reports.iter().filter(|report| report.node != this_node);
    Ok(others.all(|report| report.position >= position))
}
