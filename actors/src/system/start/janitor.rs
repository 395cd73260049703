//! Makes unused actors release memory at intervals.

use std::time::Duration;

use actix::Arbiter;
use futures_util::FutureExt;
use futures_util::future::{AbortHandle, abortable};

use crate::domain::time::UnixMillis;
use crate::world::Env;
use switchboard_engine::runtime::directory::{Surplus, Sweep};

/// Who was not used for so long is quiet; the longest unused of them leave memory when there are too many.
const QUIET: Duration = Duration::from_secs(1);
/// How often the janitor sweeps while there are far too many.
const CROWDED: Duration = Duration::from_millis(250);
/// This share of the greatest number in excess of it is far too many.
const CROWD_SHARE: usize = 32;

/// Starts the janitor on this arbiter, until it is aborted.
pub(super) fn start(env: &Env) -> AbortHandle {
    let (janitor, handle) = abortable(sweep(env.clone()));
    // It either runs until it is aborted, or never began, so its result is of no use.
    Arbiter::current().spawn(janitor.map(drop));
    handle
}

async fn sweep(env: Env) {
    let idle_after = env.world.config.idle_after;
    let seldom = (idle_after / 4).clamp(Duration::from_millis(1), QUIET);
    let mut every = seldom;
    let mut swept = env.clock.now();
    loop {
        // Without anybody who may leave, there is nothing to look at.
        if env.world.directories.leaving() == 0 {
            env.owner_started.notified().await;
        }
        env.clock.sleep(every).await;
        let (live, hot_max) = (env.world.directories.live(), env.world.config.hot_max);
        let owners = live.saturating_sub(hot_max);
        let now = env.clock.now();
        let quiet = before(now, QUIET);
        env.world.directories.sweep(&Sweep {
            leave: before(now, idle_after),
            // Each actor is asked once for each time that it becomes quiet.
            passivate: swept..quiet,
            indexed: env.index.indexed_upto(),
            surplus: (owners > 0).then_some(Surplus {
                owners,
                of: live,
                unused_since: quiet,
            }),
        });
        swept = quiet;
        // A sweep looks at all actors, so a few too many are no reason to hurry.
        let is_crowded = owners > hot_max / CROWD_SHARE;
        every = if is_crowded { CROWDED } else { seldom };
    }
}

fn before(now: UnixMillis, time: Duration) -> UnixMillis {
    let millis = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    UnixMillis::new(now.get().saturating_sub(millis))
}
