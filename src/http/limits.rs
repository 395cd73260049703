//! How much one client may request, and all of them together. The service refuses the excess at once, so that accepted
//! requests stay fast.
//!
//! Everything here has a fixed size, however many clients there are and however often they send requests.

mod buckets;
pub(crate) mod connection;
mod count;

use std::fmt;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use switchboard_actors::Caller;
use switchboard_actors::domain::account::holder::Holder;
use switchboard_actors::domain::id::ChannelId;
use switchboard_actors::domain::time::whole_seconds;

use self::buckets::{Buckets, Rate};
use self::connection::{Addresses, Connection};
use self::count::Count;
use crate::shares::{Full, Share, ShareLimits, Shares};

/// What the limits are set to; 0 means that there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LimitSettings {
    /// Requests of one channel in a second.
    pub(crate) channel_per_second: u32,
    /// Requests of one account user in a second.
    pub(crate) user_per_second: u32,
    /// Requests that are worked on at once.
    pub(crate) in_flight_max: usize,
    /// Connections from one address.
    pub(crate) address_connections_max: usize,
    /// Bodies that are awaited at once.
    pub(crate) bodies_max: usize,
    /// Bodies that are awaited at once from one address.
    pub(crate) address_bodies_max: usize,
    /// Streams of events of one account user.
    pub(crate) user_streams_max: usize,
}

/// Counts what is limited.
#[derive(Debug)]
pub(crate) struct RateLimits {
    settings: LimitSettings,
    channels: Option<Buckets>,
    users: Option<Buckets>,
    in_flight: Count,
    bodies: Count,
    addresses: Addresses,
    streams: Arc<Mutex<Shares>>,
}

/// More than is allowed: to be tried again after this time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooFast(pub(crate) Duration);

impl TooFast {
    /// In whole seconds, as `Retry-After` says it.
    pub(crate) fn seconds(self) -> u64 {
        whole_seconds(self.0)
    }
}

impl fmt::Display for TooFast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.seconds();
        write!(
            f,
            "too many requests; nothing was done; retry after {seconds} s"
        )
    }
}

impl RateLimits {
    pub(crate) fn new(settings: LimitSettings) -> Self {
        let streams = ShareLimits {
            all: usize::MAX,
            account: usize::MAX,
            user: match settings.user_streams_max {
                0 => usize::MAX,
                most => most,
            },
        };
        Self {
            settings,
            channels: Buckets::new(Rate::per_second(settings.channel_per_second)),
            users: Buckets::new(Rate::per_second(settings.user_per_second)),
            in_flight: Count::default(),
            bodies: Count::default(),
            addresses: Addresses::default(),
            streams: Arc::new(Mutex::new(Shares::new(streams))),
        }
    }

    /// A request of this channel, whose signature is right.
    pub(crate) fn of_channel(&self, channel: &ChannelId) -> Result<(), TooFast> {
        take(self.channels.as_ref(), channel.as_str())
    }

    /// A request of this account user. An OAuth client that acts for the user has a rate of its own, so that it does not use
    /// up the user's, who may want to uninstall it.
    pub(crate) fn of_user(&self, caller: &Caller) -> Result<(), TooFast> {
        let user = format!("{} {}", caller.account, caller.user);
        let name = match &caller.client {
            Some(client) => format!("{user} {}", client.id),
            None => user,
        };
        take(self.users.as_ref(), &name)
    }

    /// A stream of events of this account user, counted until it ends.
    pub(crate) fn stream(&self, of: Holder) -> Result<Share, Full> {
        Share::of(&self.streams, of)
    }

    /// A connection came in.
    pub(crate) fn connection(self: &Arc<Self>, address: IpAddr) -> Connection {
        Connection::new(self, address)
    }
}

fn take(buckets: Option<&Buckets>, name: &str) -> Result<(), TooFast> {
    buckets.map_or(Ok(()), |buckets| buckets.take(name))
}
