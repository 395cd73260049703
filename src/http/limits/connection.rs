//! What a connection takes of what all of them share: a place for the request that is worked on, or one for the body that
//! is awaited, and its part of what its address may have.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::http::limits::RateLimits;
use crate::http::limits::count::Count;

/// What is counted for each address that has connections.
#[derive(Debug, Default)]
pub(super) struct Addresses(Mutex<BTreeMap<IpAddr, Address>>);

#[derive(Debug, Default)]
struct Address {
    connections: usize,
    bodies: Arc<Count>,
}

/// A connection, counted until it ends.
#[derive(Debug)]
pub(crate) struct Connection {
    limits: Arc<RateLimits>,
    address: IpAddr,
    /// The bodies that are awaited from its address.
    bodies: Arc<Count>,
    /// Whether there were more from its address than allowed when it came.
    pub(crate) is_too_many: bool,
    /// Whether a request is worked on. A connection has one request at a time.
    has_place: Cell<bool>,
}

/// A body that is awaited: the request has no place meanwhile.
#[derive(Debug)]
pub(crate) struct AwaitedBody<'a> {
    /// Why it is not to be awaited.
    pub(crate) refused: Option<TooManyBodies>,
    connection: &'a Connection,
}

/// More bodies are awaited than allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TooManyBodies {
    /// From this address.
    OfTheAddress,
    /// Altogether.
    OfAll,
}

impl Addresses {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<IpAddr, Address>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[cfg(test)]
    pub(super) fn count(&self) -> usize {
        self.lock().len()
    }
}

impl Connection {
    /// A connection from this address.
    pub(super) fn new(limits: &Arc<RateLimits>, address: IpAddr) -> Self {
        let address = network(address);
        let mut addresses = limits.addresses.lock();
        let shared = addresses.entry(address).or_default();
        shared.connections = shared.connections.saturating_add(1);
        let most = limits.settings.address_connections_max;
        let (is_too_many, bodies) = (
            most > 0 && shared.connections > most,
            Arc::clone(&shared.bodies),
        );
        drop(addresses);
        Self {
            limits: Arc::clone(limits),
            address,
            bodies,
            is_too_many,
            has_place: Cell::new(false),
        }
    }

    /// The request is worked on from now; false when too many are already.
    pub(crate) fn take_place(&self) -> bool {
        self.leave_place();
        let most = self.limits.settings.in_flight_max;
        let is_taken = self.limits.in_flight.take(most);
        self.has_place.set(is_taken);
        is_taken
    }

    /// Nothing is worked on any more.
    pub(crate) fn leave_place(&self) {
        if self.has_place.take() {
            self.limits.in_flight.remove();
        }
    }

    /// The request waits for its body, and leaves its place to others meanwhile.
    pub(crate) fn await_body(&self) -> AwaitedBody<'_> {
        self.leave_place();
        let limits = &self.limits;
        let (of_all_before, of_address_before) = (limits.bodies.add(), self.bodies.add());
        let is_full = |before: usize, most: usize| most > 0 && before >= most;
        let refused = if is_full(of_address_before, limits.settings.address_bodies_max) {
            Some(TooManyBodies::OfTheAddress)
        } else if is_full(of_all_before, limits.settings.bodies_max) {
            Some(TooManyBodies::OfAll)
        } else {
            None
        };
        AwaitedBody {
            refused,
            connection: self,
        }
    }
}

impl Drop for AwaitedBody<'_> {
    fn drop(&mut self) {
        self.connection.limits.bodies.remove();
        self.connection.bodies.remove();
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.leave_place();
        let mut addresses = self.limits.addresses.lock();
        if let Some(shared) = addresses.get_mut(&self.address) {
            shared.connections = shared.connections.saturating_sub(1);
            if shared.connections == 0 {
                addresses.remove(&self.address);
            }
        }
    }
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
    use crate::http::limits::LimitSettings;

    const SETTINGS: LimitSettings = LimitSettings {
        channel_per_second: 0,
        user_per_second: 0,
        in_flight_max: 2,
        address_connections_max: 4,
        bodies_max: 3,
        address_bodies_max: 2,
        user_streams_max: 0,
    };

    fn open(limits: &Arc<RateLimits>, address: &str) -> Connection {
        limits.connection(address.parse().unwrap())
    }

    #[test]
    fn slots_are_bounded_and_released() {
        let limits = Arc::new(RateLimits::new(SETTINGS));
        let [one, two, three] = [(); 3].map(|()| open(&limits, "192.0.2.1"));
        assert!(one.take_place() && two.take_place());
        assert!(!three.take_place());
        assert!(!three.take_place(), "a refusal takes no place");
        one.leave_place();
        assert!(three.take_place());
        drop(two);
        assert!(one.take_place(), "a connection that ends leaves its place");
    }

    #[test]
    fn a_request_that_waits_for_its_body_holds_no_slot() {
        let limits = Arc::new(RateLimits::new(SETTINGS));
        let [one, two, three] = [(); 3].map(|()| open(&limits, "192.0.2.1"));
        assert!(one.take_place() && two.take_place());
        let awaited = one.await_body();
        assert_eq!(awaited.refused, None);
        assert!(three.take_place());
        assert!(
            !one.take_place(),
            "its body came when all places were taken"
        );
    }

    #[test]
    fn bodies_are_counted_by_address_and_in_total() {
        let limits = Arc::new(RateLimits::new(SETTINGS));
        let (near, far, third) = (
            open(&limits, "192.0.2.1"),
            open(&limits, "192.0.2.2"),
            open(&limits, "192.0.2.3"),
        );
        let first = near.await_body();
        let second = near.await_body();
        assert_eq!((first.refused, second.refused), (None, None));
        let refused = near.await_body().refused;
        assert_eq!(refused, Some(TooManyBodies::OfTheAddress));
        let other = far.await_body();
        assert_eq!(other.refused, None, "another address has its own");
        assert_eq!(third.await_body().refused, Some(TooManyBodies::OfAll));
        drop(first);
        assert_eq!(third.await_body().refused, None);
    }

    #[test]
    fn connections_count_by_address_and_by_ipv6_network() {
        let limits = Arc::new(RateLimits::new(LimitSettings {
            address_connections_max: 2,
            ..SETTINGS
        }));
        let open = |text: &str| open(&limits, text);
        let (first, _second) = (open("2001:db8::1"), open("2001:db8::2"));
        assert!(open("2001:db8::3").is_too_many);
        assert!(!open("2001:db8:1::3").is_too_many);
        assert!(!open("192.0.2.1").is_too_many);
        drop(first);
        assert!(!open("2001:db8::3").is_too_many);
        assert_eq!(limits.addresses.count(), 1, "what has ended is forgotten");
    }
}
