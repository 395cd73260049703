//! The places that a connection takes of the pools: one for the request in work, or one for the body that is awaited.

use std::cell::{Cell, RefCell};
use std::net::IpAddr;
use std::sync::Arc;
use std::task::Context;
use std::time::Duration;

use actix_web::http::header::HeaderMap;
use switchboard_actors::domain::id::{AccountId, ChannelId};
use switchboard_network::limits::connections::{Phase, Seat};
use switchboard_network::limits::network::network;
use switchboard_network::limits::waits::WaitPlace;

use crate::limits::RateLimits;
use crate::origin::origin;

/// A connection, as its requests see it.
#[derive(Debug)]
pub struct Connection {
    limits: Arc<RateLimits>,
    seat: Seat,
    peer: IpAddr,
    /// True while a request is in work. A connection has one request at a time.
    has_place: Cell<bool>,
    /// The sender of the request, as far as its head has shown.
    owner: RefCell<Option<BodyOwner>>,
}

/// The sender of a body, by credentials that were shown before it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BodyOwner {
    /// The users of an account.
    Account(AccountId),
    /// An integration.
    Channel(ChannelId),
    /// The operator.
    Operator,
}

/// A body that is awaited: the request has no place meanwhile.
#[derive(Debug)]
pub struct AwaitedBody<'c> {
    place: BodyPlace,
    seat: &'c Seat,
}

#[derive(Debug)]
enum BodyPlace {
    Unproven(WaitPlace<IpAddr>),
    Proven(WaitPlace<BodyOwner>),
}

impl Connection {
    pub(super) fn new(limits: &Arc<RateLimits>, seat: Seat, peer: IpAddr) -> Self {
        Self {
            limits: Arc::clone(limits),
            seat,
            peer,
            has_place: Cell::new(false),
            owner: RefCell::default(),
        }
    }

    /// The longest time for the body of a request.
    pub fn body_time(&self) -> Duration {
        self.limits.settings.arrival.body
    }

    /// True if there were more from its address than allowed when it came.
    pub fn is_too_many(&self) -> bool {
        let is_too_many = self.seat.is_too_many();
        if is_too_many {
            self.limits.connections.refused();
        }
        is_too_many
    }

    /// A request with these headers begins; false when too many are in work already.
    pub fn begin(&self, headers: &HeaderMap) -> bool {
        self.owner.replace(None);
        if self.seat.is_of_proxy() {
            self.seat.note_client(self.client(headers));
        }
        self.take_place()
    }

    /// The client that sends a request with these headers: the peer, or the one that a trusted proxy reports.
    fn client(&self, headers: &HeaderMap) -> IpAddr {
        origin(self.peer, headers, &self.limits.settings.trusted_proxies)
    }

    /// The sender of the request has shown credentials.
    pub fn prove(&self, owner: BodyOwner) {
        self.owner.replace(Some(owner));
    }

    /// The request is in work from now on; false when too many are already.
    pub fn take_place(&self) -> bool {
        self.leave_place();
        let is_taken = self.limits.take_place();
        self.has_place.set(is_taken);
        is_taken
    }

    /// Nothing is in work any more.
    pub fn leave_place(&self) {
        if self.has_place.take() {
            self.limits.leave_place();
        }
    }

    /// The body of a request with these headers is awaited.
    pub fn await_body(&self, headers: &HeaderMap) -> AwaitedBody<'_> {
        let owner = self.owner.borrow().clone();
        let place = if let Some(owner) = owner {
            BodyPlace::Proven(self.limits.proven_bodies.enter(owner))
        } else {
            self.seat.enter(Phase::Body);
            let client = network(self.client(headers));
            BodyPlace::Unproven(self.limits.unproven_bodies.enter(client))
        };
        AwaitedBody {
            place,
            seat: &self.seat,
        }
    }
}

impl AwaitedBody<'_> {
    /// Notes how many bytes have come.
    pub fn progress(&self, bytes: usize) {
        match &self.place {
            BodyPlace::Unproven(place) => place.progress(bytes),
            BodyPlace::Proven(place) => place.progress(bytes),
        }
    }

    /// Returns whether it was given up in favour of others. The task is woken when that happens later.
    pub fn is_given_up(&self, context: &Context<'_>) -> bool {
        match &self.place {
            BodyPlace::Unproven(place) => place.is_given_up(context),
            BodyPlace::Proven(place) => place.is_given_up(context),
        }
    }
}

impl Drop for AwaitedBody<'_> {
    fn drop(&mut self) {
        self.seat.enter(Phase::Busy);
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.leave_place();
    }
}

#[cfg(test)]
mod tests;
