//! The reports to the supervisor that started the service: systemd with `Type=notify`. Without one, nothing is sent.

use std::time::Duration;

use sd_notify::NotifyState;
use switchboard_actors::System;
use switchboard_actors::error::UnavailableError;
use tokio::task::JoinHandle;

/// The interval of the watchdog while the service restarts itself: longer than anything takes that says nothing meanwhile.
const REBUILD: Duration = Duration::from_secs(3_600);
/// A replay of the journal that goes on gets so much more time.
const REPLAY: Duration = Duration::from_secs(300);
/// No supervisor needs answers more often.
const PAUSE_MIN: Duration = Duration::from_millis(10);

/// Answers the watchdog of the supervisor, if it has one, until it is stopped.
pub(super) struct Watchdog(Option<JoinHandle<()>>);

/// The service accepts requests. The watchdog is answered from now on, while the store responds.
pub(super) fn ready(system: &System) -> Watchdog {
    let system = system.clone();
    started(move || system.writable())
}

/// A standby follows the shared log. The watchdog is answered from now on.
pub(super) fn stands_by() -> Watchdog {
    started(|| Ok(()))
}

fn started(check: impl Fn() -> Result<(), UnavailableError> + 'static) -> Watchdog {
    let Some(interval) = sd_notify::watchdog_enabled() else {
        notify(&[NotifyState::Ready]);
        return Watchdog(None);
    };
    notify(&[NotifyState::Ready, watchdog_of(interval)]);
    Watchdog(Some(actix::spawn(answer(check, interval))))
}

/// The service ends, in this time at most.
pub(super) fn stopping(patience: Duration) {
    let patience = NotifyState::ExtendTimeoutUsec(micros(patience));
    notify(&[NotifyState::Stopping, patience]);
}

/// The service restarts itself within the process: no answers meanwhile. During a start that takes as long as a restart.
pub(super) fn begins_again() {
    notify(&[NotifyState::ExtendTimeoutUsec(micros(REBUILD))]);
    if sd_notify::watchdog_enabled().is_some() {
        notify(&[watchdog_of(REBUILD)]);
    }
}

/// The journal is replayed and the replay goes on: the start gets more time, and so does a restart.
pub(super) fn replays() {
    notify(&[
        NotifyState::ExtendTimeoutUsec(micros(REPLAY)),
        NotifyState::Watchdog,
    ]);
}

impl Watchdog {
    /// The actors end: no further answers.
    pub(super) fn stop(self) {
        self.0.iter().for_each(JoinHandle::abort);
    }
}

/// Answers twice in each interval while the check passes. This runs on the thread of the actors, or of a standby: if it stands
/// still, no answer leaves.
async fn answer(check: impl Fn() -> Result<(), UnavailableError>, interval: Duration) {
    let mut due = tokio::time::interval((interval / 2).max(PAUSE_MIN));
    loop {
        due.tick().await;
        match check() {
            Ok(()) | Err(UnavailableError::DiskFull) => notify(&[NotifyState::Watchdog]),
            Err(why) => tracing::warn!(%why, "the watchdog of the supervisor gets no answer"),
        }
    }
}

fn watchdog_of(interval: Duration) -> NotifyState<'static> {
    NotifyState::WatchdogUsec(micros(interval))
}

fn micros(time: Duration) -> u32 {
    u32::try_from(time.as_micros()).unwrap_or(u32::MAX)
}

fn notify(states: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(states) {
        tracing::warn!(%error, "cannot report to the supervisor (NOTIFY_SOCKET)");
    }
}
