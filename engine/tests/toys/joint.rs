//! Changes that two owners decide on, and three: everything happens or nothing.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use actix::Arbiter;
use futures_util::future::join_all;
use switchboard_engine::error::{CommandError, UnavailableError};
use switchboard_engine::runtime::ask::execute;
use switchboard_engine::runtime::clock::SystemClock;
use switchboard_engine::runtime::directory::Sweep;
use switchboard_engine::runtime::entropy::Generator;
use switchboard_engine::runtime::joint::{Joint, Part, RejectedBy, execute_joint};
use switchboard_engine::runtime::open::{Config, OpenedStore, Ports};
use switchboard_engine::runtime::owner::{Execute, GetState, Owned};
use switchboard_engine::runtime::shell::{DeclinedError, Shell};
use switchboard_engine::runtime::threads::Threads;
use switchboard_engine::state::{Command, Decision, Moment};
use switchboard_engine::store::Seq;
use switchboard_engine::store::tables::memory::MemoryHome;
use switchboard_engine::store::tables::{KeyRange, ScanOrder as Rows};
use switchboard_engine::testkit::FaultyDisk;

use crate::product::depot::{Depot, Load, TakeOut, Taken};
use crate::product::list::{List, Write};
use crate::product::order::{Order, Ship};
use crate::product::shop::{ROOM, Shop, Trade, Traded};
use crate::product::{Answer, Env, Rejection, Request, Toys, schema, tables};

pub(crate) fn open(disk: &FaultyDisk, threads: Threads) -> Env {
    let ports = Ports {
        disk: Arc::new(disk.clone()),
        tables: Arc::new(MemoryHome::default()),
        clock: Arc::new(SystemClock),
        entropy: Arc::new(Generator::from_seed(1)),
    };
    let config = Config {
        threads,
        ..Config::default()
    };
    let store = OpenedStore::open(ports, schema(), config).unwrap();
    let sink = Arc::new(store.sink());
    store.start(sink, Toys::new(16)).unwrap()
}

async fn load(env: &Env, request: u32, pieces: u64) {
    let load = Load {
        request: Request(request),
        depot: 1,
        pieces,
    };
    execute(env, &1, load).await.unwrap();
}

fn ship(request: u32, pieces: u64) -> Ship {
    Ship(TakeOut {
        request: Request(request),
        depot: 1,
        shop: 2,
        pieces,
    })
}

fn order(request: u32, name: u8, pieces: u64) -> Order {
    let write = Write {
        request: Request(request),
        list: 3,
        items: vec![(name, Some(pieces))],
    };
    let ship = ship(request, pieces);
    Order { write, ship }
}

async fn look<S: Owned<Toys>>(env: &Env, id: S::Id) -> S {
    let addr = S::directory(&env.shared).peek(&id).unwrap();
    let pending = addr.send(GetState::<S>::default()).await.unwrap().unwrap();
    pending.stored(&env.journal).await.unwrap()
}

/// Returns the content of the depot and the shop, and the number of records of the list.
async fn all(env: &Env) -> (u64, u64, u64) {
    let states = [
        env.load::<Depot>(1)
            .await
            .unwrap()
            .map(|(depot, _)| depot.left),
        env.load::<Shop>(2)
            .await
            .unwrap()
            .map(|(shop, _)| shop.pieces),
        env.load::<List>(3)
            .await
            .unwrap()
            .map(|(list, _)| list.count),
    ];
    let [depot, shop, list] = states.map(Option::unwrap_or_default);
    (depot, shop, list)
}

fn rejected(answer: Result<Answer, CommandError<Rejection>>) -> Rejection {
    match answer {
        Err(CommandError::Rejected(rejection)) => rejection,
        other => panic!("{other:?}"),
    }
}

