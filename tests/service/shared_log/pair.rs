//! Two nodes, of which one owns the log.

use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::Value;

use super::Log;
use crate::support::client::Client;
use crate::support::eventually;
use crate::support::port::HeldPort;
use crate::support::server::{Server, Setup};

/// The exit code of an owner that was deposed.
pub(super) const DEPOSED: i32 = 75;

/// Two nodes of one log.
pub(super) struct Pair {
    nodes: [Server; 2],
    owner: usize,
    /// The ports on which they listen.
    ports: [HeldPort; 2],
}

impl Pair {
    /// Starts both; the first owns the log.
    pub(super) async fn start(log: &Log, setup: &Setup) -> Self {
        Self::start_each([log, log], setup).await
    }

    /// As [`Self::start`], with the view of each node of the log: they may be of two versions.
    pub(super) async fn start_each([first_log, second_log]: [&Log; 2], setup: &Setup) -> Self {
        let ports = [HeldPort::take(), HeldPort::take()];
        let node = |name: &str, log: &Log, port: &HeldPort| {
            let listen = format!("listen = \"127.0.0.1:{}\"", port.number());
            log.setup(name, setup.clone()).setting("server", &listen)
        };
        let a = node("a", first_log, &ports[0]);
        let b = node("b", second_log, &ports[1]);
        first_log.begin("a").await;
        let mut first = a.stand_by();
        first.takes_over().await;
        let second = b.stand_by();
        Self {
            nodes: [first, second],
            owner: 0,
            ports,
        }
    }

    /// Waits until the standby has everything that the log has, and returns its state.
    pub(super) async fn is_current(&self) -> Value {
        let client = Client::undescribed(&self.standby_url());
        eventually("the standby has the log", async || {
            let answer = client.request("GET", "/readyz").attempt().await?.json;
            let node = &answer["node"];
            let is_current = node["role"] == "standby" && node["behind_entries"] == 0;
            (is_current && node["entry"].as_u64()? > 0).then_some(answer)
        })
        .await
    }

    /// The address of the standby.
    pub(super) fn standby_url(&self) -> String {
        let port = &self.ports[1 - self.owner];
        format!("http://127.0.0.1:{}", port.number())
    }

    /// The owner and the standby, and their ports.
    pub(super) fn into_nodes(self) -> ([Server; 2], [HeldPort; 2]) {
        let [first, second] = self.nodes;
        let nodes = match self.owner {
            0 => [first, second],
            _ => [second, first],
        };
        (nodes, self.ports)
    }

    pub(super) fn owner(&self) -> &Server {
        &self.nodes[self.owner]
    }

    pub(super) fn standby(&self) -> &Server {
        &self.nodes[1 - self.owner]
    }

    pub(super) fn standby_mut(&mut self) -> &mut Server {
        &mut self.nodes[1 - self.owner]
    }

    /// A client of the owner.
    pub(super) fn client(&self) -> Client {
        self.owner().client().clone()
    }

    /// Waits until the other node owns the log and answers; gives how long that took.
    async fn takeover(&mut self) -> Duration {
        let start = Instant::now();
        self.owner = 1 - self.owner;
        let owner = &mut self.nodes[self.owner];
        owner.takes_over().await;
        let client = owner.client().clone();
        eventually("the new owner answers", async || {
            let answer = client.request("GET", "/readyz").attempt().await?;
            (answer.status == 200).then_some(())
        })
        .await;
        start.elapsed()
    }

    /// Kills the owner, waits for the other one, and starts the first again as its standby.
    pub(super) async fn kill_owner(&mut self) -> Duration {
        self.nodes[self.owner].kill_9();
        let took = self.takeover().await;
        self.standby_mut().stand_by_again();
        took
    }

    /// Stops the owner in order; the other one takes over.
    pub(super) async fn stop_owner(&mut self) -> Duration {
        let end = self.nodes[self.owner].terminate().await;
        assert_eq!(end, Some(0), "{}", self.owner().log());
        let took = self.takeover().await;
        self.standby_mut().stand_by_again();
        took
    }

    /// Freezes the owner until the other one has taken over; then it goes on, finds that out, and ends.
    pub(super) async fn freeze_owner(&mut self) -> Duration {
        self.nodes[self.owner].signal(Signal::STOP);
        let took = self.takeover().await;
        let deposed = self.standby_mut();
        deposed.signal(Signal::CONT);
        let end = deposed.ended().await;
        assert_eq!(end, Some(DEPOSED), "{}", deposed.log());
        deposed.stand_by_again();
        took
    }
}

/// The shortest, the median and the longest of these times.
pub(super) fn described(mut times: Vec<Duration>) -> String {
    times.sort();
    let millis = |time: Option<&Duration>| time.map_or(0, Duration::as_millis);
    format!(
        "{}, {}, {} ms",
        millis(times.first()),
        millis(times.get(times.len() / 2)),
        millis(times.last())
    )
}
