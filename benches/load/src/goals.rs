//! The goals of a run, and whether it reached them.
//!
//! Every aim is a ratio of two figures of the same run, or an absolute one that hardly depends on the machine: whatever
//! else the machine does meets both sides.

use std::fmt;

use serde::Serialize;

use crate::options::Target;
use crate::report::{HalfLoad, Line, conversations};

/// `send` reaches this share of the requests per second of `floor` ...
const OF_FLOOR_MIN: f64 = 0.80;
/// ... at this many connections ...
const AT_CONNECTIONS: [usize; 2] = [64, 256];
/// ... costs at most so many times its processor time ...
const OF_FLOOR_CPU_MAX: f64 = 1.3;
/// ... and reaches so many times the requests per second of `postgres`.
const OF_POSTGRES_MIN: f64 = 4.0;
/// At half load, 99 of 100 take at most so many times as long as `fdatasync`.
const HALF_LOAD_SYNCS_MAX: f64 = 8.0;
/// Answers in flight.
const IN_FLIGHT: usize = 64;
/// Accepted, stored and delivered, they reach this share of the rate of a bare loop of the HTTP client.
const OF_BARE_MIN: f64 = 0.35;
/// From the moment it is written until the first byte is at the receiver, half take at most so much longer than one
/// `fdatasync`.
const BEYOND_SYNC_US_MAX: f64 = 5_000.0;
/// So many are accepted and delivered in one second of processor time.
const PER_CORE_SECOND_MIN: f64 = 3_400.0;

/// One aim.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Goal {
    /// The promise, and its load.
    pub what: String,
    /// The measured figure.
    pub measured: f64,
    /// The least or the most that it may be.
    pub limit: f64,
    /// The figure is as promised.
    pub met: bool,
}

impl Goal {
    /// At least `limit`.
    #[must_use]
    pub fn at_least(what: String, measured: f64, limit: f64) -> Self {
        Self {
            what: what + ", at least",
            measured,
            limit,
            met: measured >= limit,
        }
    }

    /// At most `limit`.
    #[must_use]
    pub fn at_most(what: String, measured: f64, limit: f64) -> Self {
        Self {
            what: what + ", at most",
            measured,
            limit,
            met: measured <= limit,
        }
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = if self.limit < 10.0 { 2 } else { 0 };
        write!(
            f,
            "{} {:.digits$}: {:.digits$}, {}",
            self.what,
            self.limit,
            self.measured,
            verdict(self.met)
        )
    }
}

/// The verdict on a promise, in words.
#[must_use]
pub fn verdict(met: bool) -> &'static str {
    if met { "met" } else { "NOT MET" }
}

/// The promises that these lines, all of one number of conversations, can confirm or refute.
#[must_use]
pub fn judge(lines: &[Line], half_load: Option<&HalfLoad>, fdatasync_us: f64) -> Vec<Goal> {
    let mut promises = Vec::new();
    for connections in AT_CONNECTIONS {
        let find = |target| found(lines, target, connections);
        if let Some(send) = find(Target::Send) {
            promises.extend(sent(send, find(Target::Floor), find(Target::Postgres)));
        }
    }
    promises.extend(half_load.map(|half_load| {
        Goal::at_most(
            format!(
                "p99 of send at half load, {}, in fdatasyncs",
                at(half_load.conversations, half_load.connections)
            ),
            half_load.p99_us / half_load.fdatasync_us,
            HALF_LOAD_SYNCS_MAX,
        )
    }));
    if let Some(reply) = found(lines, Target::Reply, IN_FLIGHT) {
        let bare = found(lines, Target::Bare, IN_FLIGHT);
        promises.extend(replied(reply, bare, fdatasync_us));
    }
    promises
}

