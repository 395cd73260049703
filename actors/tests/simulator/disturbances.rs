//! Disturbances that no client causes, also of the receivers.

use switchboard_worlds::simulation::Disturbance;

use crate::network::hooks::SUBSCRIBER;
use crate::world::World;

/// Something happens.
pub(crate) fn act(world: &World) {
    match world.disturb() {
        Disturbance::Receiver(behaviour) => {
            let receiver = ["alpha/v2", "beta/v1", SUBSCRIBER][world.draw(3)];
            world.network.set_behaviour(receiver, behaviour);
        }
        Disturbance::WriteFails | Disturbance::DiskFull => world.network.may_lose_records(),
        Disturbance::ClockJumped(_) | Disturbance::DiskFreed => {}
    }
}
