//! Disturbances that no client causes: receivers fail, clocks jump, the disk fills up or refuses.

use crate::network::ReceiverBehaviour;
use crate::world::World;

/// Something happens.
pub(crate) fn act(world: &World) {
    match world.draw(10) {
        0..=5 => {
            let receiver = ["alpha/v2", "beta/v1"][world.draw(2)];
            let behaviour = ReceiverBehaviour::ALL[world.draw(ReceiverBehaviour::ALL.len())];
            world.network.set_behaviour(receiver, behaviour);
        }
        6 => {
            let millis = [60_000, 5_000_000, 90_000_000][world.draw(3)];
            let back = world.draw(2) == 0;
            world.clock.jump(if back { -millis } else { millis });
            world
                .machine
                .tell(|| format!("clock jumps {back} {millis}"));
            world.coverage.count(if back {
                "clock jumps back"
            } else {
                "clock jumps ahead"
            });
        }
        7 => {
            let stored = world.disk.borrow();
            stored
                .disk
                .fail_write(1 + u64::try_from(world.draw(3)).unwrap());
            world.network.may_lose_records();
            world.coverage.count("disk refuses a write");
        }
        8 => {
            // Full now; there is space again when something else happens to the disk.
            world.disk.borrow().disk.set_quota(Some(0));
            world.network.may_lose_records();
            world.coverage.count("disk full");
        }
        _ => world.disk.borrow().disk.set_quota(None),
    }
}
