//! Records of a closed store are erased: nothing of what they said is left in any file, and everything else is as it was,
//! whatever interrupts the erasure.

mod prepared;

use std::cell::Cell;
use std::sync::Arc;

use switchboard_engine::runtime::ask::execute;
use switchboard_engine::runtime::entropy::Generator;
use switchboard_engine::runtime::open::{Config, OpenedStore, Ports};
use switchboard_engine::state::State;
use switchboard_engine::store::committer::config::JournalConfig;
use switchboard_engine::store::disk::Disk;
use switchboard_engine::store::erasure::list::{self, ErasedRecords};
use switchboard_engine::store::erasure::{
    ClosedStore, ErasureError, Fate, ListHead, Settled, Verdict, settle,
};
use switchboard_engine::store::tables::{KeyRange, ScanOrder, TablesHome};
use switchboard_engine::store::verify::{FileState, VerifyReport, verify};
use switchboard_engine::store::{Record, Seq};
use switchboard_engine::testkit::simulation::SimTables;
use switchboard_engine::testkit::{FaultyDisk, ManualClock};
use switchboard_engine::time::UnixMillis;

use crate::product::list::{List, Write, Written};
use crate::product::{Env, Request, Toys, schema, tables};

/// The list that is erased, and one of which a record is replaced.
const SECRET: u8 = 7;
const MASKED: u8 = 8;
/// All values of what is erased or masked contain these digits, and begin with these bytes in rows.
const DIGITS: &str = "7777777";
const VALUE: u64 = 7_777_777_000_000_000_000;
const ROUNDS: u32 = 24;

#[derive(Clone, Default)]
struct Machine {
    disk: FaultyDisk,
    tables: SimTables,
}

impl Machine {
    fn open(&self) -> Env {
        let ports = Ports {
            disk: Arc::new(self.disk.clone()),
            tables: Arc::new(self.tables.clone()),
            clock: Arc::new(ManualClock::at(UnixMillis::from_secs(1_000))),
            entropy: Arc::new(Generator::from_seed(1)),
        };
        let config = Config {
            checkpoint_records: 20,
            journal: JournalConfig {
                segment_bytes: 3_000,
                ..JournalConfig::default()
            },
            ..Config::default()
        };
        let store = OpenedStore::open(ports, schema(), config).unwrap();
        let sink = Arc::new(store.sink());
        store.start(sink, Toys::new(16)).unwrap()
    }

    fn closed(&self) -> Result<ClosedStore, ErasureError> {
        ClosedStore::open(Arc::new(self.disk.clone()), Arc::new(self.tables.clone()))
    }

    fn erase(&self) -> Result<ErasedRecords, ErasureError> {
        self.closed()?.erase(head(1), &mut judge)
    }

    fn verify(&self) -> VerifyReport {
        let disk: Arc<dyn Disk> = Arc::new(self.disk.clone());
        let (schema, tables) = (schema(), &self.tables);
        verify(&disk, Some(tables), &schema, &mut &schema, &mut |_| {}).unwrap()
    }

    /// As a power cut now leaves it, or a kill.
    fn after(&self, seed: u64) -> Self {
        if seed == 0 {
            return Self {
                disk: self.disk.killed(),
                tables: self.tables.killed(),
            };
        }
        Self {
            disk: self.disk.crash(seed),
            tables: self.tables.crash(seed),
        }
    }

    /// The same machine, as it would be after a kill.
    fn copied(&self) -> Self {
        Self {
            disk: self.disk.copy(),
            tables: self.tables.killed(),
        }
    }

    fn file(&self, name: &str) -> Vec<u8> {
        let files = self.bytes().into_iter();
        files
            .filter(|file| file.0 == name)
            .map(|it| it.1)
            .next()
            .unwrap()
    }

    fn bytes(&self) -> Vec<(String, Vec<u8>)> {
        let read = |name: String| {
            let file = self.disk.open(&name).unwrap();
            let mut bytes = vec![0; usize::try_from(file.length().unwrap()).unwrap()];
            assert_eq!(file.read_at(0, &mut bytes).unwrap(), bytes.len());
            (name, bytes)
        };
        self.disk.names().unwrap().into_iter().map(read).collect()
    }

