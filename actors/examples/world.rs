//! A world: the system in memory with people, a receiver and a clock that you move. Here the receiver is down for an hour,
//! and the run takes some milliseconds.
//!
//! ```sh
//! cargo run -p switchboard-actors --example world
//! ```

use std::io::{Write as _, stdout};

use switchboard_worlds::prelude::*;

/// Plays the hour. Returns the world, whose journal has what happened.
fn play() -> World {
    let world = World::start();
    world.receiver().answer_always(Behaviour::status(503));
    world.customer("bo").says("Have you any tulips?");
    let reply = world.user("ada").replies("Red ones.");
    world.advance(Duration::from_secs(3_600));

    // The receiver is up again. The next attempt is due within minutes of the world's time.
    world.receiver().answer_always(Behaviour::status(200));
    world.wait(Until::delivered(reply.message));
    world
}

fn main() -> std::io::Result<()> {
    write!(stdout(), "{}", play().journal())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reply_is_delivered_after_the_hour() {
        let world = play();
        let last = world.callbacks().last().map(Callback::text);
        assert_eq!(last, Some("Red ones.".to_owned()));
        assert!(world.receiver().attempts().len() > 10);
    }
}
