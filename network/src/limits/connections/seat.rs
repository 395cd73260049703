//! The place of one connection among all of them, and what it does at the moment.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::task::{Context, Waker};

use super::Connections;
use crate::limits::network::network;
use crate::sync::{AtomicBool, AtomicWaker};

/// The activity of a connection, as far as it matters to which of them makes room. Each makes room before the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// It waits for the first head, or the next one.
    Idle,
    /// It waits for a body whose sender has shown no credentials.
    Body,
    /// It waits for the client to read.
    Unread,
    /// It works, or waits for a client that has shown credentials. It makes no room.
    Busy,
}

/// The part of a connection that others see, on other threads.
#[derive(Debug, Default)]
pub(super) struct SeatState {
    phase: AtomicU8,
    is_unread: AtomicBool,
    /// A hash of the client that a proxy reported for the newest request; 0: none.
    client: AtomicU64,
    is_given_up: AtomicBool,
    waker: AtomicWaker,
}

impl SeatState {
    pub(super) fn phase(&self) -> Phase {
        if self.is_unread.load(Ordering::Relaxed) {
            return Phase::Unread;
        }
        match self.phase.load(Ordering::Relaxed) {
            0 => Phase::Idle,
            1 => Phase::Body,
            _ => Phase::Busy,
        }
    }

    pub(super) fn client(&self) -> u64 {
        self.client.load(Ordering::Relaxed)
    }

    pub(super) fn give_up(&self) {
        self.is_given_up.store(true, Ordering::Release);
        self.waker.wake();
    }
}

/// The place of a connection. The connection ends when all clones are dropped.
#[derive(Clone, Debug)]
pub struct Seat(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    connections: Arc<Connections>,
    address: IpAddr,
    number: u64,
    state: Arc<SeatState>,
    /// True if its requests are those of clients that a proxy reports.
    is_proxy: bool,
    /// True if there were more from its address than allowed when it came.
    is_too_many: bool,
    has_head: AtomicBool,
}

impl Seat {
    pub(super) fn new(
        connections: &Arc<Connections>,
        address: IpAddr,
        number: u64,
        state: Arc<SeatState>,
        is_proxy: bool,
        is_too_many: bool,
    ) -> Self {
        Self(Arc::new(Inner {
            connections: Arc::clone(connections),
            address,
            number,
            state,
            is_proxy,
            is_too_many,
            has_head: AtomicBool::new(false),
        }))
    }

    /// True if there were more from its address than allowed when it came.
    pub fn is_too_many(&self) -> bool {
        self.0.is_too_many
    }

    /// True if its requests are those of clients that a proxy reports.
    pub fn is_of_proxy(&self) -> bool {
        self.0.is_proxy
    }

    /// Notes the client that the proxy reports for a request.
    pub fn note_client(&self, client: IpAddr) {
        let mut hasher = DefaultHasher::new();
        network(client).hash(&mut hasher);
        let hash = hasher.finish().max(1);
        self.0.state.client.store(hash, Ordering::Relaxed);
    }

    /// A head is there, and its request begins.
    pub fn begin(&self) {
        if !self.0.has_head.load(Ordering::Relaxed) {
            self.0.has_head.store(true, Ordering::Relaxed);
            let mut table = self.0.connections.lock();
            table.has_head(self.0.address, self.0.number);
        }
        self.enter(Phase::Busy);
    }

    /// The connection does this from now on.
    pub fn enter(&self, phase: Phase) {
        let state = &self.0.state;
        let number = match phase {
            Phase::Idle => 0,
            Phase::Body => 1,
            Phase::Busy => 2,
            // What it does besides stays known.
            Phase::Unread => return state.is_unread.store(true, Ordering::Relaxed),
        };
        state.phase.store(number, Ordering::Relaxed);
    }

    /// The client reads again.
    pub fn is_read(&self) {
        self.0.state.is_unread.store(false, Ordering::Relaxed);
    }

    /// Returns whether the connection has to make room for another one.
    pub fn is_given_up(&self) -> bool {
        self.0.state.is_given_up.load(Ordering::Acquire)
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        let state = self.connections.lock().remove(self.address, self.number);
        drop(state);
    }
}

/// Wakes the task of a connection when it has to make room. The waker of a task stays the same, so that it is handed over
/// once and not for each request.
#[derive(Debug, Default)]
pub struct SeatWaker(Option<Waker>);

impl SeatWaker {
    /// Returns whether the connection has to make room, and wakes this task when it has to later.
    pub fn is_given_up(&mut self, seat: &Seat, context: &Context<'_>) -> bool {
        let waker = context.waker();
        if !self.0.as_ref().is_some_and(|known| known.will_wake(waker)) {
            seat.0.state.waker.register(waker);
            self.0 = Some(waker.clone());
        }
        seat.is_given_up()
    }
}