    /// Returns the files in which anything of the erased records is found.
    fn traces(&self) -> Vec<String> {
        let row = VALUE.to_be_bytes();
        let is_in = |bytes: &[u8]| {
            let has = |marker: &[u8]| bytes.windows(marker.len()).any(|it| it == marker);
            has(DIGITS.as_bytes()) || has(&row[..5])
        };
        let files = self.bytes().into_iter();
        let mut names: Vec<String> = files.filter(|file| is_in(&file.1)).map(|it| it.0).collect();
        let tables = self.tables.open(schema().tables()).unwrap();
        for table in schema().tables() {
            let rows = tables.scan(*table, &KeyRange::all(), ScanOrder::Ascending, 10_000);
            if rows.unwrap().iter().any(|(_, value)| is_in(value)) {
                names.push(table.name().to_owned());
            }
        }
        names
    }
}

/// Returns the beginning of the list of the erasure with this number.
fn head(number: u32) -> ListHead {
    ListHead {
        number,
        note: "a note".to_owned(),
    }
}

/// As [`judge`] says, for a group of one erasure.
fn fate(record: &Record) -> Option<Fate> {
    Some(judge(record).into())
}

fn judge(record: &Record) -> Verdict {
    if record.stream == List::stream(&SECRET) {
        return Verdict::Erase;
    }
    let mut event = match serde_json::from_slice::<Written>(&record.event) {
        Ok(event) if record.stream == List::stream(&MASKED) => event,
        Ok(_) | Err(_) => return Verdict::Keep,
    };
    if event.value.is_none_or(|value| value < VALUE) {
        return Verdict::Keep;
    }
    event.value = Some(0);
    Verdict::Replace {
        event: serde_json::to_vec(&event).unwrap(),
        blob: record.blob.clone(),
    }
}

async fn write(env: &Env, list: u8, request: u32, items: Vec<(u8, Option<u64>)>) {
    let write = Write {
        request: Request(request),
        list,
        items,
    };
    execute(env, &list, write).await.unwrap();
}

fn close(env: &Env) {
    env.journal.close();
    env.index.close().unwrap();
}

/// Three lists with groups of one to three records, in several segments, with an index.
async fn filled() -> Machine {
    let machine = Machine::default();
    let env = machine.open();
    fill(&env).await;
    close(&env);
    machine
}

async fn fill(env: &Env) {
    for round in 1..=ROUNDS {
        let name = u8::try_from(round).unwrap();
        let secret = Some(VALUE + u64::from(round));
        write(env, 1, round, vec![(name, Some(5)), (name + 100, Some(6))]).await;
        if round % 2 == 0 {
            let mut items: Vec<_> = vec![(name, secret), (name + 100, secret), (1, None)]
                .into_iter()
                .filter(|item| round == 2 || item.1.is_some())
                .collect();
            if round == 2 {
                items[2] = (200, secret);
            }
            write(env, SECRET, round, items).await;
        }
        let value = if round == 10 { secret } else { Some(9) };
        write(env, MASKED, round, vec![(name, value)]).await;
    }
    // The journal ends with records that are erased.
    write(env, SECRET, 99, vec![(99, Some(VALUE))]).await;
}

fn records(machine: &Machine) -> Vec<Record> {
    let offline_store = machine.closed().unwrap();
    offline_store.records().map(Result::unwrap).collect()
}

/// Checks that the rest is as it was: the same records with the same numbers, and lists that can be read and written.
async fn check_what_is_left(machine: &Machine, before: &[Record]) {
    let is_left = |record: &&Record| judge(record) != Verdict::Erase;
    let rest: Vec<_> = before.iter().filter(is_left).collect();
    let now = records(machine);
    assert_eq!(now.len(), rest.len());
    for (now, then) in now.iter().zip(rest) {
        assert_eq!((now.seq, &now.stream), (then.seq, &then.stream));
        match judge(then) {
            Verdict::Replace { event, .. } => assert_eq!(now.event, event),
            Verdict::Keep | Verdict::Erase => assert_eq!(now, then),
        }
    }
    let last = before.last().unwrap().seq;
    assert_eq!(machine.closed().unwrap().last(), last);
    let env = machine.open();
    env.caught_up().await;
    assert!(env.load::<List>(SECRET).await.unwrap().is_none());
    let (kept, _) = env.load::<List>(1).await.unwrap().unwrap();
    assert_eq!(kept.count, u64::from(ROUNDS) * 2);
    let row = |list, name| env.index.row(tables::ITEMS, &[list, name]).unwrap();
    assert_eq!(row(SECRET, 4), None);
    assert_eq!(row(MASKED, 10), Some(vec![0; 8]));
    // The erased one begins again, with the next number.
    write(&env, SECRET, 2, vec![(4, Some(3))]).await;
    assert_eq!(env.journal.durable_upto(), Seq(last.0 + 1));
    let (again, _) = env.load::<List>(SECRET).await.unwrap().unwrap();
    assert_eq!(again.count, 1);
    close(&env);
}

