//! A judge of the records up to a limit: every node of a shared log erases the same ones, whenever it comes to that.

use crate::domain::erasures::certificate::ErasedCounts;
use crate::domain::id::{AccountId, ContactId};
use crate::system::erasures::ErasureFailure;
use crate::system::erasures::judge::{Judge, Scan};
use switchboard_engine::store::erasure::Verdict;
use switchboard_engine::store::{ReadError, Record, Seq};

/// A judge that keeps everything behind a record.
pub(super) struct Until {
    judge: Box<dyn Judge>,
    upto: Seq,
}

/// The judge for the records up to this one; `None`: for all.
pub(super) fn until(judge: Box<dyn Judge>, upto: Option<Seq>) -> Box<dyn Judge> {
    match upto {
        Some(upto) => Box::new(Until { judge, upto }),
        None => judge,
    }
}

/// The records up to this one; `None`: all.
pub(super) fn records<'s>(
    scan: Scan<'s>,
    upto: Option<Seq>,
) -> Box<dyn Iterator<Item = Result<Record, ReadError>> + 's> {
    let counts = move |record: &Result<Record, ReadError>| {
        let seq = record.as_ref().map(|record| record.seq);
        seq.map_or(true, |seq| upto.is_none_or(|upto| seq <= upto))
    };
    Box::new(scan().take_while(counts))
}

impl Judge for Until {
    fn verdict(&mut self, record: &Record) -> Result<Verdict, ErasureFailure> {
        if record.seq > self.upto {
            return Ok(Verdict::Keep);
        }
        self.judge.verdict(record)
    }

    fn counts(&self) -> ErasedCounts {
        self.judge.counts()
    }

    fn contact(&self) -> Option<ContactId> {
        self.judge.contact()
    }

    fn whole_account(&self) -> Option<AccountId> {
        self.judge.whole_account()
    }

    fn copy(&self) -> Box<dyn Judge> {
        Box::new(Self {
            judge: self.judge.copy(),
            upto: self.upto,
        })
    }

    fn follow(&mut self, later: Scan<'_>) -> Result<bool, ErasureFailure> {
        let upto = Some(self.upto);
        self.judge.follow(&|| records(later, upto))
    }
}
