//! Carries out the erasures that wait, while no system uses the store.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::domain::audit::AuditEntry;
use crate::domain::erasures::certificate::Certificate;
use crate::domain::erasures::{Erasure, ErasureState, Erasures, ErasuresEvent};
use crate::domain::id::{AccountId, MediaId};
use crate::domain::time::UnixMillis;
use crate::system::erasures::ErasureFailure;
use crate::system::erasures::begun::PreparedErasures;
use crate::system::erasures::group::Group;
use crate::system::erasures::judge::{ordered, replaced};
use crate::system::erasures::reading::event;
use crate::system::erasures::tally::Tally;
use crate::system::erasures::together::together;
use switchboard_engine::state::State;
use switchboard_engine::store::disk::Disk;
use switchboard_engine::store::erasure::list::RecordRanges;
use switchboard_engine::store::erasure::{ClosedStore, Fate, ListHead};
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

/// The choice among the erasures that wait.
#[derive(Clone, Copy, Debug)]
pub(super) struct ErasureSelection<'w> {
    /// Not these: they failed before.
    pub(super) but: &'w [u64],
    /// Only those of which it is known what they go up to: another node has carried them out, or was about to.
    pub(super) only_begun: bool,
    /// One after the other, each by itself.
    pub(super) apart: bool,
}

impl ErasureSelection<'_> {
    fn has(self, erasure: &Erasure) -> bool {
        let is_meant = match self.only_begun {
            true => erasure.is_begun(),
            false => erasure.is_waiting(),
        };
        is_meant && !self.but.contains(&erasure.number)
    }
}

/// A closed store, opened as often as it is needed.
pub(super) struct Closed<'c> {
    pub(super) disk: &'c Arc<dyn Disk>,
    pub(super) tables: &'c Arc<dyn TablesHome>,
}

impl Closed<'_> {
    fn open(&self) -> Result<ClosedStore, ErasureFailure> {
        let (disk, tables) = (Arc::clone(self.disk), Arc::clone(self.tables));
        Ok(ClosedStore::open(disk, tables)?)
    }
}

/// Carries out the erasures that are prepared and leaves the others for later. Where there are none, carries out those of the
/// waiting ones that are wanted, together as far as possible. No system uses the store meanwhile.
///
/// # Errors
/// When the store cannot be used at all. An erasure that fails does not keep the others from being carried out.
pub(super) fn carry_out(
    closed: &Closed<'_>,
    which: ErasureSelection<'_>,
    prepared: Option<PreparedErasures>,
    now: impl Fn() -> UnixMillis,
) -> Result<Vec<CarriedOut>, ErasureFailure> {
    let mut done = Vec::new();
    let mut meant = None;
    if let Some(prepared) = prepared {
        let numbers = prepared.numbers();
        done.extend(failed(&prepared.group));
        match finish(closed, prepared, now()) {
            Ok(Some(finished)) => {
                done.extend(finished);
                return Ok(done);
            }
            Ok(None) => tracing::info!(?numbers, "erasures were prepared in vain and begin again"),
            // If they count in spite of that, they do not wait any more.
            Err(failure) => {
                tracing::warn!(?numbers, %failure, "prepared erasures were not completed");
            }
        }
        meant = Some(numbers);
    }
    loop {
        let store = closed.open()?;
        let seen: BTreeSet<u64> = done.iter().map(|it: &CarriedOut| it.number).collect();
        let mut waiting = waiting(&store)?;
        waiting.retain(|it| {
            let is_meant = meant
                .as_ref()
                .is_none_or(|meant| meant.contains(&it.number));
            which.has(it) && is_meant && !seen.contains(&it.number)
        });
        let (mut erasures, upto) = together(waiting);
        if which.apart {
            erasures.truncate(1);
        }
        if erasures.is_empty() {
            return Ok(done);
        }
        done.extend(carry_out_whole(
            closed,
            store,
            Group::new(erasures, upto),
            &now,
        )?);
        if which.apart {
            return Ok(done);
        }
    }
}

