//! Counters in files. Each run adds one to a counter, prints all counters, and ends without a farewell, as a killed
//! process would: whatever was answered is there in the next run.
//!
//! ```sh
//! cargo run -p switchboard-engine --example counter -- /tmp/counters apples
//! ```

use std::convert::Infallible;
use std::error::Error;
use std::io::{Write as _, stdout};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use switchboard_engine::entries::IndexEntries;
use switchboard_engine::runtime::ask::execute;
use switchboard_engine::runtime::clock::SystemClock;
use switchboard_engine::runtime::directory::Directory;
use switchboard_engine::runtime::entropy::Generator;
use switchboard_engine::runtime::kernel::Product;
use switchboard_engine::runtime::open::{Config, OpenedStore, Ports};
use switchboard_engine::runtime::owner::Owned;
use switchboard_engine::state::{Command, Decision, Moment, State};
use switchboard_engine::store::disk::file::FileDisk;
use switchboard_engine::store::schema::Schema;
use switchboard_engine::store::tables::sled::SledHome;
use switchboard_engine::store::tables::{KeyRange, ScanOrder};
use switchboard_engine::stream::StreamKind;

// The numbers are stored in the journal: they never change.
switchboard_engine::kinds! { pub const; COUNTER: 1, "Counter", Often; }

mod tables {
    switchboard_engine::tables! { pub const; TOTALS: 2, "totals", Often; }
}

/// A state: plain data, changed by its events alone.
#[derive(Clone, Serialize, Deserialize)]
struct Counter {
    name: String,
    total: u64,
}

/// An event of a counter.
#[derive(Clone, Serialize, Deserialize)]
struct Added(u64);

/// A command to a counter.
struct Add(u64);

/// The product: the owners of all counters.
struct Counters {
    directory: Directory<Counter, Self>,
}

impl State for Counter {
    type Id = String;
    type Event = Added;
    type Notice = ();
    const KIND: StreamKind = COUNTER;

    fn initial(id: &String) -> Self {
        Self {
            name: id.clone(),
            total: 0,
        }
    }

    fn apply(&mut self, event: &Added) {
        self.total = self.total.saturating_add(event.0);
    }

    // A row for the list of totals. The engine writes it in the same step as the event.
    fn index(&self, event: &Added, entries: &mut IndexEntries) {
        let total = self.total.saturating_add(event.0).to_string();
        entries.put(
            tables::TOTALS,
            self.name.clone().into_bytes(),
            total.into_bytes(),
        );
    }
}

impl Command for Add {
    type Of = Counter;
    type Reply = u64;
    type Rejection = Infallible;

    // Pure: it reads the state, and decides which event there is and what the caller gets.
    fn decide(
        self,
        counter: &Counter,
        _moment: &mut Moment<'_, Added>,
    ) -> Result<Decision<Added, u64>, Infallible> {
        let total = counter.total.saturating_add(self.0);
        Ok(Decision::event(Added(self.0), total))
    }
}

impl Product for Counters {
    type Notice = ();
}

impl Owned<Counters> for Counter {
    fn directory(counters: &Counters) -> &Directory<Self, Counters> {
        &counters.directory
    }
}

/// Adds one to a counter. Returns all counters with their totals, in the order of their names.
async fn count(directory: &Path, name: &str) -> Result<Vec<(String, String)>, Box<dyn Error>> {
    let ports = Ports {
        disk: Arc::new(FileDisk::open(directory)?),
        tables: Arc::new(SledHome::new(directory.join("tables"))),
        clock: Arc::new(SystemClock),
        entropy: Arc::new(Generator::from_system()?),
    };
    let schema = Schema::new(tables::ALL).with::<Counter>();
    // Replays what the index has not seen: after a kill, the end of the journal.
    let store = OpenedStore::open(ports, schema, Config::default())?;
    let sink = Arc::new(store.sink());
    let counters = Counters {
        directory: Directory::new(256),
    };
    let kernel = store.start(sink, counters)?;

    // The answer comes when its event is on disk.
    execute(&kernel, &name.to_owned(), Add(1)).await?;
    let rows = kernel
        .index
        .scan(tables::TOTALS, &KeyRange::all(), ScanOrder::Ascending, 100)?;
    rows.into_iter()
        .map(|(name, total)| Ok((String::from_utf8(name)?, String::from_utf8(total)?)))
        .collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(directory), Some(name)) = (arguments.next(), arguments.next()) else {
        return Err("usage: counter DIRECTORY NAME".into());
    };
    let (directory, name) = (
        PathBuf::from(directory),
        name.to_string_lossy().into_owned(),
    );
    actix::System::new().block_on(async {
        for (name, total) in count(&directory, &name).await? {
            writeln!(stdout(), "{name}: {total}")?;
        }
        // No stop, no flush: the disk has everything already.
        std::process::exit(0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_run_goes_on_where_the_first_ended() {
        let directory = tempfile::tempdir().unwrap();
        for total in ["1", "2"] {
            let rows = actix::System::new()
                .block_on(count(directory.path(), "apples"))
                .unwrap();
            assert_eq!(rows, [("apples".to_owned(), total.to_owned())]);
        }
    }
}
