//! Reads of stored queues that need no writer.

use super::QueueRows;
use switchboard_engine::store::tables::{KeyRange, ScanOrder};
use switchboard_runtime::error::UnavailableError;
use switchboard_runtime::shared::Kernel;

/// The number of rows that are counted at a time.
const COUNTED: usize = 1_024;

/// Counts the deliveries that wait for a destination, up to `max`.
pub(crate) fn count<K: QueueRows>(
    kernel: &Kernel,
    endpoint: K::Endpoint,
    max: usize,
) -> Result<usize, UnavailableError> {
    let mut range = KeyRange::prefix(&K::endpoint_prefix(endpoint));
    let mut count = 0_usize;
    loop {
        let most = max.saturating_sub(count).min(COUNTED);
        let rows = kernel
            .index
            .scan(K::QUEUED, &range, ScanOrder::Ascending, most)?;
        count = count.saturating_add(rows.len());
        match rows.last() {
            Some((last, _)) if rows.len() == most && count < max => {
                range = range.behind(last.clone(), ScanOrder::Ascending);
            }
            Some(_) | None => return Ok(count),
        }
    }
}

/// The value of a read; a failure is logged, and the delivery stays in its queue.
pub(crate) fn readable<K: QueueRows, T>(read: Result<T, UnavailableError>) -> Option<T> {
    read.inspect_err(|error| tracing::error!(%error, "the queue of {} cannot be read", K::OWNER))
        .ok()
}
