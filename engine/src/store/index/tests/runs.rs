//! Sorted runs against a map: the same rows in both orders, from any place, and the same positions, through merges.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::Arc;

use super::world::Dice;
use crate::entries::Key;
use crate::store::disk::Disk;
use crate::store::disk::faulty::FaultyDisk;
use crate::store::identity::content::InstallationTag;
use crate::store::index::error::IndexError;
use crate::store::index::keymap::packed;
use crate::store::index::sorted_run::block::RunEntry;
use crate::store::index::sorted_run::id::{Family, RunId, RunNumbers};
use crate::store::index::sorted_run::writer::{RunTarget, SortedRunWriter};
use crate::store::index::sorted_run::{SortedRun, fingerprint};
use crate::store::index::sorted_runs::SortedRuns;
use crate::store::index::sorted_runs::stored_keys::full_key;
use crate::store::index::throttle::BackgroundThrottle;
use crate::store::schema::Prefixes;
use crate::store::tables::{KeyRange, ScanOrder, StoredRow};
use crate::store::testing::tables;
use crate::store::{Position, Seq};
use crate::table::{BUSY_SNAPSHOTS, Table};

type Changes = BTreeMap<(Table, Vec<u8>), Option<Vec<u8>>>;
type Model = BTreeMap<(Table, Vec<u8>), Vec<u8>>;

const TABLES: [Table; 3] = [tables::WAITING, tables::ACTIVITY, BUSY_SNAPSHOTS];

/// Some rows that change, with keys that are prefixes of each other, and values from nothing to more than a block.
fn changes(dice: &mut Dice) -> Changes {
    let count = 1 + dice.below(150);
    let one = |_| {
        let table = TABLES[usize::try_from(dice.below(3)).unwrap()];
        let length = usize::try_from(dice.below(4)).unwrap();
        let key: Vec<u8> = (0..length)
            .map(|_| [0, 1, 127, 255][usize::try_from(dice.below(4)).unwrap()])
            .collect();
        let bytes = [0, 3, 700, 9_000][usize::try_from(dice.below(4)).unwrap()];
        let value = vec![u8::try_from(dice.below(256)).unwrap(); bytes];
        ((table, key), (dice.below(3) > 0).then_some(value))
    };
    (0..count).map(one).collect()
}

/// A disk, and runs on it.
pub(super) struct RunsOnDisk {
    disk: FaultyDisk,
    prefixes: Prefixes,
    numbers: RunNumbers,
    pub(super) runs: SortedRuns,
}

impl RunsOnDisk {
    pub(super) fn new() -> Self {
        Self {
            disk: FaultyDisk::new(),
            prefixes: Prefixes::new(tables::ALL),
            numbers: RunNumbers::behind(&[]),
            runs: SortedRuns::default(),
        }
    }

    fn target(&self) -> RunTarget<'_> {
        RunTarget {
            installation: InstallationTag::default(),
            disk: &self.disk,
            prefixes: &self.prefixes,
            numbers: &self.numbers,
        }
    }

    /// Writes a run of these entries, which are in order.
    fn write<'e>(
        &mut self,
        family: Family,
        entries: impl ExactSizeIterator<Item = (Vec<u8>, RunEntry<'e>)>,
    ) {
        let throttle = &mut BackgroundThrottle::none();
        let count = u64::try_from(entries.len()).unwrap();
        let key_count = match family {
            Family::Keys => count,
            // Some have a prefix each.
            Family::Rows => 2 * count,
        };
        let target = self.target();
        let mut writer =
            SortedRunWriter::create(target, family, Seq(9), key_count, throttle).unwrap();
        for (key, entry) in entries {
            writer.push(&key, entry).unwrap();
        }
        let run = writer.finish().unwrap();
        self.runs = self.runs.with(&[run]);
    }

    fn write_rows(&mut self, changes: &Changes) {
        let mut rows: Vec<_> = changes
            .iter()
            .map(|((table, key), value)| (full_key(*table, key), put(value.as_deref())))
            .collect();
        rows.sort_by(|(left, _), (right, _)| left.cmp(right));
        self.write(Family::Rows, rows.into_iter());
    }

    pub(super) fn write_keys(&mut self, keys: &BTreeMap<Key, Position>) {
        let values: Vec<[u8; 8]> = keys.values().map(|at| packed(*at).to_be_bytes()).collect();
        let keys = keys.keys().zip(&values);
        let entries = keys.map(|(key, value)| (key.0.to_be_bytes().to_vec(), put(Some(value))));
        self.write(Family::Keys, entries);
    }

    fn merge(&mut self, family: Family, group: std::ops::Range<usize>) {
        let throttle = &mut BackgroundThrottle::none();
        let runs = self.runs.merged(self.target(), family, group, throttle);
        self.runs = runs.unwrap();
    }

    /// Merges all that is due; says how often.
    pub(super) fn merge_due(&mut self, family: Family) -> u32 {
        let mut merges = 0;
        while let Some(group) = self.runs.due(family) {
            merges += 1;
            self.merge(family, group);
        }
        merges
    }

    fn rows(&self) -> &[Arc<SortedRun>] {
        self.runs.family(Family::Rows)
    }
}

