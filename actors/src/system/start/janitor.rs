//! Makes unused actors release memory at intervals.

use std::time::Duration;

use actix::Arbiter;
use futures_util::FutureExt;
use futures_util::future::{AbortHandle, abortable};

use crate::domain::time::UnixMillis;
use switchboard_engine::runtime::directory::{Surplus, Sweep};
use switchboard_runtime::shared::Kernel;

/// An actor is quiet when it was not used for so long; the longest unused ones leave memory when there are too many.
const QUIET: Duration = Duration::from_secs(1);
/// The interval of sweeps while there are far too many.
const CROWDED: Duration = Duration::from_millis(250);
/// This share of the greatest number in excess of it is far too many.
const CROWD_SHARE: usize = 32;

/// Starts the janitor on this arbiter, until it is aborted.
pub(super) fn start(kernel: &Kernel) -> AbortHandle {
    let (janitor, handle) = abortable(sweep(kernel.clone()));
    // It either runs until it is aborted, or never began, so its result is of no use.
    Arbiter::current().spawn(janitor.map(drop));
    handle
}

async fn sweep(kernel: Kernel) {
    let idle_after = kernel.shared.config.idle_after;
    let seldom = (idle_after / 4).clamp(Duration::from_millis(1), QUIET);
    let mut every = seldom;
    let mut swept = kernel.clock.now();
    loop {
        // Without anybody who may leave, there is nothing to look at.
        if kernel.shared.directories.leaving() == 0 {
            kernel.owner_started.notified().await;
        }
        kernel.clock.sleep(every).await;
        let (live, hot_max) = (
            kernel.shared.directories.live(),
            kernel.shared.config.hot_max,
        );
        let owners = live.saturating_sub(hot_max);
        let now = kernel.clock.now();
        let quiet = before(now, QUIET);
        kernel.shared.directories.sweep(&Sweep {
            leave: before(now, idle_after),
            // Each actor is asked once for each time that it becomes quiet.
            passivate: swept..quiet,
            indexed: kernel.index.indexed_upto(),
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
