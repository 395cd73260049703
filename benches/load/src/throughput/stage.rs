//! The servers, the receiver of callbacks and the conversations between them: what a round of any target needs.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::client::{self, Connection, Measured, on_each};
use crate::machine::{fdatasync, forget_peak};
use crate::options::{Options, Target};
use crate::report::Skipped;
use crate::requests::{self, Requests, Spread, scope_path};
use crate::server::{ACCOUNT, CHANNEL, Durability, Home, Server, away, config};
use crate::sink::Sink;
use crate::statistics::{exact, micros, per_second, whole};
use crate::{bare, half_load, replies};

/// Users of the account, who stand on one page.
const USERS: usize = 25;
/// Over how many connections conversations are opened.
const OPENING: usize = 64;
/// The distance between the first numbers of conversations that were opened one after the other.
const APART: u64 = 10_000_000;
/// The number of different messages for the targets that store none.
const SAMPLES: u64 = 2_000;
/// The number of messages that are made for each second of a round before the speed of a target is known.
const FIRST_GUESS: f64 = 20_000.0;
/// The number of webhooks that an account with webhooks has.
const SUBSCRIBERS: usize = 3;
/// The factor by which the next round gets more messages than the last one needed.
const RESERVE: f64 = 1.5;

/// One round.
pub(super) struct Sample {
    pub(super) requests_per_second: f64,
    pub(super) p50_us: f64,
    pub(super) p99_us: f64,
    pub(super) p999_us: f64,
    pub(super) server_cpu_us: Option<f64>,
    pub(super) server_peak_mib: Option<f64>,
    pub(super) after_accept_p50_us: Option<f64>,
}

/// The place of the rounds: the servers, and the messages for them.
pub(super) struct Stage {
    durable: Node,
    /// The servers that only some targets are for.
    beside: BTreeMap<Target, Node>,
    /// The targets that cannot run here.
    skipped: Vec<Skipped>,
    sink: Rc<Sink>,
    spread: Spread,
    /// The paths to which answers to the conversations are posted.
    paths: Rc<[String]>,
    /// The account user answers.
    answers: bool,
    rates: BTreeMap<Target, f64>,
    time: Duration,
}

/// A server, and how many messages it was sent so far: the number of the next one.
struct Node {
    server: Server,
    home: Home,
    /// There are conversations in it.
    stores: bool,
    /// Addresses that webhooks are subscribed for once the first conversations are there.
    destinations: Vec<String>,
    sent: u64,
}

impl Stage {
    pub(super) fn set_up(options: &Options, binary: &Path) -> Result<Self> {
        let parent = options.dir.as_deref().unwrap_or(Path::new("."));
        let sink = Sink::start()?;
        let channels = [(CHANNEL.to_owned(), sink.webhook("in"))];
        let durable = Home::below(parent, config(USERS, &channels))?;
        let mut beside = BTreeMap::new();
        let mut skipped = Vec::new();
        for target in [
            Target::Noop,
            Target::Verified,
            Target::Floor,
            Target::Postgres,
        ] {
            if !options.wants(target) {
                continue;
            }
            let home = Home::below(parent, String::new())?;
            match Node::compared(home, target) {
                Ok(node) => drop(beside.insert(target, node)),
                // Not every machine has it.
                Err(error) if target == Target::Postgres => {
                    skipped.push(Skipped::because(target, &error)?)
                }
                Err(error) => return Err(error),
            }
        }
        if options.wants(Target::Interval) {
            let mut home = Home::below(parent, config(0, &away()))?;
            home.durability = Durability::Interval;
            beside.insert(Target::Interval, Node::start(home, binary)?);
        }
        if options.wants(Target::Hooked) {
            let home = Home::below(parent, config(1, &away()))?;
            let mut node = Node::start(home, binary)?;
            node.destinations = (0..SUBSCRIBERS).map(|number| sink.slow(number)).collect();
            beside.insert(Target::Hooked, node);
        }
        if let Some(other) = &options.against {
            let home = Home::below(parent, config(0, &away()))?;
            let node = Node::start(home, other)
                .with_context(|| format!("the program to compare with, {}", other.display()))?;
            beside.insert(Target::Against, node);
        }
        Ok(Self {
            durable: Node::start(durable, binary)?,
            beside,
            skipped,
            sink: Rc::new(sink),
            spread: Spread { from: 0, count: 0 },
            paths: Rc::from([]),
            answers: options.wants(Target::Reply),
            rates: BTreeMap::new(),
            time: options.time(),
        })
    }