/// The erasures that wait.
fn waiting(store: &ClosedStore) -> Result<Vec<Erasure>, ErasureFailure> {
    let mut erasures = Erasures::default();
    for record in store.records() {
        let record = record?;
        if Erasures::id_of(&record.stream).is_some() {
            erasures.apply(&event(&record)?);
        }
    }
    let waiting = erasures.iter().filter(|erasure| erasure.is_waiting());
    Ok(waiting.cloned().collect())
}

fn carry_out_whole(
    closed: &Closed<'_>,
    store: ClosedStore,
    mut group: Group,
    now: impl Fn() -> UnixMillis,
) -> Result<Vec<CarriedOut>, ErasureFailure> {
    group.look(&|| Box::new(store.records()))?;
    match erase(store, &mut group, now()) {
        Ok(mut done) => {
            done.extend(failed(&group));
            Ok(done)
        }
        Err(failure) if group.is_plural() => {
            tracing::warn!(%failure, "erasures fail together and are carried out one by one");
            let mut done = failed(&group);
            for alone in group.apart() {
                done.extend(carry_out_alone(closed, alone, now())?);
            }
            Ok(done)
        }
        Err(failure) => {
            let reason = failure.to_string();
            let mut done = failed(&group);
            done.extend(group.numbers().map(|number| CarriedOut {
                number,
                outcome: Err(reason.clone()),
                prepared: false,
            }));
            Ok(done)
        }
    }
}

/// Carries out one of several that failed together: nothing of the others holds it back.
fn carry_out_alone(
    closed: &Closed<'_>,
    mut alone: Group,
    now: UnixMillis,
) -> Result<Vec<CarriedOut>, ErasureFailure> {
    let store = closed.open()?;
    let waits = waiting(&store)?;
    let numbers: Vec<u64> = alone.numbers().collect();
    // It may count in spite of the failure.
    if !waits.iter().any(|it| numbers.contains(&it.number)) {
        return Ok(Vec::new());
    }
    let mut done = erase(store, &mut alone, now).unwrap_or_else(|failure| {
        let reason = failure.to_string();
        let refused = |number: &u64| CarriedOut {
            number: *number,
            outcome: Err(reason.clone()),
            prepared: false,
        };
        numbers.iter().map(refused).collect()
    });
    done.extend(failed(&alone));
    Ok(done)
}

/// Those that failed in a group.
fn failed(group: &Group) -> Vec<CarriedOut> {
    let failed = group.failed().iter();
    failed
        .map(|(number, failure)| CarriedOut {
            number: *number,
            outcome: Err(failure.to_string()),
            prepared: false,
        })
        .collect()
}

/// What is left of erasures that were prepared; `None` when what came meanwhile changes the verdict on what was judged.
fn finish(
    closed: &Closed<'_>,
    prepared: PreparedErasures,
    now: UnixMillis,
) -> Result<Option<Vec<CarriedOut>>, ErasureFailure> {
    let PreparedErasures {
        mut group,
        known,
        store,
    } = prepared;
    let (disk, tables) = (Arc::clone(closed.disk), Arc::clone(closed.tables));
    let store = ClosedStore::open_prepared(disk, tables, store)?;
    let Some(upto) = begun_upto(&store, &group)? else {
        return Ok(None);
    };
    group.end_at(upto);
    let failed = group.failed().len();
    let holds = group.look(&|| {
        let is_known = move |record: &Result<Record, ReadError>| {
            record.as_ref().is_ok_and(|record| record.seq <= known)
        };
        Box::new(store.unprepared_records().skip_while(is_known))
    })?;
    if !holds || group.failed().len() > failed {
        return Ok(None);
    }
    let mut done = erase(store, &mut group, now)?;
    if group.failed().len() > failed {
        return Ok(None);
    }
    for erasure in &mut done {
        erasure.prepared = true;
    }
    Ok(Some(done))
}

