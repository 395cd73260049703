//! The connection that makes room when all are taken.
//!
//! It is one of the address that has the most. Addresses with about as many, up to half, count as equals: among them, a
//! connection without a whole head goes before those that have shown one. So neither the first request of a client that has
//! few connections nor the idle connections of one that has many pay for a crowd. Proxies come behind the large addresses, since
//! theirs are the connections of many clients, and before the small ones, since a crowd may be behind a proxy: one of the client
//! goes that has the most.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};

use super::{Address, Phase, Table};

/// Bounds of a search, in addresses for each kind of connection and in connections of each: the table is locked
/// meanwhile.
const ADDRESSES_MAX: usize = 256;
const CONNECTIONS_MAX: usize = 1_024;
/// The bound of a search among the connections of a proxy: the clients are counted there.
const OF_PROXY_MAX: usize = 4_096;

/// A connection: its address and its number.
type Place = (IpAddr, u64);

impl Table {
    /// Finds the connection that makes room; `None` when all of them work. An address with this many connections is large.
    pub(super) fn room(&self, large: usize) -> Option<Place> {
        self.of_addresses(large, usize::MAX)
            .or_else(|| self.proxies.iter().find_map(|proxy| self.of_proxy(*proxy)))
            .or_else(|| self.of_addresses(1, large))
    }

    /// A connection of the addresses that have at least `from` connections, and fewer than `below`.
    fn of_addresses(&self, from: usize, mut below: usize) -> Option<Place> {
        loop {
            let addresses = self.equals(from, below);
            let (largest, _) = addresses.first()?;
            below = least_equal(*largest);
            let place = self
                .oldest_head_of(&addresses)
                .or_else(|| self.oldest_waiting_of(&addresses));
            if place.is_some() {
                return place;
            }
        }
    }

    /// The addresses of this range with the most connections, and those with about as many.
    fn equals(&self, from: usize, below: usize) -> Vec<(usize, IpAddr)> {
        const FIRST: IpAddr = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
        if from >= below {
            return Vec::new();
        }
        let mut range = self
            .by_count
            .range((from, FIRST)..(below, FIRST))
            .rev()
            .copied()
            .peekable();
        let least = range.peek().map_or(0, |(count, _)| least_equal(*count));
        range
            .take_while(|(count, _)| *count >= least)
            .take(ADDRESSES_MAX)
            .collect()
    }

    fn oldest_head_of(&self, addresses: &[(usize, IpAddr)]) -> Option<Place> {
        let heads = addresses.iter().filter_map(|(count, address)| {
            let (address, number) = self.oldest_head(*address)?;
            Some((Reverse(*count), number, address))
        });
        heads.min().map(|(_, number, address)| (address, number))
    }

    fn oldest_waiting_of(&self, addresses: &[(usize, IpAddr)]) -> Option<Place> {
        let waiting = addresses.iter().filter_map(|(count, address)| {
            let (phase, number) = self.oldest_waiting(*address)?;
            Some((phase, Reverse(*count), number, *address))
        });
        waiting.min().map(|(.., number, address)| (address, number))
    }

    fn oldest_head(&self, address: IpAddr) -> Option<Place> {
        let number = self.addresses.get(&address)?.heads.keys().next()?;
        Some((address, *number))
    }

    /// The oldest connection of an address that waits for its client.
    fn oldest_waiting(&self, address: IpAddr) -> Option<(Phase, u64)> {
        let others = self.addresses.get(&address)?.others.iter();
        let mut best = None;
        for (number, state) in others.take(CONNECTIONS_MAX) {
            let phase = state.phase();
            if phase < best.map_or(Phase::Busy, |(phase, _)| phase) {
                best = Some((phase, *number));
            }
            if phase == Phase::Idle {
                break;
            }
        }
        best
    }

    /// A connection of a proxy: one without a request, else the oldest one that waits for the client that has the most.
    fn of_proxy(&self, proxy: IpAddr) -> Option<Place> {
        if let Some(head) = self.oldest_head(proxy) {
            return Some(head);
        }
        let entry = self.addresses.get(&proxy)?;
        let waiting = || waiting(entry).take(OF_PROXY_MAX);
        if let Some((_, _, number)) = waiting().find(|(phase, ..)| *phase == Phase::Idle) {
            return Some((proxy, number));
        }
        let mut clients = BTreeMap::<u64, usize>::new();
        for (_, client, _) in waiting() {
            let count = clients.entry(client).or_default();
            *count = count.saturating_add(1);
        }
        let (most, _) = clients.into_iter().max_by_key(|(_, count)| *count)?;
        let (.., number) = waiting().find(|(_, client, _)| *client == most)?;
        Some((proxy, number))
    }
}

/// The least count that is about as much.
fn least_equal(count: usize) -> usize {
    count.div_ceil(2)
}

/// Phase, client and number of the connections that wait for their clients, the oldest first.
fn waiting(known: &Address) -> impl Iterator<Item = (Phase, u64, u64)> {
    let others = known
        .others
        .iter()
        .map(|(number, state)| (state.phase(), state.client(), *number));
    others.filter(|(phase, ..)| *phase != Phase::Busy)
}