    pub(super) fn fdatasync(&self) -> Result<Duration> {
        fdatasync(self.durable.home.path())
    }

    /// The targets that take turns: all that were asked for and can run here.
    pub(super) fn targets(&self, options: &Options) -> Vec<Target> {
        let mut targets = options.targets();
        targets.retain(|target| self.skipped.iter().all(|it| it.target != *target));
        targets
    }

    pub(super) fn skipped(&self) -> &[Skipped] {
        &self.skipped
    }

    pub(super) fn conversations(&self) -> u64 {
        self.spread.count
    }

    /// Opens so many conversations, which messages are spread over from now on: each gets its first message, and its lead.
    pub(super) async fn open(&mut self, place: u64, conversations: u64) -> Result<()> {
        self.spread = Spread {
            from: place * APART,
            count: conversations,
        };
        let paths = self.durable.open(self.spread).await?;
        if self.answers {
            self.paths = paths.into();
        }
        for node in self.beside.values_mut().filter(|node| node.stores) {
            node.open(self.spread).await?;
        }
        Ok(())
    }

    /// One round of a target.
    pub(super) async fn round(&mut self, target: Target, connections: usize) -> Result<Sample> {
        let node = self.node(target);
        let (address, pid) = (node.server.address, node.server.pid());
        let (requests, made) = self.requests(target)?;
        let before = node.server.cpu_time()?;
        forget_peak(pid);
        let mut after_accept_p50_us = None;
        let figures = match target {
            Target::Bare => {
                bare::round(self.sink.address, connections, self.time)
                    .await?
                    .measured
            }
            Target::Reply => {
                let (paths, sink) = (Rc::clone(&self.paths), Rc::clone(&self.sink));
                let replied = replies::round(address, connections, paths, sink, self.time).await?;
                let p50 = exact(replied.after_accept.value_at_quantile(0.5));
                after_accept_p50_us = Some(p50);
                replied.measured
            }
            Target::Noop
            | Target::Verified
            | Target::Floor
            | Target::Postgres
            | Target::Send
            | Target::Interval
            | Target::Hooked
            | Target::Against
            | Target::Users => client::round(address, connections, requests, self.time).await?,
        };
        let mut sample = Sample::from_round(&figures);
        if target != Target::Bare {
            // What a target leaves to be done is its own: the next one neither pays for it nor is disturbed by it.
            let cpu_time = node.server.settled().await?.saturating_sub(before);
            sample.server_cpu_us = Some(micros(cpu_time) / exact(figures.requests.max(1)));
            sample.server_peak_mib = node.server.peak_mib()?;
            sample.after_accept_p50_us = after_accept_p50_us;
        }
        self.rates.insert(target, sample.requests_per_second);
        self.beside
            .get_mut(&target)
            .unwrap_or(&mut self.durable)
            .sent += made;
        Ok(sample)
    }

    /// One round of the send operation at a pace.
    pub(super) async fn half_load(
        &mut self,
        connections: usize,
        per_second: f64,
    ) -> Result<Sample> {
        let count = half_load::count(per_second, self.time);
        let requests = self.durable.messages(count, self.spread)?;
        self.durable.sent += count;
        let address = self.durable.server.address;
        let round = half_load::round(address, connections, requests, per_second, self.time);
        let sample = Sample::from_round(&round.await?);
        self.durable.server.settled().await?;
        Ok(sample)
    }