/// Up to which record erasures go that were prepared before that was noted; `None`: not all of them up to the same one.
fn begun_upto(store: &ClosedStore, group: &Group) -> Result<Option<Option<Seq>>, ErasureFailure> {
    let mut noted = BTreeMap::new();
    for record in store.unprepared_records() {
        if let Some(ErasuresEvent::Begun { number, upto }) = ordered(&record?) {
            noted.insert(number, Seq(upto));
        }
    }
    let mut ends = group.numbers().map(|number| noted.get(&number).copied());
    let first = ends.next().flatten();
    Ok(ends.all(|end| end == first).then_some(first))
}

/// Erases what the store has not judged yet, of all erasures of a group that can be carried out.
fn erase(
    store: ClosedStore,
    group: &mut Group,
    now: UnixMillis,
) -> Result<Vec<CarriedOut>, ErasureFailure> {
    let mut counted = group.copy();
    while !count(&store, &mut counted)? {
        group.fail_as(&counted);
        counted = group.copy();
    }
    if group.is_empty() {
        return Ok(Vec::new());
    }
    let certified = Certified::all_in(&counted, now);
    let heads = certified.iter().map(Certified::head).collect();
    let mut fate = |record: &Record| match ordered(record) {
        Some(ErasuresEvent::Ordered { erasure, audit }) => {
            let places = certified.iter().enumerate();
            let mut places = places.filter(|(_, it)| it.erasure.number == erasure.number);
            match places.next() {
                Some((place, it)) => it.fate(place, record, audit),
                None => group.fate(record),
            }
        }
        Some(_) | None => group.fate(record),
    };
    store.erase_together(heads, &mut fate)?;
    let done = certified.into_iter().map(|it| CarriedOut {
        number: it.erasure.number,
        outcome: Ok(it.certificate),
        prepared: false,
    });
    Ok(done.collect())
}

/// Counts what is left; false: an erasure failed.
fn count(store: &ClosedStore, counted: &mut Group) -> Result<bool, ErasureFailure> {
    for record in store.unprepared_records() {
        if counted.fate(&record?).is_none() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// An erasure with its certificate.
struct Certified {
    /// As it is when it was carried out.
    erasure: Erasure,
    certificate: Certificate,
    note: ErasureNote,
}

impl Certified {
    /// The erasures of a group that has judged all records.
    fn all_in(counted: &Group, now: UnixMillis) -> Vec<Self> {
        let tallies = counted.tallies().into_iter();
        tallies
            .map(|(erasure, tally, judge)| {
                let certificate = certificate(erasure, &tally, now);
                let done = Erasure {
                    target: erasure.target.clone().without_person(tally.contact),
                    state: ErasureState::Done {
                        certificate: Box::new(certificate.clone()),
                    },
                    ..erasure.clone()
                };
                let note = ErasureNote {
                    account: erasure.target.account(),
                    all_files: judge.whole_account().is_some(),
                    files: tally.files,
                };
                Self {
                    erasure: done,
                    certificate,
                    note,
                }
            })
            .collect()
    }

    fn head(&self) -> ListHead {
        ListHead {
            number: u32::try_from(self.erasure.number).unwrap_or(u32::MAX),
            note: serde_json::to_string(&self.note).unwrap_or_default(),
        }
    }

    /// The record of the order says that it was carried out.
    fn fate(&self, place: usize, record: &Record, audit: Box<AuditEntry>) -> Option<Fate> {
        let erasure = Box::new(self.erasure.clone());
        let certified = ErasuresEvent::Ordered { erasure, audit };
        Some(Fate {
            verdict: replaced(record, &certified).ok()?,
            by: vec![place],
        })
    }
}

fn certificate(erasure: &Erasure, tally: &Tally, at: UnixMillis) -> Certificate {
    let ranges = |ranges: &RecordRanges| serde_json::to_string(ranges).unwrap_or_default();
    let certificate = Certificate {
        at,
        counts: tally.counts,
        erased_records: tally.erased_records,
        masked_records: tally.masked_records,
        not_searched: erasure.target.not_searched(),
        hash: String::new(),
    };
    let (erased, masked) = (ranges(&tally.erased), ranges(&tally.masked));
    certificate.sealed(erasure.number, &erased, &masked)
}
