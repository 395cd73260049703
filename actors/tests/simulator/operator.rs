//! The operator looks at the receivers, and meddles.

use std::rc::Rc;

use switchboard_actors::System;
use switchboard_actors::domain::audit::By;
use switchboard_actors::domain::dispatch::endpoint::Health;
use switchboard_actors::domain::id::MessageId;

use crate::setting::{connect, disconnect};
use crate::world::World;

/// Does one thing.
pub(crate) async fn act(world: &Rc<World>, system: &System) {
    look(world, system).await;
    match world.draw(10) {
        0 => disconnect(world, system, world.draw(3)).await,
        1 | 2 => connect(world, system, world.draw(3)).await,
        3 => {
            if let Some(message) = meddles(world) {
                let discarded = system.discard(By::Operator, message).await;
                if discarded.is_ok() {
                    world.coverage.count("callback discarded");
                }
            }
        }
        4 | 5 => {
            if let Some(message) = meddles(world) {
                let replayed = system.replay(By::Operator, message).await;
                if replayed.is_ok() {
                    world.coverage.count("callback replayed");
                }
            }
        }
        _ => {}
    }
}

/// Sees which receivers are only probed, and uses those again that were given up.
pub(crate) async fn look(world: &World, system: &System) {
    let Ok(endpoints) = system.endpoints().await else {
        return;
    };
    for endpoint in endpoints {
        let id = endpoint.survey.endpoint;
        let receiver = format!("{}/{}", id.channel, id.version);
        let probed = matches!(endpoint.survey.health, Health::Open { .. });
        world.network.observe(&receiver, probed);
        if matches!(endpoint.survey.health, Health::Disabled { .. }) && world.draw(2) == 0 {
            world.network.observe(&receiver, false);
            let enabled = system.enable_endpoint(By::Operator, id).await;
            if enabled.is_ok() {
                world.coverage.count("receiver enabled again");
            }
        }
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
    let chosen = world.dice.borrow_mut().place(replies.len())?;
    replies[chosen].meddled = true;
    replies[chosen].message
}