/// Two owners write one group of records, and the first one alone answers a repeat.
#[actix::test]
async fn a_joint_commit_of_two_writes_one_group_and_repeats_alone() {
    let env = open(&FaultyDisk::new(), Threads::Here);
    load(&env, 1, 10).await;
    let first = execute_joint(&env, &1, ship(2, 4)).await.unwrap();
    assert_eq!((first.count, first.value), (2, 6));
    // Both records are there, and all that was shipped arrived.
    assert_eq!(env.journal.durable_upto(), Seq(3));
    assert_eq!(
        (
            look::<Depot>(&env, 1).await.left,
            look::<Shop>(&env, 2).await.pieces
        ),
        (6, 4)
    );
    load(&env, 3, 1).await;
    let again = execute_joint(&env, &1, ship(2, 4)).await.unwrap();
    assert_eq!(again, first);
    assert_eq!(env.journal.durable_upto(), Seq(4));
    assert_eq!(all(&env).await, (7, 4, 0));
}

#[actix::test]
async fn a_joint_commit_rejected_by_one_owner_changes_neither() {
    let env = open(&FaultyDisk::new(), Threads::Here);
    load(&env, 1, 100).await;
    let by_the_first = execute_joint(&env, &1, ship(2, 101)).await;
    assert_eq!(rejected(by_the_first), Rejection::TooFew);
    let by_the_second = execute_joint(&env, &1, ship(3, ROOM + 1)).await;
    assert_eq!(rejected(by_the_second), Rejection::Full);
    assert_eq!(all(&env).await, (100, 0, 0));
    // The first owner still has its state, and goes on from it.
    let shipped = execute_joint(&env, &1, ship(4, ROOM)).await.unwrap();
    assert_eq!((shipped.count, shipped.value), (2, 60));
    assert_eq!(all(&env).await, (60, ROOM, 0));
}

/// Three owners write one group of records, and a repeat that only the second one knows writes nothing.
#[actix::test]
async fn a_joint_commit_of_three_is_idempotent_by_its_second_owner() {
    let env = open(&FaultyDisk::new(), Threads::Here);
    load(&env, 1, 10).await;
    let shipped = execute_joint(&env, &3, order(2, 7, 4)).await.unwrap();
    assert_eq!(env.journal.durable_upto(), Seq(4));
    assert_eq!(all(&env).await, (6, 4, 1));
    let streams: Vec<u8> = (env.reader.scan(None))
        .map(|found| found.unwrap().1.stream.code())
        .collect();
    assert_eq!(streams, [1, 3, 1, 2], "each after those that it rests on");
    // The depot has shipped request 5; the list was not asked then.
    let alone = execute_joint(&env, &1, ship(5, 1)).await.unwrap();
    let again = execute_joint(&env, &3, order(5, 8, 1)).await.unwrap();
    assert_eq!(again, alone);
    assert_ne!(again, shipped);
    assert_eq!(all(&env).await, (5, 5, 1));
    let rows = env
        .index
        .scan(tables::ITEMS, &KeyRange::all(), Rows::Ascending, 9);
    assert_eq!(rows.unwrap().len(), 1, "the repeat put no item on the list");
    // A rejection of the third comes all the way back.
    load(&env, 6, 100).await;
    let refusal = execute_joint(&env, &3, order(7, 9, ROOM)).await;
    assert_eq!(rejected(refusal), Rejection::Full);
    assert_eq!(all(&env).await, (105, 5, 1));
}

#[actix::test]
async fn a_failed_write_undoes_both_parts_of_a_joint_commit() {
    let disk = FaultyDisk::new();
    let env = open(&disk, Threads::Here);
    load(&env, 1, 10).await;
    execute_joint(&env, &3, order(2, 7, 1)).await.unwrap();
    disk.fail_write(1);
    let failure = execute_joint(&env, &3, order(3, 7, 4)).await;
    assert!(
        matches!(
            failure,
            Err(CommandError::Unavailable(UnavailableError::Interrupted))
        ),
        "{failure:?}"
    );
    while env.journal.writable().is_err() {
        tokio::task::yield_now().await;
    }
    // All three states were rebuilt from the records on disk.
    let shipped = execute_joint(&env, &3, order(3, 7, 2)).await.unwrap();
    assert_eq!((shipped.count, shipped.value), (3, 7));
    assert_eq!(all(&env).await, (7, 3, 2));
}

