//! The owner of a log: appends batches, and knows of each whether it is stored.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use super::entry::{Content, Entry, EntryId, Header};
use super::follower::End;
use super::lease::Lease;
use super::meter::OwnerMeter;
use super::settle::{Settled, Waiting, settle};
use super::{Place, SharedLog, Stored, position};
use crate::runtime::clock::Clock;
use crate::store::Seq;
use crate::store::disk::Disk;

/// An owner says that it lives when it has stored nothing for this part of its lease.
const BEATS: u32 = 3;

/// Why a batch is not stored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OwnerError {
    /// Another node owns the log. Nothing of the batch was answered.
    #[error("{by} owns the log now")]
    Deposed {
        /// The other node, or what is at the place of the batch.
        by: String,
    },
    /// The log will never store it.
    #[error("the log refuses a batch: {0}")]
    Refused(String),
    /// The process ends before the outcome is known. The next start finds out.
    #[error("whether the log has a batch is unknown: {0}")]
    Unknown(String),
}

/// The owner of a log.
pub struct Owner {
    log: Box<dyn SharedLog>,
    waiting: Box<dyn Waiting>,
    clock: Arc<dyn Clock>,
    lease: Lease,
    end: End,
    /// When the last append that the log has stored was begun.
    appended: Duration,
    meter: Arc<OwnerMeter>,
}

impl Owner {
    /// Goes on behind the claim at `end`, which was begun then.
    pub(super) fn new(
        log: Box<dyn SharedLog>,
        waiting: Box<dyn Waiting>,
        clock: Arc<dyn Clock>,
        lease: Lease,
        end: End,
        begun: Duration,
    ) -> Self {
        lease.extend(begun);
        let meter = Arc::<OwnerMeter>::default();
        meter.stored(end.place, end.last, lease.now().saturating_sub(begun));
        Self {
            meter,
            log,
            waiting,
            clock,
            lease,
            end,
            appended: begun,
        }
    }

    /// Whether the process ends.
    pub(super) fn is_ending(&self) -> bool {
        self.waiting.is_ending()
    }

    /// The lease that its entries renew.
    #[must_use]
    pub fn lease(&self) -> &Lease {
        &self.lease
    }

    /// What it has stored, for others to look at.
    #[must_use]
    pub fn meter(&self) -> Arc<OwnerMeter> {
        Arc::clone(&self.meter)
    }

    /// The end of the log.
    #[must_use]
    pub fn end(&self) -> &End {
        &self.end
    }

    /// How many bytes the groups of a batch have at most.
    #[must_use]
    pub fn batch_bytes_max(&self) -> usize {
        // The header has names of nodes only in claims.
        const HEADER_BYTES: usize = 1_024;
        self.log.entry_bytes_max().saturating_sub(HEADER_BYTES)
    }

    /// Stores groups in portable form, from the record behind the end up to `last`. Blocks until it is known whether the log
    /// has them.
    ///
    /// # Errors
    /// Why the log does not have them. After any error but a refusal, the owner stores nothing more.
    pub fn append(&mut self, last: Seq, groups: Vec<u8>) -> Result<(), OwnerError> {
        let first = Seq(self.end.last.0.saturating_add(1));
        self.store(Content::Batch { first }, last, groups)
    }

    /// Notes in the data directory that the local journal has, on disk, everything up to the end.
    ///
    /// # Errors
    /// When the disk refuses.
    pub(in crate::store) fn note(&self, disk: &dyn Disk) -> io::Result<()> {
        position::write(disk, &self.end)
    }

    /// How long it is until it has to say that it lives; zero when that is due.
    #[must_use]
    pub fn beat_in(&self) -> Duration {
        let due = self
            .appended
            .saturating_add(self.lease.length().div_f64(f64::from(BEATS)));
        due.saturating_sub(self.lease.now())
    }

    /// Says that it lives.
    ///
    /// # Errors
    /// As of [`Self::append`].
    pub fn beat(&mut self) -> Result<(), OwnerError> {
        self.store(Content::Beat, self.end.last, Vec::new())
    }

    /// Stops owning the log: another node may claim it at once.
    ///
    /// # Errors
    /// As of [`Self::append`].
    pub fn release(mut self) -> Result<(), OwnerError> {
        self.store(Content::Release, self.end.last, Vec::new())?;
        self.lease.end();
        Ok(())
    }

    fn store(&mut self, content: Content, last: Seq, groups: Vec<u8>) -> Result<(), OwnerError> {
        let begun = self.lease.now();
        let header = Header {
            place: self.end.place.next(),
            epoch: self.end.epoch,
            claim: self.end.claim,
            before: self.end.id,
            time: self.clock.now().get(),
            last,
            content,
        };
        let bytes = Entry { header, groups }.encode();
        match settle(
            self.log.as_mut(),
            self.end.place,
            &bytes,
            self.waiting.as_mut(),
        ) {
            Settled::Stored => {
                self.end.place = self.end.place.next();
                self.end.id = EntryId::of(&bytes);
                self.end.last = last;
                self.appended = begun;
                self.lease.extend(begun);
                let took = self.lease.now().saturating_sub(begun);
                self.meter.stored(self.end.place, last, took);
                Ok(())
            }
            Settled::Taken(other) => {
                self.lease.end();
                Err(OwnerError::Deposed { by: maker(&other) })
            }
            Settled::Refused(reason) => {
                // The next beat is due as if it had been stored: the log is not asked again at once.
                self.appended = begun;
                Err(OwnerError::Refused(reason))
            }
            Settled::Unknown(reason) => {
                self.lease.end();
                Err(OwnerError::Unknown(reason))
            }
        }
    }
}

/// Who made an entry, as far as it says so.
pub(super) fn maker(stored: &Stored) -> String {
    match Entry::decode(&stored.bytes).map(|entry| entry.header.content) {
        Ok(Content::Claim { claimant, .. }) => claimant.to_string(),
        Ok(Content::Begin { .. } | Content::Batch { .. } | Content::Beat | Content::Release)
        | Err(_) => {
            format!("the maker of the entry at place {}", stored.place)
        }
    }
}

impl std::fmt::Debug for Owner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Owner")
            .field("end", &self.end)
            .field("lease", &self.lease)
            .finish_non_exhaustive()
    }
}

impl End {
    /// The end of an empty log, for a journal that begins.
    #[must_use]
    pub fn beginning() -> Self {
        Self {
            place: Place(0),
            id: EntryId::default(),
            epoch: 0,
            claim: Place(0),
            last: Seq(0),
            owner: None,
        }
    }
}
