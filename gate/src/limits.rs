//! The limits of one client's requests, and of all requests together. The service refuses the excess at once,
//! so that accepted requests stay fast.
//!
//! Everything here has a fixed size, however many clients there are and however often they send requests.

mod buckets;
pub mod connection;

use std::fmt;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ipnet::IpNet;
use switchboard_actors::Caller;
use switchboard_actors::domain::account::holder::Holder;
use switchboard_actors::domain::id::ChannelId;
use switchboard_actors::domain::time::whole_seconds;
use switchboard_network::limits::connections::{ConnectionLimits, Connections, Seat};
use switchboard_network::limits::fair_turns::{FairTurns, Turn, TurnError};
use switchboard_network::limits::machine::Machine;
use switchboard_network::limits::network::network;
use switchboard_network::limits::pools::{PoolSettings, Pools};
use switchboard_network::limits::waits::Waits;
use switchboard_network::shares::{Share, ShareError, ShareLimits, Shares};

use self::buckets::{Buckets, Rate};
use self::connection::{BodyOwner, Connection};

/// The settings of the limits; a rate of 0 means that there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LimitSettings {
    /// Requests of one channel in a second.
    pub channel_per_second: u32,
    /// Requests of one account user in a second.
    pub user_per_second: u32,
    /// The time that requests have to arrive.
    pub arrival: ArrivalLimits,
    /// The pools that clients share.
    pub pools: Pools,
    /// The proxies that are believed when they say where a request comes from.
    pub trusted_proxies: Vec<IpNet>,
}

impl Default for LimitSettings {
    /// The limits of a service without a configuration, on this machine.
    fn default() -> Self {
        Self {
            channel_per_second: 10_000,
            user_per_second: 2_000,
            arrival: ArrivalLimits::default(),
            pools: Pools::new(&PoolSettings::default(), Machine::read()),
            trusted_proxies: Vec::new(),
        }
    }
}

/// The time that a request has to arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrivalLimits {
    /// The longest time for the head.
    pub head: Duration,
    /// The longest time for the body, and the longest pause in an upload.
    pub body: Duration,
}

impl Default for ArrivalLimits {
    fn default() -> Self {
        Self {
            head: Duration::from_secs(5),
            body: Duration::from_secs(15),
        }
    }
}

/// Counts what is limited.
#[derive(Debug)]
pub struct RateLimits {
    settings: LimitSettings,
    channels: Option<Buckets>,
    users: Option<Buckets>,
    /// Requests in work. The threads of all connections change this count with each request.
    in_flight: AtomicUsize,
    in_flight_refused: AtomicU64,
    connections: Arc<Connections>,
    unproven_bodies: Arc<Waits<IpAddr>>,
    proven_bodies: Arc<Waits<BodyOwner>>,
    sign_ins: Arc<FairTurns<IpAddr>>,
    streams: Arc<Mutex<Shares>>,
    streams_refused: AtomicU64,
}

/// The use of a pool, and the events when it was full.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PoolUse {
    /// The number of places that are taken.
    pub in_use: usize,
    /// The number of those that were refused.
    pub refused: u64,
    /// The number of those that were given up, in favour of others.
    pub given_up: u64,
}

/// More than is allowed: to be tried again after this time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimitError(pub Duration);

impl RateLimitError {
    /// In whole seconds, as `Retry-After` says it.
    pub fn seconds(self) -> u64 {
        whole_seconds(self.0)
    }
}

impl fmt::Display for RateLimitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.seconds();
        write!(
            f,
            "too many requests; nothing was done; retry after {seconds} s"
        )
    }
}

impl RateLimits {
    /// Nothing is counted yet.
    pub fn new(settings: LimitSettings) -> Self {
        let pools = &settings.pools;
        let (unproven, proven) = (&pools.unproven_bodies, &pools.proven_bodies);
        let share = |share: Option<usize>, size: usize| share.unwrap_or(size);
        let streams = ShareLimits {
            all: pools.streams.size,
            account: share(pools.streams.account, pools.streams.size),
            user: share(pools.streams.user, pools.streams.size),
        };
        let connections = ConnectionLimits {
            size: pools.connections.size,
            share: share(pools.connections.address, pools.connections.size),
            proxies: settings.trusted_proxies.clone(),
        };
        Self {
            channels: Buckets::new(Rate::per_second(settings.channel_per_second)),
            users: Buckets::new(Rate::per_second(settings.user_per_second)),
            in_flight: AtomicUsize::new(0),
            in_flight_refused: AtomicU64::new(0),
            connections: Arc::new(Connections::new(connections)),
            unproven_bodies: Arc::new(Waits::new(
                "unfinished bodies without credentials",
                unproven.size,
                share(unproven.address, unproven.size),
            )),
            proven_bodies: Arc::new(Waits::new(
                "unfinished bodies of users and channels",
                proven.size,
                share(proven.account, proven.size),
            )),
            sign_ins: Arc::new(FairTurns::new("sign-ins", pools.sign_in_turns())),
            streams: Arc::new(Mutex::new(Shares::new(streams))),
            streams_refused: AtomicU64::new(0),
            settings,
        }
    }

