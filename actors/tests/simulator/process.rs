//! One process: it starts on what the machine has, people use it, and it ends by itself or with the power.

use std::rc::Rc;
use std::time::Duration;

use switchboard_actors::System;
use switchboard_engine::testkit::simulation::{Cut, Death, process};
use tokio::task::JoinHandle;

use crate::forge::has_leftovers;
use crate::world::{CLIENTS, World};
use crate::{audit, clients, healing, setting};

/// How a process is to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plan {
    /// The power goes before this step, if it comes to that.
    Cut(u64),
    /// It is stopped when people have done what they want.
    Stop,
    /// The same, and before that everything is well until nothing is left to do.
    Heal,
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Died,
    Stopped,
    /// In order, with nothing left to do.
    Healed,
}

/// Lets a process live, from its start to its end.
pub(crate) fn live(world: &Rc<World>, plan: Plan) -> End {
    let seed = world.dice.borrow_mut().next();
    let cut = match plan {
        Plan::Cut(before) => Some(Cut {
            before,
            death: Death::PowerCut,
            seed,
        }),
        Plan::Stop | Plan::Heal => None,
    };
    let stored = world.machine.boot(cut);
    if world.plant.is_none() && has_leftovers(&stored) {
        world
            .coverage
            .count("power cut that leaves a disconnection half done");
    }
    stored.disk.set_quota(None);
    // What was ordered of the disk before is over.
    stored.disk.fail_write(0);
    *world.disk.borrow_mut() = stored;
    world.is_up.set(false);
    world.is_healing.set(false);
    world.network.begin_process();
    let ended = process::run(&world.machine, &world.clock, life(world, plan)).unwrap();
    world.ledger.borrow_mut().lose_answers();
    let end = ended.unwrap_or(End::Died);
    if end == End::Died {
        world
            .coverage
            .count(match (world.is_up.get(), world.machine.wrote_unsynced()) {
                (false, _) => "power cut during a start",
                (true, false) => "power cut",
                (true, true) => "power cut that loses a flush",
            });
    }
    end
}

async fn life(world: &Rc<World>, plan: Plan) -> End {
    let ports = world.ports(&world.disk.borrow());
    let system = match System::start(world.config(), ports) {
        Ok(system) => system,
        Err(_) if world.machine.is_dead() => return End::Died,
        Err(error) => {
            world.fail(format!("the service does not start: {error}"));
            return End::Stopped;
        }
    };
    world.is_up.set(!world.machine.is_dead());
    world.machine.note("started at step", world.machine.steps());
    let writing = actix::spawn(write(Rc::clone(world), system.clone()));
    setting::declare_all(world, &system).await;
    audit::everything(world, &system).await;
    if world.wrong().is_none() {
        let clients: Vec<JoinHandle<()>> = (0..CLIENTS)
            .map(|client| actix::spawn(clients::work(client, Rc::clone(world), system.clone())))
            .collect();
        for client in clients {
            if client.await.is_err() {
                world.fail("a client panicked".to_owned());
            }
        }
    }
    let done = world.wishes.borrow().iter().all(|wishes| *wishes == 0);
    let heals = plan == Plan::Heal || (done && world.draw(2) == 0);
    if heals && world.wrong().is_none() {
        world.is_healing.set(true);
        healing::heal(world, &system).await;
        audit::everything(world, &system).await;
    }
    let report = system.shutdown(Duration::from_secs(60)).await;
    // The last checkpoint is written by another thread: whether its end or that of the power is heard of first is chance.
    if world.machine.is_dead() {
        return End::Died;
    }
    world.machine.note("stopped after record", report.durable);
    writing.abort();
    if heals { End::Healed } else { End::Stopped }
}

/// The disk takes its time with what waits, and more time when nothing does.
async fn write(world: Rc<World>, system: System) {
    let mut rest = 1;
    // Who hardly waits for an answer would never get one from a disk that sleeps.
    let patient = world.config().ask_deadline > Duration::from_secs(1);
    loop {
        let stalls = world.draw(400) == 0;
        let millis = if stalls { 7_000 } else { rest };
        tokio::time::sleep(Duration::from_millis(millis)).await;
        if system.write_waiting() {
            rest = 1 + u64::try_from(world.draw(6)).unwrap();
            if stalls {
                world.coverage.count("disk stalls");
            }
        } else {
            let sleeps = patient && world.is_healing.get();
            let most = if sleeps { 1_000 } else { 20 };
            rest = (rest * 2).min(most);
        }
    }
}