/// A command whose decision panics.
struct Explode;

impl Command for Explode {
    type Of = Shop;
    type Reply = ();
    type Rejection = Infallible;

    fn decide(
        self,
        _: &Shop,
        _: &mut Moment<'_, Traded>,
    ) -> Result<Decision<Traded, ()>, Infallible> {
        panic!("a panic on order")
    }
}

/// Pieces leave a depot, and a shop gets a command of this kind for it.
struct Noted<C> {
    take: TakeOut,
    command: C,
}

impl<C: Command<Of = Shop, Reply = (), Rejection = Infallible>> Joint for Noted<C> {
    type Product = Toys;
    type First = TakeOut;
    type Second = Execute<C>;
    type SecondInput = (u8, C);
    type Reply = Answer;
    type Rejection = Rejection;

    fn first(self) -> (TakeOut, (u8, C)) {
        (self.take, (self.take.shop, self.command))
    }

    fn second(input: (u8, C), taken: &Taken) -> Option<(u8, Execute<C>)> {
        let (shop, command) = input;
        (!taken.is_repeat).then(|| (shop, Execute::at_once(command)))
    }

    fn reply(taken: Option<Taken>, _: Option<()>) -> Option<Answer> {
        Some(taken?.answer)
    }

    fn rejection(by: RejectedBy<Rejection, Infallible>) -> Rejection {
        by.first()
    }
}

fn noted<C>(ship: Ship, command: C) -> Noted<C> {
    Noted {
        take: ship.0,
        command,
    }
}

#[actix::test]
async fn a_panic_of_the_second_owner_keeps_the_stored_first_one() {
    let env = open(&FaultyDisk::new(), Threads::Here);
    load(&env, 1, 10).await;
    execute_joint(&env, &1, ship(2, 1)).await.unwrap();
    let shipped = execute_joint(&env, &1, noted(ship(3, 4), Explode)).await;
    assert!(
        matches!(
            shipped,
            Err(CommandError::Unavailable(UnavailableError::Interrupted))
        ),
        "{shipped:?}"
    );
    assert_eq!(
        env.shared.shops.deaths(),
        0,
        "nobody has asked for it since"
    );
    assert_eq!(all(&env).await, (9, 1, 0));
    let again = execute_joint(&env, &1, ship(3, 4)).await.unwrap();
    assert_eq!((again.count, again.value), (3, 5));
    assert_eq!(env.shared.shops.deaths(), 1);
    assert_eq!(all(&env).await, (5, 5, 0));
}

/// A command that never changes anything.
struct Glance;

impl Command for Glance {
    type Of = Shop;
    type Reply = ();
    type Rejection = Infallible;

    const OPTIONAL: bool = true;

    fn decide(
        self,
        _: &Shop,
        _: &mut Moment<'_, Traded>,
    ) -> Result<Decision<Traded, ()>, Infallible> {
        Ok(Decision::unchanged(()))
    }
}

#[actix::test]
async fn the_first_owner_is_stored_if_the_second_changes_nothing() {
    let disk = FaultyDisk::new();
    let env = open(&disk, Threads::Here);
    load(&env, 1, 10).await;
    let reply = execute_joint(&env, &1, noted(ship(2, 4), Glance))
        .await
        .unwrap();
    assert_eq!((reply.count, reply.value), (2, 6));
    assert_eq!(all(&env).await, (6, 0, 0));
    let (depot, _) = env.load::<Depot>(1).await.unwrap().unwrap();
    let again = execute_joint(&env, &1, noted(ship(2, 4), Glance))
        .await
        .unwrap();
    assert_eq!(
        (again, env.load::<Depot>(1).await.unwrap().unwrap().0),
        (reply, depot)
    );
}