    /// A request of this channel, whose signature is right.
    pub fn of_channel(&self, channel: &ChannelId) -> Result<(), RateLimitError> {
        take(self.channels.as_ref(), channel.as_str())
    }

    /// A request of this account user. An OAuth client that acts for the user has a rate of its own, so that it does not use
    /// up the user's, who may want to uninstall it.
    pub fn of_user(&self, caller: &Caller) -> Result<(), RateLimitError> {
        let user = format!("{} {}", caller.account, caller.user);
        let name = match &caller.client {
            Some(client) => format!("{user} {}", client.id),
            None => user,
        };
        take(self.users.as_ref(), &name)
    }

    /// A stream of events of this account user, counted until it ends.
    pub fn stream(&self, of: Holder) -> Result<Share, ShareError> {
        Share::take(&self.streams, of).inspect_err(|_full| {
            self.streams_refused.fetch_add(1, Ordering::Relaxed);
        })
    }

    /// The turn of a sign-in from this address, which lasts until it is dropped.
    ///
    /// # Errors
    /// When too many wait.
    pub async fn sign_in(&self, address: IpAddr) -> Result<Turn<IpAddr>, TurnError> {
        self.sign_ins.turn(network(address)).await
    }

    /// The time that requests have to arrive.
    pub fn arrival(&self) -> ArrivalLimits {
        self.settings.arrival
    }

    /// The connections at once.
    pub fn connections(&self) -> &Arc<Connections> {
        &self.connections
    }

    /// The counters that the requests of a connection use.
    pub fn connection(self: &Arc<Self>, seat: Seat, peer: IpAddr) -> Connection {
        Connection::new(self, seat, peer)
    }

    /// Takes a place for a request in work; false when there is none.
    fn take_place(&self) -> bool {
        let most = self.settings.pools.requests.size;
        let is_taken = self.in_flight.fetch_add(1, Ordering::AcqRel) < most;
        if !is_taken {
            self.leave_place();
            self.in_flight_refused.fetch_add(1, Ordering::Relaxed);
        }
        is_taken
    }

    fn leave_place(&self) {
        self.in_flight.fetch_sub(1, Ordering::AcqRel);
    }

    /// The pools.
    pub fn pools(&self) -> &Pools {
        &self.settings.pools
    }

    /// The use of the pools that are counted here, by their names.
    pub fn uses(&self) -> [(&'static str, PoolUse); 7] {
        let pools = self.pools();
        let (connections, heads) = self.connections.counts();
        let (given_up, refused) = self.connections.events();
        let in_use_only = |in_use| PoolUse {
            in_use,
            ..PoolUse::default()
        };
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let slots = self.streams.lock();
        let streams = slots.unwrap_or_else(PoisonError::into_inner).in_use();
        [
            (
                pools.connections.name,
                PoolUse {
                    refused,
                    given_up,
                    ..in_use_only(connections)
                },
            ),
            (pools.heads.name, in_use_only(heads)),
            (
                pools.unproven_bodies.name,
                PoolUse {
                    given_up: self.unproven_bodies.given_up(),
                    ..in_use_only(self.unproven_bodies.count())
                },
            ),
            (
                pools.proven_bodies.name,
                PoolUse {
                    given_up: self.proven_bodies.given_up(),
                    ..in_use_only(self.proven_bodies.count())
                },
            ),
            (
                pools.requests.name,
                PoolUse {
                    refused: read(&self.in_flight_refused),
                    ..in_use_only(self.in_flight.load(Ordering::Relaxed))
                },
            ),
            (
                pools.sign_ins.name,
                PoolUse {
                    given_up: self.sign_ins.given_up(),
                    ..in_use_only(self.sign_ins.count())
                },
            ),
            (
                pools.streams.name,
                PoolUse {
                    refused: read(&self.streams_refused),
                    ..in_use_only(streams)
                },
            ),
        ]
    }
}

fn take(buckets: Option<&Buckets>, name: &str) -> Result<(), RateLimitError> {
    buckets.map_or(Ok(()), |buckets| buckets.take(name))
}