#[actix::test]
async fn erased_records_leave_no_byte_and_keep_their_numbers() {
    let machine = filled().await;
    let before = records(&machine);
    let erased_before = before.iter().filter(|it| judge(it) == Verdict::Erase);
    let count = u64::try_from(erased_before.count()).unwrap();
    assert!(machine.traces().len() > 4, "{:?}", machine.traces());
    let outcome = machine.erase().unwrap();
    assert_eq!(
        (outcome.erased.count(), outcome.replaced.count()),
        (count, 1)
    );
    assert_eq!(machine.traces(), [""; 0]);
    let report = machine.verify();
    assert_eq!(report.verdict(), FileState::Sound, "{report:#?}");
    assert_eq!(report.erased, count);
    assert_eq!(report.records, u64::try_from(before.len()).unwrap());
    // The list is there, and open until its product says that it is outcome.
    let all = || list::all(&machine.disk).unwrap();
    assert_eq!(all(), std::slice::from_ref(&outcome));
    let unfinished = list::unfinished(&machine.disk).unwrap();
    assert_eq!(unfinished, std::slice::from_ref(&outcome));
    list::finish(&machine.disk, 1).unwrap();
    assert_eq!(list::unfinished(&machine.disk).unwrap(), []);
    assert_eq!(all(), [outcome]);
    check_what_is_left(&machine, &before).await;
    let report = machine.verify();
    assert_eq!(report.verdict(), FileState::Sound, "{report:#?}");
}

/// Without anything to erase no file changes, and segments without an erased record stay as they are.
#[actix::test]
async fn files_without_erased_records_are_not_rewritten() {
    let machine = filled().await;
    let keep = |_: &Record| Verdict::Keep;
    let before = machine.closed().map(|_| machine.bytes()).unwrap();
    let outcome = machine
        .closed()
        .unwrap()
        .erase(head(1), &mut { keep })
        .unwrap();
    assert!(outcome.is_empty(), "{outcome:?}");
    assert_eq!(machine.bytes(), before);
    let last = records(&machine).last().unwrap().seq;
    let mut judge = |record: &Record| match record.seq == last {
        true => Verdict::Erase,
        false => Verdict::Keep,
    };
    let outcome = machine.closed().unwrap().erase(head(1), &mut judge);
    assert_eq!(outcome.unwrap().erased.count(), 1);
    let segments = |all: &[(String, Vec<u8>)]| -> Vec<_> {
        let is_segment = |file: &&(String, Vec<u8>)| file.0.starts_with("journal-");
        all.iter().filter(is_segment).cloned().collect()
    };
    let (before, after) = (segments(&before), segments(&machine.bytes()));
    let changes = before.iter().zip(&after).filter(|(then, now)| then != now);
    assert!(before.len() > 3 && changes.count() == 1, "{}", before.len());
}

/// A power cut or a kill at any step leaves all of the records or none of them, and nothing that is damaged.
#[actix::test]
async fn an_erasure_that_is_cut_at_any_step_is_whole_or_not_at_all() {
    let machine = filled().await;
    let before = records(&machine);
    let counts = [Cell::new(0), Cell::new(0), Cell::new(0)];
    for step in 0.. {
        let cut = machine.copied();
        cut.disk.cut_power_after(step);
        let is_done = cut.erase().is_ok();
        for seed in 0..6 {
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
            let is_erased = survivor.traces().is_empty();
            assert!(is_erased || !is_done, "step {step}, seed {seed}: {first:?}");
            let all = records(&survivor);
            let is_left = all.iter().any(|it| judge(it) == Verdict::Erase);
            assert_eq!(is_left, !is_erased, "step {step}, seed {seed}");
            let report = survivor.verify();
            let whole = [FileState::Sound, FileState::Torn];
            assert!(whole.contains(&report.verdict()), "{step}: {report:#?}");
            let place = match settled {
                Settled::Nothing => &counts[0],
                Settled::Discarded => &counts[1],
                Settled::Completed => &counts[2],
            };
            place.set(place.get() + 1);
            if is_erased && step % 5 == 0 {
                check_what_is_left(&survivor, &before).await;
            } else if !is_erased {
                assert_eq!(all, before);
                if step % 5 == 0 {
                    survivor.erase().unwrap();
                    assert_eq!(survivor.traces(), [""; 0]);
                }
            }
        }
        if is_done {
            let [_, discarded, completed] = counts.map(|count| count.get());
            assert!(discarded > 20 && completed > 20, "{discarded}, {completed}");
            return;
        }
    }
}

