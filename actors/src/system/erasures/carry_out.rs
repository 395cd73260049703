//! Carries out the erasures that wait, while no system uses the store.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::domain::erasures::certificate::Certificate;
use crate::domain::erasures::{Erasure, ErasureState, Erasures, ErasuresEvent};
use crate::domain::id::{AccountId, MediaId};
use crate::domain::time::UnixMillis;
use crate::system::erasures::ErasureFailure;
use crate::system::erasures::judge::{event, ordered, replaced};
use crate::system::erasures::plan::judge_of;
use crate::system::erasures::tally::Tally;
use switchboard_engine::state::State;
use switchboard_engine::store::disk::Disk;
use switchboard_engine::store::erasure::list::RecordRanges;
use switchboard_engine::store::erasure::{ClosedStore, Verdict};
use switchboard_engine::store::tables::TablesHome;
use switchboard_engine::store::{ReadError, Record};

/// What became of an erasure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CarriedOut {
    /// Its number.
    pub number: u64,
    /// What was erased, or why nothing was.
    pub outcome: Result<Certificate, String>,
}

/// What the list of an erasure keeps for the keeper of files: those that are to be removed as well.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErasureNote {
    /// The account whose files they are; `None`: of any.
    pub account: Option<AccountId>,
    /// Whether all files of the account are to be removed.
    pub all_files: bool,
    /// The files.
    pub files: BTreeSet<MediaId>,
}

/// Carries out the erasures that wait and are not among these, which failed before. No system uses the store meanwhile.
///
/// # Errors
/// When the store cannot be used at all. An erasure that fails does not keep the others from being carried out.
pub(super) fn carry_out(
    disk: &Arc<dyn Disk>,
    tables: &Arc<dyn TablesHome>,
    failed: &[u64],
    now: impl Fn() -> UnixMillis,
) -> Result<Vec<CarriedOut>, ErasureFailure> {
    let mut seen: BTreeSet<u64> = failed.iter().copied().collect();
    let mut done = Vec::new();
    loop {
        let store = ClosedStore::open(Arc::clone(disk), Arc::clone(tables))?;
        let Some(erasure) = next(&store, &seen)? else {
            return Ok(done);
        };
        seen.insert(erasure.number);
        let outcome = carry_out_one(store, &erasure, now());
        done.push(CarriedOut {
            number: erasure.number,
            outcome: outcome.map_err(|failure| failure.to_string()),
        });
    }
}

/// The oldest erasure that waits and is none of these.
fn next(store: &ClosedStore, seen: &BTreeSet<u64>) -> Result<Option<Erasure>, ErasureFailure> {
    let mut erasures = Erasures::default();
    for record in store.records() {
        let record = record?;
        if Erasures::id_of(&record.stream).is_some() {
            erasures.apply(&event(&record)?);
        }
    }
    let oldest_first = erasures.iter().filter(|erasure| erasure.is_waiting());
    let unseen = oldest_first.filter(|erasure| !seen.contains(&erasure.number));
    Ok(unseen.min_by_key(|erasure| erasure.number).cloned())
}

fn carry_out_one(
    store: ClosedStore,
    erasure: &Erasure,
    now: UnixMillis,
) -> Result<Certificate, ErasureFailure> {
    let (judge, tally) = {
        let scan =
            || -> Box<dyn Iterator<Item = Result<Record, ReadError>>> { Box::new(store.records()) };
        let judge = judge_of(&erasure.target, &scan)?;
        let tally = Tally::of(judge.again().as_mut(), &scan)?;
        (judge, tally)
    };
    let certificate = certificate(erasure.number, &tally, now);
    let note = ErasureNote {
        account: erasure.target.account(),
        all_files: judge.whole_account().is_some(),
        files: tally.files,
    };
    let done = Erasure {
        target: erasure.target.clone().without_person(tally.contact),
        state: ErasureState::Done {
            certificate: Box::new(certificate.clone()),
        },
        ..erasure.clone()
    };
    let mut judge = judge;
    let mut verdict = |record: &Record| match ordered(record) {
        Some(ErasuresEvent::Ordered { erasure, audit }) if erasure.number == done.number => {
            let erasure = Box::new(done.clone());
            let certified = ErasuresEvent::Ordered { erasure, audit };
            replaced(record, &certified).unwrap_or(Verdict::Keep)
        }
        // What cannot be understood was an error before, when the records were counted.
        Some(_) | None => judge.verdict(record).unwrap_or(Verdict::Keep),
    };
    let number = u32::try_from(erasure.number).unwrap_or(u32::MAX);
    store.erase(number, &mut verdict, || {
        serde_json::to_string(&note).unwrap_or_default()
    })?;
    Ok(certificate)
}

fn certificate(number: u64, tally: &Tally, at: UnixMillis) -> Certificate {
    let ranges = |ranges: &RecordRanges| serde_json::to_string(ranges).unwrap_or_default();
    let certificate = Certificate {
        at,
        counts: tally.counts,
        erased_records: tally.erased_records,
        masked_records: tally.masked_records,
        hash: String::new(),
    };
    certificate.sealed(number, &ranges(&tally.erased), &ranges(&tally.masked))
}
