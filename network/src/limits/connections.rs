//! The connections of a socket: how many there are of each address, and which one makes room when all are taken.
//!
//! The table is locked when a connection begins, when its first head is there, and when it ends: not for each request.

mod room;
mod seat;

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError};

use ipnet::IpNet;

use self::seat::SeatState;
pub use self::seat::{Phase, Seat, SeatWaker};
use crate::limits::log_interval::LogInterval;
use crate::limits::network::network;
use crate::sync::{Mutex, MutexGuard};

/// The limits of connections.
#[derive(Clone, Debug)]
pub struct ConnectionLimits {
    /// Connections at once. Further ones get in when another one makes room.
    pub size: usize,
    /// Connections at once of one address.
    pub share: usize,
    /// Proxies: their connections are those of many clients.
    pub proxies: Vec<IpNet>,
}

/// The connections of a socket.
#[derive(Debug)]
pub struct Connections {
    limits: ConnectionLimits,
    table: Mutex<Table>,
    given_up: AtomicU64,
    refused: AtomicU64,
    full: LogInterval,
}

/// Numbers are given in the order in which connections begin.
#[derive(Debug, Default)]
struct Table {
    next: u64,
    count: usize,
    heads: usize,
    addresses: BTreeMap<IpAddr, Address>,
    /// The addresses that are no proxies, by how many connections they have.
    by_count: BTreeSet<(usize, IpAddr)>,
    /// The addresses of proxies that have connections.
    proxies: BTreeSet<IpAddr>,
}

/// The connections of an address.
#[derive(Debug, Default)]
struct Address {
    is_proxy: bool,
    /// Those that have not sent a whole head yet.
    heads: BTreeMap<u64, Arc<SeatState>>,
    others: BTreeMap<u64, Arc<SeatState>>,
}

impl Address {
    fn count(&self) -> usize {
        self.heads.len().saturating_add(self.others.len())
    }
}

impl Connections {
    pub fn new(limits: ConnectionLimits) -> Self {
        Self {
            limits,
            table: Mutex::default(),
            given_up: AtomicU64::new(0),
            refused: AtomicU64::new(0),
            full: LogInterval::default(),
        }
    }

    /// Begins a connection. Another one makes room when the share of the address is full, or all connections are taken.
    pub fn enter(self: &Arc<Self>, peer: IpAddr) -> Seat {
        let address = network(peer);
        let is_proxy = self.is_proxy(peer);
        let mut table = self.lock();
        let entry = table.addresses.get(&address);
        let (own, oldest_head) = entry.map_or((0, None), |entry| {
            (entry.count(), entry.heads.keys().next().copied())
        });
        let is_share_full = !is_proxy && own >= self.limits.share;
        let victim = if is_share_full {
            oldest_head.map(|number| (address, number))
        } else if table.count >= self.limits.size {
            table.room((self.limits.share / 4).max(1))
        } else {
            None
        };
        let victim_state = victim.and_then(|(address, number)| table.remove(address, number));
        let state = Arc::new(SeatState::default());
        let number = table.add(address, is_proxy, Arc::clone(&state));
        drop(table);
        if let Some(victim_state) = &victim_state {
            self.give_up(victim_state);
        }
        let is_too_many = is_share_full && victim_state.is_none();
        Seat::new(self, address, number, state, is_proxy, is_too_many)
    }

    fn give_up(&self, state: &SeatState) {
        state.give_up();
        self.given_up.fetch_add(1, Ordering::Relaxed);
        if let Some(count) = self.full.event() {
            tracing::warn!(
                count,
                "connections were closed to make room for others: the share of an address is full, or all of them \
                 (limits.connections_max, open files)"
            );
        }
    }

    fn is_proxy(&self, peer: IpAddr) -> bool {
        let peer = peer.to_canonical();
        self.limits.proxies.iter().any(|net| net.contains(&peer))
    }

    /// A connection is refused, because it is one too many of its address.
    pub fn refused(&self) {
        self.refused.fetch_add(1, Ordering::Relaxed);
    }

    /// The number of connections, and of those that have not sent a whole head yet.
    pub fn counts(&self) -> (usize, usize) {
        let table = self.lock();
        (table.count, table.heads)
    }

    /// The number of connections that made room, and of those that were refused.
    pub fn events(&self) -> (u64, u64) {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        (read(&self.given_up), read(&self.refused))
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    fn add(&mut self, address: IpAddr, is_proxy: bool, state: Arc<SeatState>) -> u64 {
        let number = self.next;
        self.next = number.wrapping_add(1);
        self.change(address, |table, entry| {
            entry.is_proxy = is_proxy;
            entry.heads.insert(number, state);
            table.count = table.count.saturating_add(1);
            table.heads = table.heads.saturating_add(1);
        });
        number
    }

    /// The first head of a connection is there.
    fn has_head(&mut self, address: IpAddr, number: u64) {
        if let Some(entry) = self.addresses.get_mut(&address)
            && let Some(state) = entry.heads.remove(&number)
        {
            entry.others.insert(number, state);
            self.heads = self.heads.saturating_sub(1);
        }
    }

    /// A connection ends; nothing is removed when it has made room before.
    fn remove(&mut self, address: IpAddr, number: u64) -> Option<Arc<SeatState>> {
        let mut state = None;
        self.change(address, |table, entry| {
            let head = entry.heads.remove(&number);
            table.heads = table.heads.saturating_sub(usize::from(head.is_some()));
            state = head.or_else(|| entry.others.remove(&number));
            table.count = table.count.saturating_sub(usize::from(state.is_some()));
        });
        state
    }

    /// Changes the connections of an address, and keeps the addresses in order of how many they have.
    fn change(&mut self, address: IpAddr, change: impl FnOnce(&mut Self, &mut Address)) {
        let mut entry = self.addresses.remove(&address).unwrap_or_default();
        self.by_count.remove(&(entry.count(), address));
        change(self, &mut entry);
        let count = entry.count();
        if count == 0 {
            self.proxies.remove(&address);
            return;
        }
        if entry.is_proxy {
            self.proxies.insert(address);
        } else {
            self.by_count.insert((count, address));
        }
        self.addresses.insert(address, entry);
    }
}

#[cfg(test)]
mod tests;
