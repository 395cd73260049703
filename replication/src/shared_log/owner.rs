//! The owner of a log: appends batches, and knows of each whether it is stored.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use switchboard_engine::store::Seq;
use switchboard_engine::store::disk::Disk;
use switchboard_engine::store::log_owner::{LogOwner, OwnerError};

use super::follower::POSITION;
use super::lease::Lease;
use super::log::SharedLog;
use super::meter::OwnerMeter;
use super::resolve_append::{Resolved, RetryPause, resolve_append};
use super::takeover::OwnerClocks;
use crate::entry::{Content, Entry};
use crate::log_end::LogEnd;

/// A heartbeat is due when the owner has stored nothing for this part of its lease.
const HEARTBEATS: u32 = 3;

/// The owner of a log.
pub struct Owner {
    log: Box<dyn SharedLog>,
    waiting: Box<dyn RetryPause>,
    clocks: OwnerClocks,
    end: LogEnd,
    /// The beginning of the last append that the log has stored.
    appended: Duration,
    meter: Arc<OwnerMeter>,
}

impl Owner {
    /// Goes on behind the claim at `end`, whose append began then.
    pub(super) fn new(
        log: Box<dyn SharedLog>,
        waiting: Box<dyn RetryPause>,
        clocks: OwnerClocks,
        end: LogEnd,
        start: Duration,
    ) -> Self {
        let lease = &clocks.lease;
        lease.extend(start);
        let meter = Arc::<OwnerMeter>::default();
        meter.stored(end.position, end.last, lease.now().saturating_sub(start));
        Self {
            meter,
            log,
            waiting,
            clocks,
            end,
            appended: start,
        }
    }

    /// Returns whether the process ends.
    pub(super) fn is_ending(&self) -> bool {
        self.waiting.is_ending()
    }

    /// The lease that its entries renew.
    #[must_use]
    pub fn lease(&self) -> &Lease {
        &self.clocks.lease
    }

    /// Its appends, for others to look at.
    #[must_use]
    pub fn meter(&self) -> Arc<OwnerMeter> {
        Arc::clone(&self.meter)
    }

    /// The end of the log.
    #[must_use]
    pub fn end(&self) -> &LogEnd {
        &self.end
    }

    fn store(&mut self, last: Seq, content: Content, body: Vec<u8>) -> Result<(), OwnerError> {
        let lease = &self.clocks.lease;
        let start = lease.now();
        let header = self.end.next_header(self.clocks.clock.now(), last, content);
        let entry = Entry::new(header, body);
        let (log, waiting) = (self.log.as_mut(), self.waiting.as_mut());
        match resolve_append(log, self.end.position, &entry.encode(), waiting) {
            Resolved::Stored => {
                self.end.advance(&entry);
                self.appended = start;
                lease.extend(start);
                let took = lease.now().saturating_sub(start);
                self.meter.stored(self.end.position, last, took);
                Ok(())
            }
            Resolved::Taken(other) => {
                lease.end();
                Err(OwnerError::Deposed { by: other.maker() })
            }
            Resolved::Refused(reason) => {
                // The next heartbeat is due as if it had been stored: the log is not asked again at once.
                self.appended = start;
                Err(OwnerError::Refused(reason))
            }
            Resolved::Unknown(reason) => {
                lease.end();
                Err(OwnerError::Unknown(reason))
            }
        }
    }
}

impl LogOwner for Owner {
    fn batch_bytes_max(&self) -> usize {
        // The header has names of nodes only in claims.
        const HEADER_BYTES: usize = 1_024;
        self.log.entry_bytes_max().saturating_sub(HEADER_BYTES)
    }

    fn append(&mut self, last: Seq, groups: Vec<u8>) -> Result<(), OwnerError> {
        let first = Seq(self.end.last.0.saturating_add(1));
        self.store(last, Content::groups(first, &groups), groups)
    }

    fn heartbeat_in(&self) -> Duration {
        let lease = self.lease();
        let pause = lease.length().div_f64(f64::from(HEARTBEATS));
        let due = self.appended.saturating_add(pause);
        due.saturating_sub(lease.now())
    }

    fn heartbeat(&mut self) -> Result<(), OwnerError> {
        self.store(self.end.last, Content::Heartbeat, Vec::new())
    }

    fn note(&self, disk: &dyn Disk) -> io::Result<()> {
        POSITION.write(disk, &self.end)
    }

    fn release(&mut self) -> Result<(), OwnerError> {
        self.store(self.end.last, Content::Release, Vec::new())?;
        self.clocks.lease.end();
        Ok(())
    }
}

impl std::fmt::Debug for Owner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Owner")
            .field("end", &self.end)
            .field("lease", &self.clocks.lease)
            .finish_non_exhaustive()
    }
}
