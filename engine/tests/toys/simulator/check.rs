//! Compares all that is stored with what clients were promised: nothing acknowledged is lost, nothing is there twice, what
//! was asked for later is stored later, changes of several owners are whole, and states, rows and keys are what the records
//! make of them.

mod history;

use std::collections::BTreeMap;
use std::time::Duration;

use switchboard_engine::entries::Key;
use switchboard_engine::runtime::owner::{GetState, Owned};
use switchboard_engine::state::State;
use switchboard_engine::store::tables::{KeyRange, ScanOrder, StoredRow};
use switchboard_engine::table::Table;

use self::history::History;
use super::ledger::{Entry, Fate};
use super::world::World;
use crate::product::depot::Depot;
use crate::product::list::List;
use crate::product::shop::Shop;
use crate::product::{Env, Request, Toys, tables};

/// Within this time everything that waits in mailboxes is decided on.
const QUIET: Duration = Duration::from_millis(200);

/// Looks at everything; what is wrong ends the run.
pub(crate) async fn everything(world: &World, env: &Env) {
    if let Err(what) = compare(world, env).await {
        world.fail(what);
    } else if !world.machine.is_dead() {
        world.coverage.count("everything compared");
    }
}

async fn compare(world: &World, env: &Env) -> Result<(), String> {
    // What clients no longer wait for may still be in progress.
    loop {
        tokio::time::sleep(QUIET).await;
        let journal = &env.journal;
        let is_written = journal.submitted_upto() == journal.durable_upto();
        if (is_written && journal.writable().is_ok()) || world.machine.is_dead() {
            break;
        }
    }
    env.caught_up().await;
    let mut history = History::default();
    for found in env.reader.scan(None) {
        let (_, record) = found.map_err(|error| error.to_string())?;
        history.take(&record)?;
    }
    history.is_whole()?;
    promises(world, &history)?;
    rows(env, tables::STOCK, &history.stock)?;
    rows(env, tables::ARRIVALS, &history.arrivals)?;
    rows(env, tables::ITEMS, &history.items)?;
    keys(env, &history)?;
    for depot in history.depots.values() {
        state::<Depot>(env, depot.id, depot).await?;
    }
    for shop in history.shops.values() {
        state::<Shop>(env, shop.id, shop).await?;
    }
    for list in history.lists.values() {
        state::<List>(env, list.id, list).await?;
    }
    Ok(())
}

/// Checks the promises to clients.
fn promises(world: &World, history: &History) -> Result<(), String> {
    let ledger = world.ledger.borrow();
    let mut successes: Vec<(&Entry, u64, Request)> = Vec::new();
    for (request, entry) in &ledger.entries {
        let record = history.requests.get(request);
        match (entry.fate, record) {
            (Fate::Accepted(answer), Some(record)) if record.answer == Some(answer) => {
                successes.push((entry, record.last, *request));
            }
            (Fate::Refused, None) | (Fate::Unknown, _) => {}
            (Fate::Accepted(_) | Fate::Refused, _) => {
                return Err(format!("{request:?} is {record:?}, but {entry:?}"));
            }
        }
    }
    if let Some(request) = (history.requests.keys()).find(|key| !ledger.entries.contains_key(*key))
    {
        return Err(format!("{request:?} was never asked for"));
    }
    for (earlier, first, one) in &successes {
        for (later, second, other) in &successes {
            if earlier
                .answered_at
                .is_some_and(|answered_at| answered_at < later.asked_at)
                && first > second
            {
                return Err(format!(
                    "{one:?} was answered before {other:?}, and is later"
                ));
            }
        }
    }
    Ok(())
}

fn rows(env: &Env, table: Table, expected: &BTreeMap<Vec<u8>, Vec<u8>>) -> Result<(), String> {
    let rows = (env.index)
        .scan(table, &KeyRange::all(), ScanOrder::Ascending, usize::MAX)
        .map_err(|error| error.to_string())?;
    let model_rows: Vec<StoredRow> = expected.clone().into_iter().collect();
    if rows == model_rows {
        return Ok(());
    }
    Err(format!("{table:?} has {rows:?}, not {model_rows:?}"))
}

/// The newest record of each request and of each item is found.
fn keys(env: &Env, history: &History) -> Result<(), String> {
    for (key, seq) in history.keys() {
        let number = env
            .index
            .record(key)
            .map_err(|error| error.to_string())?
            .map(|record| record.seq.0);
        if number != Some(seq) {
            return Err(format!("{key:?} leads to {number:?}, not {seq}"));
        }
    }
    let strange = Key::new("strange", &0);
    match env.index.find(strange) {
        Ok(None) => Ok(()),
        other => Err(format!("a key of nothing leads to {other:?}")),
    }
}

/// The owner of the state, or the store if it does not answer now.
async fn state<S>(env: &Env, id: u8, expected: &S) -> Result<(), String>
where
    S: Owned<Toys> + State<Id = u8> + PartialEq + std::fmt::Debug,
{
    let unavailable = |error: switchboard_engine::error::UnavailableError| error.to_string();
    let stored_state = env.load::<S>(id).await.map_err(unavailable)?;
    let state = stored_state.map(|(state, _)| state);
    if state.as_ref() != Some(expected) {
        return Err(format!("{state:?} is stored, not {expected:?}"));
    }
    let Some(owner) = S::directory(&env.shared).peek(&id) else {
        return Ok(());
    };
    let Ok(Some(pending)) = owner.send(GetState::<S>::default()).await else {
        return Ok(());
    };
    match pending.stored(&env.journal).await {
        Ok(owned) if owned != *expected => Err(format!("{owned:?} is owned, not {expected:?}")),
        Ok(_) | Err(_) => Ok(()),
    }
}
