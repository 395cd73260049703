//! A journal, a disk and tables with an index over them, and the model that says what must be found.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, RwLock};

use super::disk::{Crash, FakeHome};
use super::states::{Counter, CounterEvent, Talk, TalkEvent, newest, said};
use crate::entries::Key;
use crate::runtime::live_state::LiveState;
use crate::state::State;
use crate::store::disk::Disk;
use crate::store::disk::faulty::FaultyDisk;
use crate::store::index::Index;
use crate::store::index::config::{
    Checkpoints, IndexConfig, IndexFileError, IndexOpenError, OpenReport,
};
use crate::store::index::fold::entries_of;
use crate::store::schema::Schema;
use crate::store::tables::{KeyRange, ScanOrder, TablesHome};
use crate::store::testing::tables;
use crate::store::{Batch, Committed, Position, ReadError, ReadJournal, Record, Seq};
use crate::stream::StreamKey;
use crate::table::Table;

/// Numbers that look random and are the same each time.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end
    }
}

/// A journal in memory: the record `n` lies at offset `n` of one of several segments.
#[derive(Default)]
pub(super) struct FakeJournal(RwLock<Vec<Record>>);

pub(super) fn position_of(seq: Seq) -> Position {
    Position {
        segment: u32::try_from(seq.0 / 100 + 1).unwrap(),
        offset: u32::try_from(seq.0).unwrap(),
    }
}

impl FakeJournal {
    pub(super) fn append(&self, stream: StreamKey, event: Vec<u8>) -> Seq {
        let mut records = self.0.write().unwrap();
        let seq = Seq(u64::try_from(records.len()).unwrap() + 1);
        records.push(Record {
            seq,
            stream,
            event: event.into(),
            blob: bytes::Bytes::new(),
        });
        seq
    }

    pub(super) fn cut(&self, length: usize) {
        self.0.write().unwrap().truncate(length);
    }

    pub(super) fn len(&self) -> u64 {
        u64::try_from(self.0.read().unwrap().len()).unwrap()
    }
}

impl ReadJournal for FakeJournal {
    fn read(&self, position: Position) -> Result<Record, ReadError> {
        let records = self.0.read().unwrap();
        let index = usize::try_from(position.offset).unwrap().checked_sub(1);
        let record = index.and_then(|index| records.get(index)).cloned();
        record.ok_or(ReadError::Damaged {
            file: format!("segment {}", position.segment),
            offset: u64::from(position.offset),
            reason: "there is no record".to_owned(),
        })
    }

    fn scan(
        &self,
        from: Option<Position>,
    ) -> Box<dyn Iterator<Item = Result<(Position, Record), ReadError>> + '_> {
        let first = from.map_or(1, |from| u64::from(from.offset));
        Box::new((first..=self.len()).map(|seq| {
            let position = position_of(Seq(seq));
            Ok((position, self.read(position)?))
        }))
    }
}

/// A change of one state.
#[derive(Clone, Debug)]
pub(super) enum Happening {
    Talk(u32, TalkEvent),
    Counter(String, CounterEvent),
}

/// The expected content.
#[derive(Default)]
pub(super) struct Model {
    keys: BTreeMap<Key, Seq>,
    talks: BTreeMap<u32, (Talk, Seq)>,
    counters: BTreeMap<String, (Counter, Seq)>,
    rows: BTreeMap<Table, BTreeMap<Vec<u8>, Vec<u8>>>,
}

pub(super) struct World {
    pub(super) disk: FaultyDisk,
    /// The number of operations when the last fault was ordered.
    ordered_at: u64,
    pub(super) home: Arc<FakeHome>,
    pub(super) journal: Arc<FakeJournal>,
    pub(super) troubles: Arc<Mutex<Vec<IndexFileError>>>,
    pub(super) checkpoint_records: u64,
    pub(super) fetched_state_records: u64,
    pub(super) checkpoints: Checkpoints,
    pub(super) model: Model,
    /// The states that are in memory: those of every other talk.
    pub(super) owners: BTreeMap<u32, Arc<LiveState<Talk>>>,
}

impl World {
    pub(super) fn new(checkpoint_records: u64) -> Self {
        let (disk, home) = (FaultyDisk::new(), Arc::<FakeHome>::default());
        home.fail_with(&disk);
        Self {
            disk,
            home,
            ordered_at: 0,
            journal: Arc::default(),
            troubles: Arc::default(),
            checkpoint_records,
            fetched_state_records: 0,
            checkpoints: Checkpoints::Inline,
            model: Model::default(),
            owners: BTreeMap::new(),
        }
    }