fn put(value: Option<&[u8]>) -> RunEntry<'_> {
    RunEntry {
        value,
        is_new: false,
    }
}

fn expected(model: &Model, table: Table, range: &KeyRange, order: ScanOrder) -> Vec<StoredRow> {
    let within = |key: &Vec<u8>| {
        let from = match &range.from {
            Bound::Unbounded => true,
            Bound::Included(from) => key >= from,
            Bound::Excluded(from) => key > from,
        };
        let to = match &range.to {
            Bound::Unbounded => true,
            Bound::Included(to) => key <= to,
            Bound::Excluded(to) => key < to,
        };
        from && to
    };
    let mut rows: Vec<StoredRow> = model
        .iter()
        .filter(|((of, key), _)| *of == table && within(key))
        .map(|((_, key), value)| (key.clone(), value.clone()))
        .collect();
    if order == ScanOrder::Descending {
        rows.reverse();
    }
    rows
}

fn bound(dice: &mut Dice) -> Bound<Vec<u8>> {
    let length = usize::try_from(dice.below(4)).unwrap();
    let key = (0..length)
        .map(|_| [0, 1, 2, 255][usize::try_from(dice.below(4)).unwrap()])
        .collect();
    match dice.below(3) {
        0 => Bound::Unbounded,
        1 => Bound::Included(key),
        _ => Bound::Excluded(key),
    }
}

/// From any place, in both orders and through merges, the rows are those of a map.
#[test]
fn rows_match_a_map_in_both_orders_through_merges() {
    let mut merges = 0;
    for seed in 0..30 {
        let mut dice = Dice(seed);
        let (mut stored, mut model) = (RunsOnDisk::new(), Model::default());
        for _ in 0..1 + dice.below(14) {
            let changes = changes(&mut dice);
            stored.write_rows(&changes);
            for (key, value) in changes {
                match value {
                    Some(value) => model.insert(key, value),
                    None => model.remove(&key),
                };
            }
            if dice.below(2) == 0 {
                merges += stored.merge_due(Family::Rows);
            }
            for _ in 0..20 {
                let table = TABLES[usize::try_from(dice.below(3)).unwrap()];
                let range = KeyRange {
                    from: bound(&mut dice),
                    to: bound(&mut dice),
                };
                for order in [ScanOrder::Ascending, ScanOrder::Descending] {
                    let all = if range.is_void() {
                        Vec::new()
                    } else {
                        expected(&model, table, &range, order)
                    };
                    for limit in [0, 1, 5, usize::MAX] {
                        let page = stored.runs.scan(table, &range, order, limit).unwrap();
                        assert_eq!(page, all[..limit.min(all.len())], "{range:?} {order:?}");
                    }
                }
            }
            for ((table, key), value) in &model {
                assert_eq!(stored.runs.row(*table, key).unwrap().as_ref(), Some(value));
            }
            assert_eq!(stored.runs.row(tables::WAITING, &[9]).unwrap(), None);
        }
    }
    assert!(merges > 30, "{merges} merges");
}

