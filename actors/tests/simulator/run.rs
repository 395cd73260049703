//! One seed, from the first start to the last comparison.

use switchboard_worlds::simulation::Coverage;

use crate::apart;
use crate::forge::forge;
use crate::plants::Plant;
use crate::process::{End, Plan, live};
use crate::world::World;

/// So many processes follow each other at most.
const LIVES: usize = 6;

/// Plays one seed; gives the digest of all that happened.
///
/// # Errors
/// What was wrong.
pub(crate) fn run(
    seed: u64,
    plant: Option<Plant>,
    told: bool,
    coverage: &Coverage,
) -> Result<u64, String> {
    let world = World::new(seed, plant, told, coverage);
    let mut forged = false;
    for life in 1..=LIVES {
        let last = life == LIVES || world.wishes.borrow().iter().all(|wishes| *wishes == 0);
        let plan = if last {
            Plan::Heal
        } else {
            match world.draw(8) {
                0 => Plan::Stop,
                1 => Plan::Cut(1 + world.draw(40)),
                _ => Plan::Cut(20 + world.draw(500)),
            }
        };
        if let Some(Plant::Forged(forgery)) = plant
            && !forged
        {
            world.machine.tamper(|stored| {
                let after = forge(stored, forgery);
                forged = after.is_some();
                after
            });
        }
        let end = live(&world, plan);
        if let Some(what) = world.wrong() {
            return Err(what);
        }
        match end {
            End::Died => {}
            End::Stopped => coverage.count("stopped in order"),
            End::Healed => break,
        }
    }
    if plant.is_none() {
        let mut join = None;
        world.machine.tamper(|stored| {
            join = apart::joined(&stored.disk);
            None
        });
        if let Some(what) = join {
            return Err(what);
        }
    }
    Ok(world.machine.digest())
}
