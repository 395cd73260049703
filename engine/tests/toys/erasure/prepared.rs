//! Most of an erasure is prepared while the store is in use; the closed store has only the rest to judge.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use switchboard_engine::store::disk::Disk as _;
use switchboard_engine::store::erasure::list::{self, ErasedRecords};
use switchboard_engine::store::erasure::prepare::{Preparation, PrepareBounds, Prepared};
use switchboard_engine::store::erasure::{ClosedStore, ErasureError, Settled, settle};
use switchboard_engine::store::tables::{KeyRange, ScanOrder, TablesHome};
use switchboard_engine::store::verify::FileState;
use switchboard_engine::store::{Record, Seq};

use super::{
    MASKED, Machine, SECRET, VALUE, check_what_is_left, close, fate, fill, filled, head, judge,
    records, write,
};
use crate::product::{Env, schema};

impl Machine {
    /// Of all segments but the newest one.
    fn preparation(&self, stop: &Arc<AtomicBool>) -> Option<Preparation> {
        self.preparation_before(Seq(u64::MAX), stop)
    }

    fn preparation_before(&self, seq: Seq, stop: &Arc<AtomicBool>) -> Option<Preparation> {
        let (disk, tables) = (Arc::new(self.disk.clone()), Arc::new(self.tables.clone()));
        let bounds = PrepareBounds {
            stop: Arc::clone(stop),
            reserve_bytes: 0,
            checkpoint_records: 80,
        };
        Preparation::before(seq, disk, tables, bounds).ok()?
    }

    fn prepare(&self) -> Result<Prepared, ErasureError> {
        let preparation = self.preparation(&Arc::default()).unwrap();
        preparation.rewrite(&mut fate, schema())
    }

    fn erase_prepared(&self, prepared: Prepared) -> Result<ErasedRecords, ErasureError> {
        let (disk, tables) = (Arc::new(self.disk.clone()), Arc::new(self.tables.clone()));
        let offline_store = ClosedStore::open_prepared(disk, tables, prepared)?;
        offline_store.erase(head(1), &mut judge)
    }

    /// Prepares and erases; the number of the step after which the power goes counts both.
    fn prepare_and_erase(&self) -> Result<ErasedRecords, ErasureError> {
        let preparation = self.preparation(&Arc::default());
        let Some(preparation) = preparation else {
            return Err(ErasureError::Io {
                file: String::new(),
                reason: String::new(),
            });
        };
        let prepared = preparation.rewrite(&mut fate, schema())?;
        self.erase_prepared(prepared)
    }

    fn rows_of_successor(&self) -> usize {
        let home = self.tables.successor();
        let tables = home.open(schema().tables()).unwrap();
        let schema = schema();
        let rows = schema.tables().iter().map(|table| {
            let rows = tables.scan(*table, &KeyRange::all(), ScanOrder::Ascending, 10_000);
            rows.unwrap().len()
        });
        rows.sum()
    }

    fn names_made(&self) -> Vec<String> {
        let names = self.disk.names().unwrap().into_iter();
        names.filter(|name| name.starts_with("next-")).collect()
    }
}

/// Writes while an erasure is prepared.
async fn write_more(env: &Env) {
    for round in 100..104 {
        write(env, SECRET, round, vec![(8, Some(VALUE + 8))]).await;
    }
    let masked = Some(VALUE + u64::from(MASKED));
    write(env, MASKED, 100, vec![(100, masked)]).await;
    write(env, 2, 100, vec![(100, Some(4))]).await;
}

/// Records that come while an erasure is prepared are erased as well, and only they are judged by the closed store.
#[actix::test]
async fn what_comes_meanwhile_is_judged_by_the_closed_store() {
    let machine = Machine::default();
    let env = machine.open();
    fill(&env).await;
    let prepared = machine.prepare().unwrap();
    assert!(machine.names_made().len() > 4, "{:?}", machine.names_made());
    // The store goes on as before.
    write_more(&env).await;
    close(&env);
    let before = records(&machine.copied());
    let calls = AtomicU32::new(0);
    let store = ClosedStore::open_prepared(
        Arc::new(machine.disk.clone()),
        Arc::new(machine.tables.clone()),
        prepared,
    )
    .unwrap();
    let rest = store.unprepared_records().count();
    let mut counting = |record: &Record| {
        calls.fetch_add(1, Ordering::Relaxed);
        judge(record)
    };
    let outcome = store.erase(head(1), &mut counting).unwrap();
    let judge_calls = usize::try_from(calls.into_inner()).unwrap();
    assert_eq!(judge_calls, rest);
    assert!(
        judge_calls < before.len() / 2,
        "{judge_calls} of {}",
        before.len()
    );
    assert_eq!(machine.traces(), [""; 0]);
    assert_eq!(machine.names_made(), [""; 0]);
    assert_eq!(
        list::all(&machine.disk).unwrap(),
        std::slice::from_ref(&outcome)
    );
    let same = {
        let whole = Machine::default();
        let env = whole.open();
        fill(&env).await;
        write_more(&env).await;
        close(&env);
        whole.erase().unwrap()
    };
    assert_eq!(outcome, same);
    let report = machine.verify();
    assert_eq!(report.verdict(), FileState::Sound, "{report:#?}");
    check_what_is_left(&machine, &before).await;
}

