//! The library in place of the index's files: one tree. A checkpoint is one ingestion, a key is a row of a table of its
//! own, and the last record that is covered is a row too.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, bail};
use lsm_tree::compaction::Leveled;
use lsm_tree::config::{
    BloomConstructionPolicy, FilterPolicy, FilterPolicyEntry, PartitioningPolicy, PinningPolicy,
};
use lsm_tree::{AbstractTree, AnyTree, Cache, Config, Guard, SeqNo, SequenceNumberCounter};
use switchboard_engine::entries::{IndexEntries, Key};
use switchboard_engine::table::Table;

use crate::shape::{full_key, full_row};
use crate::sides::{Settings, Stored};

/// As many as the filters of the index have.
const FILTER_BITS: f32 = 12.0;
/// So many runs may lie above the sorted levels.
const L0_RUNS: u8 = 4;
/// The table of keys.
const KEYS: u8 = 0;
/// The row that names the last record.
const COVERED: [u8; 1] = [u8::MAX];

/// The library.
pub struct Tree {
    tree: AnyTree,
    visible: SequenceNumberCounter,
    pending: Vec<(Vec<u8>, Option<Vec<u8>>)>,
    records: u64,
}

impl Tree {
    pub fn open(home: &Path, records: u64, settings: Settings) -> Result<Self> {
        let counters = (
            SequenceNumberCounter::default(),
            SequenceNumberCounter::default(),
        );
        let filter = BloomConstructionPolicy::BitsPerKey(FILTER_BITS);
        let config = Config::new(home.join("tree"), counters.0.clone(), counters.1.clone())
            .use_cache(Arc::new(Cache::with_capacity_bytes(settings.cache_bytes)))
            .filter_policy(FilterPolicy::all(FilterPolicyEntry::Bloom(filter)))
            .filter_block_pinning_policy(PinningPolicy::all(true))
            .index_block_pinning_policy(PinningPolicy::all(true))
            .filter_block_partitioning_policy(PartitioningPolicy::all(false))
            .index_block_partitioning_policy(PartitioningPolicy::all(false));
        let tree = config.open()?;
        let next = tree
            .get_highest_seqno()
            .map_or(0, |seqno| seqno.saturating_add(1));
        counters.0.fetch_max(next);
        counters.1.fetch_max(next);
        let store = Self {
            tree,
            visible: counters.1,
            pending: Vec::new(),
            records,
        };
        let records_covered = store.get(&COVERED)?.map_or(0, |value| number(&value));
        if records_covered != records {
            bail!("damage was noticed: it covers {records_covered} of {records} records");
        }
        Ok(store)
    }

    fn seqno(&self) -> SeqNo {
        self.visible.get()
    }

    fn get(&self, key: &[u8]) -> Result<Option<lsm_tree::Slice>> {
        Ok(self.tree.get(key, self.seqno())?)
    }

    fn ingest(&self) -> Result<()> {
        let mut ingestion = self.tree.ingestion()?;
        for (index, (key, value)) in self.pending.iter().enumerate() {
            let next = self.pending.get(index.saturating_add(1));
            if next.is_some_and(|next| next.0 == *key) {
                continue;
            }
            match value {
                Some(value) => ingestion.write(key.as_slice(), value.as_slice())?,
                // Whatever is taken away was put there once.
                None => ingestion.write_weak_tombstone(key.as_slice())?,
            }
        }
        ingestion.write(COVERED, self.records.to_be_bytes())?;
        ingestion.finish()?;
        Ok(())
    }

    fn compact(&self) -> Result<()> {
        let strategy = Arc::new(Leveled::default().with_l0_threshold(L0_RUNS));
        loop {
            let before = self.tree.l0_run_count();
            self.tree
                .compact(Arc::<Leveled>::clone(&strategy), self.seqno())?;
            if self.tree.l0_run_count() >= before {
                return Ok(());
            }
        }
    }
}

impl Stored for Tree {
    fn take(&mut self, entries: IndexEntries) {
        self.records = self.records.saturating_add(1);
        let record = self.records.to_be_bytes();
        let keys = entries
            .keys
            .into_iter()
            .map(|key| (key_bytes(key), Some(record.to_vec())));
        self.pending.extend(keys);
        self.pending.extend(entries.rows.into_iter().map(full_row));
    }

    fn checkpoint(&mut self) -> Result<()> {
        // A stable sort: of changes of the same row, the last one counts.
        self.pending.sort_by(|left, right| left.0.cmp(&right.0));
        self.ingest()?;
        self.pending.clear();
        self.compact()
    }

    fn key(&self, key: Key) -> Result<Option<u64>> {
        let value = self.get(&key_bytes(key))?;
        Ok(value.map(|value| number(&value)))
    }

    fn row(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>> {
        let value = self.get(&full_key(table, key))?;
        Ok(value.map(|value| value.to_vec()))
    }

    fn first(&self, table: Table, limit: usize) -> Result<Vec<Vec<u8>>> {
        let rows = self.tree.prefix([table.code()], self.seqno(), None);
        let mut keys = Vec::new();
        for row in rows.take(limit) {
            let key = row.key()?;
            keys.push(key.get(1..).unwrap_or_default().to_vec());
        }
        Ok(keys)
    }
}

fn key_bytes(key: Key) -> Vec<u8> {
    let mut bytes = vec![KEYS];
    bytes.extend(key.0.to_be_bytes());
    bytes
}

fn number(bytes: &[u8]) -> u64 {
    let bytes = bytes.first_chunk::<8>().copied().unwrap_or_default();
    u64::from_be_bytes(bytes)
}