    pub(super) fn open(&self) -> Result<(Index, OpenReport), IndexOpenError> {
        let home: Arc<dyn TablesHome> = Arc::new(Arc::clone(&self.home));
        self.open_with(home)
    }

    pub(super) fn open_with(
        &self,
        tables: Arc<dyn TablesHome>,
    ) -> Result<(Index, OpenReport), IndexOpenError> {
        let disk: Arc<dyn Disk> = Arc::new(self.disk.clone());
        let schema = Schema::new(tables::ALL).with::<Talk>().with::<Counter>();
        let mut config = IndexConfig::new(disk, tables, schema);
        config.checkpoint_records = self.checkpoint_records;
        config.fetched_state_records = self.fetched_state_records;
        config.checkpoints = self.checkpoints;
        let troubles = Arc::clone(&self.troubles);
        config.on_trouble = Arc::new(move |trouble| troubles.lock().unwrap().push(trouble.clone()));
        let journal: Arc<dyn ReadJournal> = Arc::<FakeJournal>::clone(&self.journal);
        Index::open(&config, &journal)
    }

    pub(super) fn crash(&mut self, crash: Crash) {
        self.owners.clear();
        self.disk = crash.apply(&self.disk);
        self.home.fail_with(&self.disk);
        self.home.crash(crash);
    }

    /// Has this operation from now on fail, of the disk and the tables together, and all behind it if it is fatal: the
    /// process is as good as dead.
    pub(super) fn fail_at(&mut self, operation: u64, fatal: bool) {
        self.ordered_at = self.disk.operations().all;
        self.disk.fail_operation(operation, fatal);
    }

    /// Returns the number of operations since the last fault was ordered.
    pub(super) fn operations(&self) -> u64 {
        self.disk.operations().all - self.ordered_at
    }

    /// Changes the bytes of a file without notice to the index.
    pub(super) fn spoil(&self, name: &str, spoil: impl FnOnce(&mut Vec<u8>)) {
        let file = self.disk.open(name).unwrap();
        let mut bytes = vec![0; file.length().unwrap().try_into().unwrap()];
        file.read_at(0, &mut bytes).unwrap();
        spoil(&mut bytes);
        file.truncate(0).unwrap();
        file.write_at(0, &bytes).unwrap();
    }

    pub(super) fn file_names(&self) -> Vec<String> {
        self.disk.names().unwrap()
    }

    /// Stores what happened and passes it to the index, as actors and committer do.
    pub(super) fn post(&mut self, index: &Index, happenings: Vec<Happening>) {
        let batch = self.store(happenings);
        index.add(batch.records, || {});
    }

    /// Stores what happened without passing it to the index.
    pub(super) fn store(&mut self, happenings: Vec<Happening>) -> Batch {
        let mut records = Vec::new();
        for happening in happenings {
            let model = &mut self.model;
            records.push(match happening {
                Happening::Talk(id, event) => {
                    let before = model.talks.get(&id).map(|(talk, _)| talk.clone());
                    let talk = before.unwrap_or_else(|| Talk::initial(&id));
                    let mut record = step(
                        &self.journal,
                        &mut model.talks,
                        &mut model.keys,
                        &mut model.rows,
                        &id,
                        &event,
                    );
                    if id.is_multiple_of(2) {
                        let owner = self
                            .owners
                            .entry(id)
                            .or_insert_with(|| Arc::new(LiveState::new(talk)));
                        record.entries.state = Some(owner.lock().after(1, owner));
                        owner.lock().apply(&event);
                    }
                    record
                }
                Happening::Counter(name, event) => step(
                    &self.journal,
                    &mut model.counters,
                    &mut model.keys,
                    &mut model.rows,
                    &name,
                    &event,
                ),
            });
        }
        Batch {
            records,
            notices: Vec::new(),
        }
    }

