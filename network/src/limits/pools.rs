//! The table of all pools: how large each is, who may have how much of it, and what makes room when it is full.
//!
//! Sizes follow from the settings and from what the machine has. The share of an address is never more than a quarter of
//! the pool, whatever is set. `docs/limits.md` is made of this table, and `/metrics` shows it.

pub mod page;
mod sizes;

use self::sizes::{NO_LIMIT, Sizes, at_most, quarter, set_or};
use crate::limits::fair_turns::TurnLimits;
use crate::limits::machine::Machine;

/// The longest body that is read unless the operator sets another, in bytes.
pub const BODY_LIMIT: usize = 262_144;

/// The settings that pools follow, with the names and the meaning that they have in the configuration: 0 stands for no limit
/// where a limit may be absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolSettings {
    /// Worker threads.
    pub workers: usize,
    /// The longest body that is read, in bytes.
    pub body_limit_bytes: usize,
    /// Connections at once, at least 1.
    pub connections_max: usize,
    /// Connections of one address.
    pub connections_per_address_max: usize,
    /// Bodies on their way.
    pub bodies_awaited_max: usize,
    /// Bodies on their way of one address.
    pub bodies_awaited_per_address_max: usize,
    /// Requests in work.
    pub requests_in_flight_max: usize,
    /// Streams of events of one user.
    pub streams_per_user_max: usize,
    /// Uploads at once.
    pub uploads_max: usize,
    /// Uploads of one account.
    pub uploads_per_account_max: usize,
    /// Uploads of one user.
    pub uploads_per_user_max: usize,
    /// Files of integrations that are fetched at once.
    pub fetches_max: usize,
    /// Callbacks on their way.
    pub callbacks_max: usize,
}

impl Default for PoolSettings {
    /// The settings of a service without a configuration, with one worker.
    fn default() -> Self {
        Self {
            workers: 1,
            body_limit_bytes: BODY_LIMIT,
            connections_max: 20_000,
            connections_per_address_max: 4_096,
            bodies_awaited_max: 2_048,
            bodies_awaited_per_address_max: 256,
            requests_in_flight_max: 1_024,
            streams_per_user_max: 32,
            uploads_max: 32,
            uploads_per_account_max: 8,
            uploads_per_user_max: 4,
            fetches_max: 8,
            callbacks_max: 256,
        }
    }
}

/// A pool that clients share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pool {
    /// Its name in metrics.
    pub name: &'static str,
    /// The things in it.
    pub what: &'static str,
    /// The largest number of them; `usize::MAX` stands for no limit.
    pub size: usize,
    /// The part of senders that have shown no credentials; 0: none.
    pub strangers: usize,
    /// The share of an address; `None`: addresses do not count.
    pub address: Option<usize>,
    /// The share of a user.
    pub user: Option<usize>,
    /// The share of an account; of proven bodies, one channel as well.
    pub account: Option<usize>,
    /// The settings that it follows, besides the machine.
    pub settings: &'static [&'static str],
    /// The rule for a full pool.
    pub room: &'static str,
}

/// The pools of the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pools {
    pub connections: Pool,
    pub heads: Pool,
    pub unproven_bodies: Pool,
    pub proven_bodies: Pool,
    pub requests: Pool,
    pub sign_ins: Pool,
    pub streams: Pool,
    pub uploads: Pool,
    pub decodes: Pool,
    pub fetches: Pool,
    pub callbacks: Pool,
    /// The connections that are accepted beyond the size, while others make room.
    pub accepted_beyond: usize,
}

/// Sign-ins at once. Two of them compute the hash of a password, while the others write their session.
const SIGN_INS_AT_ONCE: usize = 4;
/// Sign-ins that wait for their turn: the last one waits for less than two seconds.
const SIGN_INS_WAITING: usize = 128;
/// Pictures that are decoded at once, and those that wait.
const DECODES: usize = 1 + 32;
/// Those of one account.
const DECODES_OF_ACCOUNT: usize = 1 + 8;

impl Pools {
    /// The pools of a service with these settings, on this machine.
    pub fn new(settings: &PoolSettings, machine: Machine) -> Self {
        let sizes = Sizes::new(settings, machine);
        let connections = connections(settings, &sizes);
        Self {
            heads: Pool {
                name: "heads",
                what: "Connections that have not sent a whole head yet",
                room: "As for connections. A head has `limits.request_head_seconds`",
                ..connections
            },
            unproven_bodies: unproven_bodies(settings, &sizes),
            proven_bodies: proven_bodies(&sizes),
            requests: requests(settings),
            sign_ins: sign_ins(),
            streams: streams(settings, &sizes),
            uploads: uploads(settings),
            decodes: decodes(),
            fetches: fetches(settings),
            callbacks: callbacks(&sizes),
            accepted_beyond: sizes.accepted_beyond,
            connections,
        }
    }

    /// All of them, in the order of the page.
    pub fn all(&self) -> [&Pool; 11] {
        [
            &self.connections,
            &self.heads,
            &self.unproven_bodies,
            &self.proven_bodies,
            &self.requests,
            &self.sign_ins,
            &self.streams,
            &self.uploads,
            &self.decodes,
            &self.fetches,
            &self.callbacks,
        ]
    }

    /// Connections that are accepted: some beyond the pool, while others make room.
    pub fn accepted_max(&self) -> usize {
        self.connections.size.saturating_add(self.accepted_beyond)
    }

