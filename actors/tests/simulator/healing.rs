//! At the end everything is well, and then everything that waits has to arrive.

use std::rc::Rc;
use std::time::Duration;

use switchboard_actors::System;

use crate::audit::waiting_callback;
use crate::operator::look;
use crate::setting::connect;
use crate::world::World;

/// Everything arrives within this time once everybody is well.
const HEALED_WITHIN: Duration = Duration::from_secs(3 * 3_600);

/// Everybody is well from now on; ends when no callback waits any more.
pub(crate) async fn heal(world: &Rc<World>, system: &System) {
    world.network.heal();
    world.disk.borrow().disk.set_quota(None);
    for scope in 0..world.scopes.len() {
        connect(world, system, scope).await;
    }
    let begun = world.clock.passed();
    let mut rest = Duration::from_secs(2);
    while let Some(waiting) = waiting_callback(world, system).await {
        if world.clock.passed() - begun > HEALED_WITHIN {
            let endpoints = system.endpoints().await;
            return world.fail(format!(
                "a callback waits for ever: {waiting} {endpoints:?}"
            ));
        }
        look(world, system).await;
        tokio::time::sleep(rest).await;
        rest = (rest * 2).min(Duration::from_secs(600));
    }
}