    /// Asks the index for everything that the model knows, and for things that are not there.
    #[track_caller]
    pub(super) fn check(&self, index: &Index) {
        assert_eq!(index.indexed_upto(), Seq(self.journal.len()));
        for (key, seq) in &self.model.keys {
            assert_eq!(index.find(*key), Ok(Some(position_of(*seq))));
        }
        for absent in 0..20 {
            assert_eq!(index.find(Key::new("absent", &absent)), Ok(None));
        }
        for (id, expected) in &self.model.talks {
            assert_eq!(index.load::<Talk>(id), Ok(Some(expected.clone())));
            let last = index.record(newest(*id)).unwrap();
            assert_eq!(last.is_some(), !expected.0.words.is_empty());
            assert_eq!(index.find(said(*id, expected.0.words.len())), Ok(None));
        }
        for (name, expected) in &self.model.counters {
            assert_eq!(index.load::<Counter>(name), Ok(Some(expected.clone())));
        }
        assert_eq!(index.load::<Talk>(&u32::MAX), Ok(None));
        for table in [tables::ACTIVITY, tables::TOTALS, tables::PAIRS] {
            self.check_table(index, table);
        }
    }

    #[track_caller]
    fn check_table(&self, index: &Index, table: Table) {
        let none = BTreeMap::new();
        let rows: Vec<_> = self
            .model
            .rows
            .get(&table)
            .unwrap_or(&none)
            .iter()
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        let mut backwards = rows.clone();
        backwards.reverse();
        let all = KeyRange::all();
        for limit in [1, 3, usize::MAX] {
            let up = index
                .scan(table, &all, ScanOrder::Ascending, limit)
                .unwrap();
            assert_eq!(up, rows[..limit.min(rows.len())]);
            let down = index
                .scan(table, &all, ScanOrder::Descending, limit)
                .unwrap();
            assert_eq!(down, backwards[..limit.min(rows.len())]);
        }
        if let Some((middle, value)) = rows.get(rows.len() / 2) {
            let page = index.scan(
                table,
                &all.behind(middle.clone(), ScanOrder::Ascending),
                ScanOrder::Ascending,
                9,
            );
            let rest: Vec<_> = rows.iter().skip(rows.len() / 2 + 1).take(9).collect();
            assert_eq!(page.unwrap().iter().collect::<Vec<_>>(), rest);
            assert_eq!(index.row(table, middle), Ok(Some(value.clone())));
        }
        assert_eq!(index.row(table, b"no such row"), Ok(None));
    }
}

type Rows = BTreeMap<Table, BTreeMap<Vec<u8>, Vec<u8>>>;

fn step<S: State<Id: Ord> + Clone>(
    journal: &FakeJournal,
    states: &mut BTreeMap<S::Id, (S, Seq)>,
    keys: &mut BTreeMap<Key, Seq>,
    rows: &mut Rows,
    id: &S::Id,
    event: &S::Event,
) -> Committed {
    let stream = S::stream(id);
    let seq = journal.append(stream.clone(), serde_json::to_vec(event).unwrap());
    let blank = (S::initial(id), Seq(0));
    let (state, last) = states.entry(id.clone()).or_insert(blank);
    let opens = (*last == Seq(0)).then_some(&stream);
    let entries = entries_of(state, event, opens);
    state.apply(event);
    *last = seq;
    keys.extend(entries.keys.iter().map(|key| (*key, seq)));
    for row in &entries.rows {
        let list = rows.entry(row.table).or_default();
        match &row.value {
            Some(value) => list.insert(row.key.to_vec(), value.clone()),
            None => list.remove(row.key.as_slice()),
        };
    }
    Committed {
        seq,
        position: position_of(seq),
        stream,
        entries,
    }
}

/// Some things that happen, to few states or to many.
pub(super) fn happenings(dice: &mut Dice, count: u64, ids: u64) -> Vec<Happening> {
    (0..count)
        .map(|_| {
            let id = dice.below(ids);
            match dice.below(8) {
                0 => Happening::Talk(u32::try_from(id).unwrap(), TalkEvent::Hidden),
                1 | 2 => {
                    let amount = dice.below(7);
                    // Now and then a state that does not fit one row.
                    let ballast = if dice.below(40) == 0 { 60_000 } else { 3 };
                    let name = "n".repeat(usize::try_from(id % 9).unwrap());
                    Happening::Counter(name, CounterEvent::Added { amount, ballast })
                }
                _ => {
                    let (word, at) = (format!("word {id}"), dice.below(1000));
                    let event = TalkEvent::Said { word, at };
                    Happening::Talk(u32::try_from(id).unwrap(), event)
                }
            }
        })
        .collect()
}