/// Through merges every key has its newest position, whatever rows there are.
#[test]
fn every_key_keeps_its_newest_position_through_merges() {
    let mut merges = 0;
    for seed in 0..20 {
        let mut dice = Dice(seed);
        let (mut stored, mut model) = (RunsOnDisk::new(), BTreeMap::new());
        for round in 1..10 {
            let count = 1 + dice.below(600);
            let draws = (0..count).map(|_| {
                let number = dice.below(2_000);
                let offset = u32::try_from(number).unwrap();
                let segment = round;
                (Key::new("n", &number), Position { segment, offset })
            });
            let keys: BTreeMap<_, _> = draws.collect();
            stored.write_keys(&keys);
            stored.write_rows(&changes(&mut dice));
            model.extend(keys);
            merges += stored.merge_due(Family::Keys);
            for (key, position) in &model {
                assert_eq!(stored.runs.position(*key).unwrap(), Some(*position));
            }
            for absent in 2_000..2_200 {
                let position = stored.runs.position(Key::new("n", &absent)).unwrap();
                assert_eq!(position, None);
            }
            let entries = stored
                .runs
                .family(Family::Keys)
                .iter()
                .map(|run| run.entries());
            assert!(entries.sum::<u64>() >= u64::try_from(model.len()).unwrap());
        }
        assert_eq!(stored.rows().len(), 9, "rows are merged with rows only");
    }
    assert!(merges > 30, "{merges} merges");
}

#[test]
fn a_key_without_a_position_is_reported_with_its_run() {
    let mut disk_runs = RunsOnDisk::new();
    let key = Key::new("n", &1);
    for value in [Some(&[1; 7][..]), None] {
        let entry = (key.0.to_be_bytes().to_vec(), put(value));
        disk_runs.write(Family::Keys, [entry].into_iter());
        let name = disk_runs.runs.family(Family::Keys)[0].id().name();
        let failure = disk_runs.runs.position(key).unwrap_err();
        assert!(matches!(failure, IndexError::Damaged { file, .. } if file == name));
    }
}

/// A run is opened under its own name only, and every changed byte is detected.
#[test]
fn a_run_opens_under_its_own_name_only_and_detects_damage() {
    let mut disk_runs = RunsOnDisk::new();
    let mut changes = changes(&mut Dice(1));
    changes.insert((tables::WAITING, vec![7]), Some(vec![8; 9_000]));
    disk_runs.write_rows(&changes);
    let id = disk_runs.rows()[0].id();
    let file = disk_runs.disk.open(&id.name()).unwrap();
    let mut bytes = vec![0; usize::try_from(file.length().unwrap()).unwrap()];
    file.read_at(0, &mut bytes).unwrap();
    let is_whole = |id: RunId, bytes: &[u8]| {
        let file = disk_runs.disk.open(&id.name()).unwrap();
        file.truncate(0).unwrap();
        file.write_at(0, bytes).unwrap();
        let run = SortedRun::open(&disk_runs.disk, id, InstallationTag::default());
        run.is_ok_and(|run| run.blocks().all(|(_, _, block)| block.is_ok()))
    };
    assert!(is_whole(id, &bytes));
    let last = Seq(id.last.0 + 1);
    for other in [RunId { number: 77, ..id }, RunId { last, ..id }] {
        assert!(!is_whole(other, &bytes), "{other:?}");
    }
    let family = Family::Keys;
    assert!(!is_whole(RunId { family, ..id }, &bytes));
    for at in (0..bytes.len())
        .step_by(61)
        .chain(bytes.len() - 300..bytes.len())
    {
        let mut copy = bytes.clone();
        copy[at] ^= 4;
        assert!(!is_whole(id, &copy), "byte {at}");
        assert!(!is_whole(id, &bytes[..at]), "cut at {at}");
    }
    bytes.push(0);
    assert!(!is_whole(id, &bytes), "a byte too many");
}

#[test]
fn deleted_rows_take_no_space_after_a_full_merge() {
    let mut disk_runs = RunsOnDisk::new();
    let row = |number: u32, value: Option<Vec<u8>>| {
        ((tables::WAITING, number.to_be_bytes().to_vec()), value)
    };
    let some = |numbers: std::ops::Range<u32>, value: Option<Vec<u8>>| {
        let rows = numbers.map(|number| row(number, value.clone()));
        rows.collect::<Changes>()
    };
    disk_runs.write_rows(&some(0..150, Some(vec![1; 40])));
    disk_runs.write_rows(&some(0..100, None));
    disk_runs.write_rows(&some(200..210, None));
    disk_runs.merge(Family::Rows, 0..2);
    assert_eq!(
        disk_runs.rows()[0].entries(),
        110,
        "an older run may have them"
    );
    disk_runs.merge(Family::Rows, 0..2);
    assert_eq!(disk_runs.rows()[0].entries(), 50);
    assert_eq!(disk_runs.rows().len(), 1);
}