/// The index that was built beside the store is the one that the next start goes on with.
#[actix::test]
async fn the_next_start_goes_on_with_the_prepared_index() {
    let machine = filled().await;
    let prepared = machine.prepare().unwrap();
    let manifest = machine.file("next-manifest");
    machine.erase_prepared(prepared).unwrap();
    assert_eq!(machine.file("manifest"), manifest);
    let env = machine.open();
    let replay_length = env.index.stats().pending_records;
    assert!(replay_length < 20, "{replay_length} records were replayed");
    close(&env);
}

/// A power cut or a kill at any step, from the first one of the preparation on, leaves all of the records or none of them.
#[actix::test]
async fn a_prepared_erasure_is_whole_or_not_at_all() {
    let machine = filled().await;
    let before = records(&machine);
    let mut completed = 0;
    for step in 0.. {
        let cut = machine.copied();
        cut.disk.cut_power_after(step);
        let is_done = cut.prepare_and_erase().is_ok();
        for seed in 0..4 {
            let remains = cut.after(seed * (step + 1));
            // The next opening settles it; that may be cut as well.
            let again = remains.after(0);
            again.disk.cut_power_after(seed * 3);
            let first = settle(&again.disk, &again.tables);
            let survivor = if seed % 2 == 0 {
                remains
            } else {
                again.after(step + seed)
            };
            let settled = settle(&survivor.disk, &survivor.tables).unwrap();
            completed += u32::from(settled == Settled::Completed);
            assert_eq!(survivor.names_made(), [""; 0], "step {step}, seed {seed}");
            assert_eq!(survivor.rows_of_successor(), 0, "step {step}, seed {seed}");
            let is_erased = survivor.traces().is_empty();
            assert!(is_erased || !is_done, "step {step}, seed {seed}: {first:?}");
            let report = survivor.verify();
            let whole = [FileState::Sound, FileState::Torn];
            assert!(whole.contains(&report.verdict()), "{step}: {report:#?}");
            if is_erased && (step % 7 == 0 || settled == Settled::Completed) {
                check_what_is_left(&survivor, &before).await;
            } else if !is_erased {
                assert_eq!(records(&survivor), before);
            }
        }
        if is_done {
            assert!(completed > 20, "{completed}");
            return;
        }
    }
}

#[actix::test]
async fn a_stopped_preparation_leaves_nothing() {
    let machine = filled().await;
    let files = machine.bytes();
    let stop = Arc::new(AtomicBool::new(false));
    let mut calls = 0;
    let mut stopping = |record: &Record| {
        calls += 1;
        stop.store(calls >= 30, Ordering::Release);
        fate(record)
    };
    let preparation = machine.preparation(&stop).unwrap();
    let error = preparation.rewrite(&mut stopping, schema()).unwrap_err();
    assert!(error.to_string().contains("stopped"), "{error}");
    assert_eq!(machine.bytes(), files);
    // A journal of one segment has nothing to prepare.
    let fresh = Machine::default();
    close(&fresh.open());
    assert!(fresh.preparation(&Arc::default()).is_none());
}

/// Only the segments before the one with a record: what says that there is an erasure must not be judged too early.
#[actix::test]
async fn a_preparation_ends_before_the_order() {
    let machine = filled().await;
    let judged_before = |seq| {
        let copy = machine.copied();
        let preparation = copy.preparation_before(seq, &Arc::default())?;
        let mut calls = Vec::new();
        let mut noting = |record: &Record| {
            calls.push(record.seq);
            fate(record)
        };
        preparation.rewrite(&mut noting, schema()).unwrap();
        Some(calls)
    };
    let all = judged_before(Seq(u64::MAX)).unwrap().len();
    let records = records(&machine);
    let middle = records[records.len() / 2].seq;
    let shorter = judged_before(middle).unwrap();
    let (last, count) = (*shorter.last().unwrap(), shorter.len());
    assert!(
        last < middle && count > 5 && count < all,
        "{count} of {all}"
    );
    assert!(judged_before(Seq(1)).is_none());
}

/// A store that rotates its journal meanwhile has files of its own that do not count yet.
#[actix::test]
async fn a_failed_preparation_leaves_the_files_of_the_store() {
    let machine = filled().await;
    machine.disk.open("journal-00000099.new").unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let preparation = machine.preparation(&stop).unwrap();
    let mut stopping = |record: &Record| {
        stop.store(true, Ordering::Release);
        fate(record)
    };
    preparation.rewrite(&mut stopping, schema()).unwrap_err();
    assert!(
        machine
            .disk
            .names()
            .unwrap()
            .contains(&"journal-00000099.new".to_owned())
    );
    assert_eq!(machine.names_made(), [""; 0]);
}