    /// The turns of sign-ins.
    pub fn sign_in_turns(&self) -> TurnLimits {
        TurnLimits {
            at_once: SIGN_INS_AT_ONCE,
            waiting: SIGN_INS_WAITING,
            share: self.sign_ins.address.unwrap_or(SIGN_INS_WAITING),
        }
    }
}

fn connections(settings: &PoolSettings, sizes: &Sizes) -> Pool {
    let size = sizes.connections;
    Pool {
        name: "connections",
        what: "Connections",
        size,
        strangers: size,
        address: Some(set_or(settings.connections_per_address_max, quarter(size))),
        user: None,
        account: None,
        settings: &[
            "limits.connections_max",
            "limits.connections_per_address_max",
        ],
        room: "In a full share, the oldest connection of the address without a whole head; else the answer is 429. In a \
               full pool, of the address that has the most: the oldest connection without a whole head, else one without a \
               request, one whose body or client is slow. A connection whose request is in work stays",
    }
}

fn unproven_bodies(settings: &PoolSettings, sizes: &Sizes) -> Pool {
    let size = sizes.bodies;
    Pool {
        name: "bodies_unproven",
        what: "Bodies on their way, of senders that have shown no credentials",
        size,
        strangers: size,
        address: Some(set_or(
            settings.bodies_awaited_per_address_max,
            quarter(size),
        )),
        user: None,
        account: None,
        settings: &[
            "limits.bodies_awaited_max",
            "limits.bodies_awaited_per_address_max",
        ],
        room: "The body that has waited longest with the least progress is given up (408): of the address in a full share, \
               of the address that has the most in a full pool. A body has `limits.request_body_seconds`",
    }
}

fn proven_bodies(sizes: &Sizes) -> Pool {
    let size = sizes.bodies;
    Pool {
        name: "bodies_proven",
        what: "Bodies on their way, of users, channels and the operator",
        size,
        strangers: 0,
        address: None,
        user: Some(quarter(size)),
        account: Some(quarter(size)),
        settings: &["limits.bodies_awaited_max"],
        room: "As for other bodies, by account or channel",
    }
}

fn requests(settings: &PoolSettings) -> Pool {
    let size = set_or(settings.requests_in_flight_max, NO_LIMIT);
    Pool {
        name: "requests",
        what: "Requests in work",
        size,
        strangers: at_most(SIGN_INS_AT_ONCE + SIGN_INS_WAITING, size),
        address: None,
        user: None,
        account: None,
        settings: &["limits.requests_in_flight_max"],
        room: "Nothing: the answer is 503. No request in work waits for its client, and of those without credentials only \
               sign-ins wait at all",
    }
}

fn sign_ins() -> Pool {
    Pool {
        name: "sign_ins",
        what: "Sign-ins: four in work, others wait",
        size: SIGN_INS_AT_ONCE + SIGN_INS_WAITING,
        strangers: SIGN_INS_AT_ONCE + SIGN_INS_WAITING,
        address: Some(quarter(SIGN_INS_WAITING)),
        user: None,
        account: None,
        settings: &[],
        room: "Addresses take turns. The sign-in that has waited longest is given up (503): of the address in a full share, \
               of the address that has the most in a full pool",
    }
}

fn streams(settings: &PoolSettings, sizes: &Sizes) -> Pool {
    let size = (sizes.connections / 2).max(1);
    Pool {
        name: "streams",
        what: "Event streams",
        size,
        strangers: 0,
        address: None,
        user: Some(set_or(settings.streams_per_user_max, quarter(size))),
        account: Some((size / 2).max(1)),
        settings: &["limits.connections_max", "limits.streams_per_user_max"],
        room: "Nothing: the answer is 429",
    }
}

fn uploads(settings: &PoolSettings) -> Pool {
    let account = at_most(settings.uploads_per_account_max, settings.uploads_max);
    Pool {
        name: "uploads",
        what: "Uploads",
        size: settings.uploads_max,
        strangers: 0,
        address: None,
        user: Some(at_most(settings.uploads_per_user_max, (account / 2).max(1))),
        account: Some(account),
        settings: &[
            "media.uploads_max",
            "media.uploads_per_user_max",
            "media.uploads_per_account_max",
        ],
        room: "Nothing: the answer is 429, or 503 in a full pool. An upload without progress ends after `limits.request_body_seconds`",
    }
}

fn decodes() -> Pool {
    Pool {
        name: "decodes",
        what: "Pictures: one is decoded, others wait",
        size: DECODES,
        strangers: 0,
        address: None,
        user: None,
        account: Some(DECODES_OF_ACCOUNT),
        settings: &[],
        room: "The newest one of the account that has the most; for that account itself nothing: the answer is 503. A fetched picture is tried again",
    }
}

fn fetches(settings: &PoolSettings) -> Pool {
    Pool {
        name: "fetches",
        what: "Files of integrations that are fetched",
        size: settings.fetches_max,
        strangers: 0,
        address: None,
        user: None,
        account: None,
        settings: &["media.fetches_max"],
        room: "Nothing: further ones wait on disk. At most two are of one server",
    }
}

fn callbacks(sizes: &Sizes) -> Pool {
    Pool {
        name: "callbacks",
        what: "Callbacks on their way",
        size: sizes.callbacks,
        strangers: 0,
        address: None,
        user: None,
        account: None,
        settings: &["dispatch.in_flight_max"],
        room: "Nothing: further ones wait on disk. Endpoints take turns",
    }
}

#[cfg(test)]
mod tests;