#[actix::test]
async fn a_retired_owner_passes_the_change_to_its_successor() {
    let env = open(&FaultyDisk::new(), Threads::Here);
    load(&env, 1, 10).await;
    execute_joint(&env, &1, ship(2, 1)).await.unwrap();
    let now = env.clock.now();
    let sweep = Sweep {
        leave: now.plus(Duration::from_secs(1)),
        passivate: now..now,
        indexed: env.index.indexed_upto(),
        surplus: None,
    };
    env.shared.depots.sweep(&sweep);
    env.shared.shops.sweep(&sweep);
    let shipped = execute_joint(&env, &1, ship(3, 4)).await.unwrap();
    assert_eq!((shipped.count, shipped.value), (3, 5));
    assert_eq!(all(&env).await, (5, 5, 0));
}

/// A decision of the first owner of a joint commit before a failed write is never written after it.
#[actix::test]
async fn decisions_before_a_failed_write_are_not_written_after_it() {
    let disk = FaultyDisk::new();
    let env = open(&disk, Threads::Here);
    load(&env, 1, 10).await;
    let (depot, last) = env.load::<Depot>(1).await.unwrap().unwrap();
    let mut shell = Shell::new(1, depot, last, env.clone());
    let prepared = shell.prepare(ship(2, 4).0).unwrap();
    // A write of another state fails, and later writes work again. The earlier decision may rest on lost records.
    disk.fail_write(1);
    let failure = Load {
        request: Request(3),
        depot: 9,
        pieces: 1,
    };
    execute(&env, &9, failure).await.unwrap_err();
    while env.journal.writable().is_err() {
        tokio::task::yield_now().await;
    }
    let trade = Trade {
        request: Request(2),
        shop: 2,
        pieces: 4,
        depot: Some(1),
    };
    let late = Execute::at_once(trade)
        .submit(env.clone(), 2, prepared.carried)
        .await;
    assert!(
        matches!(
            late,
            Err(DeclinedError::Unavailable(UnavailableError::Interrupted))
        ),
        "{late:?}"
    );
    assert_eq!(env.journal.durable_upto(), Seq(1));
    assert_eq!(all(&env).await, (10, 0, 0));
}

#[actix::test]
async fn concurrent_joint_commits_lose_no_piece() {
    let env = open(&FaultyDisk::new(), Threads::Own(2));
    let arbiters = [Arbiter::new(), Arbiter::new()];
    let handles = arbiters.iter().map(Arbiter::handle);
    for handle in handles.clone().chain([Arbiter::current()]) {
        // Answers are handed over on the threads that wait for them.
        let journal = env.journal.clone();
        assert!(handle.spawn_fn(move || drop(actix::spawn(journal.wake_relay()))));
    }
    for handle in handles {
        assert!(env.shards.join(handle));
    }
    for depot in 0..4_u8 {
        let load = Load {
            request: Request(u32::from(depot)),
            depot,
            pieces: 10,
        };
        execute(&env, &depot, load).await.unwrap();
    }
    let shipments = (0..200_u32).map(|number| {
        let take = TakeOut {
            request: Request(100 + number / 2),
            depot: u8::try_from(number / 2 % 4).unwrap(),
            shop: u8::try_from(number / 2 % 3).unwrap(),
            pieces: 1,
        };
        let env = &env;
        async move { execute_joint(env, &take.depot, Ship(take)).await }
    });
    // Each is asked for twice at once.
    let answers = join_all(shipments).await;
    for pair in answers.chunks(2) {
        match (&pair[0], &pair[1]) {
            (Ok(one), Ok(other)) => assert_eq!(one, other),
            (one, other) => assert_eq!(format!("{one:?}"), format!("{other:?}")),
        }
    }
    let successes = answers.iter().filter(|answer| answer.is_ok()).count();
    assert_eq!(
        successes, 80,
        "forty pieces, each shipped once and answered twice"
    );
    env.caught_up().await;
    let mut there = 0;
    for shop in 0..3 {
        there += env.load::<Shop>(shop).await.unwrap().unwrap().0.pieces;
    }
    assert_eq!(there, 40);
    for arbiter in arbiters {
        arbiter.stop();
        arbiter.join().unwrap();
    }
}