/// The two erasures of a group, for the list that is erased and for the one of which a record is replaced.
fn of_two(record: &Record) -> Option<Fate> {
    let verdict = judge(record);
    let by = match verdict {
        Verdict::Keep => Vec::new(),
        Verdict::Erase => vec![0],
        Verdict::Replace { .. } => vec![1],
    };
    Some(Fate { verdict, by })
}

/// Erasures that are carried out together have a list each, and count together whatever interrupts them.
#[actix::test]
async fn erasures_of_a_group_count_together() {
    let machine = filled().await;
    let erase = |machine: &Machine| {
        let offline_store = machine.closed()?;
        offline_store.erase_together(vec![head(4), head(5), head(6)], &mut of_two)
    };
    let whole = machine.copied();
    let lists = erase(&whole).unwrap();
    let counts = |it: &ErasedRecords| (it.number, it.erased.count(), it.replaced.count());
    let alone = machine.copied().erase().unwrap().erased.count();
    let list_counts: Vec<_> = lists.iter().map(counts).collect();
    assert_eq!(list_counts, [(4, alone, 0), (5, 0, 1), (6, 0, 0)]);
    assert_eq!(whole.traces(), [""; 0]);
    // One that changes nothing has no list.
    assert_eq!(list::all(&whole.disk).unwrap(), lists[..2]);
    let mut gives_up = |record: &Record| (record.seq < Seq(9)).then(Fate::kept);
    let files = machine.bytes();
    let given_up = machine
        .closed()
        .unwrap()
        .erase_together(vec![head(4)], &mut gives_up);
    assert!(matches!(given_up, Err(ErasureError::GivenUp)));
    assert_eq!(machine.bytes(), files);
    for step in 0.. {
        let cut = machine.copied();
        cut.disk.cut_power_after(step);
        let is_done = erase(&cut).is_ok();
        let remains = cut.after(step);
        settle(&remains.disk, &remains.tables).unwrap();
        let lists = list::all(&remains.disk).unwrap().len();
        let count = if remains.traces().is_empty() { 2 } else { 0 };
        assert_eq!(lists, count, "step {step}");
        if is_done {
            assert_eq!(lists, 2);
            return;
        }
    }
}

#[actix::test]
async fn a_full_disk_stops_an_erasure_and_changes_nothing() {
    let machine = filled().await;
    let before = records(&machine);
    let files = machine.bytes();
    let bytes: usize = files.iter().map(|file| file.1.len()).sum();
    machine
        .disk
        .set_quota(Some(u64::try_from(bytes).unwrap() + 2_000));
    let error = machine.erase().unwrap_err().to_string();
    assert!(error.starts_with("cannot use journal-0000000"), "{error}");
    assert_eq!(machine.bytes(), files);
    machine.disk.set_quota(None);
    machine.erase().unwrap();
    check_what_is_left(&machine, &before).await;
}

#[actix::test]
async fn a_damaged_journal_or_commit_file_is_refused() {
    let machine = filled().await;
    let damaged = machine.copied();
    let file = damaged.disk.open("journal-00000002").unwrap();
    file.write_at(200, b"xxxx").unwrap();
    let error = damaged.erase().unwrap_err().to_string();
    assert!(
        error.contains("journal-00000002") && error.contains("damaged"),
        "{error}"
    );
    assert!(
        !damaged
            .disk
            .names()
            .unwrap()
            .iter()
            .any(|name| name.ends_with(".new"))
    );
    machine.disk.open("erasure-commit").unwrap();
    let error = machine.erase().unwrap_err().to_string();
    assert!(
        error.contains("erasure-commit") && error.contains("backup"),
        "{error}"
    );
}
