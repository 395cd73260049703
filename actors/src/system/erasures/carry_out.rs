//! Carries out the erasures that wait, while no system uses the store.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::domain::time::UnixMillis;
use crate::system::erasures::CustomerErasureError;
use crate::system::erasures::begun::PreparedErasures;
use switchboard_engine::state::State;
use switchboard_engine::store::disk::Disk;
use switchboard_engine::store::erasure::ClosedStore;
use switchboard_engine::store::tables::TablesHome;
use switchboard_engine::store::{ReadError, Record, Seq};
use switchboard_erasures::certificate::Certificate;
use switchboard_erasures::judges::certified::CertifiedErasure;
use switchboard_erasures::judges::group::Group;
use switchboard_erasures::judges::record::{decode, erasure_event};
use switchboard_erasures::judges::together::together;
use switchboard_erasures::{Erasure, Erasures, ErasuresEvent};

/// The outcome of an erasure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CarriedOut {
    /// The number of the erasure.
    pub number: u64,
    /// The certificate, or the reason why nothing was erased.
    pub outcome: Result<Certificate, String>,
    /// True when most of it was prepared beside the system.
    pub prepared: bool,
}

/// A choice of the erasures that wait.
#[derive(Clone, Copy, Debug)]
pub(super) struct ErasureSelection<'c> {
    /// The erasures that failed before: they wait for the operator.
    pub(super) except: &'c [u64],
    /// Only erasures with a last record: another node has carried them out, or was about to.
    pub(super) only_begun: bool,
    /// The oldest one alone.
    pub(super) apart: bool,
}

impl ErasureSelection<'_> {
    fn has(self, erasure: &Erasure) -> bool {
        let is_meant = match self.only_begun {
            true => erasure.is_begun(),
            false => erasure.is_waiting(),
        };
        is_meant && !self.except.contains(&erasure.number)
    }
}

/// A closed store, opened for each attempt.
pub(super) struct Closed<'c> {
    pub(super) disk: &'c Arc<dyn Disk>,
    pub(super) tables: &'c Arc<dyn TablesHome>,
}

impl Closed<'_> {
    fn open(&self) -> Result<ClosedStore, CustomerErasureError> {
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
    choice: ErasureSelection<'_>,
    prepared: Option<PreparedErasures>,
    now: impl Fn() -> UnixMillis,
) -> Result<Vec<CarriedOut>, CustomerErasureError> {
    let mut outcomes = Vec::new();
    let mut prepared_numbers = None;
    if let Some(prepared) = prepared {
        let numbers = prepared.numbers();
        outcomes.extend(failures(&prepared.group));
        match finish(closed, prepared, now()) {
            Ok(Some(of_prepared)) => {
                outcomes.extend(of_prepared);
                return Ok(outcomes);
            }
            Ok(None) => tracing::info!(?numbers, "erasures were prepared in vain and begin again"),
            // If they count in spite of that, they do not wait any more.
            Err(failure) => {
                tracing::warn!(?numbers, %failure, "prepared erasures were not completed");
            }
        }
        prepared_numbers = Some(numbers);
    }
    loop {
        let store = closed.open()?;
        let ended_numbers: BTreeSet<u64> =
            outcomes.iter().map(|it: &CarriedOut| it.number).collect();
        let mut erasures = waiting_erasures(&store)?;
        erasures.retain(|it| {
            let is_meant = prepared_numbers
                .as_ref()
                .is_none_or(|numbers| numbers.contains(&it.number));
            choice.has(it) && is_meant && !ended_numbers.contains(&it.number)
        });
        let (mut next, upto) = together(erasures);
        if choice.apart {
            next.truncate(1);
        }
        if next.is_empty() {
            return Ok(outcomes);
        }
        outcomes.extend(carry_out_whole(
            closed,
            store,
            Group::new(next, upto),
            &now,
        )?);
        if choice.apart {
            return Ok(outcomes);
        }
    }
}

fn waiting_erasures(store: &ClosedStore) -> Result<Vec<Erasure>, CustomerErasureError> {
    let mut erasures = Erasures::default();
    for record in store.records() {
        let record = record?;
        if Erasures::id_of(&record.stream).is_some() {
            erasures.apply(&decode(&record)?);
        }
    }
    let erasures = erasures.iter().filter(|erasure| erasure.is_waiting());
    Ok(erasures.cloned().collect())
}

fn carry_out_whole(
    closed: &Closed<'_>,
    store: ClosedStore,
    mut group: Group,
    now: impl Fn() -> UnixMillis,
) -> Result<Vec<CarriedOut>, CustomerErasureError> {
    group.look(&|| Box::new(store.records()))?;
    match erase(store, &mut group, now()) {
        Ok(mut outcomes) => {
            outcomes.extend(failures(&group));
            Ok(outcomes)
        }
        Err(failure) if group.is_plural() => {
            tracing::warn!(%failure, "erasures fail together and are carried out one by one");
            let mut outcomes = failures(&group);
            for alone in group.apart() {
                outcomes.extend(carry_out_alone(closed, alone, now())?);
            }
            Ok(outcomes)
        }
        Err(failure) => {
            let reason = failure.to_string();
            let mut outcomes = failures(&group);
            outcomes.extend(group.numbers().map(|number| failed(number, &reason)));
            Ok(outcomes)
        }
    }
}

