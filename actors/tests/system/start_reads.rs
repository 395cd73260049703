//! The reads of a start do not grow with the data of accounts.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use futures_util::future::join_all;
use switchboard_actors::domain::account::holder::Holder;
use switchboard_actors::domain::audit::By;
use switchboard_engine::entries::Row;
use switchboard_engine::store::tables::memory::MemoryHome;
use switchboard_engine::store::tables::{
    KeyRange, ScanOrder, StoredRow, Tables, TablesError, TablesHome,
};
use switchboard_engine::table::Table;
use switchboard_worlds::{FaultyDisk, Setup};

use crate::recognition::{account, issue, user};

/// A start reads as much with many accounts as with few, but for the list of accounts itself; the first request reads one
/// account.
#[actix::test]
async fn a_start_reads_no_users_and_a_request_those_of_one_account() {
    let few = reads_with(20).await;
    let many = reads_with(2_000).await;
    assert_eq!(many.start_of_rows, few.start_of_rows, "{few:?} {many:?}");
    assert!(many.start <= few.start + 16, "{few:?} {many:?}");
    assert!(
        many.first_request <= few.first_request + 16,
        "{few:?} {many:?}"
    );
    assert_eq!(many.second_request, 0, "{many:?}");
}

/// The number of reads in each part of a test.
#[derive(Debug)]
struct Reads {
    start: u64,
    start_of_rows: u64,
    first_request: u64,
    second_request: u64,
}

async fn reads_with(accounts: usize) -> Reads {
    let (disk, tables) = (FaultyDisk::new(), CountedHome::default());
    let mut setup = Setup::on_disk(disk.clone());
    setup.tables = Arc::new(tables.clone());
    let test = setup.start_bare().unwrap();
    let mut token = String::new();
    for first in (0..accounts).step_by(100) {
        let creations = (first..accounts.min(first + 100)).map(async |number| {
            let account = account(&test, &format!("Account {number}")).await;
            let users = (0..5).map(|place| user(&format!("u{place}.{number}@example.com"), None));
            let result = test
                .create_users(account, By::Operator, users.collect())
                .await;
            let last = result.unwrap()[4].id;
            issue(
                &test,
                Holder {
                    account,
                    user: last,
                },
            )
            .await
            .1
        });
        token = join_all(creations).await.swap_remove(0);
    }
    test.stop().await;
    let rows = |tables: &CountedHome| tables.rows.load(Ordering::Relaxed);
    let all = || disk.operations().reads + tables.reads.load(Ordering::Relaxed);
    let (begun, begun_rows) = (all(), rows(&tables));
    let test = setup.start_bare().unwrap();
    let (started, start_of_rows) = (all(), rows(&tables) - begun_rows);
    assert!(test.caller(&token).await.unwrap().is_some());
    let first = all();
    assert!(test.caller(&token).await.unwrap().is_some());
    let second = all();
    test.stop().await;
    Reads {
        start: started - begun,
        start_of_rows,
        first_request: first - started,
        second_request: second - first,
    }
}

/// Tables in memory that count how often they are asked.
#[derive(Clone, Default)]
struct CountedHome {
    home: Arc<MemoryHome>,
    reads: Arc<AtomicU64>,
    /// The number of rows returned, without pieces of snapshots.
    rows: Arc<AtomicU64>,
}

struct CountedTables {
    tables: Arc<dyn Tables>,
    count: CountedHome,
}

impl TablesHome for CountedHome {
    fn open(&self, tables: &[Table]) -> Result<Arc<dyn Tables>, TablesError> {
        Ok(Arc::new(CountedTables {
            tables: self.home.open(tables)?,
            count: self.clone(),
        }))
    }

    fn move_aside(&self) -> Result<Option<String>, TablesError> {
        self.home.move_aside()
    }

    fn remove(&self) -> Result<(), TablesError> {
        self.home.remove()
    }

    fn successor(&self) -> Arc<dyn TablesHome> {
        self.home.successor()
    }

    fn replace_by_successor(&self) -> Result<(), TablesError> {
        self.home.replace_by_successor()
    }
}

impl Tables for CountedTables {
    fn get(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>, TablesError> {
        self.count.reads.fetch_add(1, Ordering::Relaxed);
        self.tables.get(table, key)
    }

    fn scan(
        &self,
        table: Table,
        range: &KeyRange,
        order: ScanOrder,
        limit: usize,
    ) -> Result<Vec<StoredRow>, TablesError> {
        self.count.reads.fetch_add(1, Ordering::Relaxed);
        let rows = self.tables.scan(table, range, order, limit)?;
        let count = u64::try_from(rows.len()).unwrap();
        self.count.rows.fetch_add(count, Ordering::Relaxed);
        Ok(rows)
    }

    fn write_batch(&self, rows: Vec<Row>) -> Result<(), TablesError> {
        self.tables.write_batch(rows)
    }

    fn flush_durably(&self) -> Result<(), TablesError> {
        self.tables.flush_durably()
    }

    fn size_bytes(&self) -> u64 {
        self.tables.size_bytes()
    }
}
