//! The operator looks at the receivers, and meddles.

use std::rc::Rc;

use switchboard_actors::System;
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::dispatch::endpoint::{EndpointId, EndpointState};
use switchboard_actors::domain::id::MessageId;
use switchboard_actors::error::CommandError;

use crate::replays;
use crate::setting::{connect, disconnect};
use crate::world::World;

/// Does one thing.
pub(crate) async fn act(world: &Rc<World>, system: &System) {
    look(world, system).await;
    match world.draw(10) {
        0 => disconnect(world, system, busy_scope(world)).await,
        1 | 2 => connect(world, system, world.draw(3)).await,
        3 => {
            if let Some(message) = meddles(world) {
                let discarded = system.discard_delivery(By::Operator, message).await;
                if discarded.is_ok() {
                    world.coverage.count("callback discarded");
                }
            }
        }
        4 | 5 => {
            if let Some(message) = meddles(world) {
                let answer = system.replay_delivery(By::Operator, message).await;
                if answer.is_ok() {
                    world.coverage.count("callback replayed");
                }
            }
        }
        6 | 7 => replays::begin(world, system).await,
        8 => replays::end_one(world, system).await,
        _ => {}
    }
}

/// Sees which receivers are only probed, and uses those again that were given up.
pub(crate) async fn look(world: &World, system: &System) {
    let Ok(endpoints) = system.endpoints().await else {
        return;
    };
    for endpoint in endpoints {
        let id = endpoint.endpoint_status.endpoint;
        let receiver = format!("{}/{}", id.channel, id.version);
        let probed = matches!(endpoint.endpoint_status.health, EndpointState::Open { .. });
        world.network.observe(&receiver, probed);
        let heals = world.is_healing.get();
        if matches!(
            endpoint.endpoint_status.health,
            EndpointState::Disabled { .. }
        ) && (heals || world.draw(2) == 0)
        {
            world.network.observe(&receiver, false);
            enable(world, system, &id).await;
        }
    }
}

/// Uses a receiver again. In the end, when nothing else keeps it from being used, this is tried until it is done: a disk
/// may be slower than the operator is patient.
async fn enable(world: &World, system: &System, id: &EndpointId) {
    let tries = if world.is_healing.get() { 50 } else { 1 };
    for _ in 0..tries {
        match system.enable_endpoint(By::Operator, id.clone()).await {
            Ok(()) => return world.coverage.count("receiver enabled again"),
            Err(CommandError::Rejected(_)) => return,
            Err(CommandError::Unavailable(_)) => {}
        }
    }
}

/// A scope; one of which something waits, if there is one.
fn busy_scope(world: &World) -> usize {
    let calls = world.network.sent();
    let arrived = |message| {
        let mut attempts = calls.iter();
        attempts.any(|it| Some(it.message) == message && it.arrived > 0)
    };
    let ledger = world.ledger.borrow();
    let waiting = ledger.replies.iter().filter(|reply| {
        let connected = ledger.connected[reply.scope].may(|connected| *connected);
        connected && reply.message.is_some() && !arrived(reply.message)
    });
    let scopes: Vec<usize> = waiting.map(|reply| reply.scope).collect();
    let place = world.dice.borrow_mut().place(scopes.len());
    match place {
        Some(place) => scopes[place],
        None => world.draw(world.scopes.len()),
    }
}

/// A message that was answered, to be meddled with.
fn meddles(world: &World) -> Option<MessageId> {
    let mut ledger = world.ledger.borrow_mut();
    let mut replies: Vec<_> = ledger
        .replies
        .iter_mut()
        .filter(|reply| reply.message.is_some())
        .collect();
    let place = world.dice.borrow_mut().place(replies.len())?;
    replies[place].meddled = true;
    replies[place].message
}