fn sent(send: &Line, floor: Option<&Line>, postgres: Option<&Line>) -> Vec<Goal> {
    let at = at(send.conversations, send.connections);
    let rate = floor.map(|floor| {
        let what = format!("requests/s of send as a share of floor, {at}");
        let share = send.requests_per_second / floor.requests_per_second;
        Goal::at_least(what, share, OF_FLOOR_MIN)
    });
    let cpu_of_floor = floor.and_then(|line| line.server_cpu_us_per_request);
    let costs = send.server_cpu_us_per_request.zip(cpu_of_floor);
    let cost = costs.map(|(send, floor)| {
        let what = format!("server CPU of send in requests of floor, {at}");
        Goal::at_most(what, send / floor, OF_FLOOR_CPU_MAX)
    });
    let times = postgres.map(|postgres| {
        let what = format!("requests/s of send in those of postgres, {at}");
        let times = send.requests_per_second / postgres.requests_per_second;
        Goal::at_least(what, times, OF_POSTGRES_MIN)
    });
    [rate, cost, times].into_iter().flatten().collect()
}

fn replied(reply: &Line, bare: Option<&Line>, fdatasync_us: f64) -> Vec<Goal> {
    let at = at(reply.conversations, reply.connections);
    let rate = bare.map(|bare| {
        let what = format!("replies delivered/s as a share of bare requests, {at}");
        let share = reply.requests_per_second / bare.requests_per_second;
        Goal::at_least(what, share, OF_BARE_MIN)
    });
    let what = format!("µs from a reply to its first byte at the receiver, p50, {at}");
    let way = Goal::at_most(what, reply.p50_us, fdatasync_us + BEYOND_SYNC_US_MAX);
    let cost = reply.server_cpu_us_per_request.map(|cost| {
        let what = format!("replies accepted and delivered per core-second, {at}");
        Goal::at_least(what, 1e6 / cost, PER_CORE_SECOND_MIN)
    });
    [rate, Some(way), cost].into_iter().flatten().collect()
}

fn found(lines: &[Line], target: Target, connections: usize) -> Option<&Line> {
    lines
        .iter()
        .find(|line| line.target == target && line.connections == connections)
}

fn at(count: u64, connections: usize) -> String {
    format!("{connections} connections, {}", conversations(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(target: Target, rate: f64, cpu: f64) -> Line {
        Line {
            conversations: 10,
            connections: 64,
            target,
            requests_per_second: rate,
            of_noop: None,
            of_floor: None,
            p50_us: 6_001.0,
            p99_us: 1.0,
            p999_us: 1.0,
            server_cpu_us_per_request: (target != Target::Bare).then_some(cpu),
            server_peak_mib: None,
            after_accept_p50_us: None,
        }
    }

    #[test]
    fn each_aim_is_judged_by_figures_of_the_same_run() {
        let lines = [
            line(Target::Floor, 75_000.0, 10.0),
            line(Target::Postgres, 16_000.0, 90.0),
            line(Target::Send, 60_000.0, 13.1),
            line(Target::Bare, 40_000.0, 0.0),
            line(Target::Reply, 14_000.0, 250.0),
        ];
        let half_load = HalfLoad {
            conversations: 10,
            connections: 64,
            requests_per_second: 30_000.0,
            p50_us: 500.0,
            p99_us: 8_000.0,
            fdatasync_us: 1_000.0,
        };
        let promises = judge(&lines, Some(&half_load), 1_000.0);
        let verdicts: Vec<bool> = promises.iter().map(|promise| promise.met).collect();
        assert_eq!(
            verdicts,
            [true, false, false, true, true, false, true],
            "{promises:#?}"
        );
        assert_eq!(
            promises[1].to_string(),
            "server CPU of send in requests of floor, 64 connections, 10 conversations, at most 1.30: 1.31, NOT MET"
        );
    }

    #[test]
    fn an_aim_without_a_measurement_is_not_judged() {
        assert_eq!(judge(&[line(Target::Users, 1.0, 1.0)], None, 1.0), []);
        assert_eq!(judge(&[line(Target::Send, 1.0, 1.0)], None, 1.0), []);
        let alone = judge(&[line(Target::Reply, 1.0, 100.0)], None, 1_001.0);
        assert_eq!(alone.len(), 2);
        assert!(alone.iter().all(|promise| promise.met));
    }
}