/// Carries out one of several that failed together: nothing of the others holds it back.
fn carry_out_alone(
    closed: &Closed<'_>,
    mut alone: Group,
    now: UnixMillis,
) -> Result<Vec<CarriedOut>, CustomerErasureError> {
    let store = closed.open()?;
    let erasures = waiting_erasures(&store)?;
    let numbers: Vec<u64> = alone.numbers().collect();
    // It may count in spite of the failure.
    if !erasures.iter().any(|it| numbers.contains(&it.number)) {
        return Ok(Vec::new());
    }
    let mut outcomes = erase(store, &mut alone, now).unwrap_or_else(|failure| {
        let reason = failure.to_string();
        numbers
            .iter()
            .map(|number| failed(*number, &reason))
            .collect()
    });
    outcomes.extend(failures(&alone));
    Ok(outcomes)
}

fn failed(number: u64, reason: &str) -> CarriedOut {
    CarriedOut {
        number,
        outcome: Err(reason.to_owned()),
        prepared: false,
    }
}

/// The outcomes of the erasures of a group that could not decode a record.
fn failures(group: &Group) -> Vec<CarriedOut> {
    let failures = group.failed().iter();
    failures
        .map(|(number, undecodable)| failed(*number, &undecodable.to_string()))
        .collect()
}

/// Carries out the rest of prepared erasures; `None` when records since then change the verdict on earlier ones.
fn finish(
    closed: &Closed<'_>,
    prepared: PreparedErasures,
    now: UnixMillis,
) -> Result<Option<Vec<CarriedOut>>, CustomerErasureError> {
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
    let failures = group.failed().len();
    let holds = group.look(&|| {
        let is_known = move |record: &Result<Record, ReadError>| {
            record.as_ref().is_ok_and(|record| record.seq <= known)
        };
        Box::new(store.unprepared_records().skip_while(is_known))
    })?;
    if !holds || group.failed().len() > failures {
        return Ok(None);
    }
    let mut outcomes = erase(store, &mut group, now)?;
    if group.failed().len() > failures {
        return Ok(None);
    }
    for outcome in &mut outcomes {
        outcome.prepared = true;
    }
    Ok(Some(outcomes))
}

/// The last record that these prepared erasures judge, as the journal names it since; `None`: not all of them have the same.
fn begun_upto(
    store: &ClosedStore,
    group: &Group,
) -> Result<Option<Option<Seq>>, CustomerErasureError> {
    let mut ends_by_number = BTreeMap::new();
    for record in store.unprepared_records() {
        if let Some(ErasuresEvent::Begun { number, upto }) = erasure_event(&record?) {
            ends_by_number.insert(number, Seq(upto));
        }
    }
    let mut ends = group
        .numbers()
        .map(|number| ends_by_number.get(&number).copied());
    let first = ends.next().flatten();
    Ok(ends.all(|end| end == first).then_some(first))
}

/// Erases in the records that the store has not judged yet, for all erasures of a group that can be carried out.
fn erase(
    store: ClosedStore,
    group: &mut Group,
    now: UnixMillis,
) -> Result<Vec<CarriedOut>, CustomerErasureError> {
    let mut counting = group.copy();
    while !count(&store, &mut counting)? {
        group.fail_as(&counting);
        counting = group.copy();
    }
    if group.is_empty() {
        return Ok(Vec::new());
    }
    let certified = CertifiedErasure::all_in(&counting, now);
    let heads = certified.iter().map(CertifiedErasure::head).collect();
    let mut fate = |record: &Record| match erasure_event(record) {
        Some(ErasuresEvent::Ordered { erasure, audit }) => {
            let place = certified
                .iter()
                .position(|it| it.number() == erasure.number);
            match place.and_then(|place| Some((place, certified.get(place)?))) {
                Some((place, it)) => it.fate(place, record, audit),
                None => group.fate(record),
            }
        }
        Some(_) | None => group.fate(record),
    };
    store.erase_together(heads, &mut fate)?;
    let outcomes = certified.into_iter().map(|it| CarriedOut {
        number: it.number(),
        outcome: Ok(it.into_certificate()),
        prepared: false,
    });
    Ok(outcomes.collect())
}

/// Judges the records that are left, to count them; false: an erasure failed.
fn count(store: &ClosedStore, group: &mut Group) -> Result<bool, CustomerErasureError> {
    for record in store.unprepared_records() {
        if group.fate(&record?).is_none() {
            return Ok(false);
        }
    }
    Ok(true)
}
