//! The limits on requests to servers: few to one at once, and none for a while when it fails.

use std::collections::BTreeMap;
use std::time::Duration;

use switchboard_actors::domain::chat::fetch::HostMark;
use tokio::time::Instant;

/// Requests to one server at once.
const AT_ONCE: usize = 2;
/// After two failures in a row a server is left alone for this long, then for twice as long with each further one ...
const PAUSE: Duration = Duration::from_secs(5);
/// ... but never longer.
const PAUSE_MAX: Duration = Duration::from_secs(300);
/// Failing servers that are remembered; of more, those that may be asked again soonest are forgotten.
const FAILING_MAX: usize = 4_096;

#[derive(Debug, Default)]
struct Host {
    in_flight: usize,
    /// Failures in a row.
    failures: u32,
    reason: String,
    /// Not asked before this moment.
    free_at: Option<Instant>,
}

/// The servers about which there is something to remember.
#[derive(Debug, Default)]
pub(super) struct HostBackoff(BTreeMap<HostMark, Host>);

impl HostBackoff {
    /// Returns whether the server may be asked now; it counts as asked then.
    pub(super) fn enter(&mut self, host: HostMark, now: Instant) -> bool {
        let host = self.0.entry(host).or_default();
        // One that has failed is tried with one request.
        let room = if host.failures > 0 { 1 } else { AT_ONCE };
        let free = host.in_flight < room && host.free_at.is_none_or(|at| at <= now);
        if free {
            host.in_flight = host.in_flight.saturating_add(1);
        }
        free
    }

    /// A request has ended: the server answered, or failed for a reason, or was not asked after all.
    pub(super) fn leave(
        &mut self,
        mark: HostMark,
        answered: Option<Result<(), String>>,
        now: Instant,
    ) {
        let Some(host) = self.0.get_mut(&mark) else {
            return;
        };
        host.in_flight = host.in_flight.saturating_sub(1);
        match answered {
            None => {}
            Some(Ok(())) => {
                host.failures = 0;
                host.free_at = None;
            }
            Some(Err(reason)) => {
                host.failures = host.failures.saturating_add(1);
                host.reason = reason;
                let doubled = host.failures.saturating_sub(2).min(16);
                let pause = PAUSE.saturating_mul(1 << doubled).min(PAUSE_MAX);
                host.free_at = (host.failures > 1).then(|| now + pause);
            }
        }
        if host.in_flight == 0 && host.failures == 0 {
            self.0.remove(&mark);
        }
        self.forget();
    }

    /// Returns the reason why the server was last left alone, if it still fails.
    pub(super) fn failing(&self, host: HostMark) -> Option<String> {
        let host = self.0.get(&host).filter(|host| host.failures > 1)?;
        Some(host.reason.clone())
    }

    fn forget(&mut self) {
        while self.0.len() > FAILING_MAX {
            let idle = self.0.iter().filter(|(_, host)| host.in_flight == 0);
            let Some((mark, _)) = idle.min_by_key(|(_, host)| host.free_at) else {
                return;
            };
            let mark = *mark;
            self.0.remove(&mark);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOST: HostMark = HostMark(1);

    #[test]
    fn each_server_gets_few_requests_at_once_and_blocks_no_other() {
        let now = Instant::now();
        let mut hosts = HostBackoff::default();
        assert!(hosts.enter(HOST, now) && hosts.enter(HOST, now));
        assert!(!hosts.enter(HOST, now));
        assert!(hosts.enter(HostMark(2), now));
        hosts.leave(HOST, Some(Ok(())), now);
        assert!(hosts.enter(HOST, now));
    }

    #[test]
    fn the_pause_of_a_failing_server_grows_until_it_answers() {
        let mut now = Instant::now();
        let mut hosts = HostBackoff::default();
        let failed = || Some(Err("down".to_owned()));
        for pause in [0, 5, 10, 20, 40, 80, 160, 300, 300] {
            assert!(hosts.enter(HOST, now));
            hosts.leave(HOST, failed(), now);
            let almost = now + Duration::from_secs(pause).saturating_sub(Duration::from_millis(1));
            assert!(pause == 0 || !hosts.enter(HOST, almost));
            now += Duration::from_secs(pause);
        }
        assert_eq!(hosts.failing(HOST).as_deref(), Some("down"));
        assert!(hosts.enter(HOST, now) && !hosts.enter(HOST, now));
        hosts.leave(HOST, Some(Ok(())), now);
        assert_eq!(hosts.failing(HOST), None);
        assert!(hosts.enter(HOST, now));
    }

    #[test]
    fn the_memory_for_servers_is_bounded() {
        let now = Instant::now();
        let mut hosts = HostBackoff::default();
        for mark in 0..5_000 {
            hosts.enter(HostMark(mark), now);
            hosts.leave(HostMark(mark), Some(Err("down".to_owned())), now);
        }
        assert_eq!(hosts.0.len(), FAILING_MAX);
    }
}
