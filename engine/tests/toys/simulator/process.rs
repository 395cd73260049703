//! One process: it comes up on what the machine has, clients use it, and it ends in order or dies.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use switchboard_engine::runtime::open::OpenedStore;
use switchboard_engine::store::index::config::IndexStats;
use switchboard_engine::testkit::simulation::{Cut, Death, process};

use super::world::{CLIENTS, World};
use super::{check, clients};
use crate::product::{Env, Toys, schema};

/// The planned end of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plan {
    /// It dies, if it comes to that step.
    Die(Cut),
    /// It is stopped when clients have done what they want.
    Stop,
}

/// The end of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Died,
    Stopped,
}

/// Lets a process live, from its start to its end.
pub(crate) fn live(world: &Rc<World>, plan: Plan) -> End {
    let cut = match plan {
        Plan::Die(cut) => Some(cut),
        Plan::Stop => None,
    };
    let content = world.machine.boot(cut);
    // What was ordered of the disk before is over.
    content.disk.set_quota(None);
    content.disk.fail_write(0);
    *world.disk.borrow_mut() = content;
    world.is_up.set(false);
    let end = process::run(&world.machine, &world.clock, life(world))
        .unwrap()
        .unwrap_or(End::Died);
    if let (End::Died, Some(cut)) = (end, cut) {
        let (is_up, lost) = (world.is_up.get(), world.machine.wrote_unsynced());
        world.coverage.count(match (cut.death, is_up, lost) {
            (Death::Kill, ..) => "kill",
            (Death::PowerCut, false, _) => "power cut during a start",
            (Death::PowerCut, true, false) => "power cut",
            (Death::PowerCut, true, true) => "power cut that loses a flush",
        });
    }
    end
}

async fn life(world: &Rc<World>) -> End {
    let env = match start(world) {
        Ok(env) => env,
        Err(_) if world.machine.is_dead() => return End::Died,
        Err(error) => {
            world.fail(format!("the engine does not start: {error}"));
            return End::Stopped;
        }
    };
    world.is_up.set(!world.machine.is_dead());
    let writing = actix::spawn(write(Rc::clone(world), env.clone()));
    check::everything(world, &env).await;
    if world.wrong().is_none() {
        let clients = (0..CLIENTS)
            .map(|client| actix::spawn(clients::work(client, Rc::clone(world), env.clone())));
        for client in clients.collect::<Vec<_>>() {
            if client.await.is_err() {
                world.fail("a client panicked".to_owned());
            }
        }
    }
    let disk = world.disk.borrow().disk.clone();
    disk.set_quota(None);
    disk.fail_write(0);
    if world.wrong().is_none() {
        check::everything(world, &env).await;
    }
    if world.machine.is_dead() {
        return End::Died;
    }
    let IndexStats { checkpoints, .. } = env.index.stats();
    if checkpoints > 0 {
        world.coverage.count("checkpoint written");
    }
    writing.abort();
    env.journal.close();
    if let Err(trouble) = env.index.close()
        && !world.machine.is_dead()
    {
        world.fail(format!("the last checkpoint fails: {}", trouble.reason));
    }
    match world.machine.is_dead() {
        true => End::Died,
        false => End::Stopped,
    }
}

fn start(world: &World) -> Result<Env, String> {
    let store = OpenedStore::open(world.ports(), schema(), world.config())
        .map_err(|error| error.to_string())?;
    let sink = Arc::new(store.sink());
    let env = store.start(sink, Toys::new(world.mailbox()));
    env.map_err(|error| error.to_string())
}

/// The disk takes its time with what waits, and more time when nothing does.
async fn write(world: Rc<World>, env: Env) {
    let mut rest = 1;
    loop {
        tokio::time::sleep(Duration::from_millis(rest)).await;
        rest = if env.journal.step() {
            1 + u64::try_from(world.draw(6)).unwrap()
        } else {
            (rest * 2).min(20)
        };
    }
}
