//! At the end everything is well, and then everything that waits has to arrive.

use std::rc::Rc;
use std::time::Duration;

use switchboard_actors::System;
use switchboard_actors::domain::dispatch::record::DeliveryState;

use crate::audit::{waiting_callback_of, waiting_request};
use crate::operator::look;
use crate::replays;
use crate::setting::connect;
use crate::world::World;

/// The time within which everything arrives once the disturbances have ended.
const HEALED_WITHIN: Duration = Duration::from_secs(3 * 3_600);

/// The time within which a request ends that its client has given up: it waits for a disk that stalls, and what is left of
/// it is handed to other owners.
const GIVEN_UP_ENDS_WITHIN: Duration = Duration::from_secs(60);

/// Ends the disturbances; returns when no callback waits any more, and no request is in progress.
pub(crate) async fn heal(world: &Rc<World>, system: &System) {
    world.network.heal();
    world.heal();
    for scope in 0..world.scopes.len() {
        let surely_not = !world.ledger.borrow().connected[scope].may(|connected| *connected);
        if surely_not {
            world.coverage.count("healed while disconnected");
            // Nothing leaves through it, and nothing waits for it.
            let id = &world.scopes[scope];
            until(world, system, async || {
                waiting_callback_of(world, system, id).await
            })
            .await;
        }
    }
    for scope in 0..world.scopes.len() {
        connect(world, system, scope).await;
    }
    // Only what is not there now never was.
    tokio::time::sleep(GIVEN_UP_ENDS_WITHIN).await;
    until(world, system, async || all_that_waits(world, system).await).await;
    if world.draw(4) == 0 && world.wrong().is_none() {
        replay_everything(world, system).await;
    }
}

/// A callback, a hook or a replay that is not through.
async fn all_that_waits(world: &Rc<World>, system: &System) -> Option<String> {
    match waiting_request(world, system).await {
        None => replays::running(system).await,
        waiting => waiting,
    }
}

/// A job over everything, without disturbances, leaves no callback behind that died before the job.
async fn replay_everything(world: &Rc<World>, system: &System) {
    let Some(job) = replays::begin_for(world, system, None).await else {
        return;
    };
    until(world, system, async || all_that_waits(world, system).await).await;
    let messages: Vec<_> = {
        let ledger = world.ledger.borrow();
        let connected = |scope: usize| !ledger.connected[scope].may(|connected| !connected);
        let replies = ledger.replies.iter().filter(|it| connected(it.scope));
        replies.filter_map(|it| it.message).collect()
    };
    for message in messages {
        let Ok(Some(delivery)) = system.delivery(message).await else {
            continue;
        };
        let (DeliveryState::Dead { at, .. } | DeliveryState::Cancelled { at, .. }) =
            delivery.record.state
        else {
            continue;
        };
        if at <= job.began_at && !world.machine.is_dead() {
            return world.fail(format!("{job:?} left {delivery:?} behind"));
        }
    }
    world.coverage.count("everything replayed");
}

/// Waits until nothing is `waiting` any more.
async fn until(world: &Rc<World>, system: &System, waiting: impl AsyncFn() -> Option<String>) {
    let start = world.clock.passed();
    let mut rest = Duration::from_secs(2);
    while let Some(waiting) = waiting().await {
        if world.clock.passed() - start > HEALED_WITHIN {
            let endpoints = system.endpoints().await;
            return world.fail(format!("this waits for ever: {waiting} {endpoints:?}"));
        }
        look(world, system).await;
        tokio::time::sleep(rest).await;
        rest = (rest * 2).min(Duration::from_secs(600));
    }
}
