//! The clients of the service, each on their own, all at once.

use std::rc::Rc;
use std::time::Duration;

use futures_util::future::join_all;
use switchboard_actors::System;

use crate::world::World;
use crate::{administrator, customers, disturbances, integration, lead_user, operator, users};

/// Does what a client still wants to do, one thing after the other.
pub(crate) async fn work(client: usize, world: Rc<World>, system: System) {
    loop {
        {
            let wishes = &mut world.wishes.borrow_mut()[client];
            if *wishes == 0 {
                return;
            }
            *wishes -= 1;
        }
        rest(&world).await;
        match client {
            0 | 1 => {
                // An integration does not wait for one answer before it hands over the next message.
                let burst = 1 + world.draw(4);
                join_all((0..burst).map(|_| customers::write(&world, &system))).await;
            }
            2 => users::reply(&world, &system).await,
            3 => integration::report(&world, &system).await,
            4 => lead_user::decide(&world, &system).await,
            5 => administrator::act(&world, &system).await,
            6 => operator::act(&world, &system).await,
            _ => disturbances::act(&world),
        }
        if world.wrong().is_some() {
            return;
        }
    }
}

/// Mostly short pauses, some in which everything falls asleep.
async fn rest(world: &World) {
    let millis = match world.draw(12) {
        0..=4 => 0,
        5..=10 => world.draw(40),
        _ => 1_000 * world.draw(40),
    };
    tokio::time::sleep(Duration::from_millis(u64::try_from(millis).unwrap())).await;
}
