//! One process: it starts on what the machine has, people use it, and it ends by itself or with the power.

use std::rc::Rc;
use std::sync::Arc;

use switchboard_actors::System;
use tokio::task::JoinHandle;

use crate::forge::has_leftovers;
use crate::world::{CLIENTS, World};
use crate::{audit, clients, healing, setting};

/// The end that is planned for a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plan {
    /// The power goes before this step, if it comes to that.
    Cut(usize),
    /// It is stopped when people have done what they want.
    Stop,
    /// The same, and before that everything is well until nothing is left to do.
    Heal,
}

/// The end that a process came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Died,
    Stopped,
    /// In order, with nothing left to do.
    Healed,
}

/// Lets a process live, from its start to its end.
pub(crate) fn live(world: &Rc<World>, plan: Plan) -> End {
    let cut = match plan {
        Plan::Cut(before) => Some(world.cut_before(before)),
        Plan::Stop | Plan::Heal => None,
    };
    world.machine.tamper(|stored| {
        if world.plant.is_none() && has_leftovers(stored) {
            world
                .coverage
                .count("power cut that leaves a disconnection half done");
        }
        None
    });
    world.is_healing.set(false);
    world.network.begin_process();
    let network = Arc::new(world.network.clone());
    let life = async |system: &System| use_it(world, plan, system).await;
    let end = world.live_with(network, cut, world.config(), life);
    world.ledger.borrow_mut().lose_answers();
    end.unwrap_or(End::Died)
}

async fn use_it(world: &Rc<World>, plan: Plan, system: &System) -> End {
    setting::declare_all(world, system).await;
    audit::everything(world, system).await;
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
    let is_over = world.wishes.borrow().iter().all(|wishes| *wishes == 0);
    let heals = plan == Plan::Heal || (is_over && world.draw(2) == 0);
    if !heals {
        return End::Stopped;
    }
    if world.wrong().is_none() {
        world.is_healing.set(true);
        healing::heal(world, system).await;
        audit::everything(world, system).await;
    }
    End::Healed
}
