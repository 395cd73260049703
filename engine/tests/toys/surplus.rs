//! Owners leave memory when there are too many: the longest unused first, and no more than necessary.

use std::sync::Arc;
use std::time::Duration;

use switchboard_engine::runtime::ask::execute;
use switchboard_engine::runtime::directory::{Surplus, Sweep};
use switchboard_engine::runtime::entropy::Generator;
use switchboard_engine::runtime::open::{Config, OpenedStore, Ports};
use switchboard_engine::store::tables::memory::MemoryHome;
use switchboard_engine::testkit::{FaultyDisk, ManualClock};
use switchboard_engine::time::UnixMillis;

use crate::product::depot::{Depot, Load};
use crate::product::{Env, Request, Toys, schema};

const DEPOTS: u8 = 100;

fn open(clock: &ManualClock) -> Env {
    let ports = Ports {
        disk: Arc::new(FaultyDisk::new()),
        tables: Arc::new(MemoryHome::default()),
        clock: Arc::new(clock.clone()),
        entropy: Arc::new(Generator::from_seed(1)),
    };
    let store = OpenedStore::open(ports, schema(), Config::default()).unwrap();
    let sink = Arc::new(store.sink());
    store.start(sink, Toys::new(16)).unwrap()
}

async fn load(env: &Env, depot: u8, request: u32) {
    let load = Load {
        request: Request(request),
        depot,
        pieces: 1,
    };
    execute(env, &depot, load).await.unwrap();
}

/// Has the surplus leave, and gives the depots that stay in memory.
async fn staying(env: &Env, surplus: Surplus) -> Vec<u8> {
    let now = env.clock.now();
    env.shared.depots.sweep(&Sweep {
        leave: UnixMillis::ZERO,
        passivate: now..now,
        indexed: env.index.indexed_upto(),
        surplus: Some(surplus),
    });
    // Each owner handles what it was sent before the next command to it.
    for _ in 0..1_000 {
        tokio::task::yield_now().await;
    }
    let stays = |depot: &u8| env.shared.depots.peek(depot).is_some();
    (1..=DEPOTS).filter(stays).collect()
}

#[actix::test]
async fn the_longest_unused_owners_leave_and_no_more_than_the_surplus() {
    let clock = ManualClock::at(UnixMillis::from_secs(1_000));
    let env = open(&clock);
    for depot in 1..=DEPOTS {
        load(&env, depot, 1).await;
        clock.advance(Duration::from_secs(1));
    }
    // The first ones are in use again.
    for depot in 1..=10 {
        load(&env, depot, 2).await;
        clock.advance(Duration::from_secs(1));
    }
    let surplus = |owners, of| Surplus {
        owners,
        of,
        unused_since: env.clock.now(),
    };
    // Half of all owners are in another directory, which gives up its share.
    let survivors = staying(&env, surplus(60, 200)).await;
    assert_eq!(survivors, (1..=10).chain(41..=DEPOTS).collect::<Vec<_>>());

    let in_use = Surplus {
        unused_since: UnixMillis::from_secs(1_100),
        ..surplus(1_000, 1_000)
    };
    assert_eq!(staying(&env, in_use).await, (1..=10).collect::<Vec<_>>());
    for depot in 1..=DEPOTS {
        let (state, _) = env.load::<Depot>(depot).await.unwrap().unwrap();
        let loads = if depot <= 10 { 2 } else { 1 };
        assert_eq!((state.left, state.count), (loads, loads));
    }
}