    /// The requests of a round of this target, and the count of messages of their own that this uses up.
    fn requests(&self, target: Target) -> Result<(Requests, u64)> {
        match target {
            Target::Noop | Target::Verified | Target::Floor => {
                let path = scope_path(CHANNEL, ACCOUNT);
                let requests = Requests::messages(&path, 0, SAMPLES, self.spread);
                Ok((requests?.for_ever(), 0))
            }
            Target::Users => Ok((Requests::same(&requests::users()), 0)),
            Target::Bare | Target::Reply => Ok((Requests::default(), 0)),
            Target::Postgres
            | Target::Send
            | Target::Interval
            | Target::Hooked
            | Target::Against => self.messages(target),
        }
    }

    /// The server that a target is for.
    fn node(&self, target: Target) -> &Node {
        self.beside.get(&target).unwrap_or(&self.durable)
    }

    fn messages(&self, target: Target) -> Result<(Requests, u64)> {
        let rate = self.rates.get(&target).copied().unwrap_or(FIRST_GUESS);
        let count = whole((rate * RESERVE).max(FIRST_GUESS) * self.time.as_secs_f64()).max(1);
        Ok((self.node(target).messages(count, self.spread)?, count))
    }

    pub(super) fn stop(self) -> Result<()> {
        self.durable.server.stop()?;
        self.beside
            .into_values()
            .try_for_each(|node| node.server.stop())
    }
}

impl Node {
    fn start(home: Home, binary: &Path) -> Result<Self> {
        Ok(Self {
            server: Server::start(&home, binary)?,
            home,
            stores: true,
            destinations: Vec::new(),
            sent: 0,
        })
    }

    fn compared(home: Home, target: Target) -> Result<Self> {
        Ok(Self {
            server: Server::compared(&home, target)?,
            home,
            stores: false,
            destinations: Vec::new(),
            sent: 0,
        })
    }

    /// The next messages.
    fn messages(&self, count: u64, spread: Spread) -> Result<Requests> {
        Requests::messages(&scope_path(CHANNEL, ACCOUNT), self.sent, count, spread)
    }

    /// Opens conversations; gives where answers to them are posted.
    async fn open(&mut self, spread: Spread) -> Result<Vec<String>> {
        let address = self.server.address;
        let mut connection = Connection::open(address).await?;
        connection
            .expect(&requests::connect(CHANNEL, ACCOUNT)?, 200)
            .await?;
        let opening = Rc::new(Opening {
            requests: self.messages(spread.count, spread)?,
            next: Cell::new(0),
            paths: RefCell::default(),
        });
        self.sent += spread.count;
        // What opens conversations is no part of a round.
        let destinations = std::mem::take(&mut self.destinations);
        on_each(address, OPENING, |_number, connection| {
            open(connection, Rc::clone(&opening))
        })
        .await?;
        for destination in destinations {
            let subscription = requests::subscribe(&destination);
            connection.expect(&subscription, 201).await?;
        }
        self.server.settled().await?;
        Ok(opening.paths.take())
    }
}

struct Opening {
    requests: Requests,
    next: Cell<usize>,
    paths: RefCell<Vec<String>>,
}

async fn open(mut connection: Connection, opening: Rc<Opening>) -> Result<()> {
    loop {
        let next = opening.next.replace(opening.next.get() + 1);
        let Some(request) = opening.requests.get(next) else {
            return Ok(());
        };
        let answer: Value = serde_json::from_slice(connection.expect(request, 200).await?)?;
        let id = answer
            .pointer("/new_message/conversation_id")
            .and_then(Value::as_str)
            .context("an answer names no conversation")?;
        let path = format!("/inbox/v1/conversations/{id}/messages");
        opening.paths.borrow_mut().push(path);
    }
}

impl Sample {
    fn from_round(measured: &Measured) -> Self {
        let quantile = |quantile| exact(measured.latencies.value_at_quantile(quantile));
        Self {
            requests_per_second: per_second(measured.requests, measured.elapsed),
            p50_us: quantile(0.5),
            p99_us: quantile(0.99),
            p999_us: quantile(0.999),
            server_cpu_us: None,
            server_peak_mib: None,
            after_accept_p50_us: None,
        }
    }
}
