//! Clients: each has one wish after another, and repeats a request when its outcome is unknown. In between,
//! disturbances happen that no client causes.

use std::convert::Infallible;
use std::rc::Rc;
use std::time::Duration;

use switchboard_engine::error::CommandError;
use switchboard_engine::runtime::ask::execute;
use switchboard_engine::runtime::directory::Sweep;
use switchboard_engine::runtime::joint::execute_joint;

use super::ledger::{Fate, Wish, wish};
use super::world::World;
use crate::product::{Answer, Env, Rejection, Request};

/// The number of times that a client asks again before it turns to something else.
const TRIES: usize = 4;

pub(crate) async fn work(client: usize, world: Rc<World>, env: Env) {
    while world.wishes.borrow()[client] > 0 && world.wrong().is_none() {
        let wait = u64::try_from(world.draw(12)).unwrap();
        tokio::time::sleep(Duration::from_millis(wait)).await;
        if world.draw(4) == 0 {
            disturb(&world, &env);
        }
        let number = world.wishes.borrow()[client];
        let request = Request(u32::try_from(client).unwrap() * 100 + number);
        let entry = world.ledger.borrow().entries.get(&request).cloned();
        let next_wish = entry.map_or_else(|| wish(&world, request), |entry| entry.wish);
        for _ in 0..TRIES {
            ask(&world, &env, request, &next_wish).await;
            match world.ledger.borrow().fate(request) {
                Fate::Unknown => {}
                // Sometimes the client repeats an accepted request too.
                Fate::Accepted(_) if world.draw(4) == 0 => {}
                Fate::Accepted(_) | Fate::Refused => break,
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        world.wishes.borrow_mut()[client] -= 1;
    }
}

/// Asks for something and notes the answer, if it arrives.
async fn ask(world: &World, env: &Env, request: Request, wish: &Wish) {
    let before = world.ledger.borrow().fate(request);
    world.ledger.borrow_mut().ask(request, wish);
    let answer = carry_out(env, wish).await;
    if !world.machine.step("answer", u64::from(request.0)) {
        world.coverage.count("answer lost");
        return;
    }
    match answer {
        Ok(answer) => {
            world.coverage.count(match (before, wish) {
                (Fate::Accepted(_), _) => "repeat answered",
                (_, Wish::Order(_)) => "change of three owners",
                (_, Wish::Ship(_)) => "change of two owners",
                (_, Wish::Load(_) | Wish::Sell(_) | Wish::Write(_)) => "change of one owner",
            });
            if let Err(what) = world.ledger.borrow_mut().accept(request, answer) {
                world.fail(what);
            }
        }
        Err(CommandError::Rejected(rejection)) => {
            world.coverage.count("rejected");
            if let Fate::Accepted(_) = before {
                world.fail(format!("{request:?} was accepted, and now: {rejection}"));
            }
            // A repeat would have been known: it was never carried out.
            world.ledger.borrow_mut().refuse(request, Fate::Refused);
        }
        Err(CommandError::Unavailable(unavailable)) => {
            if !world.is_unknown(&unavailable) {
                world.ledger.borrow_mut().refuse(request, before);
            }
        }
    }
}

async fn carry_out(env: &Env, wish: &Wish) -> Result<Answer, CommandError<Rejection>> {
    match wish.clone() {
        Wish::Load(load) => {
            let outcome = execute(env, &load.depot, load).await;
            outcome.map_err(|refused| refused.map(|never: Infallible| match never {}))
        }
        Wish::Ship(ship) => execute_joint(env, &ship.0.depot, ship).await,
        Wish::Order(order) => {
            let list = order.write.list;
            execute_joint(env, &list, order).await
        }
        Wish::Sell(trade) => execute(env, &trade.shop, trade).await,
        Wish::Write(write) => {
            let list = write.list;
            execute(env, &list, write).await
        }
    }
}

/// A disturbance that no client causes: the disk fills up or refuses, the clock jumps, owners leave memory.
fn disturb(world: &World, env: &Env) {
    let disk = world.disk.borrow().disk.clone();
    match world.draw(8) {
        0 => {
            let nth = 1 + u64::try_from(world.draw(3)).unwrap();
            disk.fail_write(nth);
            world.coverage.count("disk refuses a write");
        }
        1 => {
            // Full now; there is space again when something else happens to the disk.
            disk.set_quota(Some(0));
            world.coverage.count("disk full");
        }
        2 | 3 => disk.set_quota(None),
        4 => {
            let millis = 60_000;
            let back = world.draw(2) == 0;
            world.clock.jump(if back { -millis } else { millis });
            world.coverage.count("clock jumps");
        }
        _ => {
            let now = env.clock.now();
            let sweep = Sweep {
                leave: now.plus(Duration::from_secs(100)),
                passivate: now..now,
                indexed: env.index.indexed_upto(),
                surplus: None,
            };
            env.shared.depots.sweep(&sweep);
            env.shared.shops.sweep(&sweep);
            env.shared.lists.sweep(&sweep);
            world.coverage.count("owner retires");
        }
    }
}
