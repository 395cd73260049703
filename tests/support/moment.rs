//! Random moments in what writers do, for kills: counted in acknowledgements, so that a busy machine does as much between two
//! of them as an idle one.

use std::time::Duration;

use super::eventually;
use super::random::Random;

/// A moment in the life of a service.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// So many acknowledgements after the start of this life.
    acknowledgements: u64,
    /// And this much later, so that it may be at any step of what is done next.
    later: Duration,
}

impl Moment {
    /// After fewer acknowledgements than this.
    pub fn any(random: &mut Random, acknowledgements: u64) -> Self {
        Self {
            acknowledgements: random.below(acknowledgements),
            later: Duration::from_micros(random.below(50_000)),
        }
    }

    /// Waits until this moment. `count` gives the number of all acknowledgements so far.
    pub async fn comes(self, count: impl Fn() -> u64) {
        let target = count() + self.acknowledgements;
        eventually("this much is acknowledged", async || {
            (count() >= target).then_some(())
        })
        .await;
        tokio::time::sleep(self.later).await;
    }
}