#[test]
fn bloom_filters_find_prefixes_with_rows_and_skip_others() {
    let lane = |number: u32| {
        let mut key = vec![1, b'a'];
        key.extend([3; 16]);
        key.extend([0; 12]);
        key.extend(number.to_be_bytes());
        key
    };
    let row = |number: u32| {
        let mut key = lane(number);
        key.extend([0; 8]);
        ((tables::WAITING, key), Some(vec![1]))
    };
    let mut disk_runs = RunsOnDisk::new();
    for number in 1..=3 {
        let changes: Changes = (0..100).map(|lane| row(lane * 6 + number)).collect();
        disk_runs.write_rows(&changes);
    }
    let mut queries = 0;
    for number in 0..600 {
        let prefix = lane(number);
        let full = full_key(tables::WAITING, &prefix);
        let print = fingerprint(Family::Rows, &full);
        queries += disk_runs
            .rows()
            .iter()
            .filter(|run| run.may_have(print))
            .count();
        let range = KeyRange::prefix(&prefix);
        let (table, order) = (tables::WAITING, ScanOrder::Ascending);
        let page = disk_runs.runs.scan(table, &range, order, 9).unwrap();
        assert_eq!(page.len(), usize::from((1..=3).contains(&(number % 6))));
    }
    assert!((300..340).contains(&queries), "{queries} looks into runs");
}

#[test]
fn bloom_filters_do_not_grow_with_rewritten_rows() {
    let row = |number: u32| {
        let key = (tables::ACTIVITY, number.to_be_bytes().to_vec());
        (key, Some(vec![1; 40]))
    };
    let changes: Changes = (0..200).map(row).collect();
    let mut disk_runs = RunsOnDisk::new();
    let mut memory = Vec::new();
    for _ in 0..120 {
        disk_runs.write_rows(&changes);
        disk_runs.merge_due(Family::Rows);
        let rows = disk_runs.rows().iter();
        memory.push(rows.map(|run| run.memory_bytes()).sum::<usize>());
    }
    let (early, late) = (memory[..20].iter().max(), memory[100..].iter().max());
    assert!(late <= early, "{memory:?}");
}

/// Rows that came and went in the same neighbouring runs are gone, and what is older stays hidden.
#[test]
fn merges_drop_short_lived_rows_and_keep_older_ones_hidden() {
    let run_entry = |value: Option<&'static [u8]>, is_new| RunEntry { value, is_new };
    let oldest = [
        (b"b".as_slice(), run_entry(Some(b"0"), true)),
        (b"c", run_entry(Some(b"0"), true)),
    ];
    let birth = [
        (b"a".as_slice(), run_entry(Some(b"1"), true)),
        (b"b", run_entry(None, false)),
        (b"c", run_entry(None, false)),
    ];
    let died = [
        (b"a".as_slice(), run_entry(None, false)),
        (b"b", run_entry(Some(b"2"), true)),
    ];
    let again = [(b"b".as_slice(), run_entry(None, false))];
    let mut disk_runs = RunsOnDisk::new();
    let rounds: [&[(&[u8], RunEntry<'_>)]; 4] = [&oldest, &birth, &died, &again];
    for rows in rounds {
        let rows = rows.iter();
        let entries = rows.map(|(key, entry)| (full_key(tables::WAITING, key), *entry));
        disk_runs.write(Family::Rows, entries);
    }
    let before = disk_runs.runs.clone();
    disk_runs.merge(Family::Rows, 0..3);
    let run = &disk_runs.rows()[0];
    // Nothing is left of «a»; «b» and «c» have tombstones still.
    assert_eq!((run.entries(), run.tombstones()), (2, 2));
    for runs in [&before, &disk_runs.runs] {
        let (all, order) = (KeyRange::all(), ScanOrder::Ascending);
        let page = runs.scan(tables::WAITING, &all, order, 9).unwrap();
        assert_eq!(page, []);
    }
}
