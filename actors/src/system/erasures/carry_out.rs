//! Carries out the erasures that wait, while no system uses the store.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::domain::erasures::certificate::Certificate;
use crate::domain::erasures::{Erasure, ErasureState, Erasures, ErasuresEvent};
use crate::domain::id::{AccountId, MediaId};
use crate::domain::time::UnixMillis;
use crate::system::erasures::ErasureFailure;
use crate::system::erasures::begun::{Begun, PreparedErasure};
use crate::system::erasures::judge::{event, ordered, replaced};
use crate::system::erasures::plan::judge_of;
use crate::system::erasures::tally::{Counting, Tally};
use crate::system::erasures::until::until;
use switchboard_engine::state::State;
use switchboard_engine::store::disk::Disk;
use switchboard_engine::store::erasure::list::RecordRanges;
use switchboard_engine::store::erasure::{ClosedStore, Verdict};
use switchboard_engine::store::tables::TablesHome;
use switchboard_engine::store::{ReadError, Record, Seq};

/// What became of an erasure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CarriedOut {
    /// Its number.
    pub number: u64,
    /// What was erased, or why nothing was.
    pub outcome: Result<Certificate, String>,
    /// Whether most of it was prepared.
    pub prepared: bool,
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

/// Which of the erasures that wait are carried out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Which<'w> {
    /// Not these: they failed before.
    pub(super) but: &'w [u64],
    /// Only those of which it is known what they go up to: another node has carried them out, or was about to.
    pub(super) only_begun: bool,
}

impl Which<'_> {
    fn has(self, erasure: &Erasure) -> bool {
        let is_meant = match self.only_begun {
            true => erasure.is_begun(),
            false => erasure.is_waiting(),
        };
        is_meant && !self.but.contains(&erasure.number)
    }
}

/// Carries out the erasure that is prepared and leaves the others for later. Where there is none, carries out those of the
/// waiting ones that are wanted. No system uses the store meanwhile.
///
/// # Errors
/// When the store cannot be used at all. An erasure that fails does not keep the others from being carried out.
pub(super) fn carry_out(
    disk: &Arc<dyn Disk>,
    tables: &Arc<dyn TablesHome>,
    which: Which<'_>,
    prepared: Option<PreparedErasure>,
    now: impl Fn() -> UnixMillis,
) -> Result<Vec<CarriedOut>, ErasureFailure> {
    if let Some(prepared) = prepared {
        let number = prepared.erasure.number;
        match finish(disk, tables, prepared, now()) {
            Ok(Some(certificate)) => {
                let outcome = Ok(certificate);
                let prepared = true;
                return Ok(vec![CarriedOut {
                    number,
                    outcome,
                    prepared,
                }]);
            }
            Ok(None) => tracing::info!(number, "an erasure was prepared in vain and begins again"),
            // If it counts in spite of that, it does not wait any more.
            Err(failure) => {
                tracing::warn!(number, %failure, "a prepared erasure was not completed")
            }
        }
    }
    let mut seen = BTreeSet::new();
    let mut done = Vec::new();
    loop {
        let store = ClosedStore::open(Arc::clone(disk), Arc::clone(tables))?;
        let Some(erasure) = next(&store, which, &seen)? else {
            return Ok(done);
        };
        seen.insert(erasure.number);
        let outcome = carry_out_whole(store, &erasure, now());
        done.push(CarriedOut {
            number: erasure.number,
            outcome: outcome.map_err(|failure| failure.to_string()),
            prepared: false,
        });
    }
}

/// The oldest erasure that is wanted and none of these.
fn next(
    store: &ClosedStore,
    which: Which<'_>,
    seen: &BTreeSet<u64>,
) -> Result<Option<Erasure>, ErasureFailure> {
    let mut erasures = Erasures::default();
    for record in store.records() {
        let record = record?;
        if Erasures::id_of(&record.stream).is_some() {
            erasures.apply(&event(&record)?);
        }
    }
    let wanted = erasures.iter().filter(|erasure| which.has(erasure));
    let unseen = wanted.filter(|erasure| !seen.contains(&erasure.number));
    Ok(unseen.min_by_key(|erasure| erasure.number).cloned())
}

/// Up to which record an erasure goes that was prepared before that was noted.
fn begun_upto(store: &ClosedStore, number: u64) -> Result<Option<Seq>, ErasureFailure> {
    for record in store.unprepared_records() {
        if let Some(ErasuresEvent::Begun {
            number: begun,
            upto,
        }) = ordered(&record?)
            && begun == number
        {
            return Ok(Some(Seq(upto)));
        }
    }
    Ok(None)
}

fn carry_out_whole(
    store: ClosedStore,
    erasure: &Erasure,
    now: UnixMillis,
) -> Result<Certificate, ErasureFailure> {
    let upto = erasure.upto.map(Seq);
    let judge = judge_of(&erasure.target, upto, &|| Box::new(store.records()))?;
    let begun = Begun {
        judge,
        counting: Counting::default(),
    };
    carry_out_rest(store, erasure, begun, now)
}

/// What is left of an erasure that was prepared; `None` when what came meanwhile changes the verdict on what was judged.
fn finish(
    disk: &Arc<dyn Disk>,
    tables: &Arc<dyn TablesHome>,
    prepared: PreparedErasure,
    now: UnixMillis,
) -> Result<Option<Certificate>, ErasureFailure> {
    let PreparedErasure {
        erasure,
        mut begun,
        known,
        store,
    } = prepared;
    let store = ClosedStore::open_prepared(Arc::clone(disk), Arc::clone(tables), store)?;
    if erasure.upto.is_none() {
        let upto = begun_upto(&store, erasure.number)?;
        begun.judge = until(begun.judge, upto);
    }
    let holds = begun.judge.follow(&|| {
        let is_known = move |record: &Result<Record, ReadError>| {
            record.as_ref().is_ok_and(|record| record.seq <= known)
        };
        Box::new(store.unprepared_records().skip_while(is_known))
    })?;
    if !holds {
        return Ok(None);
    }
    carry_out_rest(store, &erasure, begun, now).map(Some)
}

/// An erasure of which the records that the store has not judged yet are left.
fn carry_out_rest(
    store: ClosedStore,
    erasure: &Erasure,
    begun: Begun,
    now: UnixMillis,
) -> Result<Certificate, ErasureFailure> {
    let Begun { judge, counting } = begun;
    let tally = counting.finish(judge.copy().as_mut(), &|| {
        Box::new(store.unprepared_records())
    })?;
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
