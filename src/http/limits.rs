//! How much one client may ask for, and all of them at once: what is more is told so at once, so that what is accepted
//! keeps its time.
//!
//! Everything here has a fixed size, whoever asks and however often.

mod buckets;

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use switchboard_actors::domain::id::{AccountId, ChannelId, UserId};

use self::buckets::{Buckets, Rate};

/// What the limits are set to; 0 means that there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LimitSettings {
    /// Requests of one channel in a second.
    pub(crate) channel_per_second: u32,
    /// Requests of one account user in a second.
    pub(crate) user_per_second: u32,
    /// Requests that are worked on at once.
    pub(crate) under_way_max: usize,
    /// Connections from one address.
    pub(crate) address_connections_max: usize,
}

/// Counts what is limited.
#[derive(Debug)]
pub(crate) struct Limits {
    settings: LimitSettings,
    channels: Option<Buckets>,
    users: Option<Buckets>,
    under_way: AtomicUsize,
    connections: Mutex<BTreeMap<IpAddr, usize>>,
}

/// More than is allowed: to be tried again after this time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooFast(pub(crate) Duration);

/// A connection, counted until it ends.
#[derive(Debug)]
pub(crate) struct Connection {
    limits: Arc<Limits>,
    address: IpAddr,
    /// Whether there were more from its address than allowed when it came.
    pub(crate) is_too_many: bool,
}

impl Drop for Connection {
    fn drop(&mut self) {
        let mut connections = self.limits.connections();
        if let Some(count) = connections.get_mut(&self.address) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                connections.remove(&self.address);
            }
        }
    }
}

/// A request that is worked on, counted until it is dropped.
#[derive(Debug)]
pub(crate) struct Place(Arc<Limits>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.under_way.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Limits {
    pub(crate) fn new(settings: LimitSettings) -> Self {
        Self {
            settings,
            channels: Buckets::new(Rate::per_second(settings.channel_per_second)),
            users: Buckets::new(Rate::per_second(settings.user_per_second)),
            under_way: AtomicUsize::new(0),
            connections: Mutex::default(),
        }
    }

    /// A request of this channel, whose signature is right.
    pub(crate) fn of_channel(&self, channel: &ChannelId) -> Result<(), TooFast> {
        take(self.channels.as_ref(), channel.as_str())
    }

    /// A request of this account user.
    pub(crate) fn of_user(&self, account: AccountId, user: UserId) -> Result<(), TooFast> {
        take(self.users.as_ref(), &format!("{account} {user}"))
    }

    /// A place for one more request; `None` when all are taken.
    pub(crate) fn place(self: &Arc<Self>) -> Option<Place> {
        let most = self.settings.under_way_max;
        let before = self.under_way.fetch_add(1, Ordering::AcqRel);
        // Given back by the drop, also when it is one too many.
        let place = Place(Arc::clone(self));
        (most == 0 || before < most).then_some(place)
    }

    /// A connection came in.
    pub(crate) fn connection(self: &Arc<Self>, address: IpAddr) -> Connection {
        let address = network(address);
        let mut connections = self.connections();
        let count = connections.entry(address).or_default();
        *count = count.saturating_add(1);
        let most = self.settings.address_connections_max;
        let is_too_many = most > 0 && *count > most;
        drop(connections);
        Connection {
            limits: Arc::clone(self),
            address,
            is_too_many,
        }
    }

    fn connections(&self) -> std::sync::MutexGuard<'_, BTreeMap<IpAddr, usize>> {
        self.connections
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

fn take(buckets: Option<&Buckets>, name: &str) -> Result<(), TooFast> {
    buckets.map_or(Ok(()), |buckets| buckets.take(name))
}

/// Whom an address stands for: of IPv6 the first 64 bits count, the rest is the client's to choose.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::from([a, b, c, d, 0, 0, 0, 0])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: LimitSettings = LimitSettings {
        channel_per_second: 0,
        user_per_second: 0,
        under_way_max: 2,
        address_connections_max: 2,
    };

    #[test]
    fn places_are_given_back_and_no_more_are_given_than_there_are() {
        let limits = Arc::new(Limits::new(SETTINGS));
        let (first, second) = (limits.place(), limits.place());
        assert!(first.is_some() && second.is_some());
        assert!(limits.place().is_none());
        assert!(limits.place().is_none(), "a refusal takes no place");
        drop(first);
        assert!(limits.place().is_some());
    }

    #[test]
    fn connections_count_by_address_and_by_the_network_of_an_ipv6_address() {
        let limits = Arc::new(Limits::new(SETTINGS));
        let open = |text: &str| limits.connection(text.parse().unwrap());
        let (first, _second) = (open("2001:db8::1"), open("2001:db8::2"));
        assert!(open("2001:db8::3").is_too_many);
        assert!(!open("2001:db8:1::3").is_too_many);
        assert!(!open("192.0.2.1").is_too_many);
        drop(first);
        assert!(!open("2001:db8::3").is_too_many);
        assert_eq!(limits.connections().len(), 1, "what has ended is forgotten");
    }
}
